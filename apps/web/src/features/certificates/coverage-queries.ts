import { exportCoverage, getCoverage } from '@brand-portal/contract/coverage';
import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { download, type ExportList } from '../../lib/download.ts';
import { brandKeys } from '../brands/brands-queries.ts';

export function coverageQuery(brandId: number) {
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'coverage'],
    queryFn: async ({ signal }) => (await callApi(getCoverage, { params: { brandId }, signal })).results,
  });
}

export function exportMissing(brandId: number, rows: number): ExportList {
  return (format, under) =>
    download(
      exportCoverage,
      { params: { brandId }, query: { format } },
      { ...under, fileName: `coverage.${format}`, rows },
    );
}
