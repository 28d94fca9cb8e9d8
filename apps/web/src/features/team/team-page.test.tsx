import { ABILITIES } from '@brand-portal/contract/abilities';
import type { Role } from '@brand-portal/contract/roles';
import type { TeamMember } from '@brand-portal/contract/team';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type HttpHandler, HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { NO_FEED, startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { useAuthStore } from '../auth/auth-store.ts';
import { fjord, refusal, renderAt } from '../brands/test-support/brands.tsx';
import { readAddresses } from './addresses.ts';
import { TeamPage } from './team-page.tsx';

const VIEWERS_REASON = 'Your role in this brand is Viewer; this takes at least the role Admin. Ask Olivia Lindqvist.';

const server = startMockServer();
const member = (id: number, first_name: string, change: Partial<TeamMember> = {}): TeamMember => ({
  id,
  email: `${first_name.toLowerCase()}@example.com`,
  first_name,
  last_name: 'Vega',
  role: 'editor',
  status: 'active',
  state: 'active',
  last_seen_at: null,
  expires_at: null,
  is_last_owner: false,
  ...change,
});
const olivia = member(1, 'Olivia', { role: 'owner', is_last_owner: true, last_seen_at: '2026-11-16T10:00:00Z' });
const ana = member(2, 'Ana', { role: 'admin' });
const luis = member(3, 'Luis');
const eva = member(4, '', {
  email: 'eva@example.com',
  last_name: '',
  status: 'invited',
  state: 'invited',
  expires_at: new Date(Date.now() + 3 * 86_400_000).toISOString(),
});

/** As the owner, by default. */
function open({ role = 'owner' as Role, self = 1, members = [olivia, ana, luis, eva], query = '' } = {}, ...handlers: HttpHandler[]) {
  const requests: Record<string, string>[] = [];
  useAuthStore.setState({ user: { id: self, first_name: '', last_name: '', email: 'me@example.com' } });
  server.use(
    ...handlers,
    http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, role })),
    http.get('*/api/v1/brands/', () => HttpResponse.json({ results: [], member_count: 0 })),
    http.get('*/api/v1/brands/1/team/', ({ request }) => {
      requests.push(Object.fromEntries(new URL(request.url).searchParams));
      return HttpResponse.json({ results: members, count: members.length });
    }),
  );
  const view = renderAt(
    `/brands/1/team${query}`,
    <main tabIndex={-1}>
      <Routes>
        <Route path="/brands/:id/team" element={<TeamPage />} />
        <Route path="/brands" element={<h1>Brands</h1>} />
      </Routes>
    </main>,
  );
  return { ...view, requests };
}

const rows = async () => {
  await screen.findByText(/^(Showing|Mostrando)/);
  return screen.getAllByRole('row').slice(1);
};
const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .slice(0, 4)
    .map(({ textContent }) => textContent);
