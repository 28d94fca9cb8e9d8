import type { VariantStateCounts, VariantStates } from '@brand-portal/contract/variants';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { CONNECTED, startMockServer } from '../../test/mock-server.ts';
import { fjord } from '../brands/test-support/brands.tsx';
import { manyVariants, mockVariants, openVariants, searchBox } from './test-support/variants.tsx';
import { variantStatesQuery } from './variants-queries.ts';
import { VariantStates as Strip } from './variants-states.tsx';
import { readView } from './variants-view.ts';

const server = startMockServer();
const counts: VariantStateCounts = {
  ...{
    live: 1_240,
    on_its_way: 3,
    queued: 2,
    sent: 1,
    refused: 7,
    blocked: 2,
    unpublished: 40,
    certificate_problems: 5,
  },
};
let requests: Record<string, string>[];
let listed: Record<string, string>[];

beforeEach(() => {
  const mocked = mockVariants(manyVariants(3));
  listed = mocked.requests;
  requests = [];
  server.use(
    http.get('*/api/v1/brands/1/variants/states/', ({ request }) => {
      requests.push(Object.fromEntries(new URL(request.url).searchParams));
      return HttpResponse.json(counts);
    }),
    ...mocked.handlers,
  );
});

afterEach(() => changeLanguage('en'));

function mockReasons(issues: VariantStates['issues']) {
  server.use(
    http.get('*/api/v1/brands/1/variants/states/', ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      requests.push(query);
      return HttpResponse.json({ ...counts, ...(query.state === 'refused' && { issues }) });
    }),
  );
}

const strip = () => within(screen.getByRole('group', { name: 'Filter by state' }));

