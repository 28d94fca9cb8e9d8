import { CSV_HEADERS_FRESHNESS_MS } from '@brand-portal/contract/constants';
import { type CsvUploadAnswer, downloadRejectedRows, getCsvHeaders, uploadCsv } from '@brand-portal/contract/import';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { saveFile } from '../../lib/save-file.ts';

export function csvHeadersQuery() {
  return queryOptions({
    queryKey: ['csv-headers'],
    queryFn: ({ signal }) => callApi(getCsvHeaders, { signal }),
    staleTime: CSV_HEADERS_FRESHNESS_MS,
    // Kept for as long as they are fresh, also while no dialog shows them.
    gcTime: CSV_HEADERS_FRESHNESS_MS,
  });
}

interface Upload {
  brandId: number;
  file: File;
  signal: AbortSignal;
  /** How much has gone up, from 0 to 1. */
  onProgress: (sent: number) => void;
}

export function sendCsv({ brandId, file, signal, onProgress }: Upload): Promise<CsvUploadAnswer> {
  const body = new FormData();
  body.set('file', file);
  return callApi(uploadCsv, { params: { brandId }, body, signal, onProgress });
}

export function useSaveRejectedRows(brandId: number, importId: number) {
  return useMutation({
    mutationFn: async (fileName: string) =>
      saveFile(await callApi(downloadRejectedRows, { params: { brandId, importId } }), fileName),
  });
}
