import { BRAND_STATUSES } from '@brand-portal/contract/brand-status';
import { VARIANT_PAGE_SIZES } from '@brand-portal/contract/constants';
import type { PlatformBrand } from '@brand-portal/contract/platform';
import { useQuery } from '@tanstack/react-query';
import { MoreVertical, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { listAddress, oneOf, useListView } from '../../lib/list-view.ts';
import { useSearchField } from '../../lib/use-debounced-search.ts';
import { Alert } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ColumnLabel } from '../../ui/data-table-header.tsx';
import { useTabStop } from '../../ui/data-table-keys.ts';
import { type Column, serverPagination } from '../../ui/data-table-model.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DropdownMenu, DropdownMenuItem } from '../../ui/dropdown-menu.tsx';
import { QueryErrorCard } from '../../ui/query-error.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { PlatformFrame } from './platform-frame.exported.tsx';
import { useResultToast } from './platform-list.tsx';
import { platformBrandsQuery, useAddOwner, useBrandStatus, useCreateBrand } from './platform-queries.ts';

const STATUSES = [...BRAND_STATUSES, 'shares_name'] as const;

const address = listAddress((params) => ({
  status: oneOf<(typeof STATUSES)[number] | 'all'>(STATUSES, params.get('status'), 'all'),
}));

const noRows: readonly PlatformBrand[] = [];
const rowId = ({ id }: PlatformBrand) => String(id);
/** On a phone a card: the brand with its owner's email, then status and menu. */
const rowClasses = 'max-md:flex max-md:h-auto max-md:min-h-26 max-md:flex-col max-md:justify-between max-md:px-3 max-md:py-2';

/** All brands, for platform staff. */
export function PlatformBrandsPage({ notFound }: { notFound: ReactNode }) {
  const { t } = useTranslation();
  const { view, changeView, changeSearch } = useListView(address);
  const { search, status, page, pageSize } = view;
  const filter = status === 'all' ? {} : status === 'shares_name' ? { shares_name: true } : { status };
  const query = { page, page_size: pageSize, ...(search && { search }), ...filter };
  const { data, error, isPlaceholderData, refetch } = useQuery(platformBrandsQuery(query));
  const searchField = useSearchField(search, changeSearch);
  const [isCreating, setCreating] = useState(false);
  const clear = () => {
    searchField.clear();
    changeView({ search: '', status: 'all' });
  };
  return (
    <PlatformFrame
      title={t('shell.platform_pages.brands')}
      subtitle={t('platform.brands.subtitle')}
      actions={
        <Button variant="primary" icon={<Plus className="size-4" />} onClick={() => setCreating(true)}>
          {t('platform.brands.create')}
        </Button>
      }
      error={error}
      notFound={notFound}
    >
      <div className="flex flex-wrap gap-2 md:flex-nowrap">
        <SearchField
          label={t('platform.brands.search')}
          placeholder={t('platform.brands.search_placeholder')}
          {...searchField.field}
          className="min-w-0 flex-1 basis-full md:basis-0"
        />
        <Select
          label={t('platform.brands.status')}
          value={status}
          options={[
            { value: 'all', label: t('platform.brands.all') },
            ...BRAND_STATUSES.map((value) => ({ value, label: t(`brands.status.${value}`) })),
            { value: 'shares_name', label: t('platform.brands.shares_name') },
          ]}
          onChange={(next) => changeView({ status: next })}
          className="max-md:flex-1 md:min-w-44"
        />
      </div>
      {!!data?.sharing_names && status !== 'shares_name' && (
        <Alert tone="warning">
          {t('platform.brands.sharing_names', { count: data.sharing_names })}{' '}
          <button
            type="button"
            className="touch-area rounded-sm font-medium underline underline-offset-2"
            onClick={() => changeView({ search: '', status: 'shares_name' })}
          >
            {t('platform.brands.show_sharing')}
          </button>
        </Alert>
      )}
      {error && !data ? (
        <QueryErrorCard title={t('platform.error')} error={error} refetch={refetch} />
      ) : (
        <DataTable
          label={t('shell.platform_pages.brands')}
          columns={columns}
          rows={data?.results ?? noRows}
          rowId={rowId}
          isMainList
          rowClassName={rowClasses}
          isLoading={data === undefined}
          isFetching={isPlaceholderData}
          pageSizes={VARIANT_PAGE_SIZES}
          pagination={serverPagination(view, data, changeView)}
          hint={{
            text: data?.view.search
              ? t('platform.brands.no_matches.search', { search: data.view.search })
              : t('platform.brands.no_matches.filter'),
            action: <Button onClick={clear}>{t('platform.brands.no_matches.clear')}</Button>,
          }}
        />
      )}
      <CreateBrandDialog open={isCreating} onClose={() => setCreating(false)} />
    </PlatformFrame>
  );
}

