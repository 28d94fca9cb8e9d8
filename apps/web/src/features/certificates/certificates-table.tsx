import type { BrandCertificationAnswer } from '@brand-portal/contract/certificates';
import { DEFAULT_PAGE_SIZE, LONGEST_SEARCH, VARIANT_PAGE_SIZES } from '@brand-portal/contract/constants';
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { clampPageIndex } from '../../ui/data-table-model.ts';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { certificateColumns } from './certificates-columns.tsx';
import { exportShownCertificates } from './certificates-queries.ts';
import { arrangeCertificates, type CertificateSort, toExportQuery } from './certificates-view.ts';

const noCertificates: readonly BrandCertificationAnswer[] = [];

const rowId = ({ certification_name, certificate_id }: BrandCertificationAnswer) =>
  `${certification_name} ${certificate_id}`;

interface CertificatesTableProps {
  brandId: number;
  /** None while they are on their way. */
  certificates: readonly BrandCertificationAnswer[] | undefined;
  /** In place of the table, where there is nothing to list. */
  instead: ReactNode;
}

/** All of them are here, so that searching, sorting and paging are the page's own business. */
export function CertificatesTable({ brandId, certificates, instead }: CertificatesTableProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const format = useFormat();
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<CertificateSort | null>(null);
  const [{ pageIndex, pageSize }, setPage] = useState({ pageIndex: 0, pageSize: DEFAULT_PAGE_SIZE });
  const searchRef = useRef<HTMLInputElement>(null);

  // Typing stays quick with a hundred thousand of them.
  const wanted = useDeferredValue(search);
  const found = useMemo(
    () => arrangeCertificates(certificates ?? noCertificates, { search: wanted, sort, language }),
    [certificates, wanted, sort, language],
  );
  // As long as nobody knows, as if there were: most brands have many, and for those nothing moves when they arrive.
  const isMany = certificates === undefined || certificates.length > DEFAULT_PAGE_SIZE;
  const pageCount = Math.ceil(found.length / pageSize);
  const start = clampPageIndex(pageIndex, pageCount) * pageSize;

  const changeSearch = (next: string) => {
    setSearch(next);
    setPage({ pageIndex: 0, pageSize });
  };
  const clear = () => {
    changeSearch('');
    searchRef.current?.focus();
  };

  return (
    <>
      <p role="status" className="sr-only">
        {certificates && t('certificates.found', { number: format.number(found.length) })}
      </p>
      <div className="flex flex-wrap gap-2 sm:flex-nowrap">
        <SearchField
          label={t('certificates.search.label')}
          placeholder={t('certificates.search.placeholder')}
          value={search}
          onChange={changeSearch}
          maxLength={LONGEST_SEARCH}
          inputRef={searchRef}
          className="min-w-0 flex-1 basis-full sm:basis-0"
        />
        {/* There while they are on their way, so that nothing moves; gone where there is nothing to export. */}
        {!instead && (
          <ExportMenu
            onExport={exportShownCertificates(brandId, toExportQuery({ search, sort }), found.length)}
            className="max-sm:flex-1"
          />
        )}
      </div>
      {instead || (
        <DataTable
          label={t('certificates.table')}
          columns={certificateColumns}
          rows={found.slice(start, start + pageSize)}
          rowId={rowId}
          isLoading={certificates === undefined}
          pageSizes={isMany ? VARIANT_PAGE_SIZES : undefined}
          pagination={{ pageIndex, pageSize, pageCount, totalCount: found.length, onChange: setPage }}
          sorting={{
            sort,
            onChange: (next) => {
              setSort(next);
              setPage({ pageIndex: 0, pageSize });
            },
          }}
          hint={{
            text: t('certificates.no_matches.description', { search: wanted }),
            action: <Button onClick={clear}>{t('certificates.no_matches.clear')}</Button>,
          }}
        />
      )}
    </>
  );
}
