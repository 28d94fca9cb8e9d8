import type { CertificateDetail } from '@brand-portal/contract/certificate-detail';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { localDay } from '../../lib/format.ts';
import { changeLanguage } from '../../lib/i18n.ts';
import { CONNECTED, startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { fjord, refusal } from '../brands/test-support/brands.tsx';
import { bodyRows, makeCertificate, mockBrand, mockCertificates, openCertificates, VIEWERS_HINT } from './test-support/certificates.tsx';

const server = startMockServer();
const detailUrl = /\/api\/v1\/brands\/1\/certifications\/(\d+)\/$/;
const replaceUrl = /\/api\/v1\/brands\/1\/certifications\/(\d+)\/replace\/$/;

beforeEach(clearToasts);
afterEach(() => changeLanguage('en'));

const day = (days: number) => localDay(Date.now() + days * 86_400_000);

function makeDetail(id: string, change: Partial<CertificateDetail> = {}): CertificateDetail {
  return {
    ...makeCertificate(id),
    created_at: '2026-01-10T08:00:00Z',
    may_edit: true,
    registry: null,
    near_miss: null,
    link: '',
    sending_variants: 0,
    queued_variants: 0,
    timeline: [
      {
        kind: 'added',
        certificate_id: null,
        at: '2026-01-10T08:00:00Z',
        by: 'Ana Ruiz',
        detail: '',
        reason: '',
        import: { id: 7, file_name: 'spring.csv' },
      },
    ],
    ...change,
  };
}

/** Mocks the list and the details; records requests for ids that do not exist. */
const missed: number[] = [];
function mockApi(...details: CertificateDetail[]) {
  missed.length = 0;
  server.use(
    mockCertificates(details).handler,
    mockBrand(),
    http.get(detailUrl, ({ params }) => {
      const detail = details.find(({ id }) => id === Number(params[0]));
      if (!detail) missed.push(Number(params[0]));
      return detail ? HttpResponse.json(detail) : refusal('certificate_not_found');
    }),
  );
}

const panel = (name: string) => screen.findByRole('dialog', { name });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('the panel opens with Enter on a row, keeps the query of the list, and restores the focus when it closes', async () => {
  const detail = makeDetail('FSC-C000001');
  mockApi(detail, makeDetail('FSC-C000002'));
  const { router, query } = openCertificates('?ordering=certificate_id');
  await screen.findByText(/^Showing/);
  const row = bodyRows()[0] as HTMLElement;
  row.focus();
  await userEvent.keyboard('{Enter}');
  const dialog = await panel('FSC-C000001');
  expect(router.state.location.pathname).toBe(`/brands/1/certifications/${detail.id}`);
  expect(query()).toBe('?ordering=certificate_id');
  expect(await within(dialog).findByText(/Added by Ana Ruiz with/)).toBeVisible();
  expect(within(dialog).getByRole('link', { name: 'spring.csv' })).toHaveAttribute('href', '/brands/1/imports/7');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(router.state.location.pathname).toBe('/brands/1/certifications');
  await waitFor(() => expect(row).toHaveFocus());
});

test('a certificate says how many live variants lose it at Google, and links to its variants', async () => {
  const expires_on = day(23);
  const detail = makeDetail('A', { expires_on, reason: `listed:${expires_on}`, variants: 1_214, live_variants: 12 });
  mockApi(detail);
  openCertificates(`/${detail.id}`);
  const dialog = await panel('A');
  expect(await within(dialog).findByText(/^12 live variants lose this claim at Google after .*20\d\d\.$/)).toBeVisible();
  expect(within(dialog).getByText(/^Valid until .*, in 23 days\.$/)).toBeVisible();
  expect(within(dialog).getByRole('link', { name: 'Show 1,214 variants that have it' })).toHaveAttribute(
    'href',
    `/brands/1/product-variants?certificate=${detail.id}`,
  );
  await act(() => changeLanguage('es'));
  expect(within(dialog).getByText(/^12 variantes en línea pierden esta certificación en Google después del /)).toBeVisible();
});

test.each([
  ['validated', null, 3, 'They keep this claim at Google for as long as it is valid.'],
  ['validated', day(5), 0, 'None of them is live at Google.'],
  ['invalid', day(-5), 3, 'Google is told of valid certificates only: this one is not claimed there.'],
] as const)(
  'a certificate that is %s until %s with %i live variants says what that means at Google',
  async (overall_status, expires_on, live_variants, text) => {
    const detail = makeDetail('A', { overall_status, expires_on, variants: 3, live_variants });
    mockApi(detail);
    openCertificates(`/${detail.id}`);
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByText(/lose this claim/)).not.toBeInTheDocument();
  },
);

