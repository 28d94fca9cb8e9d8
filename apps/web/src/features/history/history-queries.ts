import type { Language } from '@brand-portal/contract/constants';
import { exportHistory, getHistoryFilters, type HistoryPage, listHistory } from '@brand-portal/contract/history';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { download, type ExportList } from '../../lib/download.ts';
import { type ListView, listAddress, useListView } from '../../lib/list-view.ts';
import { brandKeys } from '../brands/brands-queries.ts';

/** Strings, because they come from the URL; empty: all, newest first. */
type HistoryFilters = {
  /** User id; '0': the operator and the system. */
  person: string;
  action: string;
  /** Dates in the user's time zone, such as 2026-11-16; both are included. */
  from: string;
  to: string;
  /** Cursors: entries older than this id, or newer than that one. */
  before: string;
  after: string;
};

/** The part of the history that the page shows. */
export type HistoryView = ListView & HistoryFilters;

const NO_FILTER = { person: '', action: '', from: '', to: '' };

const address = listAddress<HistoryFilters>((params) => {
  const matching = (name: string, pattern: RegExp) => pattern.exec(params.get(name) ?? '')?.[0] ?? '';
  const day = (name: string) => {
    const text = matching(name, /^\d{4}-\d\d-\d\d$/);
    return Number.isNaN(Date.parse(text)) ? '' : text;
  };
  return {
    person: matching('person', /^(0|[1-9]\d{0,14})$/),
    action: matching('action', /^[\w.]{1,100}$/),
    from: day('from'),
    to: day('to'),
    before: matching('before', /^[1-9]\d{0,14}$/),
    after: matching('after', /^[1-9]\d{0,14}$/),
  };
});

export function useHistoryView() {
  const { view, changeView } = useListView(address);
  return {
    view,
    /** Every change goes back to the newest entry, unless it is a change of cursor. */
    changeView: (next: Partial<HistoryView>) => changeView({ before: '', after: '', ...next }),
    clearFilter: () => changeView({ ...NO_FILTER, before: '', after: '' }),
  };
}

export const isNarrowed = ({ person, action, from, to }: HistoryView) => [person, action, from, to].some(Boolean);

/** The start of a day in the user's time zone. */
function startOf(day: string, daysLater = 0): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
}

const toFilter = ({ person, action, from, to }: HistoryView) => ({
  ...(person && { person: Number(person) }),
  ...(action && { action }),
  ...(from && { from: startOf(from) }),
  ...(to && { to: startOf(to, 1) }),
});

const historyKey = (brandId: number) => [...brandKeys.detail(brandId), 'history'] as const;

/** The server translates the sentences: the language is part of the key. */
export function historyQuery(brandId: number, view: HistoryView, language: Language) {
  const { before, after, pageSize } = view;
  const query = {
    ...toFilter(view),
    page_size: pageSize,
    ...(before ? { before: Number(before) } : after ? { after: Number(after) } : {}),
  };
  return queryOptions({
    queryKey: [...historyKey(brandId), 'list', query, language],
    queryFn: async ({ signal }): Promise<HistoryPage & { view: HistoryView }> => ({
      ...(await callApi(listHistory, { params: { brandId }, query, signal })),
      view,
    }),
    placeholderData: keepPreviousData,
    // Other members change the brand too.
    staleTime: 0,
  });
}

export function historyFiltersQuery(brandId: number, language: Language) {
  return queryOptions({
    queryKey: [...historyKey(brandId), 'filters', language],
    queryFn: ({ signal }) => callApi(getHistoryFilters, { params: { brandId }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Exports the filtered history, all pages of it. */
export function exportShownHistory(brandId: number, view: HistoryView): ExportList {
  return (format, under) =>
    download(
      exportHistory,
      { params: { brandId }, query: { format, ...toFilter(view) } },
      { ...under, fileName: `history.${format}`, rows: undefined },
    );
}
