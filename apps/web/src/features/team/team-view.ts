import { ROLES, type Role } from '@brand-portal/contract/roles';
import { TEAM_ORDERINGS, TEAM_STATES, type TeamOrdering, type TeamQuery, type TeamState } from '@brand-portal/contract/team';
import { type ListView, listAddress, oneOf, useListView } from '../../lib/list-view.ts';

type TeamFilters = {
  role: Role | 'all';
  state: TeamState | 'all';
  /** Empty: members before invitations, owners first. */
  ordering: TeamOrdering | '';
};

/** The part of the team that the page shows. */
export type TeamView = ListView & TeamFilters;

const address = listAddress<TeamFilters>((params) => ({
  role: oneOf<TeamView['role']>(ROLES, params.get('role'), 'all'),
  state: oneOf<TeamView['state']>(TEAM_STATES, params.get('state'), 'all'),
  ordering: oneOf<TeamView['ordering']>(TEAM_ORDERINGS, params.get('ordering'), ''),
}));

export const useTeamView = () => useListView(address);

export function toTeamQuery({ search, role, state, ordering, page, pageSize }: TeamView): TeamQuery {
  return {
    page,
    page_size: pageSize,
    ...(search === '' ? {} : { search }),
    ...(role === 'all' ? {} : { role }),
    ...(state === 'all' ? {} : { state }),
    ...(ordering === '' ? {} : { ordering }),
  };
}
