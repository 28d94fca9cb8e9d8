import { MAX_CHOSEN_ROWS } from '@brand-portal/contract/exports';
import type { VariantFilter } from '@brand-portal/contract/variant-actions';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { CheckBox } from '../../ui/check-box.tsx';
import { useTabStop } from '../../ui/data-table-keys.ts';
import { toast } from '../../ui/toast-store.ts';

interface Known {
  published: boolean;
  /** The page on which it was ticked, or first shown after a change of the filter. */
  page: string;
  /** The filter of the list in which it was last shown. */
  filter: string;
}

interface SelectedList {
  filter: VariantFilter;
  /** The server's name for the filter, if it has sent one. */
  filter_key?: string | undefined;
}

/**
 * The selected variants, over all pages of the list. Each row subscribes to its own checkbox, so that a tick renders
 * one checkbox only.
 */
export interface Selection {
  /** All that match this list's filter, except `ticked`. Undefined: only those in `ticked`. */
  allOf: SelectedList | undefined;
  ticked: ReadonlyMap<number, Known>;
  /** The rows on screen, and a key for their page. */
  rows: readonly VariantAnswer[];
  page: string;
  filter: string;
  /** Start of a range selection: the last ticked checkbox. */
  anchor: number | undefined;
}

const NOTHING = { allOf: undefined, ticked: new Map<number, Known>(), anchor: undefined };

/**
 * The target of an action. `expected`: the number that the member saw; if another number matches by then, the server
 * does nothing.
 */
export type ChosenVariants = { ids: number[] } | (SelectedList & { except_ids: number[]; expected: number });

const isSelected = ({ allOf, ticked }: Selection, id: number) => (allOf !== undefined) !== ticked.has(id);

/** `total`: number of variants that match the list's filter. */
export function countSelected({ allOf, ticked }: Selection, total: number): number {
  return allOf ? Math.max(total - ticked.size, 0) : ticked.size;
}

/** How many ticked variants are not on screen, if some were ticked with another search or filter. */
export function countHidden({ allOf, ticked, rows, filter }: Selection): number {
  if (allOf) return 0;
  const shown = new Set(rows.map(({ id }) => id));
  const hidden = [...ticked].filter(([id]) => !shown.has(id));
  return hidden.some(([, known]) => known.filter !== filter) ? hidden.length : 0;
}

export function toChosen(selection: Selection, total: number): ChosenVariants {
  const { allOf, ticked } = selection;
  const ids = [...ticked.keys()];
  return allOf ? { ...allOf, except_ids: ids, expected: countSelected(selection, total) } : { ids };
}

function createSelection() {
  const store = createStore<Selection>(() => ({ ...NOTHING, rows: [], page: '', filter: '' }));
  const { getState, setState } = store;

  /** Returns false if more variants would be ticked than can be sent. */
  const tick = (rows: readonly VariantAnswer[], selected: boolean, anchor: number | undefined): boolean => {
    const { allOf, page, filter, ticked: before } = getState();
    const ticked = new Map(before);
    for (const { id, published } of rows) {
      if (selected === (allOf !== undefined)) ticked.delete(id);
      else if (!ticked.has(id)) ticked.set(id, { published, page, filter });
    }
    if (ticked.size > MAX_CHOSEN_ROWS) return false;
    setState({ ticked, anchor });
    return true;
  };

  return {
    ...store,
    /** Other rows, or updated data of the same rows. */
    show(rows: readonly VariantAnswer[], page: string, filter: string) {
      const ticked = new Map(getState().ticked);
      for (const { id, published } of rows) {
        const known = ticked.get(id);
        if (known) ticked.set(id, { published, page: known.filter === filter ? known.page : page, filter });
      }
      setState({ rows, page, filter, ticked });
    },
    /** Ticks one row, or with `isRange` all from the last ticked one to this one. */
    tickRow(variant: VariantAnswer, selected: boolean, isRange: boolean): boolean {
      const { rows, anchor } = getState();
      const [from, to] = [anchor, variant.id].map((wanted) => rows.findIndex(({ id }) => id === wanted));
      const isKnown = from !== undefined && to !== undefined && from >= 0 && to >= 0;
      const range = isRange && isKnown ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [variant];
      return tick(range, selected, variant.id);
    },
    tickPage: (selected: boolean): boolean => tick(getState().rows, selected, undefined),
    selectAll: (list: SelectedList) => setState({ ...NOTHING, allOf: list }),
    /** They are neither selected nor excepted any more. */
    forget(ids: readonly number[]) {
      const ticked = new Map(getState().ticked);
      for (const id of ids) ticked.delete(id);
      setState({ ticked });
    },
    clear: () => setState(NOTHING),
  };
}

type SelectionStore = ReturnType<typeof createSelection>;

const SelectionContext = createContext<SelectionStore | null>(null);

/** A context, because the table's columns are created once and get no props. */
export function SelectionProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createSelection);
  return <SelectionContext value={store}>{children}</SelectionContext>;
}

export function useSelectionStore(): SelectionStore {
  const store = useContext(SelectionContext);
  if (!store) throw new Error('Outside SelectionProvider');
  return store;
}

export function useSelection<Value>(select: (selection: Selection) => Value): Value {
  return useStore(useSelectionStore(), select);
}

/**
 * “All that match” would be other variants after a change of search or filter: clears that selection and says so.
 * Individually ticked variants stay selected.
 */
export function useClearWithFilter(filter: VariantFilter): void {
  const { t } = useTranslation();
  const store = useSelectionStore();
  const key = JSON.stringify(filter);
  const clear = useEffectEvent(() => {
    const { allOf } = store.getState();
    if (!allOf || JSON.stringify(allOf.filter) === key) return;
    store.clear();
    toast({ title: t('selection.cleared') });
  });
  useEffect(() => {
    if (key) clear();
  }, [key]);
}

const boxClasses = 'size-full min-h-9 max-md:min-h-11';

function useSelectionFullToast() {
  const { t } = useTranslation();
  return (isTicked: boolean) => {
    if (!isTicked) toast({ variant: 'warning', title: t('selection.full') });
  };
}

export function SelectVariant({ variant }: { variant: VariantAnswer }) {
  const { t } = useTranslation();
  const store = useSelectionStore();
  const showSelectionFull = useSelectionFullToast();
  const tabIndex = useTabStop();
  const checked = useSelection((selection) => isSelected(selection, variant.id));
  return (
    <CheckBox
      label={t('selection.row', { name: variant.name })}
      checked={checked}
      tabIndex={tabIndex}
      onChange={(selected, { withShift }) => showSelectionFull(store.tickRow(variant, selected, withShift))}
      className={boxClasses}
    />
  );
}

export function SelectPage() {
  const { t } = useTranslation();
  const store = useSelectionStore();
  const showSelectionFull = useSelectionFullToast();
  const checked = useSelection((selection) => {
    const count = selection.rows.filter(({ id }) => isSelected(selection, id)).length;
    return count === 0 ? false : count === selection.rows.length ? true : 'mixed';
  });
  return (
    <CheckBox
      label={t('selection.page')}
      checked={checked}
      onChange={(selected) => showSelectionFull(store.tickPage(selected))}
      className={boxClasses}
    />
  );
}
