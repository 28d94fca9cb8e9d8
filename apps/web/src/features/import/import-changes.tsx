import { DEFAULT_PAGE_SIZE } from '@brand-portal/contract/constants';
import { IMPORT_CHANGE_KINDS, type ImportChange, type ImportForMember } from '@brand-portal/contract/import';
import { DETAIL_FIELDS, type VariantDetails } from '@brand-portal/contract/variant-fields';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../ui/data-table.tsx';
import { ColumnLabel } from '../../ui/data-table-header.tsx';
import { type Column, serverPagination } from '../../ui/data-table-model.ts';
import { QueryErrorCard } from '../../ui/query-error.tsx';
import { type ChangeKind, importChangesQuery } from './imports-queries.ts';

interface ImportChangesProps {
  brandId: number;
  receipt: ImportForMember;
}

/** The variants that the import changed, one kind of change at a time. */
export function ImportChanges({ brandId, receipt }: ImportChangesProps) {
  const { t } = useTranslation();
  const { variants_created: created, variants_updated: updated } = receipt;
  const [kind, setKind] = useState<ChangeKind>(created > 0 || updated === 0 ? 'created' : 'updated');
  return (
    <Tabs.Root value={kind} onValueChange={(next) => setKind(next as ChangeKind)} className="flex flex-col gap-3">
      <Tabs.List aria-label={t('imports.changes.title')} className="flex flex-wrap gap-x-1 border-b">
        {IMPORT_CHANGE_KINDS.map((each) => (
          <Tabs.Trigger
            key={each}
            value={each}
            className="-mb-px min-h-11 rounded-t-control border-transparent border-b-2 px-2 font-medium text-text-secondary transition-colors hover:text-text data-[state=active]:border-primary data-[state=active]:text-primary sm:px-3"
          >
            {t(`imports.changes.${each}`)}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {IMPORT_CHANGE_KINDS.map((each) => (
        <Tabs.Content key={each} value={each} tabIndex={-1}>
          <ChangeList brandId={brandId} receipt={receipt} kind={each} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}

const rowId = ({ variant_id }: ImportChange) => String(variant_id);
const noRows: readonly ImportChange[] = [];

function ChangeList({ brandId, receipt, kind }: ImportChangesProps & { kind: ChangeKind }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { data, error, isPlaceholderData, refetch } = useQuery(importChangesQuery(brandId, receipt.id, kind, page));
  if (error && !data) {
    return <QueryErrorCard title={t('imports.changes.error')} error={error} refetch={refetch} />;
  }
  if (data?.count === 0) {
    // Created variants that were deleted, and changes past their retention, cannot be listed.
    const happened = kind === 'created' ? receipt.variants_created > 0 : kind === 'updated' && receipt.variants_updated > 0;
    const text = t(happened ? 'imports.changes.gone' : 'imports.changes.none');
    return <p className="rounded-card border bg-surface px-4 py-10 text-center text-text-secondary">{text}</p>;
  }
  return (
    <DataTable
      label={t(`imports.changes.${kind}`)}
      columns={changeColumns}
      rows={data?.results ?? noRows}
      rowId={rowId}
      isLoading={data === undefined}
      isFetching={isPlaceholderData}
      pagination={serverPagination({ page, pageSize: DEFAULT_PAGE_SIZE }, data, ({ page = 1 }) => setPage(page))}
    />
  );
}

const changeColumns: Column<ImportChange>[] = [
  {
    id: 'gtin',
    header: <ColumnLabel text="variants.columns.gtin" />,
    cell: ({ gtin }) => <span className="whitespace-nowrap font-mono max-md:text-caption">{gtin}</span>,
    className: 'min-w-32 max-md:px-3!',
  },
  {
    id: 'name',
    header: <ColumnLabel text="variants.columns.name" />,
    cell: (change) => (
      <>
        <Change before={change.old_name} after={change.name} />
        <ChangedDetails before={change.old_details} after={change.details} />
      </>
    ),
    className: 'w-1/2 min-w-48',
  },
  {
    id: 'category',
    header: <ColumnLabel text="imports.columns.category" />,
    cell: (change) => <Change before={change.old_category} after={change.category} />,
    className: 'w-1/4 min-w-36',
  },
  {
    id: 'certificates',
    header: <ColumnLabel text="imports.columns.certificates" />,
    cell: ({ certificates }) => certificates.join(', '),
    className: 'w-1/4 min-w-40',
  },
];

/** The details that changed. `before`: null if none did. */
export function ChangedDetails({ before, after }: { before: VariantDetails | null; after: VariantDetails }) {
  const { t } = useTranslation();
  const changed = DETAIL_FIELDS.filter((field) => before && before[field] !== after[field]);
  return changed.map((field) => (
    <p key={field} className="line-clamp-3 text-caption text-text-secondary">
      {t(`fields.${field}`)}: <Change before={before?.[field] ?? ''} after={after[field] ?? ''} />
    </p>
  ));
}

/** Before → after, or only the value if it did not change. */
function Change({ before, after }: { before: string | null; after: string }) {
  const { t } = useTranslation();
  if (before === null) return <span className="wrap-anywhere">{after}</span>;
  const empty = t('imports.changes.empty');
  return (
    // `relative`, because of the sr-only text inside: it is positioned absolutely and would otherwise extend the page
    // beyond the scrolling table.
    <span className="relative wrap-anywhere">
      <span className="sr-only">{t('imports.changes.before')} </span>
      <del className="text-text-secondary">{before || empty}</del>
      <ArrowRight className="mx-1 inline size-3.5" />
      <span className="sr-only"> {t('imports.changes.after')} </span>
      <ins className="font-medium no-underline">{after || empty}</ins>
    </span>
  );
}
