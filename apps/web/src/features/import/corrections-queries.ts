import { DEFAULT_PAGE_SIZE } from '@brand-portal/contract/constants';
import type { QueryOf } from '@brand-portal/contract/endpoint';
import {
  correctAll,
  correctCell,
  importCorrected,
  listCorrections,
  MAX_CORRECTION_LENGTH,
  type RejectedRow,
  type RejectedRowPage,
} from '@brand-portal/contract/import-corrections';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { requireAnswer } from '../../lib/api-error.ts';
import { isRefusal } from '../../lib/retry.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { RESPOND_ASYNC, waitForImport } from './import-queries.ts';
import { importKeys, REFRESH_MS } from './imports-queries.ts';

export interface CorrectionsView {
  state?: NonNullable<QueryOf<typeof listCorrections>['state']>;
  page: number;
  pageSize: number;
}

export const FIRST_PAGE: CorrectionsView = { page: 1, pageSize: DEFAULT_PAGE_SIZE };

const correctionsKey = (brandId: number, importId: number) => [...importKeys.detail(brandId, importId), 'corrections'];

export function correctionsQuery(brandId: number, importId: number, view: CorrectionsView) {
  const { state, page, pageSize } = view;
  return queryOptions({
    queryKey: [...correctionsKey(brandId, importId), view],
    queryFn: async ({ signal }) => {
      const query = { page, page_size: pageSize, ...(state && { state }) };
      return { ...(await callApi(listCorrections, { params: { brandId, importId }, query, signal })), view };
    },
    // Other members correct rows too.
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data, error } }) => ((data?.counts.importing ?? 0) > 0 && !isRefusal(error) ? REFRESH_MS : false),
  });
}

interface Correction {
  row: number;
  place: number;
  from: string;
  to: string;
}

export const isContradiction = (code: string) => code.startsWith('contradicting');
const isContradicted = (row: RejectedRow | undefined) => row?.errors.some(({ code }) => isContradiction(code)) ?? false;

/** Saved and validated by the server, in order, because one edit may build on another. */
export function useCorrectCell(brandId: number, importId: number, view: CorrectionsView) {
  const queryClient = useQueryClient();
  const { queryKey } = correctionsQuery(brandId, importId, view);
  const refresh = () => queryClient.invalidateQueries({ queryKey: importKeys.detail(brandId, importId) });
  const storedIn = (row: number, place: number) => {
    const page = queryClient.getQueryData<RejectedRowPage>(queryKey);
    const index = page?.columns.findIndex((column) => column.place === place) ?? -1;
    return page?.results.find((other) => other.row === row)?.cells[index];
  };
  return useMutation({
    scope: { id: `corrections of ${importId}` },
    mutationFn: async ({ row, place, from, stored, to }: Correction & { stored: string }) => {
      // The edit before this one may have failed by now: then the cell has the value from before both.
      const last = storedIn(row, place) === stored ? stored : from;
      // Truncated values cannot be compared.
      const body = { place, to, ...(last.length < MAX_CORRECTION_LENGTH && { from: last }) };
      return requireAnswer(await callApi(correctCell, { params: { brandId, importId, row }, body }));
    },
    onSuccess: ({ row, counts }) => {
      const before = queryClient.getQueryData<RejectedRowPage>(queryKey)?.results.find((other) => other.row === row.row);
      queryClient.setQueryData(
        queryKey,
        (page) =>
          page && {
            ...page,
            counts,
            results: page.results.map((other) =>
              other.row === row.row ? { ...row, cells: page.columns.map((_, index) => row.cells[index] ?? '') } : other,
            ),
          },
      );
      // In a list filtered by state, a row that is now correct stays visible until the list is fetched for another
      // reason.
      if (view.state === undefined || isContradicted(before) || isContradicted(row)) void refresh();
      else void queryClient.invalidateQueries({ queryKey: importKeys.errorGroups(brandId, importId) });
    },
    onError: () => void refresh(),
  });
}

/** The same correction in all rows that have the value. */
export function useCorrectAll(brandId: number, importId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    scope: { id: `corrections of ${importId}` },
    mutationFn: async (body: Omit<Correction, 'row'>) => {
      let rows = 0;
      // One call corrects a limited number of rows.
      for (;;) {
        const answer = await callApi(correctAll, { params: { brandId, importId }, body });
        rows += answer?.rows ?? 0;
        if (!answer?.rest || answer.rows === 0) return { rows };
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: importKeys.detail(brandId, importId) }),
  });
}

interface ImportedRows {
  imported: number;
  import_id: number;
}

/** Resolves with the receipt of the import of corrected rows, however long it takes. */
export function useImportCorrected(brandId: number, importId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationKey: ['import-corrected', importId],
    // Runs after pending corrections are saved.
    scope: { id: `corrections of ${importId}` },
    mutationFn: async (): Promise<ImportedRows> => {
      const params = { brandId, importId };
      const answer = requireAnswer(await callApi(importCorrected, { params, headers: RESPOND_ASYNC }));
      if ('imported' in answer) return answer;
      const { id, imported } = await waitForImport(brandId, answer.import_id, 'import_interrupted');
      return { import_id: id, imported };
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) }),
  });
}