const columns: Column<PlatformBrand>[] = [
  {
    id: 'name',
    header: <ColumnLabel text="platform.brands.columns.name" />,
    cell: (brand) => <NameCell brand={brand} />,
    className: 'max-md:[td&]:p-0! md:w-2/5 md:min-w-44 md:max-w-0',
  },
  {
    id: 'owner',
    header: <ColumnLabel text="platform.brands.columns.owner" />,
    cell: (brand) => <OwnerCell brand={brand} />,
    className: 'w-2/5 max-w-0 min-w-44 px-2.5! max-md:hidden',
  },
  {
    id: 'member_count',
    header: <ColumnLabel text="platform.brands.columns.members" />,
    cell: ({ member_count }) => member_count,
    align: 'end',
    className: 'px-2.5! max-md:hidden',
  },
  {
    id: 'status',
    header: <ColumnLabel text="platform.brands.columns.status" />,
    cell: (brand) => <StatusCell brand={brand} />,
    className: 'max-md:[td&]:p-0! md:w-48',
  },
];

function NameCell({ brand: { id, name, created_at, owner, shares_name } }: { brand: PlatformBrand }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <p className="line-clamp-2 wrap-anywhere font-medium leading-4.5">{name}</p>
      <p className="text-caption text-text-secondary">{t('platform.brands.since', { id, time: format.shortDay(created_at) })}</p>
      {shares_name && <p className="text-caption text-warning">{t('platform.brands.shares_name')}</p>}
      <p className="wrap-anywhere text-caption text-text-secondary md:hidden">{owner?.email}</p>
    </>
  );
}

function OwnerCell({ brand: { owner } }: { brand: PlatformBrand }) {
  const { t } = useTranslation();
  if (!owner) return <span className="text-text-secondary">{t('platform.brands.no_owner')}</span>;
  return (
    <span className="block wrap-anywhere leading-4.5">
      {owner.name && <span className="block">{owner.name}</span>}
      <span className="wrap-anywhere block text-text-secondary">
        {owner.email}
        {owner.is_invited && ` · ${t('platform.brands.invited')}`}
      </span>
    </span>
  );
}

const tones = { active: 'success', inactive: 'neutral', pending: 'warning' } as const;

function StatusCell({ brand }: { brand: PlatformBrand }) {
  const { t } = useTranslation();
  const resultToast = useResultToast();
  const { mutate, isPending } = useBrandStatus();
  const tabStop = useTabStop();
  const [isNaming, setNaming] = useState(false);
  const { id, name, status } = brand;
  return (
    <span className="flex items-center justify-between gap-1">
      <Badge tone={tones[status]}>{t(`brands.status.${status}`)}</Badge>
      <DropdownMenu
        trigger={
          <Button
            tabIndex={tabStop}
            variant="ghost"
            size="icon-dense"
            busy={isPending}
            busyLabel={t('platform.working')}
            aria-label={t('platform.brands.menu', { name })}
            icon={<MoreVertical className="size-4" />}
          />
        }
      >
        {BRAND_STATUSES.filter((other) => other !== status).map((other) => (
          <DropdownMenuItem
            key={other}
            onSelect={() =>
              mutate(
                { brandId: id, status: other },
                resultToast(t('platform.brands.status_changed', { name, status: t(`brands.status.${other}`) })),
              )
            }
          >
            {t('platform.brands.set_status', { status: t(`brands.status.${other}`) })}
          </DropdownMenuItem>
        ))}
        <DropdownMenuItem onSelect={() => setNaming(true)}>{t('platform.brands.add_owner')}</DropdownMenuItem>
      </DropdownMenu>
      <OwnerDialog brand={brand} open={isNaming} onClose={() => setNaming(false)} />
    </span>
  );
}

