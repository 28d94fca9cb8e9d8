import type { Attention } from '@brand-portal/contract/attention';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router';
import { describe, expect, it } from 'vitest';
import { startMockServer } from '../../test/mock-server.ts';
import { getToasts } from '../../ui/toast-store.ts';
import { fjord, refusal, renderAt } from '../brands/test-support/brands.tsx';
import { AttentionNotice } from './attention-notice.exported.tsx';
import { AttentionPage } from './attention-page.tsx';

const server = startMockServer();
const nothing: Attention = {
  connection: 'connected',
  brand_name_differs: false,
  variants: [],
  issues: [],
  ...{
    certificates: { invalid: 0, ends_soon: 0, pending: 0 },
    imports: { failed: 0, rejected_rows: 0, ids: { failed: [], rejected_rows: [] } },
  },
};
const answer = (attention: Partial<Attention>) =>
  server.use(
    http.get('*/api/v1/brands/1/', () => HttpResponse.json(fjord)),
    http.get('*/api/v1/brands/1/attention/', () => HttpResponse.json({ ...nothing, ...attention })),
  );
const open = () =>
  renderAt(
    '/brands/1/attention',
    <Routes>
      <Route path="/brands/:id/attention" element={<AttentionPage />} />
    </Routes>,
  );

it('each reason shows its count, what to do, and a link to the variants', async () => {
  answer({
    issues: [
      {
        type: 'TITLE',
        severity: 'error',
        title: 'Bad title',
        description: 'Remove the price.',
        resolution: '',
        count: 12,
      },
    ],
    variants: [{ reason: 'no_image', count: 1_214 }],
    certificates: { invalid: 2, ends_soon: 4, pending: 1 },
    imports: { failed: 0, rejected_rows: 3, ids: { failed: [], rejected_rows: [8, 6, 5] } },
  });
  open();
  const [issue, image, certificates, endsSoon, pending, imports] = await screen.findAllByRole('listitem');
  expect(within(issue as HTMLElement).getByText('Remove the price.')).toBeVisible();
  expect(within(issue as HTMLElement).getByText('12')).toBeVisible();
  const link = within(issue as HTMLElement).getByRole('link', { name: 'Show them: Bad title' });
  expect(link).toHaveAttribute('href', '/brands/1/product-variants?issue=TITLE');
  expect(within(image as HTMLElement).getByText('1,214')).toBeVisible();
  expect(within(image as HTMLElement).getByRole('button', { name: 'Export: No image' })).toBeVisible();
  expect(within(certificates as HTMLElement).queryByRole('button')).not.toBeInTheDocument();
  expect(within(image as HTMLElement).getByRole('link', { name: 'Show them: No image' })).toHaveAttribute(
    'href',
    '/brands/1/product-variants?reason=no_image',
  );
  expect(certificates).toHaveTextContent('Certificates that are not valid');
  expect(within(certificates as HTMLElement).getByRole('link')).toHaveAttribute('href', '/brands/1/certifications?status=invalid');
  expect(endsSoon).toHaveTextContent('Certificates that end within 60 days4');
  expect(within(endsSoon as HTMLElement).getByRole('link')).toHaveAttribute('href', '/brands/1/certifications?status=ends_soon');
  expect(within(pending as HTMLElement).getByRole('link')).toHaveAttribute('href', '/brands/1/certifications?status=pending');
  expect(imports).toHaveTextContent('Imports with rejected rows');
  expect(within(imports as HTMLElement).getByRole('link')).toHaveAttribute('href', '/brands/1/imports?notice=rejected_rows');
});

describe('imports', () => {
  const failed: Partial<Attention> = {
    imports: { failed: 2, rejected_rows: 0, ids: { failed: [8, 5], rejected_rows: [] } },
  };
  const name = 'Dismiss: Failed imports of the last 30 days';

  it('that are counted are dismissed, by their ids, and are gone from the page', async () => {
    answer(failed);
    const bodies: unknown[] = [];
    server.use(
      http.post('*/api/v1/brands/1/imports/dismiss/', async ({ request }) => {
        bodies.push(await request.json());
        answer({});
        return HttpResponse.json({ dismissed: 2 });
      }),
    );
    open();
    expect(await screen.findByRole('link', { name: /^Show them: Failed imports/ })).toHaveAttribute(
      'href',
      '/brands/1/imports?notice=failed',
    );
    await userEvent.click(screen.getByRole('button', { name }));
    expect(await screen.findByText('Nothing needs attention')).toBeVisible();
    expect(bodies).toEqual([{ notice: 'failed', ids: [8, 5] }]);
  });

  it('that cannot be dismissed stay, and the page says why', async () => {
    answer(failed);
    server.use(http.post('*/api/v1/brands/1/imports/dismiss/', () => refusal('database_unavailable')));
    open();
    await userEvent.click(await screen.findByRole('button', { name }));
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'The imports could not be dismissed' }]));
    expect(screen.getByRole('button', { name })).toBeVisible();
  });
});

