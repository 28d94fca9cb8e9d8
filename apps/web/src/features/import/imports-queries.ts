import { DEFAULT_PAGE_SIZE } from '@brand-portal/contract/constants';
import type { QueryOf } from '@brand-portal/contract/endpoint';
import {
  cancelImport,
  getImport,
  type ImportDetail,
  type ImportNotice,
  type ImportPreview,
  type ImportReceipt,
  listImportChanges,
  listImports,
  previewUndo,
  undoImport,
} from '@brand-portal/contract/import';
import { listImportErrorGroups } from '@brand-portal/contract/import-corrections';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { callApi } from '../../lib/api-client.ts';
import { ApiError, requireAnswer } from '../../lib/api-error.ts';
import type { ListView } from '../../lib/list-view.ts';
import { isRefusal } from '../../lib/retry.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { confirmChecked, fetchPreview, RESPOND_ASYNC, waitForImport } from './import-queries.ts';

/** Below the brand's key: invalidating the brand, as after an upload, includes its imports. */
export const importKeys = {
  list: (brandId: number, view: ImportsView) => [...brandKeys.detail(brandId), 'imports', 'list', view] as const,
  detail: (brandId: number, importId: number) => [...brandKeys.detail(brandId), 'imports', importId] as const,
  errorGroups: (brandId: number, importId: number) => [...importKeys.detail(brandId, importId), 'error-groups'] as const,
};

export const REFRESH_MS = 2_000;

export const isInProgress = ({ state }: Pick<ImportReceipt, 'state'>) => state === 'waiting' || state === 'running';

export interface ListedImport extends ImportReceipt {
  /** For an undo: the import that it undid, if it is on the same page. */
  undone?: ImportReceipt | undefined;
}

export interface ImportList {
  results: ListedImport[];
  count: number;
  /** The view it answers: the list may be shown while another view is loading. */
  view: ImportsView;
}

/** `notice`: only imports that need attention for this reason. */
export type ImportsView = ListView & { notice: ImportNotice | 'all' };

export function importListQuery(brandId: number, view: ImportsView) {
  const { search, page, pageSize, notice } = view;
  const filters = { ...(search === '' ? {} : { search }), ...(notice === 'all' ? {} : { notice }) };
  const query = { page, page_size: pageSize, ...filters };
  return queryOptions({
    queryKey: importKeys.list(brandId, view),
    queryFn: async ({ signal }): Promise<ImportList> => {
      const { results, count } = await callApi(listImports, { params: { brandId }, query, signal });
      const undone = (id: number | null) => results.find((other) => other.id === id);
      return { results: results.map((each) => ({ ...each, undone: undone(each.undoes_import_id) })), count, view };
    },
    // Other members upload too.
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data, error } }) => (data?.results.some(isInProgress) && !isRefusal(error) ? REFRESH_MS : false),
  });
}

export function importQuery(brandId: number, importId: number) {
  return queryOptions({
    queryKey: importKeys.detail(brandId, importId),
    queryFn: ({ signal }) => callApi(getImport, { params: { brandId, importId }, signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data, error } }) => (data && isInProgress(data) && !isRefusal(error) ? REFRESH_MS : false),
  });
}

/** Refetches variants and certificates when an import on screen ends. */
export function useRefreshAtEnd(brandId: number, isRunning: boolean): void {
  const queryClient = useQueryClient();
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning) void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
    wasRunning.current = isRunning;
  }, [queryClient, brandId, isRunning]);
}

/** Changes as rows are corrected. */
export function errorGroupsQuery(brandId: number, importId: number) {
  return queryOptions({
    queryKey: importKeys.errorGroups(brandId, importId),
    queryFn: ({ signal }) => callApi(listImportErrorGroups, { params: { brandId, importId }, signal }),
  });
}

export type ChangeKind = QueryOf<typeof listImportChanges>['kind'];

export function importChangesQuery(brandId: number, importId: number, kind: ChangeKind, page: number) {
  return queryOptions({
    queryKey: [...importKeys.detail(brandId, importId), 'changes', kind, page],
    queryFn: async ({ signal }) => ({
      ...(await callApi(listImportChanges, { params: { brandId, importId }, query: { kind, page }, signal })),
      view: { page, pageSize: DEFAULT_PAGE_SIZE },
    }),
    placeholderData: keepPreviousData,
  });
}

export function undoPreviewQuery(brandId: number, importId: number) {
  return queryOptions({
    // Not below the brand's key: the undo itself invalidates the brand, and afterwards there is nothing to preview.
    queryKey: ['undo-preview', brandId, importId],
    queryFn: ({ signal }) => callApi(previewUndo, { params: { brandId, importId }, signal }),
    // Data may have changed since the dialog was last open.
    staleTime: 0,
    gcTime: 0,
  });
}

/** What a checked import would change now. */
export function importPreviewQuery(brandId: number, importId: number) {
  return queryOptions({
    // Not below the brand's key: the import itself invalidates the brand, and afterwards there is nothing to preview.
    queryKey: ['import-preview', brandId, importId],
    queryFn: () => fetchPreview(brandId, importId),
    // The brand may have changed since.
    staleTime: 0,
    gcTime: 0,
  });
}

/** Imports a checked file, with the numbers of its preview. The import's page then polls it. */
export function useConfirmImport(brandId: number, importId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationKey: ['confirm-import', brandId, importId],
    mutationFn: (preview: ImportPreview) => confirmChecked(brandId, preview),
    onSettled: (_answer, error) =>
      error instanceof ApiError && error.code === 'import_plan_changed'
        ? queryClient.invalidateQueries(importPreviewQuery(brandId, importId))
        : queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) }),
  });
}

/** Resolves with the receipt of the undo, however long it takes. */
export function useUndoImport(brandId: number, importId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: async (): Promise<ImportDetail> => {
      const params = { brandId, importId };
      const answer = requireAnswer(await callApi(undoImport, { params, headers: RESPOND_ASYNC }));
      return 'import_id' in answer ? waitForImport(brandId, answer.import_id, 'import_not_undoable') : answer;
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) }),
  });
}

export function useCancelImport(brandId: number, importId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: () => callApi(cancelImport, { params: { brandId, importId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: importKeys.detail(brandId, importId) }),
  });
}