test.each([
  [0, 3, 'connected', '3 of them are on their way to Google.'],
  [2, 1, 'connected', '1 of them is on its way to Google.'],
  [0, 3, 'not_connected', '3 of them wait until this brand is connected to Google.'],
  [0, 3, 'inactive', '3 of them wait until this brand is active.'],
])(
  'a renewed certificate with %i live variants and %i being sent again, of a brand that is %s, says so',
  async (live_variants, sending_variants, state, text) => {
    const detail = makeDetail('A', {
      expires_on: day(90),
      variants: 3,
      live_variants,
      sending_variants,
      queued_variants: sending_variants,
    });
    mockApi(detail);
    if (state === 'inactive') server.use(http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, status: state })));
    else server.use(http.get('*/api/v1/brands/1/channel/', () => HttpResponse.json({ ...CONNECTED, state })));
    openCertificates(`/${detail.id}`);
    expect(await within(await panel('A')).findByText(text)).toBeVisible();
    expect(screen.queryByText(/None of them/)).toBeNull();
    expect(screen.queryAllByText(/lose this claim/)).toHaveLength(live_variants > 0 ? 1 : 0);
  },
);

test('variants that Google has do not wait for the connection', async () => {
  const sent = { variants: 3, live_variants: 0, sending_variants: 3, queued_variants: 2 };
  const detail = makeDetail('A', { expires_on: day(90), ...sent });
  mockApi(detail);
  server.use(http.get('*/api/v1/brands/1/channel/', () => HttpResponse.json({ ...CONNECTED, state: 'refused' })));
  openCertificates(`/${detail.id}`);
  expect(await screen.findByText('2 of them wait until this brand is connected to Google.')).toBeVisible();
  expect(screen.getByText('1 of them is on its way to Google.')).toBeVisible();
});

test('what is sent of the variants of a certificate that is not valid does not tell Google of it', async () => {
  const detail = makeDetail('A', { overall_status: 'invalid', variants: 3, sending_variants: 3 });
  mockApi(detail);
  openCertificates(`/${detail.id}`);
  expect(await within(await panel('A')).findByText(/this one is not claimed there/)).toBeVisible();
  expect(screen.queryByText(/on their way/)).toBeNull();
});

test.each([
  [null, 'No registry of FSC is loaded.'],
  [{ loaded_at: '2026-10-01T10:00:00Z', entry: null }, 'Does not list it'],
  [{ loaded_at: '2026-10-01T10:00:00Z', entry: { active: false, expires_on: null } }, 'Lists it as no longer active'],
  [{ loaded_at: '2026-10-01T10:00:00Z', entry: { active: true, expires_on: '2027-03-03' } }, 'Lists it as active until March 3, 2027'],
])('a certificate shows the registry state %j', async (registry, text) => {
  const detail = makeDetail('A', { registry });
  mockApi(detail);
  openCertificates(`/${detail.id}`);
  expect(await screen.findByText((content) => content.replaceAll('\u00a0', ' ') === text)).toBeVisible();
});