it('an issue that both Google and the portal find is shown once, with what to do', async () => {
  const issue = (type: string, severity: 'error' | 'warning', count: number) => ({
    type,
    severity,
    title: `Google: ${type}`,
    description: 'In other words.',
    resolution: '',
    count,
  });
  answer({
    issues: [
      issue('RESTRICTED_GTIN', 'error', 3),
      issue('COUPON_GTIN', 'error', 1),
      issue('TITLE', 'error', 2),
      issue('MISSING_IMAGE', 'warning', 5),
      // Issues that only Google reports: only Google's texts are shown.
      issue('MISSING_DESCRIPTION', 'warning', 6),
    ],
    variants: [
      { reason: 'refused', count: 6 },
      { reason: 'restricted_gtin', count: 7 },
      { reason: 'no_image', count: 9 },
    ],
  });
  open();
  const rows = (await screen.findAllByRole('listitem')).map((row) => row.textContent);
  expect(rows).toEqual([
    expect.stringMatching(/^Restricted GTIN prefix7Google has found 4 of themSuch numbers are .* use the GTIN that GS1/),
    expect.stringMatching(/^Google: TITLE2/),
    expect.stringMatching(/^No image9Google has found 5 of them.*Edit the variant/),
    expect.stringMatching(/^Google: MISSING_DESCRIPTION6/),
    expect.stringMatching(/^Refused by Google6/),
  ]);
});

it('a brand without problems says so', async () => {
  answer({});
  open();
  expect(await screen.findByText('Nothing needs attention')).toBeVisible();
});

it('a brand without a connection says that published variants wait, and leads to the settings', async () => {
  answer({ connection: 'not_connected' });
  open();
  expect(await screen.findByText(/is not connected to Google. What you publish waits/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'See the settings' })).toHaveAttribute('href', '/brands/1/settings');
});

it('an inactive brand says that nothing is sent, and not that what is published is on its way', async () => {
  answer({});
  server.use(http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, status: 'inactive' })));
  open();
  expect(await screen.findByText(/^This brand is inactive\. Nothing is sent to Google/)).toBeVisible();
  expect(screen.queryByText(/on its way/)).toBeNull();
  expect(screen.queryByRole('link', { name: 'See the settings' })).toBeNull();
});

it('a part that could not be loaded can be loaded again', async () => {
  server.use(http.get('*/api/v1/brands/1/attention/', () => HttpResponse.json({ code: 'internal_error' }, { status: 400 })));
  open();
  const retry = await screen.findByRole('button', { name: 'Try again' });
  answer({});
  await userEvent.click(retry);
  expect(await screen.findByText('Nothing needs attention')).toBeVisible();
});

it('the dashboard names the brands where something is wrong', async () => {
  const results = [
    { brand_id: 7, name: 'Fjord', connection: null, refused: 1, certificates: 3, ends_soon: 2, imports: 0 },
    { brand_id: 8, name: 'Lumbre', connection: 'not_connected', refused: 0, certificates: 1, ends_soon: 0, imports: 0 },
  ];
  server.use(http.get('*/api/v1/users/me/attention/', () => HttpResponse.json({ results })));
  renderAt('/brands', <AttentionNotice />);
  expect(await screen.findByRole('link', { name: 'Fjord' })).toHaveAttribute('href', '/brands/7/attention');
  expect(
    screen.getByText(
      '1 variant is refused or live in some countries only · 3 certificates are not valid · 2 certificates end within 60 days',
    ),
  ).toBeVisible();
  expect(screen.getByText('Published variants wait: not connected to Google · 1 certificate is not valid')).toBeVisible();
});

it('of a very large brand, the page says when its remarks were counted', async () => {
  answer({ counted_at: '2026-11-19T09:30:00Z', variants: [{ reason: 'no_image', count: 5 }] });
  open();
  expect(await screen.findByText(/remarks were counted .*2026/)).toBeVisible();
});

it('of a very large brand that was not counted yet, the page says that it is being counted', async () => {
  answer({ counted_at: null });
  open();
  expect(await screen.findByText(/are being counted/)).toBeVisible();
});
