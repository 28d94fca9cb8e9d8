import type { VariantAnswer } from '@brand-portal/contract/variants';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { ColumnLabel } from '../../ui/data-table-header.tsx';
import type { Column } from '../../ui/data-table-model.ts';
import { PublishedBadge } from './published-badge.tsx';
import { VariantCertifications } from './variant-certifications.tsx';
import { VariantGtin } from './variant-gtin.tsx';
import { SelectPage, SelectVariant } from './variant-selection.tsx';
import { VariantMenu } from './variants-actions.tsx';

/**
 * Each column is as wide as its longest possible content, so that columns do not move between pages or after loading.
 * The name gets the rest. Below `table-lg` the columns are a little narrower, so that all fit beside the sidebar in a
 * window of 1280 px. In a `tight` table certifications take two lines, so that all fit in a window of 768 px. On a
 * phone a row is a card.
 */
export const variantColumns: Column<VariantAnswer>[] = [
  {
    id: 'select',
    header: <SelectPage />,
    cell: (variant) => <SelectVariant variant={variant} />,
    isControl: true,
    className:
      'w-10 min-w-10 p-0! max-md:[grid-area:select] max-md:w-9 max-md:min-w-9 max-md:[thead_&]:ml-3 md:h-px md:@max-table-lg:w-8 md:@max-table-lg:min-w-8',
  },
  {
    id: 'gtin',
    header: <ColumnLabel text="variants.columns.gtin" />,
    cell: ({ gtin }) => <VariantGtin gtin={gtin} />,
    className: 'max-md:[td&]:p-0! max-md:[grid-area:gtin] md:min-w-35 md:pl-1 md:@max-table-lg:min-w-33 tight:min-w-29 tight:pr-2',
  },
  {
    id: 'name',
    header: <ColumnLabel text="variants.columns.name" />,
    sortable: true,
    cell: ({ name }) => (
      <ClampedText text={name} lines={2} className="text-pretty leading-4.5 max-md:line-clamp-3 max-md:font-medium tight:line-clamp-3" />
    ),
    // Takes the remaining width and never more: a long name is truncated and does not widen the column. Two lines,
    // because variants of one product differ at the end of their names; three on a phone.
    className:
      'max-md:[td&]:p-0! max-md:[grid-area:name] md:w-full md:min-w-56 md:max-w-0 md:@max-table-lg:min-w-50 tight:min-w-28 tight:whitespace-normal tight:px-2.5',
    cellClassName: 'py-0.75!',
  },
  {
    id: 'certifications',
    header: <ColumnLabel text="variants.columns.certifications" />,
    cell: ({ certifications }) => <VariantCertifications certifications={certifications} />,
    className:
      'max-md:[td&]:p-0! max-md:[grid-area:certifications] max-md:[th&]:hidden md:min-w-100 md:max-w-100 tight:min-w-[clamp(12.5rem,100cqw-28rem,20rem)] tight:max-w-[clamp(12.5rem,100cqw-28rem,20rem)] tight:px-2.5',
    cellClassName: 'tight:py-1',
  },
  {
    id: 'published',
    header: <ColumnLabel text="variants.columns.published" />,
    cell: (variant) => <PublishedBadge variant={variant} />,
    className: 'max-md:[td&]:p-0! max-md:[grid-area:published] md:min-w-48 md:@max-table-lg:min-w-35 tight:min-w-32 tight:px-2.5',
    cellClassName: '@max-table-lg:py-0',
  },
  {
    id: 'actions',
    header: <ColumnLabel text="variants.columns.actions" />,
    cell: (variant) => <VariantMenu variant={variant} />,
    hiddenHeader: true,
    align: 'end',
    className: 'max-md:[td&]:p-0! max-md:[grid-area:actions] md:min-w-12 md:px-2 md:py-1',
  },
];