test.each(['2026-11-17', '2026-11-18'])('the last day %s is told from the user’s day', async (expires_on) => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  // There it is still November 17, 5 PM.
  vi.useFakeTimers({ now: new Date('2026-11-18T01:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });
  const detail = makeDetail('A', { expires_on });
  mockApi(detail);
  openCertificates(`/${detail.id}`);
  const distance = expires_on === '2026-11-17' ? 'today' : 'tomorrow';
  expect(await screen.findByText(new RegExp(`^Valid until .*, ${distance}\\.$`))).toBeVisible();
});

test('a certificate with a problem says what to do', async () => {
  const detail = makeDetail('A', { overall_status: 'invalid', reason: 'expired:2026-03-01' });
  mockApi(detail);
  openCertificates(`/${detail.id}`);
  const dialog = await panel('A');
  expect(await within(dialog).findByText(/^It expired on/)).toBeVisible();
  expect(within(dialog).getByText('Ask Forest Stewardship Council for its renewal, then replace it with the renewed one.')).toBeVisible();
});

test.each([
  [null, 'There is nothing to do.'],
  [day(61), 'There is nothing to do yet. Renew it before it ends.'],
  [day(60), 'Ask Forest Stewardship Council for its renewal now, and replace it with the renewed one before it ends.'],
  [day(0), 'Ask Forest Stewardship Council for its renewal now, and replace it with the renewed one before it ends.'],
])('a certificate that is valid until %s says what to do', async (expires_on, advice) => {
  const detail = makeDetail('A', { expires_on, reason: expires_on ? `listed:${expires_on}` : 'listed' });
  mockApi(detail);
  openCertificates(`/${detail.id}`);
  expect(await screen.findByText(advice)).toBeVisible();
});

test('a certificate that the list has among those that end soon ends soon in its panel too, in any time zone', async () => {
  vi.stubEnv('TZ', 'America/Los_Angeles');
  // There it is still November 17, 61 days before.
  vi.useFakeTimers({ now: new Date('2026-11-18T01:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });
  const detail = makeDetail('A', { expires_on: '2027-01-17', reason: 'listed:2027-01-17' });
  mockApi(detail);
  openCertificates(`/${detail.id}`);
  expect(await screen.findByText(/^Ask Forest Stewardship Council for its renewal now/)).toBeVisible();
});

test('the remaining days are counted in the time zone of the brand’s countries, not in UTC', async () => {
  const [over, valid] = [day(0), day(-1)];
  // When it is today in UTC, it may be tomorrow in Japan, and yesterday in the United States.
  const inJapan = makeDetail('A', { overall_status: 'invalid', expires_on: over, reason: `expired:${over}` });
  const inAmerica = makeDetail('B', { expires_on: valid, reason: `listed:${valid}` });
  mockApi(inJapan, inAmerica);
  const { router } = openCertificates(`/${inJapan.id}`);
  expect(await screen.findByText(/^Ended on .*, today\.$/)).toBeVisible();
  await act(() => router.navigate(`/brands/1/certifications/${inAmerica.id}`));
  expect(await screen.findByText(/^Valid until .*, today\.$/)).toBeVisible();
});

test.each([
  ['https://info.example/A', 'Ana Ruiz set the page at the issuer: https://info.example/A'],
  ['', 'Ana Ruiz removed the page at the issuer'],
])('the history of a certificate shows that its page was changed to %j', async (address, text) => {
  const event = { kind: 'link_changed', at: '2026-01-11T08:00:00Z', by: 'Ana Ruiz', import: null, reason: '' } as const;
  const own = { ...event, certificate_id: null, detail: address };
  const former = { ...event, certificate_id: 'FSC-OLD', kind: 'status_changed', detail: 'invalid' } as const;
  const detail = makeDetail('A', { timeline: [own, former] });
  mockApi(detail);
  openCertificates(`/${detail.id}`);
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByText('FSC-OLD:').closest('li')).toHaveTextContent(/^FSC-OLD: Status: Invalid/);
});

test('a certificate is replaced by its renewal for all its variants, and the panel shows the new one', async () => {
  const old = makeDetail('FSC-C000001', { variants: 214 });
  const renewed = makeDetail('FSC-C000002', { variants: 214 });
  mockApi(old, renewed);
  const sent: unknown[] = [];
  server.use(
    http.post(replaceUrl, async ({ params, request }) => {
      sent.push([params[0], await request.json()]);
      mockApi(renewed);
      return HttpResponse.json(renewed);
    }),
  );
  const { router, queryClient } = openCertificates(`/${old.id}?page_size=20`);
  await panel('FSC-C000001');
  await userEvent.click(await screen.findByRole('button', { name: 'Replace' }));
  const dialog = await panel('Replace certificate FSC-C000001');
  expect(within(dialog).getByText(/^214 variants get the new certificate/)).toBeVisible();
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'ID of the new certificate for FSC' }), 'FSC-C000002{Enter}');
  const renewedPanel = await panel('FSC-C000002');
  await waitFor(() => expect(renewedPanel).toHaveFocus());
  expect(sent).toEqual([[String(old.id), { certificate_id: 'FSC-C000002', confirmed: false }]]);
  expect(router.state.location.pathname + router.state.location.search).toBe(`/brands/1/certifications/${renewed.id}?page_size=20`);
  expect(getToasts()).toMatchObject([{ variant: 'success', title: 'FSC-C000001 was replaced by FSC-C000002' }]);
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(missed, 'asked for although it is gone').toEqual([]);
});

test('if the registry lists an id that differs in one character, it is offered, and applied only on a click', async () => {
  const wrong = makeDetail('FSC-CO12345', {
    overall_status: 'invalid',
    reason: 'not_listed',
    near_miss: 'FSC-C012345',
    variants: 214,
  });
  const right = makeDetail('FSC-C012345', { variants: 214 });
  mockApi(wrong, right);
  const sent: unknown[] = [];
  server.use(
    http.post(replaceUrl, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(right);
    }),
  );
  openCertificates(`/${wrong.id}`);
  expect(await screen.findByText('The registry lists FSC-C012345, you wrote FSC-CO12345.')).toBeVisible();
  expect(sent).toEqual([]);
  await press('Use FSC-C012345 for all 214 variants');
  const rightPanel = await panel('FSC-C012345');
  await waitFor(() => expect(rightPanel).toHaveFocus());
  expect(sent).toEqual([{ certificate_id: 'FSC-C012345' }]);
  expect(getToasts()).toMatchObject([{ title: 'FSC-CO12345 was replaced by FSC-C012345' }]);
});

