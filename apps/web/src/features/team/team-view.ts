import { ROLES, type Role } from '@brand-portal/contract/roles';
import {
  TEAM_ORDERINGS,
  TEAM_STATES,
  type TeamOrdering,
  type TeamQuery,
  type TeamState,
} from '@brand-portal/contract/team';
import {
  DEFAULT_LIST_VIEW,
  type ListView,
  oneOf,
  readListView,
  useListView,
  writeParams,
} from '../../lib/list-view.ts';

/** The part of the team that the page shows. */
export interface TeamView extends ListView {
  role: Role | 'all';
  state: TeamState | 'all';
  /** Empty: members before invitations, owners first. */
  ordering: TeamOrdering | '';
}

const DEFAULT_VIEW: TeamView = { ...DEFAULT_LIST_VIEW, role: 'all', state: 'all', ordering: '' };

const readView = (params: URLSearchParams): TeamView => ({
  ...readListView(params),
  role: oneOf<TeamView['role']>(ROLES, params.get('role'), 'all'),
  state: oneOf<TeamView['state']>(TEAM_STATES, params.get('state'), 'all'),
  ordering: oneOf<TeamView['ordering']>(TEAM_ORDERINGS, params.get('ordering'), ''),
});

const toParams = ({ search, role, state, ordering, page, pageSize }: TeamView) => ({
  ...{ search, role, state, ordering, page, page_size: pageSize },
});

const writeView = (params: URLSearchParams, view: TeamView) =>
  writeParams(params, toParams(view), toParams(DEFAULT_VIEW));

export const useTeamView = () => useListView({ read: readView, write: writeView });

export function toTeamQuery({ search, role, state, ordering, page, pageSize }: TeamView): TeamQuery {
  return {
    ...{ page, page_size: pageSize },
    ...(search === '' ? {} : { search }),
    ...(role === 'all' ? {} : { role }),
    ...(state === 'all' ? {} : { state }),
    ...(ordering === '' ? {} : { ordering }),
  };
}
