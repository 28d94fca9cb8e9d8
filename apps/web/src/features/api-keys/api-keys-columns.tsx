import type { ApiKey, KeyState } from '@brand-portal/contract/api-keys';
import clsx from 'clsx';
import { Ban, CircleCheck, Clock, type LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { ColumnLabel } from '../../ui/data-table-header.tsx';
import { useTabStop } from '../../ui/data-table-keys.ts';
import type { Column } from '../../ui/data-table-model.ts';
import { ExplainedButton } from '../../ui/explained-button.tsx';

/** On a phone a card: name, state and button in the first line, then role and creator, then the times. */
export const keyRowClasses = clsx(
  'h-16 max-md:grid max-md:h-auto max-md:min-h-36 max-md:grid-cols-[minmax(0,1fr)_auto] max-md:content-center max-md:gap-x-2 max-md:gap-y-1 max-md:px-3 max-md:py-3',
  "max-md:[grid-template-areas:'name_state'_'role_state'_'maker_maker'_'used_used'_'expires_expires']",
);
const cell = (area: string, rest: string) => clsx('max-md:[td&]:p-0!', area, rest);

export function keyColumns(onRevoke: (key: ApiKey) => void, denied: string | undefined): Column<ApiKey>[] {
  return [
    {
      id: 'name',
      header: <ColumnLabel text="api_keys.columns.name" />,
      cell: (key) => (
        <>
          <ClampedText text={key.name} lines={2} className="font-medium leading-4.5" />
          <span className="block break-all font-mono text-caption text-text-secondary">{key.prefix}…</span>
        </>
      ),
      className: cell('max-md:[grid-area:name]', 'md:w-2/5 md:min-w-32 md:max-w-0 tight:min-w-28 tight:pr-1.5 tight:pl-3'),
      cellClassName: 'py-1!',
    },
    {
      id: 'role',
      header: <ColumnLabel text="api_keys.columns.role" />,
      cell: ({ role }) => <RoleCell role={role} />,
      className: cell('max-md:[grid-area:role]', 'tight:px-1.5'),
      cellClassName: 'py-1!',
    },
    {
      id: 'created_by',
      header: <ColumnLabel text="api_keys.columns.created_by" />,
      cell: (apiKey) => <CreatorCell apiKey={apiKey} />,
      className: cell('max-md:[grid-area:maker]', 'md:w-3/5 md:min-w-36 md:max-w-0 tight:min-w-28 tight:px-1.5'),
      cellClassName: 'py-1!',
    },
    {
      id: 'last_used_at',
      header: <ColumnLabel text="api_keys.columns.last_used_at" />,
      cell: (apiKey) => <TimeCell apiKey={apiKey} field="last_used_at" />,
      className: cell('max-md:[grid-area:used]', 'md:whitespace-nowrap tight:min-w-22 tight:whitespace-normal tight:px-1.5'),
      cellClassName: 'py-1! max-md:text-caption',
    },
    {
      id: 'expires_at',
      header: <ColumnLabel text="api_keys.columns.expires_at" />,
      cell: (apiKey) => <TimeCell apiKey={apiKey} field="expires_at" />,
      className: cell('max-md:[grid-area:expires]', 'tight:whitespace-normal tight:px-1.5'),
      cellClassName: 'py-1! max-md:text-caption',
    },
    {
      id: 'state',
      header: <ColumnLabel text="api_keys.columns.state" />,
      cell: (apiKey) => <StateCell apiKey={apiKey} onRevoke={onRevoke} denied={denied} />,
      className: cell('max-md:[grid-area:state]', 'tight:pr-3 tight:pl-1.5'),
      cellClassName: 'py-1.5!',
    },
  ];
}

function RoleCell({ role }: { role: ApiKey['role'] }) {
  return useTranslation().t(`denied.roles.${role}`);
}

/** Who created it and when. A creator who has left the brand may still have the key. */
function CreatorCell({ apiKey: { created_by, created_at, maker_left, state } }: { apiKey: ApiKey }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <ClampedText text={created_by || t('api_keys.unknown_person')} lines={2} className="leading-4.5" />
      <span className="block text-caption text-text-secondary">{format.shortDay(created_at)}</span>
      {maker_left && state === 'active' && (
        <span className="block whitespace-normal text-pretty text-caption text-warning">{t('api_keys.maker_left')}</span>
      )}
    </>
  );
}

/** On a phone with its label, because there is no column header. */
function TimeCell({ apiKey, field }: { apiKey: ApiKey; field: 'last_used_at' | 'expires_at' }) {
  const { t } = useTranslation();
  const format = useFormat();
  const time = apiKey[field];
  const never = t(field === 'last_used_at' ? 'api_keys.never_used' : 'api_keys.no_expiry');
  const shown: ReactNode =
    time === null ? (
      <span className="text-text-secondary">{never}</span>
    ) : (
      <time dateTime={time}>{field === 'last_used_at' ? format.time(time) : format.shortDay(time)}</time>
    );
  return (
    <>
      <span className="text-text-secondary md:hidden">{t(`api_keys.columns.${field}`)}: </span>
      {shown}
    </>
  );
}

const badgeStyles: Record<KeyState, { tone: ComponentProps<typeof Badge>['tone']; icon: LucideIcon }> = {
  active: { tone: 'success', icon: CircleCheck },
  expired: { tone: 'warning', icon: Clock },
  revoked: { tone: 'neutral', icon: Ban },
};

interface StateCellProps {
  apiKey: ApiKey;
  onRevoke: (key: ApiKey) => void;
  denied: string | undefined;
}

function StateCell({ apiKey: key, onRevoke, denied }: StateCellProps) {
  const { t } = useTranslation();
  const tabStop = useTabStop();
  return (
    <span className="flex items-center justify-between gap-x-3 gap-y-1.5 tight:flex-col tight:items-start max-md:flex-col max-md:items-end">
      <Badge {...badgeStyles[key.state]}>{t(`api_keys.state.${key.state}`)}</Badge>
      {key.state === 'active' && (
        <ExplainedButton
          size="dense"
          hint={denied}
          tabIndex={tabStop}
          aria-label={t('api_keys.revoke.label', { name: key.name })}
          onClick={() => onRevoke(key)}
        >
          {t('api_keys.revoke.action')}
        </ExplainedButton>
      )}
    </span>
  );
}
