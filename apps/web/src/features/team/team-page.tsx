import { ROLES } from '@brand-portal/contract/roles';
import { invitePeople, TEAM_STATES } from '@brand-portal/contract/team';
import { useQuery } from '@tanstack/react-query';
import { ShieldCheck, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBrandId } from '../../lib/paths.ts';
import { useSearchField } from '../../lib/use-debounced-search.ts';
import { Button } from '../../ui/button.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryErrorCard } from '../../ui/query-error.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberActions } from './member-actions.tsx';
import { RolesDialog } from './roles-dialog.tsx';
import { teamQuery } from './team-queries.ts';
import { TeamTable } from './team-table.tsx';
import { useTeamView } from './team-view.ts';

/** Rendered inside the brand's shell, so the brand exists. */
export function TeamPage() {
  const { t } = useTranslation();
  const brandId = useBrandId();
  const [isInviting, setInviting] = useState(false);
  const [isShowingRoles, setShowingRoles] = useState(false);
  const deniedReason = useDeniedReason(brandId);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title={t('team.title')}
        subtitle={t('team.subtitle')}
        actions={
          <>
            <Button icon={<ShieldCheck className="size-4" />} onClick={() => setShowingRoles(true)}>
              {t('team.roles.action')}
            </Button>
            <ExplainedButton
              variant="primary"
              hint={deniedReason(invitePeople)}
              icon={<UserPlus className="size-4" />}
              onClick={() => setInviting(true)}
            >
              {t('team.invite.action')}
            </ExplainedButton>
          </>
        }
      />
      <MemberActions brandId={brandId}>
        <Team brandId={brandId} />
      </MemberActions>
      <InviteDialog brandId={brandId} open={isInviting} onOpenChange={setInviting} />
      <RolesDialog brandId={brandId} open={isShowingRoles} onOpenChange={setShowingRoles} />
    </div>
  );
}

function Team({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const { view, changeView, changeSearch } = useTeamView();
  const query = useQuery(teamQuery(brandId, view));
  const { data: list, error, isPlaceholderData, refetch } = query;
  const searchField = useSearchField(view.search, changeSearch);

  const clear = () => {
    searchField.clear();
    changeView({ search: '', role: 'all', state: 'all' });
  };
  return (
    <>
      <div className="flex flex-wrap gap-2 md:flex-nowrap">
        <SearchField
          label={t('team.search.label')}
          placeholder={t('team.search.placeholder')}
          {...searchField.field}
          className="min-w-0 flex-1 basis-full md:basis-0"
        />
        <Select
          label={t('team.role_filter')}
          value={view.role}
          options={[
            { value: 'all', label: t('team.all_roles') },
            ...[...ROLES].reverse().map((value) => ({ value, label: t(`denied.roles.${value}`) })),
          ]}
          onChange={(role) => changeView({ role })}
          className="max-md:flex-1 md:min-w-36"
        />
        <Select
          label={t('team.state_filter')}
          value={view.state}
          options={(['all', ...TEAM_STATES] as const).map((value) => ({
            value,
            label: value === 'all' ? t('team.all_states') : t(`team.state.${value}`),
          }))}
          onChange={(state) => changeView({ state })}
          className="max-md:flex-1 md:min-w-44"
        />
      </div>
      {error && !list ? (
        <QueryErrorCard title={t('team.error')} error={error} refetch={refetch} />
      ) : (
        <TeamTable list={list} query={query} isOutdated={isPlaceholderData} view={view} onChange={changeView} onClear={clear} />
      )}
    </>
  );
}
