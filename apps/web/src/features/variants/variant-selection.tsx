import { MAX_CHOSEN_ROWS } from '@brand-portal/contract/exports';
import type { VariantFilter } from '@brand-portal/contract/variant-actions';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { CheckBox } from '../../ui/check-box.tsx';
import { useTabStop } from '../../ui/data-table-keys.ts';
import { toast } from '../../ui/toast-store.ts';

interface Known {
  published: boolean;
  /** Where it was ticked. */
  page: string;
  /** The filter of the list that it was last seen in. */
  filter: string;
}

/** Which variants are selected, over all pages of the list. A row asks for its own box only, so that a tick renders one box. */
export interface Selection {
  /** All that match the list's filter, but those in `ticked`; otherwise those in `ticked`. */
  isAll: boolean;
  ticked: ReadonlyMap<number, Known>;
  /** The rows that are shown, and a name for their page. */
  rows: readonly VariantAnswer[];
  page: string;
  filter: string;
  /** Where a range begins: the last box that was ticked. */
  anchor: number | undefined;
}

const NOTHING = { isAll: false, ticked: new Map<number, Known>(), anchor: undefined };

/** What an action is sent for. `expected`: how many the member saw; where others match by then, nothing is done. */
export type ChosenVariants = { ids: number[] } | { filter: VariantFilter; except_ids: number[]; expected: number };

export const isSelected = ({ isAll, ticked }: Selection, id: number) => isAll !== ticked.has(id);

/** `total`: how many match the list's filter. */
export function countSelected({ isAll, ticked }: Selection, total: number): number {
  return isAll ? Math.max(total - ticked.size, 0) : ticked.size;
}

/** How many ticked ones are not among the rows, where some were ticked with another search or filter. */
export function countHidden({ isAll, ticked, rows, filter }: Selection): number {
  if (isAll) return 0;
  const shown = new Set(rows.map(({ id }) => id));
  const hidden = [...ticked].filter(([id]) => !shown.has(id));
  return hidden.some(([, known]) => known.filter !== filter) ? hidden.length : 0;
}

export function toChosen(selection: Selection, filter: VariantFilter, total: number): ChosenVariants {
  const ids = [...selection.ticked.keys()];
  return selection.isAll ? { filter, except_ids: ids, expected: countSelected(selection, total) } : { ids };
}

export function createSelection() {
  const store = createStore<Selection>(() => ({ ...NOTHING, rows: [], page: '', filter: '' }));
  const { getState, setState } = store;

  /** False where more boxes would be ticked than can be sent. */
  const tick = (rows: readonly VariantAnswer[], selected: boolean, anchor: number | undefined): boolean => {
    const { isAll, page, filter, ticked: before } = getState();
    const ticked = new Map(before);
    for (const { id, published } of rows) {
      if (selected === isAll) ticked.delete(id);
      else if (!ticked.has(id)) ticked.set(id, { published, page, filter });
    }
    if (ticked.size > MAX_CHOSEN_ROWS) return false;
    setState({ ticked, anchor });
    return true;
  };

  return {
    ...store,
    /** Other rows, or the same ones as they are now. */
    show(rows: readonly VariantAnswer[], page: string, filter: string) {
      const ticked = new Map(getState().ticked);
      for (const { id, published } of rows) {
        const known = ticked.get(id);
        if (known) ticked.set(id, { published, page: known.filter === filter ? known.page : page, filter });
      }
      setState({ rows, page, filter, ticked });
    },
    /** One, or with `isRange` all from the last one that was ticked to this one. */
    tickRow(variant: VariantAnswer, selected: boolean, isRange: boolean): boolean {
      const { rows, anchor } = getState();
      const [from, to] = [anchor, variant.id].map((wanted) => rows.findIndex(({ id }) => id === wanted));
      const isKnown = from !== undefined && to !== undefined && from >= 0 && to >= 0;
      const range = isRange && isKnown ? rows.slice(Math.min(from, to), Math.max(from, to) + 1) : [variant];
      return tick(range, selected, variant.id);
    },
    tickPage: (selected: boolean): boolean => tick(getState().rows, selected, undefined),
    selectAll: () => setState({ ...NOTHING, isAll: true }),
    /** One that is deleted: it is neither selected nor left out any more. */
    forget(id: number) {
      const ticked = new Map(getState().ticked);
      if (ticked.delete(id)) setState({ ticked });
    },
    clear: () => setState(NOTHING),
  };
}

type SelectionStore = ReturnType<typeof createSelection>;

const SelectionContext = createContext<SelectionStore | null>(null);

/** By context, because the table's columns are made once and for all. */
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

const look = 'size-full min-h-9 max-md:min-h-11';

function useTellFull() {
  const { t } = useTranslation();
  return (isTicked: boolean) => {
    if (!isTicked) toast({ variant: 'warning', title: t('selection.full') });
  };
}

export function SelectVariant({ variant }: { variant: VariantAnswer }) {
  const { t } = useTranslation();
  const store = useSelectionStore();
  const tellFull = useTellFull();
  const tabIndex = useTabStop();
  const checked = useSelection((selection) => isSelected(selection, variant.id));
  return (
    <CheckBox
      label={t('selection.row', { name: variant.name })}
      checked={checked}
      tabIndex={tabIndex}
      onChange={(selected, { withShift }) => tellFull(store.tickRow(variant, selected, withShift))}
      className={look}
    />
  );
}

export function SelectPage() {
  const { t } = useTranslation();
  const store = useSelectionStore();
  const tellFull = useTellFull();
  const checked = useSelection((selection) => {
    const count = selection.rows.filter(({ id }) => isSelected(selection, id)).length;
    return count === 0 ? false : count === selection.rows.length ? true : 'mixed';
  });
  return (
    <CheckBox
      label={t('selection.page')}
      checked={checked}
      onChange={(selected) => tellFull(store.tickPage(selected))}
      className={look}
    />
  );
}
