import { VARIANT_PAGE_SIZES } from '@brand-portal/contract/constants';
import { fullName } from '@brand-portal/contract/people';
import type { TeamColumn, TeamMember } from '@brand-portal/contract/team';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { DataTable, type RefreshedQuery } from '../../ui/data-table.tsx';
import { ColumnLabel } from '../../ui/data-table-header.tsx';
import { type Column, serverPagination, serverSorting } from '../../ui/data-table-model.ts';
import { useAuthStore } from '../auth/auth-store.ts';
import { MemberMenu } from './member-actions.tsx';
import type { TeamList } from './team-queries.ts';
import type { TeamView } from './team-view.ts';

const tones = { active: 'success', invited: 'info', expired: 'warning' } as const;
const noRows: readonly TeamMember[] = [];
const rowId = ({ id }: TeamMember) => String(id);
/** On a phone a card: person and menu in the first line, then role and state, then the last use. */
const rowClasses = clsx(
  'h-14 max-md:grid max-md:h-auto max-md:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:gap-x-2 max-md:gap-y-1 max-md:px-3 max-md:py-2',
  "max-md:[grid-template-areas:'name_menu'_'state_role'_'seen_seen']",
);

const columns: Column<TeamMember, TeamColumn | 'menu'>[] = [
  {
    id: 'name',
    header: <ColumnLabel text="team.columns.name" />,
    sortable: true,
    cell: (member) => <PersonCell member={member} />,
    className: 'max-md:[td&]:p-0! max-md:[grid-area:name] md:w-2/5 md:max-w-0 md:min-w-40',
  },
  {
    id: 'role',
    header: <ColumnLabel text="team.columns.role" />,
    sortable: true,
    cell: ({ role }) => <RoleCell role={role} />,
    className: 'max-md:[td&]:p-0! max-md:[td&]:pr-2! max-md:[grid-area:role] max-md:[td&]:justify-self-end md:w-1/8 tight:px-2',
  },
  {
    id: 'state',
    header: <ColumnLabel text="team.columns.state" />,
    sortable: true,
    cell: (member) => <StateCell member={member} />,
    className: 'max-md:[td&]:p-0! max-md:[grid-area:state] md:w-1/4 tight:px-2',
  },
  {
    id: 'last_seen',
    header: <ColumnLabel text="team.columns.last_seen" />,
    sortable: true,
    cell: (member) => <LastSeenCell member={member} />,
    className: 'max-md:[td&]:p-0! max-md:[grid-area:seen] md:min-w-36 tight:px-2',
    cellClassName: 'max-md:text-caption',
  },
  {
    id: 'menu',
    header: <ColumnLabel text="team.columns.menu" />,
    cell: (member) => <MemberMenu member={member} />,
    className: 'max-md:[td&]:p-0! max-md:[grid-area:menu] max-md:[td&]:justify-self-end w-14 tight:pl-0 tight:pr-2',
    align: 'end',
    hiddenHeader: true,
  },
];

interface TeamTableProps {
  /** Undefined while loading. */
  list: TeamList | undefined;
  query: RefreshedQuery;
  /** The list is the previous one while another is loading. */
  isOutdated: boolean;
  view: TeamView;
  onChange: (change: Partial<TeamView>, options?: { replace?: boolean }) => void;
  onClear: () => void;
}

export function TeamTable({ list, query, isOutdated, view, onChange, onClear }: TeamTableProps) {
  const { t } = useTranslation();
  return (
    <DataTable
      label={t('team.table')}
      columns={columns}
      rows={list?.results ?? noRows}
      found={(number) => t('team.found', { number })}
      rowId={rowId}
      isMainList
      rowClassName={rowClasses}
      isLoading={list === undefined}
      loadingRows={4}
      isFetching={isOutdated}
      query={query}
      pageSizes={VARIANT_PAGE_SIZES}
      pagination={serverPagination(view, list, onChange)}
      sorting={serverSorting<TeamColumn>(view.ordering, onChange)}
      hint={{
        text: list?.view.search ? t('team.no_matches.search', { search: list.view.search }) : t('team.no_matches.filter'),
        action: <Button onClick={onClear}>{t('team.no_matches.clear')}</Button>,
      }}
    />
  );
}

/** The name above the address; only the address if the name is not known. */
function PersonCell({ member }: { member: TeamMember }) {
  const { t } = useTranslation();
  const isSelf = useAuthStore(({ user }) => user?.id === member.id);
  const name = fullName(member);
  const you = isSelf && <span className="ml-1.5 shrink-0 font-normal text-text-tertiary">{t('team.you')}</span>;
  return (
    <span className="flex min-w-0 flex-col leading-4.5">
      <span className="flex min-w-0 font-medium">
        <ClampedText text={name || member.email} />
        {you}
      </span>
      {name !== '' && <ClampedText text={member.email} className="text-caption text-text-secondary" />}
    </span>
  );
}

function RoleCell({ role }: Pick<TeamMember, 'role'>) {
  const { t } = useTranslation();
  return t(`denied.roles.${role}`);
}

function StateCell({ member: { state, expires_at } }: { member: TeamMember }) {
  const { t } = useTranslation();
  const format = useFormat();
  const until = expires_at && format.distance(expires_at);
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <Badge tone={tones[state]}>{t(`team.state.${state}`)}</Badge>
      {state === 'invited' && (
        <span className="text-caption text-text-secondary">{until ? t('team.ends', { when: until }) : t('team.mail_waits')}</span>
      )}
      {state === 'expired' && until && <span className="text-caption text-text-secondary">{until}</span>}
    </span>
  );
}

function LastSeenCell({ member: { state, last_seen_at } }: { member: TeamMember }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (last_seen_at) {
    return (
      <span>
        <span className="text-text-secondary md:sr-only">{t('team.columns.last_seen')}: </span>
        {format.time(last_seen_at)}
      </span>
    );
  }
  return <span className="text-text-tertiary">{state === 'active' ? t('team.never_seen') : t('team.not_joined')}</span>;
}
