import type { ProductVariant } from '@brand-portal/contract/variants';
import { useTranslation } from 'react-i18next';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { dataTableColumnHelper } from '../../ui/data-table-model.ts';
import { PublishedBadge } from './published-badge.tsx';
import { VariantCertifications } from './variant-certifications.tsx';
import { VariantGtin } from './variant-gtin.tsx';
import { VariantMenu } from './variants-actions.tsx';

type ColumnName = 'gtin' | 'name' | 'certifications' | 'published' | 'actions';

/** The columns are made once; their names follow the language. */
function ColumnLabel({ name }: { name: ColumnName }) {
  const { t } = useTranslation();
  return t(`variants.columns.${name}`);
}

/**
 * Widths hold what may come at most, so that nothing moves sideways from page to page, or when the first one arrives.
 * In less than 68rem they give way a little, so that all of them fit beside the sidebar of a window of 1280 px.
 */
const helper = dataTableColumnHelper<ProductVariant>();

export const variantColumns = helper.columns([
  helper.accessor('gtin', {
    header: () => <ColumnLabel name="gtin" />,
    enableSorting: false,
    cell: ({ getValue }) => <VariantGtin gtin={getValue()} />,
    meta: { className: 'min-w-32 max-md:px-3! md:min-w-38 md:@max-[68rem]:min-w-36' },
  }),
  helper.accessor('name', {
    header: () => <ColumnLabel name="name" />,
    enableSorting: true,
    cell: ({ getValue }) => <ClampedText text={getValue()} />,
    // All the room that the others leave, and never more: a long name is cut off instead of pushing them away.
    meta: { className: 'w-full min-w-44 max-w-0 md:min-w-56 md:@max-[68rem]:min-w-55 max-md:px-2!' },
  }),
  helper.accessor('certifications', {
    header: () => <ColumnLabel name="certifications" />,
    enableSorting: false,
    cell: ({ getValue }) => <VariantCertifications certifications={getValue()} />,
    meta: { className: 'min-w-114 max-w-114 @max-[68rem]:min-w-100 @max-[68rem]:max-w-100' },
  }),
  helper.accessor('published', {
    header: () => <ColumnLabel name="published" />,
    enableSorting: false,
    cell: ({ row }) => <PublishedBadge variant={row.original} />,
    meta: { className: 'min-w-52 @max-[68rem]:min-w-36' },
  }),
  helper.display({
    id: 'actions',
    header: () => <ColumnLabel name="actions" />,
    cell: ({ row }) => <VariantMenu variant={row.original} />,
    meta: {
      hiddenHeader: true,
      align: 'end',
      // Stays in reach while the others scroll away under it.
      className:
        'sticky right-0 z-20 px-1! md:px-2! @max-4xl:shadow-[inset_1px_0_var(--color-border)] [th&]:bg-background',
      cellClassName: 'bg-surface transition-colors [tr:hover>&]:bg-surface-hover',
    },
  }),
]);
