import type { OwnInvitation } from '@brand-portal/contract/members';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type HttpHandler, HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { BrandsPage } from './brands-page.tsx';
import { brandList, refusal, renderAt } from './test-support/brands.tsx';

const server = startMockServer();
const URL = '*/api/v1/users/me/invitations/';
const casa: OwnInvitation = { brand_id: 7, brand_name: 'Casa Verde', role: 'editor', invited_by: 'Ana Torres' };

afterEach(() => {
  clearToasts();
  return changeLanguage('en');
});

/** A mock server that stores the invitations, and records the answers to them. */
function useServer(invitations = [casa], ...handlers: HttpHandler[]) {
  const answers: string[] = [];
  let open = invitations;
  let listed = 0;
  let checked = 0;
  server.use(
    ...handlers,
    http.get('*/api/v1/brands/', () => {
      listed += 1;
      return HttpResponse.json(brandList);
    }),
    http.get('*/api/v1/users/me/attention/', () => {
      checked += 1;
      return HttpResponse.json({ results: [] });
    }),
    http.get(URL, () => HttpResponse.json({ results: open })),
    http.post(`${URL}:brandId/:answer/`, ({ params }) => {
      answers.push(`${params.brandId} ${params.answer}`);
      open = open.filter(({ brand_id }) => brand_id !== Number(params.brandId));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderAt('/brands', <BrandsPage />);
  return { answers, listed: () => listed, checked: () => checked };
}

const section = () => screen.findByRole('region', { name: 'Invitations' });

describe('an invitation on the dashboard', () => {
  it('shows who invites, the brand and the role', async () => {
    useServer([casa, { ...casa, brand_id: 8, brand_name: 'Tiny', role: 'owner', invited_by: '' }]);
    const items = within(await section()).getAllByRole('listitem');
    expect(items[0]).toHaveTextContent('Ana Torres invites you to Casa Verde as editor.');
    expect(items[1]).toHaveTextContent('You are invited to Tiny as owner.');
  });

  it('is accepted: a toast appears, it disappears, and the brands and what needs attention are loaded again', async () => {
    const { answers, listed, checked } = useServer();
    await userEvent.dblClick(await screen.findByRole('button', { name: 'Accept the invitation to Casa Verde' }));
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'You are now a member of Casa Verde' }]));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Invitations' })).toBeNull());
    expect(answers).toEqual(['7 accept']);
    await waitFor(() => expect([listed(), checked()]).toEqual([2, 2]));
  });

  it('is declined', async () => {
    const { answers } = useServer();
    await userEvent.click(await screen.findByRole('button', { name: 'Decline the invitation to Casa Verde' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Invitations' })).toBeNull());
    expect(answers).toEqual(['7 decline']);
  });

  it('says so when it was withdrawn meanwhile', async () => {
    useServer();
    server.use(http.post(`${URL}7/accept/`, () => refusal('last_owner')));
    await userEvent.click(await screen.findByRole('button', { name: 'Accept the invitation to Casa Verde' }));
    const title = 'The invitation to Casa Verde could not be answered';
    await waitFor(() => expect(getToasts()).toMatchObject([{ title, variant: 'error' }]));
  });

  it.each(['Accept', 'Decline'])('that is being answered keeps the focus on %s, also if it fails', async (name) => {
    useServer();
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    server.use(
      http.post(`${URL}7/:answer/`, async () => {
        await isAnswered;
        return refusal('internal_error');
      }),
    );
    const button = await screen.findByRole('button', { name: `${name} the invitation to Casa Verde` });
    await userEvent.click(button);
    expect(button).toHaveAttribute('aria-disabled', 'true');
    // A browser takes the focus from a disabled button.
    expect(button).toBeEnabled();
    answer();
    await waitFor(() => expect(getToasts()).toMatchObject([{ variant: 'error' }]));
    expect(button).toHaveFocus();
  });

  it('is in Spanish', async () => {
    await changeLanguage('es');
    useServer();
    expect(await screen.findByText('Ana Torres te invita a Casa Verde como editor.')).toBeVisible();
  });

  it('that cannot be loaded does not break the dashboard', async () => {
    useServer(
      [casa],
      http.get(URL, () => refusal('internal_error')),
    );
    expect(await screen.findByRole('heading', { name: 'Tiny' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Invitations' })).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