/** The server's validation message for a field. */
const problemOf = (error: unknown, field: string) => (error instanceof ApiError ? error.fields?.[field] : undefined);

/** The same check as the server's, whose message about a pattern is not readable. */
const isAddress = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text.trim());

interface OwnerFieldProps {
  value: string;
  /** The form was submitted: from now on errors are shown. */
  isSubmitted: boolean;
  problem: string | undefined;
  onChange: (value: string) => void;
}

function OwnerField({ value, isSubmitted, problem, onChange }: OwnerFieldProps) {
  const { t } = useTranslation();
  const own = value.trim() === '' ? t('platform.required') : isAddress(value) ? undefined : t('platform.not_an_email');
  return (
    <TextField
      type="email"
      label={t('platform.brands.owner_email')}
      value={value}
      maxLength={254}
      error={(isSubmitted && own) || problem}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface FormDialogProps {
  open: boolean;
  onClose: () => void;
}

function CreateBrandDialog({ open, onClose }: FormDialogProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const { mutate, isPending, error, reset } = useCreateBrand();
  const close = () => {
    setName('');
    setEmail('');
    setSubmitted(false);
    reset();
    onClose();
  };
  const create = () => {
    setSubmitted(true);
    if (!name.trim() || !isAddress(email)) return;
    mutate(
      { name: name.trim(), owner_email: email.trim() },
      {
        onSuccess: () => {
          toast({ variant: 'success', title: t('platform.brands.created', { name: name.trim() }) });
          close();
        },
      },
    );
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={t('platform.brands.create')}
      description={t('platform.brands.create_hint')}
      isLocked={isPending}
      isDirty={(name + email).trim() !== ''}
      onConfirm={create}
      error={error}
      footer={
        <>
          <Button disabled={isPending} onClick={close}>
            {t('platform.cancel')}
          </Button>
          <Button type="submit" variant="primary" busy={isPending} busyLabel={t('platform.working')}>
            {t('platform.brands.create')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TextField
          label={t('platform.brands.columns.name')}
          value={name}
          maxLength={200}
          error={isSubmitted && !name.trim() ? t('platform.required') : problemOf(error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <OwnerField value={email} isSubmitted={isSubmitted} problem={problemOf(error, 'owner_email')} onChange={setEmail} />
        {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
      </div>
    </Dialog>
  );
}

function OwnerDialog({ brand, open, onClose }: FormDialogProps & { brand: PlatformBrand }) {
  const { t } = useTranslation();
  const [email, setEmail] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const { mutate, isPending, error, reset } = useAddOwner();
  const close = () => {
    setEmail('');
    setSubmitted(false);
    reset();
    onClose();
  };
  const add = () => {
    setSubmitted(true);
    if (!isAddress(email)) return;
    mutate(
      { brandId: brand.id, email: email.trim() },
      {
        onSuccess: () => {
          toast({ variant: 'success', title: t('platform.brands.owner_added', { email: email.trim() }) });
          close();
        },
      },
    );
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={t('platform.brands.add_owner_to', { name: brand.name })}
      description={t('platform.brands.add_owner_hint')}
      isLocked={isPending}
      isDirty={email.trim() !== ''}
      onConfirm={add}
      error={error}
      footer={
        <>
          <Button disabled={isPending} onClick={close}>
            {t('platform.cancel')}
          </Button>
          <Button type="submit" variant="primary" busy={isPending} busyLabel={t('platform.working')}>
            {t('platform.brands.add_owner')}
          </Button>
        </>
      }
    >
      <OwnerField value={email} isSubmitted={isSubmitted} problem={problemOf(error, 'email')} onChange={setEmail} />
      {error && (
        <Alert tone="error" className="mt-4">
          {errorMessage(error, t)}
        </Alert>
      )}
    </Dialog>
  );
}
