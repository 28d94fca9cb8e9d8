import { UNDO_TOAST_MS } from '@brand-portal/contract/constants';
import type { VariantDetail } from '@brand-portal/contract/variant-detail';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { CONNECTED, startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { fjord, goBack, refusal } from '../brands/test-support/brands.tsx';
import { detailUrl, fsc, makeDetail, mockDetails, openVariants, panel, press } from './test-support/panel.tsx';
import { bodyRows, makeCertification, makeVariant, manyVariants, searchBox } from './test-support/variants.tsx';

const VIEWERS_REASON = 'Your role in this brand is Viewer; this takes at least the role Editor. Ask Olivia Lindqvist.';

const server = startMockServer();

beforeEach(clearToasts);

function mockApi(...given: Parameters<typeof mockDetails>) {
  const { saved, handlers } = mockDetails(...given);
  server.use(...handlers);
  return saved;
}

describe('the panel', () => {
  test('opens with Enter on a row, keeps the query of the list, and restores the focus when it closes', async () => {
    mockApi();
    const { path, query } = await openVariants('?ordering=name');
    const row = bodyRows()[1] as HTMLElement;
    row.focus();
    await userEvent.keyboard('{Enter}');
    const dialog = await panel('Wool socks 2');
    expect(path()).toBe('/brands/1/product-variants/2');
    expect(query()).toBe('?ordering=name');
    expect(await within(dialog).findByText('Warm.')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(path()).toBe('/brands/1/product-variants');
    await waitFor(() => expect(row).toHaveFocus());
  });

  test('shows the data of the list at once, before the detail is loaded', async () => {
    mockApi();
    server.use(http.get(detailUrl, () => new Promise(() => {})));
    await openVariants();
    await userEvent.click(within(bodyRows()[0] as HTMLElement).getByText('Wool socks 1'));
    const dialog = await panel();
    expect(within(dialog).getByText('4006381000001')).toBeVisible();
    expect(within(dialog).getByText('Loading the variant')).toBeInTheDocument();
  });

  test.each(['Wool socks 1', 'FSC', 'Live'])('opens with one tap on “%s” in the row', async (text) => {
    const row = { certifications: [makeCertification('FSC')], published: true };
    mockApi(undefined, [makeVariant(1, { ...row, channel: { state: 'live', reason: '' } })]);
    await openVariants();
    const target = within(bodyRows()[0] as HTMLElement).getByText(text);
    await userEvent.pointer([
      { keys: '[TouchA>]', target },
      { keys: '[/TouchA]', target },
    ]);
    expect(await panel()).toBeVisible();
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  test('is not opened by the row’s own menu', async () => {
    mockApi();
    await openVariants();
    await press('Actions for Wool socks 1');
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('goes to the next and the previous row by key and by button, and stops at the ends', async () => {
    mockApi();
    const { path } = await openVariants('/2');
    await panel('Wool socks 2');
    await userEvent.keyboard('j');
    await panel('Wool socks 3');
    await userEvent.keyboard('j');
    expect(path()).toBe('/brands/1/product-variants/3');
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await panel('Wool socks 2');
    await press('Previous variant');
    await panel('Wool socks 1');
    expect(screen.getByRole('button', { name: 'Previous variant' })).toHaveAttribute('aria-disabled', 'true');
    await press('Next variant');
    await panel('Wool socks 2');
    await press('Close');
    await waitFor(() => expect(path()).toBe('/brands/1/product-variants'));
    await waitFor(() => expect(bodyRows()[1]).toHaveFocus());
  });

  test('continues on the next page, with the same search, and closes to that page', async () => {
    mockApi(
      manyVariants(25).map(({ id }) => makeDetail(id)),
      manyVariants(25),
    );
    const { path, query } = await openVariants('/10?search=socks');
    await panel('Wool socks 10');
    expect(await screen.findByRole('button', { name: 'Next variant' })).toHaveAttribute('aria-disabled', 'false');
    await userEvent.keyboard('j');
    await panel('Wool socks 11');
    expect(query()).toBe('?search=socks&page=2');
    await userEvent.keyboard('k');
    await panel('Wool socks 10');
    expect(query()).toBe('?search=socks');
    await press('Next variant');
    await panel('Wool socks 11');
    await press('Next variant');
    await panel('Wool socks 12');
    await press('Close');
    await waitFor(() => expect(path()).toBe('/brands/1/product-variants'));
    expect(query()).toBe('?search=socks&page=2');
    await waitFor(() => expect(bodyRows()[1]).toHaveFocus());
  });

  test('stays on the variant and shows an error when the next page cannot be loaded', async () => {
    mockApi(
      manyVariants(11).map(({ id }) => makeDetail(id)),
      manyVariants(11),
    );
    const { path } = await openVariants('/10');
    await panel('Wool socks 10');
    server.use(http.get('*/api/v1/brands/1/variants/', () => refusal('internal_error')));
    await press('Next variant');
    await waitFor(() => expect(getToasts()[0]?.title).toBe('The product variants could not be loaded'));
    expect(path()).toBe('/brands/1/product-variants/10');
  });

  test('stays closed if it is closed while the next page is loading', async () => {
    const variants = manyVariants(11);
    mockApi(
      variants.map(({ id }) => makeDetail(id)),
      variants,
    );
    const { path, query, queryClient } = await openVariants('/10');
    await panel('Wool socks 10');
    const { promise: nextPage, resolve: answer } = Promise.withResolvers<void>();
    server.use(
      http.get('*/api/v1/brands/1/variants/', async () => {
        await nextPage;
        return HttpResponse.json({ results: variants.slice(10), count: 11 });
      }),
    );
    await press('Next variant');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(path()).toBe('/brands/1/product-variants'));
    answer();
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(path() + query()).toBe('/brands/1/product-variants');
  });

  test('of a link shows a variant that is not on the page, and closes to the list', async () => {
    mockApi([makeDetail(77, { name: 'Far away' })]);
    const { path } = await openVariants('/77');
    const dialog = await panel('Far away');
    expect(within(dialog).queryByRole('button', { name: 'Next variant' })).not.toBeInTheDocument();
    await press('Close');
    await waitFor(() => expect(path()).toBe('/brands/1/product-variants'));
  });

  test.each(['/78', '/abc'])('at %s says that there is no such variant', async (address) => {
    mockApi();
    await openVariants(address);
    expect(await screen.findByText('Product variant not found')).toBeVisible();
    expect(screen.getByRole('dialog', { name: 'Product variant' })).toBeVisible();
  });

  test('that cannot be loaded says so and can be tried again', async () => {
    mockApi();
    server.use(http.get(detailUrl, () => refusal('internal_error'), { once: true }));
    await openVariants('/1');
    expect(await screen.findByText('The variant could not be loaded')).toBeVisible();
    await press('Try again');
    expect(await screen.findByText('Warm.')).toBeVisible();
  });

  test('of a viewer shows everything, and its actions say which role they need', async () => {
    mockApi([makeDetail(1, { may_edit: false, certificates: [fsc] })]);
    server.use(http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, role: 'viewer' })));
    await openVariants('/1');
    const dialog = await panel();
    for (const name of ['Edit', 'Delete', 'Publish', 'Add certificate', 'Remove FSC FSC-C1 from this variant']) {
      const button = await within(dialog).findByRole('button', { name });
      expect(button).toBeEnabled();
      await userEvent.hover(button);
      await waitFor(() => expect(screen.getByRole('tooltip')).toHaveTextContent(VIEWERS_REASON));
    }
  });

  test('of a viewer says in its forms, before they are filled in, that they will not be saved', async () => {
    mockApi([makeDetail(1, { may_edit: false })]);
    server.use(
      http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, role: 'viewer' })),
      http.get('*/api/v1/certifications/', () => HttpResponse.json([])),
    );
    await openVariants('/1');
    const dialog = await panel();
    await userEvent.click(await within(dialog).findByRole('button', { name: 'Add certificate' }));
    const adding = await screen.findByRole('dialog', { name: /^Add a certificate/ });
    expect(within(adding).getByText(VIEWERS_REASON)).toBeVisible();
    await userEvent.click(within(adding).getByRole('button', { name: 'Cancel' }));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Edit' }));
    expect(within(dialog).getByText(VIEWERS_REASON)).toBeVisible();
    expect(within(dialog).getByRole('button', { name: 'Save' })).toBeEnabled();
  });

  test('of a viewer who adds a variant says so too, until the server has refused', async () => {
    mockApi();
    server.use(
      http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, role: 'viewer' })),
      http.post('*/api/v1/brands/1/variants/', () => refusal('permission_denied')),
    );
    await openVariants('/new');
    expect(await screen.findByText(VIEWERS_REASON)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Add variant' }));
    expect(await screen.findByText('Permission denied')).toBeVisible();
    expect(screen.queryByText(VIEWERS_REASON)).toBeNull();
  });

  test('says if only the newest certificates are shown', async () => {
    mockApi([makeDetail(1, { certificates: [fsc], certificate_count: 1_200 })]);
    await openVariants('/1');
    expect(await screen.findByText('The newest 1 of 1,200 certificates are shown.')).toBeVisible();
  });

  test('shows Google’s issues, what is missing, the certificates and the history', async () => {
    const by = { by: 'Ana Ruiz', import: null, changes: [], detail: '' };
    mockApi([
      makeDetail(1, {
        published: true,
        channel: { state: 'partly_live', reason: 'x' },
        countries: [{ country: 'DE', status: 'disapproved' }],
        issues: [
          {
            type: 't',
            severity: 'error',
            title: 'Image too small',
            description: 'Use a larger one.',
            attribute: 'image_link',
            resolution: '',
            countries: ['DE'],
            since: '2026-01-02T00:00:00Z',
          },
        ],
        readiness: ['no_description'],
        certificates: [
          {
            id: 9,
            certification_name: 'FSC',
            certifying_body_name: 'FSC Council',
            status: 'invalid',
            reason: 'not_listed',
            external_certificate_id: 'FSC-C1',
            expires_on: '2027-01-31',
          },
        ],
        timeline: [
          { kind: 'judged', at: '2026-01-03T00:00:00Z', ...by, by: null, detail: 'partly_live' },
          {
            kind: 'imported',
            at: '2026-01-02T00:00:00Z',
            ...by,
            import: { id: 5, file_name: 'spring.csv' },
            changes: [{ field: 'name', from: 'Socks', to: 'Wool socks 1' }],
          },
        ],
      }),
    ]);
    await openVariants('/1');
    const dialog = await panel();
    const section = (name: string) => within(dialog).findByRole('region', { name });
    expect(await section('At Google')).toHaveTextContent(
      'Germany · Not approvedWhat Google foundImage too smallUse a larger one.Field: image_link · Where: Germany · since',
    );
    expect(await section('What Google may miss')).toHaveTextContent('No description');
    expect(await section('Certificates')).toHaveTextContent(/FSC.*FSC-C1.*Valid until January.31,.2027/);
    const history = await section('History');
    expect(history).toHaveTextContent('Google: Partly live');
    expect(history).toHaveTextContent('Changed by Ana Ruiz with the import spring.csvName: Socks →to Wool socks 1');
    expect(within(history).getByRole('link', { name: 'spring.csv' })).toHaveAttribute('href', '/brands/1/imports/5');
  });

  test('shows what Google found and the portal knows too once, in Google’s words', async () => {
    const found = { attribute: '', resolution: '', countries: [], since: null };
    const noImage = { type: 'MISSING_IMAGE', severity: 'warning' as const, title: 'Image is missing', description: '' };
    const issues = [{ ...noImage, ...found }];
    mockApi([makeDetail(1, { issues, readiness: ['no_image', 'no_description'] }), makeDetail(2, { issues, readiness: ['no_image'] })]);
    await openVariants('/1');
    const dialog = await panel();
    const missing = await within(dialog).findByRole('region', { name: 'What Google may miss' });
    expect(missing).toHaveTextContent('No description');
    expect(missing).not.toHaveTextContent('No image');
    expect(within(dialog).getByText('Image is missing')).toBeVisible();
    await userEvent.keyboard('j');
    const next = await panel('Wool socks 2');
    expect(await within(next).findByText('Image is missing')).toBeVisible();
    expect(within(next).queryByRole('region', { name: 'What Google may miss' })).not.toBeInTheDocument();
  });

  const issue = {
    type: 't',
    severity: 'error' as const,
    title: 'Image too small',
    description: 'Use a larger one.',
    attribute: '',
    resolution: '',
    countries: [],
    since: null,
  };
  const refused = (reason: string) => ({ state: 'refused' as const, reason });
  test.each<[string, Partial<VariantDetail>, RegExp]>([
    ['a reason', { channel: refused('Wrong brand') }, /^At GoogleGoogle refused it: Wrong brand Correct the product/],
    [
      'a reason of one country',
      { channel: { state: 'partly_live', reason: 'No image' } },
      /^At GoogleLive on Google in some countries, refused in others: No image Correct/,
    ],
    ['issues', { channel: refused('x'), issues: [issue] }, /^At GoogleGoogle refused it\. Correct.*Image too small/],
    ['neither', { channel: refused('') }, /^At GoogleGoogle refused it and gave no reason\. Correct/],
    [
      'failed attempts',
      { channel: { state: 'queued', reason: '' }, retry_at: '2099-11-17T12:00:00Z' },
      /^At GoogleToday: waiting to be sent to Google\.Google could not be reached\. The next attempt is on Nov 17, 2099/,
    ],
    [
      'an attempt that is due',
      { channel: { state: 'queued', reason: '' }, retry_at: '2026-01-01T12:00:00Z' },
      /^At GoogleToday: waiting to be sent to Google\.Google could not be reached\. The next attempt follows soon\.$/,
    ],
  ])('of a variant that is not live says why, with %s', async (_name, change, text) => {
    mockApi([makeDetail(1, { published: true, ...change })]);
    await openVariants('/1');
    const section = await within(await panel()).findByRole('region', { name: 'At Google' });
    await waitFor(() => expect(section).toHaveTextContent(text));
  });

  test('of a variant of a brand that is not connected says that it waits for that, and nothing of attempts', async () => {
    const retry_at = '2099-11-17T12:00:00Z';
    mockApi([makeDetail(1, { published: true, channel: { state: 'queued', reason: '' }, retry_at })]);
    server.use(http.get('*/api/v1/brands/1/channel/', () => HttpResponse.json({ ...CONNECTED, state: 'not_connected' })));
    await openVariants('/1');
    const section = await within(await panel()).findByRole('region', { name: 'At Google' });
    await waitFor(() => expect(section).toHaveTextContent('Today: waiting until this brand is connected to Google. The brand’s settings'));
    expect(section).not.toHaveTextContent('attempt');
  });

  test('of a variant of a brand that is inactive says that it waits for that, and nothing of attempts', async () => {
    const retry_at = '2099-11-17T12:00:00Z';
    mockApi([makeDetail(1, { published: true, channel: { state: 'queued', reason: '' }, retry_at })]);
    server.use(http.get('*/api/v1/brands/1/', () => HttpResponse.json({ ...fjord, status: 'inactive' })));
    await openVariants('/1');
    const section = await within(await panel()).findByRole('region', { name: 'At Google' });
    await waitFor(() => expect(section).toHaveTextContent(/Today: waiting until this brand is active\.$/));
  });

  test('adds a certificate by hand, and shows the server’s error beside its field', async () => {
    const detail = makeDetail(1);
    mockApi([detail]);
    const saved: unknown[] = [];
    server.use(
      http.get('*/api/v1/certifications/', () => HttpResponse.json([{ id: 1, name: 'FSC' }])),
      http.post('*/api/v1/brands/1/variants/1/certificates/', async ({ request }) => {
        const body = (await request.json()) as { certification_name: string };
        saved.push(body);
        if (body.certification_name !== 'FSC') {
          const fields = { certification_name: 'No such certification.' };
          return HttpResponse.json({ detail: 'x', code: 'validation_failed', fields, request_id: 'r' }, { status: 400 });
        }
        detail.certificates = [fsc];
        return HttpResponse.json(detail, { status: 201 });
      }),
    );
    await openVariants('/1');
    await userEvent.click(await screen.findByRole('button', { name: 'Add certificate' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add a certificate to this variant' });
    const certification = within(dialog).getByRole('combobox', { name: 'Certification' });
    await userEvent.type(certification, 'FS');
    expect(screen.getByRole('option', { name: 'FSC' })).toBeVisible();
    await userEvent.type(within(dialog).getByLabelText('Certificate ID'), 'FSC-C1{Enter}');
    expect(await within(dialog).findByText('No such certification.')).toBeVisible();
    expect(certification).toBeInvalid();
    expect(certification).toHaveFocus();
    await userEvent.type(certification, 'C{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove FSC FSC-C1 from this variant' })).toBeVisible();
    expect(getToasts()[0]?.title).toBe('FSC-C1 was added to this variant');
    expect(saved).toEqual([
      { certification_name: 'FS', certificate_id: 'FSC-C1' },
      { certification_name: 'FSC', certificate_id: 'FSC-C1' },
    ]);
  });

  test('removes a certificate from this variant after a confirmation', async () => {
    const detail = makeDetail(1, { certificates: [fsc] });
    mockApi([detail]);
    server.use(
      http.delete('*/api/v1/brands/1/variants/1/certificates/9/', () => {
        detail.certificates = [];
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await openVariants('/1');
    await userEvent.click(await screen.findByRole('button', { name: 'Remove FSC FSC-C1 from this variant' }));
    const confirmation = await screen.findByRole('dialog', { name: 'Remove FSC-C1 from this variant?' });
    await userEvent.click(within(confirmation).getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('This variant has no certificates.')).toBeVisible();
  });

  test('shows the certificates as they are after a removal that failed: somebody else was faster, or the answer was lost', async () => {
    const detail = makeDetail(1, { certificates: [fsc] });
    mockApi([detail]);
    server.use(
      http.delete('*/api/v1/brands/1/variants/1/certificates/9/', () => {
        detail.certificates = [];
        return refusal('not_found');
      }),
    );
    await openVariants('/1');
    await userEvent.click(await screen.findByRole('button', { name: 'Remove FSC FSC-C1 from this variant' }));
    const confirmation = await screen.findByRole('dialog', { name: 'Remove FSC-C1 from this variant?' });
    await userEvent.click(within(confirmation).getByRole('button', { name: 'Remove' }));
    expect(await within(confirmation).findByRole('alert')).toHaveTextContent('It may have been removed.');
    await userEvent.click(within(confirmation).getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('This variant has no certificates.')).toBeVisible();
  });

  test('deletes the variant like a selected one: deselects it, focuses the next row, and offers Undo', async () => {
    const variants = manyVariants(3);
    mockApi(
      [1, 2, 3].map((id) => makeDetail(id)),
      variants,
    );
    const saved: unknown[] = [];
    server.use(
      http.post('*/api/v1/brands/1/variants/actions/', async ({ request }) => {
        saved.push(await request.json());
        variants.shift();
        return HttpResponse.json({ changed: 1, skipped: [], deletion_id: 8 });
      }),
      http.post('*/api/v1/brands/1/deletions/8/restore/', () => {
        saved.push('restore');
        return HttpResponse.json({ restored: 1, kept: 0 });
      }),
    );
    const { path } = await openVariants();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Wool socks 1' }));
    await userEvent.click(screen.getByText('Wool socks 1'));
    await screen.findByText('Warm.');
    await press('Delete');
    const confirmation = await screen.findByRole('dialog', { name: 'Delete “Wool socks 1”?' });
    expect(confirmation).toHaveTextContent('It can be restored for 30 days');
    expect(confirmation).toHaveTextContent('It is not published.');
    await userEvent.click(within(confirmation).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(path()).toBe('/brands/1/product-variants'));
    expect(getToasts()[0]).toMatchObject({
      title: '1 variant deleted',
      durationMs: UNDO_TOAST_MS,
      action: { label: 'Undo' },
    });
    await waitFor(() => expect(bodyRows()).toHaveLength(2));
    expect(screen.queryByText('Product variant not found')).not.toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Selected variants' })).not.toBeInTheDocument();
    expect(bodyRows()[0]).toHaveFocus();
    act(() => getToasts()[0]?.action?.onSelect());
    await waitFor(() => expect(getToasts()[0]?.title).toBe('1 variant restored'));
    expect(saved).toEqual([{ action: 'delete', ids: [1] }, 'restore']);
  });
});

test.each([
  ['of the last row moves the focus to the row before it', 3, 3, 'Wool socks 2'],
  ['of the only row moves the focus to the search', 1, 1, undefined],
])('a deletion %s', async (_title, count, id, before) => {
  const variants = manyVariants(count);
  mockApi([makeDetail(id)], variants);
  server.use(
    http.post('*/api/v1/brands/1/variants/actions/', () => {
      variants.pop();
      return HttpResponse.json({ changed: 1, skipped: [], deletion_id: 8 });
    }),
  );
  await openVariants('?search=socks');
  await userEvent.click(screen.getByText(`Wool socks ${id}`));
  await screen.findByText('Warm.');
  await press('Delete');
  const confirmation = await screen.findByRole('dialog', { name: `Delete “Wool socks ${id}”?` });
  await userEvent.click(within(confirmation).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await waitFor(() => expect(screen.queryByText(`Wool socks ${id}`)).not.toBeInTheDocument());
  if (before) expect(screen.getByText(before).closest('tr')).toHaveFocus();
  else expect(searchBox()).toHaveFocus();
});

test('Back during a deletion does nothing, and the panel closes once when it is done', async () => {
  mockApi();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.post('*/api/v1/brands/1/variants/actions/', async () => {
      await held;
      return HttpResponse.json({ changed: 1, skipped: [], deletion_id: 8 });
    }),
  );
  const { path } = await openVariants();
  await userEvent.click(screen.getByText('Wool socks 1'));
  await screen.findByText('Warm.');
  await press('Delete');
  const confirmation = await screen.findByRole('dialog', { name: 'Delete “Wool socks 1”?' });
  await userEvent.click(within(confirmation).getByRole('button', { name: 'Delete' }));
  await goBack();
  await waitFor(() => expect(path()).toBe('/brands/1/product-variants/1'));
  await act(async () => answer());
  await waitFor(() => expect(getToasts()[0]?.title).toBe('1 variant deleted'));
  await waitFor(() => expect(path()).toBe('/brands/1/product-variants'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