describe('the strip of states', () => {
  it('uses what was prefetched for the page', async () => {
    const queryClient = new QueryClient();
    const view = readView(new URLSearchParams());
    await queryClient.prefetchQuery(variantStatesQuery(1, view));
    render(<Strip brandId={1} view={view} onChange={() => {}} />, {
      wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    });
    expect(screen.getByRole('button', { name: 'Refused 7' })).toBeVisible();
    expect(queryClient.isFetching()).toBe(0);
  });

  it('explains the chosen state, in both languages', async () => {
    await openVariants();
    expect(screen.queryByText(/some countries only/)).toBeNull();
    await userEvent.click(await strip().findByRole('button', { name: 'Refused 7' }));
    const refused = 'Published, but Google shows them nowhere or in some countries only.';
    expect(strip().getByRole('button', { name: 'Refused 7' })).toHaveAccessibleDescription(refused);
    expect(screen.getByText(refused)).toBeVisible();
    await changeLanguage('es');
    expect(screen.getByText('Publicadas, pero Google no las muestra o solo en algunos países.')).toBeVisible();
  });

  it.each([
    ['en', 'Filter by state', ['Live 1,240', 'On its way 3', 'Refused 7', 'Blocked 2', 'Unpublished 40', 'Certificate problems 5']],
    [
      'es',
      'Filtrar por estado',
      ['En línea 1240', 'En camino 3', 'Rechazadas 7', 'Bloqueadas 2', 'Sin publicar 40', 'Problemas de certificados 5'],
    ],
  ] as const)('counts each state, in %s', async (language, name, buttons) => {
    await changeLanguage(language);
    openVariants();
    const group = within(await screen.findByRole('group', { name }));
    await waitFor(() => expect(group.getAllByRole('button').map((button) => button.textContent)).toEqual([...buttons]));
  });

  it.each(['not_connected', 'waiting', 'refused'])(
    'says that published variants wait for the connection, which is %s, and not that they are on their way',
    async (state) => {
      server.use(http.get('*/api/v1/brands/1/channel/', () => HttpResponse.json({ ...CONNECTED, state })));
      const { query } = openVariants();
      await userEvent.click(await screen.findByRole('button', { name: 'Waiting for the connection 2' }));
      expect(strip().queryByText(/On its way/)).toBeNull();
      expect(query()).toBe('?state=queued');
      expect(strip().getByRole('button', { name: 'Sent 1' })).toBeVisible();
      expect(strip().getByRole('button', { pressed: true })).toHaveAccessibleDescription(
        'Published: they wait until this brand is connected to Google.',
      );
    },
  );

  it('says that they wait until the brand is active, where it is not', async () => {
    server.use(http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, status: 'inactive' })));
    openVariants();
    await userEvent.click(await screen.findByRole('button', { name: 'Waiting: brand inactive 2' }));
    expect(strip().queryByText(/On its way/)).toBeNull();
    expect(strip().getByRole('button', { pressed: true })).toHaveAccessibleDescription('Published: they wait until this brand is active.');
  });

  it('filters by one state, in the URL, and removes the filter when it is pressed again', async () => {
    const { query } = openVariants('?page=2&search=wool');
    await userEvent.click(await screen.findByRole('button', { name: 'On its way 3' }));
    expect(query()).toBe('?search=wool&state=on_its_way');
    expect(strip().getByRole('button', { pressed: true })).toHaveTextContent('On its way');
    const filtered = expect.objectContaining({ search: 'wool', state: 'on_its_way' });
    await waitFor(() => expect(listed).toContainEqual(filtered));
    await userEvent.click(strip().getByRole('button', { pressed: true }));
    expect(query()).toBe('?search=wool');
    expect(strip().queryByRole('button', { pressed: true })).toBeNull();
  });

  it('counts the matches of search and filter, regardless of the chosen state', async () => {
    openVariants('?filter=with_certifications&search=wool&state=live');
    await screen.findByRole('button', { name: 'Refused 7' });
    expect(requests).toEqual([{ search: 'wool', has_certs: 'true' }]);
  });

  it('names an issue by the title that Google gives it', async () => {
    const issues = [{ type: 'BAD_TITLE', severity: 'error', title: 'Bad title', description: '', resolution: '', count: 1 }];
    server.use(http.get('*/api/v1/brands/1/attention/', () => HttpResponse.json({ issues })));
    openVariants('?issue=BAD_TITLE');
    expect(await screen.findByText(/^Only those with this issue at Google: Bad title/)).toBeVisible();
  });

  it('counts the matches of reason and issue, and keeps them when it is pressed', async () => {
    const { query } = openVariants('?reason=no_image&issue=IMAGE');
    await userEvent.click(await screen.findByRole('button', { name: 'Live 1,240' }));
    expect(requests).toEqual([{ reason: 'no_image', issue: 'IMAGE' }]);
    expect(query()).toBe('?reason=no_image&issue=IMAGE&state=live');
    // The button disappears with its notice.
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(query()).toBe('?state=live');
    expect(searchBox()).toHaveFocus();
  });

  it('is named and can be cleared when nothing was found', async () => {
    const { query } = openVariants('?search=nothing&state=blocked');
    expect(await screen.findByText(/^Nothing matches “nothing” .* with the filter “Blocked”.$/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
    expect(query()).toBe('?search=nothing');
    expect(searchBox()).toHaveFocus();
  });

  it('filters without numbers if they cannot be loaded', async () => {
    server.use(http.get('*/api/v1/brands/1/variants/states/', () => HttpResponse.json({}, { status: 500 })));
    const { query } = openVariants();
    await userEvent.click(await screen.findByRole('button', { name: 'Live' }));
    expect(query()).toBe('?state=live');
  });

  it('groups refusals by reason while they are shown', async () => {
    mockReasons([{ type: 'IMAGE', title: 'Image too small', count: 4 }]);
    const { query } = openVariants();
    await userEvent.click(await screen.findByRole('button', { name: 'Refused 7' }));
    const reasons = within(await screen.findByRole('group', { name: 'Reasons for refusals' }));
    expect(reasons.getAllByRole('button').map((button) => button.textContent)).toEqual(['Image too small 4']);
    await userEvent.click(reasons.getByRole('button'));
    expect(query()).toBe('?state=refused&issue=IMAGE');
    // Another state has no refusal reasons.
    await userEvent.click(strip().getByRole('button', { name: 'Live 1,240' }));
    expect(query()).toBe('?state=live');
  });

  it('counts the reasons for refusals with the filters of the list, except the chosen reason', async () => {
    mockReasons([{ type: 'IMAGE', title: 'Image too small', count: 4 }]);
    openVariants('?filter=with_certifications&search=wool&reason=no_image&state=refused&issue=IMAGE');
    const chosen = await screen.findByRole('button', { name: 'Image too small 4' });
    expect(chosen).toHaveAttribute('aria-pressed', 'true');
    expect(requests).toEqual([{ search: 'wool', has_certs: 'true', reason: 'no_image', state: 'refused' }]);
  });

  it('shows the chosen reason for refusals even without a match, so that it can be cleared', async () => {
    mockReasons([]);
    const { query } = openVariants('?state=refused&issue=IMAGE');
    await userEvent.click(await screen.findByRole('button', { name: 'IMAGE 0', pressed: true }));
    expect(query()).toBe('?state=refused');
  });
});