test('a valid certificate is replaced by one that is not only after a warning, which another id takes away', async () => {
  const old = makeDetail('FSC-C000001', { variants: 2 });
  const wrong = makeDetail('FSC-CO00002', { overall_status: 'invalid', reason: 'not_listed', variants: 2 });
  mockApi(old, wrong);
  const sent: unknown[] = [];
  server.use(
    http.post(replaceUrl, async ({ request }) => {
      const body = (await request.json()) as { confirmed: boolean };
      sent.push(body);
      if (body.confirmed) return HttpResponse.json(wrong);
      const context = { status: 'invalid', reason: 'not_listed' };
      const refused = { code: 'certificate_not_valid', detail: 'no', context, request_id: 'x' };
      return HttpResponse.json(refused, { status: 409 });
    }),
  );
  openCertificates(`/${old.id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Replace' }));
  const dialog = await panel('Replace certificate FSC-C000001');
  await userEvent.type(within(dialog).getByRole('textbox'), 'FSC-CO0000{Enter}');
  expect(await within(dialog).findByRole('alert')).toHaveTextContent(
    /^The new certificate is not validated, so Google will no longer be told of it\. .*registry/,
  );
  // The second Enter, or the second click, of somebody who has not read the warning yet.
  await userEvent.type(within(dialog).getByRole('textbox'), '{Enter}');
  await within(dialog).findByRole('button', { name: 'Replace anyway' });
  await press('Replace for all');
  await within(dialog).findByRole('button', { name: 'Replace anyway' });
  expect(sent).toEqual(Array(3).fill({ certificate_id: 'FSC-CO0000', confirmed: false }));
  await userEvent.type(within(dialog).getByRole('textbox'), '2');
  expect(within(dialog).queryByRole('alert')).toBeNull();
  await press('Replace for all');
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Replace anyway' }));
  await panel('FSC-CO00002');
  expect(sent.slice(3)).toEqual([
    { certificate_id: 'FSC-CO00002', confirmed: false },
    { certificate_id: 'FSC-CO00002', confirmed: true },
  ]);
});

test('what was typed stays when a refetch does not find the certificate any more', async () => {
  const detail = makeDetail('A');
  mockApi(detail);
  const { queryClient } = openCertificates(`/${detail.id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Replace' }));
  const dialog = await panel('Replace certificate A');
  await userEvent.type(within(dialog).getByRole('textbox'), 'FSC-C000002');
  mockApi();
  server.use(http.post(replaceUrl, () => refusal('certificate_not_found')));
  await act(() => queryClient.invalidateQueries());
  expect(missed).toEqual([detail.id]);
  expect(within(dialog).getByRole('textbox')).toHaveValue('FSC-C000002');
  await press('Replace for all');
  expect(await within(dialog).findByRole('alert')).toBeVisible();
  await press('Cancel');
  expect(await screen.findByText('There is no such certificate')).toBeVisible();
});

test('a certificate that somebody else has replaced meanwhile says so; the panel and the list follow', async () => {
  const detail = makeDetail('A');
  mockApi(detail);
  openCertificates(`/${detail.id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Replace' }));
  const dialog = await panel('Replace certificate A');
  await userEvent.type(within(dialog).getByRole('textbox'), 'FSC-C000002');
  mockApi(makeDetail('FSC-C000001', { id: 2 }));
  server.use(http.post(replaceUrl, () => refusal('certificate_not_found')));
  await press('Replace for all');
  expect(await within(dialog).findByRole('alert')).toHaveTextContent(
    'This certificate no longer exists. It may have been replaced or removed.',
  );
  await press('Cancel');
  expect(await screen.findByText('There is no such certificate')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByText('FSC-C000001')).toBeVisible();
});

test('a refused replacement shows the reason beside the field', async () => {
  const detail = makeDetail('A');
  mockApi(detail);
  server.use(
    http.post(replaceUrl, () =>
      HttpResponse.json(
        { code: 'validation_failed', detail: 'no', fields: { certificate_id: 'Too long.' }, request_id: 'x' },
        { status: 400 },
      ),
    ),
  );
  openCertificates(`/${detail.id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Replace' }));
  await press('Replace for all');
  const input = await screen.findByRole('textbox', { name: /ID of the new/ });
  await waitFor(() => expect(input).toHaveAccessibleDescription('Too long.'));
  expect(input).toHaveFocus();
});

test('a certificate is removed in the panel, which then closes', async () => {
  const detail = makeDetail('A');
  mockApi(detail);
  server.use(
    http.get('*/api/v1/brands/1/certifications/:id/variants/', () => HttpResponse.json({ count: 3 })),
    http.delete(detailUrl, () => {
      mockApi();
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const { router, queryClient } = openCertificates(`/${detail.id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Remove certificate' }));
  const dialog = await panel('Remove certificate A?');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(router.state.location.pathname).toBe('/brands/1/certifications');
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(missed, 'asked for although it is gone').toEqual([]);
});

test('a viewer sees all actions, with the role that they need', async () => {
  const detail = makeDetail('FSC-CO12345', { near_miss: 'FSC-C012345', variants: 3, may_edit: false });
  mockApi(detail);
  server.use(mockBrand('viewer'));
  openCertificates(`/${detail.id}`);
  const dialog = await panel('FSC-CO12345');
  for (const name of ['Remove certificate', 'Replace', 'Add link', 'Use FSC-C012345 for all 3 variants']) {
    const button = await within(dialog).findByRole('button', { name });
    expect(button).toBeEnabled();
    await userEvent.hover(button);
    await waitFor(() => expect(screen.getByRole('tooltip')).toHaveTextContent(VIEWERS_HINT));
  }
});

test.each([
  ['Replace', 'Replace certificate FSC-C012345'],
  ['Add link', 'Page of certificate FSC-C012345'],
])('a viewer reads in the form of “%s”, before filling it in, that it will not be saved', async (action, title) => {
  const detail = makeDetail('FSC-C012345', { may_edit: false });
  mockApi(detail);
  server.use(mockBrand('viewer'));
  openCertificates(`/${detail.id}`);
  await userEvent.click(await screen.findByRole('button', { name: action }));
  expect(within(await panel(title)).getByText(VIEWERS_HINT)).toBeVisible();
});

test('an editor sees the actions without a hint', async () => {
  const detail = makeDetail('A');
  mockApi(detail);
  openCertificates(`/${detail.id}`);
  await userEvent.hover(await screen.findByRole('button', { name: 'Replace' }));
  expect(screen.queryByRole('tooltip')).not.toBeInTheDocument();
});

test('an action of a viewer that the server refuses shows an error', async () => {
  const detail = makeDetail('FSC-CO12345', { near_miss: 'FSC-C012345', variants: 3, may_edit: false });
  mockApi(detail);
  server.use(mockBrand('viewer'));
  server.use(http.post(replaceUrl, () => refusal('permission_denied')));
  openCertificates(`/${detail.id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Use FSC-C012345 for all 3 variants' }));
  expect(await screen.findByText('Permission denied')).toBeVisible();
  await press('Replace');
  const dialog = await panel('Replace certificate FSC-CO12345');
  await userEvent.type(within(dialog).getByRole('textbox'), 'FSC-C000002{Enter}');
  expect(await within(dialog).findByText('Permission denied')).toBeVisible();
});

test.each(['/999', '/nonsense'])('the panel of %s, which does not exist, says so', async (address) => {
  mockApi(makeDetail('A'));
  openCertificates(address);
  expect(await screen.findByRole('heading', { name: 'There is no such certificate' })).toBeVisible();
  expect(screen.getByRole('dialog', { name: 'Certificate' })).toBeVisible();
});

test('a panel that cannot be loaded shows the reason, and can be loaded again', async () => {
  const detail = makeDetail('A');
  mockApi(detail);
  let isDown = true;
  server.use(http.get(detailUrl, () => (isDown ? refusal('internal_error') : HttpResponse.json(detail))));
  openCertificates(`/${detail.id}`);
  expect(await screen.findByText('The certificate could not be loaded')).toBeVisible();
  isDown = false;
  await press('Try again');
  expect(await screen.findByText('History')).toBeVisible();
});

test('the page at the issuer is linked without opener and referrer, and can be changed', async () => {
  const detail = makeDetail('A', { link: 'https://info.example/A' });
  mockApi(detail);
  const sent: unknown[] = [];
  server.use(
    http.patch(detailUrl, async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1
        ? HttpResponse.json(
            { code: 'validation_failed', detail: 'no', fields: { link: 'No web address.' }, request_id: 'x' },
            { status: 400 },
          )
        : HttpResponse.json({ ...detail, link: 'https://info.example/B' });
    }),
  );
  openCertificates(`/${detail.id}`);
  const link = await screen.findByRole('link', { name: 'https://info.example/A (opens in a new tab)' });
  expect(link).toHaveAttribute('href', 'https://info.example/A');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await press('Edit link');
  const dialog = await panel('Page of certificate A');
  const field = within(dialog).getByRole('textbox', { name: 'Page at the issuer' });
  expect(field).toHaveValue('https://info.example/A');
  await userEvent.clear(field);
  await userEvent.type(field, 'ftp{Enter}');
  await waitFor(() => expect(field).toHaveAccessibleDescription('No web address.'));
  await userEvent.clear(field);
  await userEvent.type(field, 'https://info.example/B{Enter}');
  expect(await screen.findByRole('link', { name: /^https:\/\/info\.example\/B/ })).toBeVisible();
  expect(sent).toEqual([{ link: 'ftp' }, { link: 'https://info.example/B' }]);
});

test('a certificate without a page at the issuer offers to add one', async () => {
  const detail = makeDetail('A');
  mockApi(detail);
  openCertificates(`/${detail.id}`);
  expect(await screen.findByRole('button', { name: 'Add link' })).toBeVisible();
  expect(screen.getByText('Not given')).toBeVisible();
});

test('a typed certificate id is not lost by Escape without a question', async () => {
  const detail = makeDetail('FSC-C000001');
  mockApi(detail);
  openCertificates(`/${detail.id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Replace' }));
  await userEvent.type(screen.getByRole('textbox'), 'FSC-C2{Escape}');
  await screen.findByRole('dialog', { name: 'Discard your changes?' });
  await press('Keep editing');
  expect(await screen.findByRole('textbox')).toHaveValue('FSC-C2');
});