async function choose(name: string, item: string) {
  await userEvent.click(await screen.findByRole('button', { name: `More for ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
}
const press = async (name: string) => userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));

beforeEach(() => useAuthStore.setState({ user: null }));
afterEach(async () => {
  clearToasts();
  await changeLanguage('en');
});

describe('the team', () => {
  it('lists members and invitations with role, state and last use', async () => {
    open();
    const [first, , third, fourth] = await rows();
    expect(cells(first as HTMLElement)).toEqual([
      'Olivia Vega(you)olivia@example.com',
      'Owner',
      'Active',
      expect.stringMatching(/Last seen: Nov 16, 2026/),
    ]);
    expect(cells(third as HTMLElement)).toEqual(['Luis Vegaluis@example.com', 'Editor', 'Active', 'Never seen here']);
    expect(cells(fourth as HTMLElement)).toEqual(['eva@example.com', 'Editor', 'Invitedends in 3 days', 'Has not joined yet']);
  });

  it('says on which day an invitation ends in the user’s time zone', async () => {
    vi.stubEnv('TZ', 'America/Los_Angeles');
    // There it is still November 17, 5 PM.
    vi.useFakeTimers({ now: new Date('2026-11-18T01:00:00Z'), toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.unstubAllEnvs();
    });
    open({ members: [{ ...eva, expires_at: '2026-11-18T20:00:00Z' }] });
    const [row] = await rows();
    expect(row).toHaveTextContent('ends tomorrow');
  });

  it('is searched, filtered and sorted by the server, with the state in the URL', async () => {
    const { requests } = open({ query: '?role=editor&state=invited&search=eva' });
    await rows();
    expect(requests[0]).toEqual({ page: '1', page_size: '10', search: 'eva', role: 'editor', state: 'invited' });
    await userEvent.click(screen.getByRole('button', { name: 'Last seen' }));
    await waitFor(() => expect(requests.at(-1)).toMatchObject({ ordering: 'last_seen' }));
    await userEvent.click(screen.getByRole('combobox', { name: 'Filter by role' }));
    await userEvent.click(screen.getByRole('option', { name: 'All roles' }));
    await waitFor(() => expect(requests.at(-1)).not.toHaveProperty('role'));
  });

  it('that cannot be refreshed says so below its rows, until trying again succeeds', async () => {
    const { queryClient } = open();
    await rows();
    server.use(http.get('*/api/v1/brands/1/team/', () => HttpResponse.error(), { once: true }));
    await queryClient.refetchQueries();
    expect(await screen.findByText('Could not refresh')).toBeVisible();
    expect(await rows()).toHaveLength(4);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText('Could not refresh')).toBeNull());
    expect(screen.getByRole('main')).toHaveFocus();
  });

  it('keeps the search field while a search fails, with what is typed', async () => {
    open(
      {},
      http.get('*/api/v1/brands/1/team/', ({ request }) =>
        new URL(request.url).searchParams.has('search') ? refusal('internal_error') : undefined,
      ),
    );
    await rows();
    const field = screen.getByRole('searchbox');
    await userEvent.type(field, 'lui');
    expect(await screen.findByText('The team could not be loaded')).toBeVisible();
    await userEvent.keyboard('s');
    expect(field).toHaveFocus();
    expect(field).toHaveValue('luis');
    await userEvent.clear(field);
    expect(await rows()).toHaveLength(4);
  });

  it('says when nobody matches, and shows everybody again', async () => {
    const { requests } = open({ members: [], query: '?search=nobody&state=expired' });
    expect(await screen.findByText('Nobody was found for “nobody”.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Show everybody' }));
    await waitFor(() => expect(requests.at(-1)).toEqual({ page: '1', page_size: '10' }));
  });

  it('of a viewer says who may see it; inviting shows the required role and still works', async () => {
    open(
      { role: 'viewer' },
      http.get('*/api/v1/brands/1/team/', () => {
        const context = { role: 'viewer', required_role: 'admin', ask: 'Olivia Lindqvist' };
        return HttpResponse.json({ code: 'permission_denied', detail: 'x', context, request_id: 'r' }, { status: 403 });
      }),
    );
    expect(await screen.findByRole('heading', { name: 'Permission denied' })).toBeVisible();
    expect(screen.getByText(VIEWERS_REASON)).toBeVisible();
    // Nothing failed, and trying again would not help.
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    const button = screen.getByRole('button', { name: 'Invite people' });
    await userEvent.hover(button);
    expect(await screen.findByRole('tooltip')).toHaveTextContent(VIEWERS_REASON);
    await userEvent.click(button);
    expect(screen.getByRole('dialog')).toHaveTextContent('Ask Olivia Lindqvist.');
  });

  it('is in Spanish', async () => {
    await changeLanguage('es');
    open();
    expect(cells((await rows())[3] as HTMLElement)).toEqual([
      'eva@example.com',
      'Editor',
      'Invitadocaduca dentro de 3 días',
      'Aún no se ha unido',
    ]);
  });
});

describe('addresses', () => {
  it.each([
    ['a@x.com, b@x.com;c@x.com\nd@x.com  e@x.com\tf@x.com', 6, [], 0],
    ['Ana Torres <ana@x.com>, "Luis, Vega" <luis@x.com>', 2, [], 0],
    ['Ana Torres <ana@x.com> Luis <luis@x.com> eva@x.com', 3, [], 0],
    ['Torres Gil, Ana <ana@x.com>; Vega, Luis <luis@x.com>', 2, [], 0],
    ['eva@x.com, Vega, Luis <luis@x.com>, gus@x.com', 3, [], 0],
    ['Smith, John A. <john@x.com>; St. James Jr., Dr. Eva <eva@x.com>', 2, [], 0],
    ['anax.com, Luis <luis@x.com>', 1, ['anax.com'], 0],
    ['eva@x.com "Dora Diaz" <dora@x.com> gus@x.com', 3, [], 0],
    ['"ana@x.com" <ana@x.com>', 1, [], 0],
    ['mailto:ana@x.com luis@x.com.', 2, [], 0],
    ['a@x.com A@X.com a@x.com', 1, [], 2],
    ['nonsense a@ @x a@x', 1, ['nonsense', 'a@', '@x'], 0],
    ['  \n , ', 0, [], 0],
  ])('are parsed from pasted text: %j', (text, count, wrong, repeated) => {
    const found = readAddresses(text);
    expect({ ...found, emails: found.emails.length }).toEqual({ emails: count, wrong, repeated });
  });
});

describe('inviting', () => {
  const invitations = '*/api/v1/brands/1/team/invitations/';

  it('starts again as an editor: the next person is not an owner because the last one was', async () => {
    open();
    await rows();
    const role = () => within(screen.getByRole('dialog')).getByRole('combobox', { name: 'Role' });
    await userEvent.click(screen.getByRole('button', { name: 'Invite people' }));
    await userEvent.click(role());
    await userEvent.click(screen.getByRole('option', { name: 'Owner' }));
    expect(role()).toHaveTextContent('Owner');
    await press('Cancel');
    await userEvent.click(screen.getByRole('button', { name: 'Invite people' }));
    expect(role()).toHaveTextContent('Editor');
  });

  it('sends each address once, with the chosen role and language, and shows each result', async () => {
    open();
    const sent = vi.fn();
    server.use(
      http.post(invitations, async ({ request }) => {
        sent(await request.json());
        return HttpResponse.json({
          results: [
            { email: 'a@x.com', outcome: 'invited' },
            { email: 'b@x.com', outcome: 'already_member' },
            { email: 'c@x', outcome: 'invalid' },
          ],
        });
      }),
    );
    await rows();
    await userEvent.click(screen.getByRole('button', { name: 'Invite people' }));
    const dialog = screen.getByRole('dialog');
    await press('Send invitations');
    expect(within(dialog).getByLabelText('Email addresses')).toHaveAccessibleDescription('Enter at least one email address');
    await userEvent.type(within(dialog).getByLabelText('Email addresses'), 'a@x.com, b@x.com A@x.com c@x wrong');
    // One address is invalid: nobody would be invited.
    expect(dialog).not.toHaveTextContent('will be invited');
    await press('Send invitations');
    expect(within(dialog).getByLabelText('Email addresses')).toHaveFocus();
    expect(sent).not.toHaveBeenCalled();
    await userEvent.type(within(dialog).getByLabelText('Email addresses'), '{Backspace}'.repeat(5));
    expect(dialog).toHaveTextContent('3 people will be invited. 1 address is there twice and counts once.');
    await userEvent.click(within(dialog).getByRole('combobox', { name: 'Role' }));
    await userEvent.click(screen.getByRole('option', { name: 'Viewer' }));
    expect(dialog).toHaveTextContent('Sees products, certificates and imports, but not the team, and changes nothing.');
    expect(within(dialog).getByRole('button', { name: 'Cancel' })).toBeVisible();
    await userEvent.click(within(dialog).getByRole('combobox', { name: 'Language of the email' }));
    await userEvent.click(screen.getByRole('option', { name: 'Español' }));
    await userEvent.dblClick(within(dialog).getByRole('button', { name: 'Send invitations' }));
    const results = await screen.findByRole('list', { name: 'Invitations' });
    expect(
      within(results)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['a@x.comInvited', 'b@x.comAlready a member', 'c@xNot a valid address']);
    expect(sent.mock.calls).toEqual([[{ emails: ['a@x.com', 'b@x.com', 'c@x'], role: 'viewer', language: 'es' }]]);
    // Failed addresses stay, to be corrected.
    await press('Invite more');
    expect(screen.getByLabelText('Email addresses')).toHaveValue('c@x');
  });

  it.each(['Escape', 'a click outside'])('asks before %s loses the typed addresses', async (how) => {
    const user = userEvent.setup();
    const leave = () => (how === 'Escape' ? user.keyboard('{Escape}') : user.click(document.documentElement));
    open();
    await rows();
    const invite = screen.getByRole('button', { name: 'Invite people' });
    await user.click(invite);
    await leave();
    // Nothing was typed: closes at once.
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(invite);
    await user.type(screen.getByLabelText('Email addresses'), 'a@x.com');
    await leave();
    await screen.findByRole('dialog', { name: 'Discard your changes?' });
    await press('Keep editing');
    expect(screen.getByLabelText('Email addresses')).toHaveValue('a@x.com');
    await leave();
    await press('Discard changes');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(invite);
    expect(screen.getByLabelText('Email addresses')).toHaveValue('');
  });

  it('owners, as an admin, shows beforehand that only an owner can', async () => {
    open({ role: 'admin', self: 2 });
    server.use(http.post(invitations, () => refusal('permission_denied')));
    await rows();
    await userEvent.click(screen.getByRole('button', { name: 'Invite people' }));
    await userEvent.type(screen.getByLabelText('Email addresses'), 'a@x.com');
    await userEvent.click(screen.getByRole('combobox', { name: 'Role' }));
    await userEvent.click(screen.getByRole('option', { name: 'Owner' }));
    expect(screen.getByRole('dialog')).toHaveTextContent('Your role in this brand is Admin; this takes at least the role Owner');
    await press('Send invitations');
    expect(await within(screen.getByRole('dialog')).findByRole('alert')).toHaveTextContent('Permission denied');
  });
});

describe('a member', () => {
  const url = '*/api/v1/brands/1/members/:id/';

  it('gets another role', async () => {
    open();
    const sent = vi.fn();
    server.use(
      http.patch(url, async ({ request, params }) => {
        sent(params.id, await request.json());
        return HttpResponse.json({ ...luis, role: 'admin' });
      }),
    );
    await choose('Luis Vega', 'Change role');
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('combobox', { name: 'Role' }));
    await userEvent.click(screen.getByRole('option', { name: 'Admin' }));
    await press('Save');
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'Luis Vega now has the role Admin' }]));
    expect(sent).toHaveBeenCalledExactlyOnceWith('3', { role: 'admin' });
  });

  it('whose role somebody else has changed is shown with that role', async () => {
    const { queryClient } = open();
    await choose('Luis Vega', 'Change role');
    const role = () => within(screen.getByRole('dialog')).getByRole('combobox', { name: 'Role' });
    expect(role()).toHaveTextContent('Editor');
    await userEvent.keyboard('{Escape}');
    server.use(http.get('*/api/v1/brands/1/team/', () => HttpResponse.json({ results: [{ ...luis, role: 'viewer' }], count: 1 })));
    await act(() => queryClient.invalidateQueries());
    await choose('Luis Vega', 'Change role');
    expect(role()).toHaveTextContent('Viewer');
  });

  it('is removed after a confirmation that says what they lose; a refusal is shown in it', async () => {
    open();
    server.use(http.delete(url, () => refusal('last_owner'), { once: true }));
    await choose('Luis Vega', 'Remove from the brand');
    const dialog = screen.getByRole('dialog', { name: 'Remove Luis Vega from Fjord & Forest?' });
    expect(dialog).toHaveTextContent('They lose access at once, also in open tabs');
    expect(within(dialog).queryByRole('checkbox')).toBeNull();
    expect(within(dialog).getByRole('button', { name: 'Cancel' })).toBeVisible();
    await press('Remove');
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('A brand needs');
    server.use(http.delete(url, () => new HttpResponse(null, { status: 204 })));
    await press('Remove');
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'Luis Vega is no longer a member' }]));
  });

  describe('who created API keys or the feed URL', () => {
    const KEY = { id: 7, name: 'Nightly upload', role: 'editor', state: 'active', creator_id: 2 };
    const keys = http.get('*/api/v1/brands/1/api-keys/', () =>
      HttpResponse.json({
        results: [KEY, { ...KEY, id: 8, name: 'Old', state: 'revoked' }, { ...KEY, id: 9, name: 'Other', creator_id: 1 }],
      }),
    );
    const feed = http.get('*/api/v1/brands/1/channel/feed/', () => HttpResponse.json({ ...NO_FEED, state: 'active', creator_id: 7 }));

    it.each([
      [true, 'revoke'],
      [false, 'keep'],
    ])('is removed with them, unless they are kept: %s', async (revokes, sent) => {
      open({}, keys, feed);
      const queries: (string | null)[] = [];
      server.use(
        http.delete(url, ({ request }) => {
          queries.push(new URL(request.url).searchParams.get('keys'));
          return new HttpResponse(null, { status: 204 });
        }),
      );
      await choose('Ana Vega', 'Remove from the brand');
      const box = await screen.findByRole('checkbox', { name: 'Revoke API keys and feed URL' });
      expect(box).toBeChecked();
      expect(screen.getByRole('dialog')).toHaveTextContent('created by this person: Nightly upload, the feed URL');
      if (!revokes) await userEvent.click(box);
      await press('Remove');
      await waitFor(() => expect(queries).toEqual([sent]));
    });

    it('is asked about them when they lose the role, in Spanish too', async () => {
      await changeLanguage('es');
      open({}, keys, feed);
      await userEvent.click(await screen.findByRole('button', { name: 'Más opciones para Ana Vega' }));
      await userEvent.click(await screen.findByRole('menuitem', { name: 'Cambiar el rol' }));
      expect(screen.queryByRole('checkbox')).toBeNull();
      await userEvent.click(within(screen.getByRole('dialog')).getByRole('combobox', { name: 'Rol' }));
      await userEvent.click(screen.getByRole('option', { name: 'Editor' }));
      expect(await screen.findByRole('checkbox', { name: 'Revocar las claves de API y la URL del feed' })).toBeChecked();
    });

    it('is asked about them also if they cannot be loaded', async () => {
      open(
        {},
        http.get('*/api/v1/brands/1/api-keys/', () => refusal('internal_error')),
      );
      await choose('Ana Vega', 'Remove from the brand');
      expect(await screen.findByRole('checkbox', { name: 'Revoke API keys and feed URL' })).toBeChecked();
    });
  });

  it('is removed also if only the answer is lost: trying again finds nobody', async () => {
    open();
    server.use(http.delete(url, () => HttpResponse.error(), { once: true }));
    await choose('Luis Vega', 'Remove from the brand');
    await press('Remove');
    expect(await within(screen.getByRole('dialog')).findByRole('alert')).toHaveTextContent('Network error');
    server.use(http.delete(url, () => refusal('user_not_found')));
    await press('Remove');
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'Luis Vega is no longer a member' }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('who is the last owner sees a warning before leaving or losing the role', async () => {
    open();
    await userEvent.click(await screen.findByRole('button', { name: 'More for Olivia Vega' }));
    const reason = 'A brand needs at least one owner. Name another owner first.';
    expect(screen.getByRole('menuitem', { name: `Change role ${reason}` })).toBeVisible();
    await userEvent.click(screen.getByRole('menuitem', { name: `Leave this brand ${reason}` }));
    server.use(http.post('*/api/v1/brands/1/leave/', () => refusal('last_owner')));
    await press('Leave');
    expect(await within(screen.getByRole('dialog')).findByRole('alert')).toHaveTextContent('A brand needs');
  });

  it('who is an owner can be changed by owners only, and an admin sees that beforehand', async () => {
    open({ role: 'admin', self: 2, members: [{ ...olivia, is_last_owner: false }, ana] });
    await userEvent.click(await screen.findByRole('button', { name: 'More for Olivia Vega' }));
    const name = /^Remove from the brand Your role in this brand is Admin; this takes at least the role Owner/;
    expect(screen.getByRole('menuitem', { name })).toBeVisible();
  });
});

describe('an invitation', () => {
  it('is sent again, and says so, also where it fails', async () => {
    open();
    server.use(http.post('*/members/4/resend/', () => refusal('rate_limited'), { once: true }));
    await choose('eva@example.com', 'Send the email again');
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: expect.stringContaining('could not be sent') }]));
    server.use(http.post('*/members/4/resend/', () => new HttpResponse(null, { status: 204 })));
    await choose('eva@example.com', 'Send the email again');
    await waitFor(() => expect(getToasts()[0]).toMatchObject({ title: 'A new invitation is on its way to eva@example.com' }));
  });

  it('has a link to copy, which is created on request', async () => {
    userEvent.setup();
    const writeText = vi.spyOn(navigator.clipboard, 'writeText');
    open();
    const link = 'https://portal.example/verify-email?token=secret';
    server.use(http.post('*/team/4/link/', () => HttpResponse.json({ link, expires_at: '2026-11-23T10:00:00Z' })));
    await choose('eva@example.com', 'Copy link');
    expect(screen.getByRole('dialog')).toHaveTextContent('A link that was copied before stops working.');
    expect(screen.getByRole('dialog')).toHaveTextContent('sent a new email at eva@example.com');
    await press('Make link');
    expect(await screen.findByLabelText('Link')).toHaveValue(link);
    await press('Copy link');
    expect(writeText).toHaveBeenCalledWith(link);
    // The next dialog does not show the old link.
    await press('Done');
    await choose('eva@example.com', 'Copy link');
    expect(screen.queryByLabelText('Link')).toBeNull();
  });

  it('is cancelled after a confirmation', async () => {
    open();
    server.use(http.delete('*/members/4/', () => new HttpResponse(null, { status: 204 })));
    await choose('eva@example.com', 'Cancel the invitation');
    // Two buttons with the text Cancel would be confusing.
    await press('Keep invitation');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await choose('eva@example.com', 'Cancel the invitation');
    await press('Cancel invitation');
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'The invitation of eva@example.com is cancelled' }]));
  });
});

it('the roles are shown with their permissions, and the own one is marked', async () => {
  open({ role: 'editor' });
  await rows();
  await userEvent.click(screen.getByRole('button', { name: 'Roles' }));
  const table = screen.getByRole('table', { name: 'Roles and permissions' });
  expect(within(table).getAllByRole('row')).toHaveLength(ABILITIES.length + 1);
  expect(await within(table).findByRole('columnheader', { name: 'Editor your role' })).toBeInTheDocument();
  const row = within(table).getByRole('row', { name: /^Upload, correct and undo imports/ });
  expect(
    within(row)
      .getAllByRole('cell')
      .slice(1)
      .map(({ textContent }) => textContent),
  ).toEqual(['No', 'Yes', 'Yes', 'Yes']);
});
