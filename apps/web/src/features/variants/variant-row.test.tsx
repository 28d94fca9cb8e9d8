import type { Brand } from '@brand-portal/contract/brands';
import type { ProductVariant } from '@brand-portal/contract/variants';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { CONNECTED, startMockServer } from '../../test/mock-server.ts';
import { fjord } from '../brands/test-support/brands.tsx';
import { bodyRows, makeCertification, makeVariant, mockVariants, openVariants } from './test-support/variants.tsx';

const server = startMockServer();

async function openRow(change: Partial<ProductVariant>, onAdd?: () => void, brand: Brand = fjord) {
  server.use(...mockVariants([makeVariant(1, change)], brand).handlers);
  openVariants('', onAdd);
  await screen.findByText(/^(Showing|Mostrando)/);
  return within(bodyRows()[0] as HTMLElement);
}

afterEach(async () => {
  vi.useRealTimers();
  await changeLanguage('en');
});

describe('a GTIN', () => {
  const copy = (node: Node, end: Node = node) => {
    window.getSelection()?.setBaseAndExtent(node, 0, end, end.textContent?.length ?? 0);
    const setData = vi.fn();
    fireEvent.copy(node.parentElement as HTMLElement, { clipboardData: { setData } });
    return setData;
  };

  // spec: §2 variants gtin
  it('is set in a monospaced typeface, with all of its digits', async () => {
    const row = await openRow({ gtin: '04006381333931' });
    expect(row.getByText('04006381333931')).toHaveClass('font-mono');
  });

  it('is copied as digits only', async () => {
    const row = await openRow({ gtin: '4006381333931' });
    const text = row.getByText('4006381333931').firstChild as Text;
    text.data = ' 4006 381-333931\t';
    expect(copy(text)).toHaveBeenCalledExactlyOnceWith('text/plain', '4006381333931');
  });

  it('does not change the copied text of a larger selection', async () => {
    const row = await openRow({ gtin: '4006381333931', name: 'Oat drink' });
    const end = row.getByText('Oat drink').firstChild as Text;
    expect(copy(row.getByText('4006381333931').firstChild as Text, end)).not.toHaveBeenCalled();
  });
});

describe('a long name', () => {
  it('is truncated, and shown in full on focus', async () => {
    vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(500);
    const name = 'Rain shell with taped seams, a helmet-compatible hood and two-way zips';
    const row = await openRow({ name });
    const text = row.getByText(name);
    expect(text).toHaveAttribute('tabindex', '-1');
    fireEvent.focus(text);
    expect(await screen.findByRole('tooltip')).toHaveTextContent(name);
  });
});

describe('certifications', () => {
  // spec: §2 variants no certifications
  it('that are missing are shown as none', async () => {
    const row = await openRow({});
    expect(row.getByText('No certifications')).toBeVisible();
  });

  // spec: §2 variants certifications, §3 certification status
  it.each([
    ['validated', 'Validated'],
    ['pending', 'Pending Review'],
    ['invalid', 'Invalid'],
    ['withdrawn', 'Invalid'],
  ])('that are %s have an icon and the word %s', async (status, word) => {
    const row = await openRow({ certifications: [makeCertification('FSC', { status: status as 'invalid' })] });
    const item = within(row.getByRole('list', { name: 'Certifications' })).getByRole('listitem');
    expect(item).toHaveTextContent(`FSC ${word}`);
    expect(item.querySelector('svg')).toBeVisible();
  });

  // spec: §3 certification badge
  it.each(['hover', 'focus'])('show body, certificate and status on %s', async (how) => {
    const row = await openRow({
      certifications: [
        makeCertification('FSC', {
          certifying_body_name: 'Forest Stewardship Council',
          external_certificate_id: 'FSC-C004521',
          status: 'pending',
        }),
      ],
    });
    const badge = row.getByText('Pending Review');
    if (how === 'hover') await userEvent.hover(badge);
    else fireEvent.focus(badge.closest('[tabindex]') as HTMLElement);
    const tooltip = await screen.findByRole('tooltip');
    expect(tooltip).toHaveTextContent('Certifying body: Forest Stewardship Council');
    expect(tooltip).toHaveTextContent('Certificate: FSC-C004521');
    expect(tooltip).toHaveTextContent('Status: Pending Review');
  });

  it('are collapsed when they are many, and the rest is shown in a tooltip', async () => {
    const row = await openRow({ certifications: ['A', 'B', 'C', 'D', 'E'].map((name) => makeCertification(name)) });
    const list = within(row.getByRole('list', { name: 'Certifications' }));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['A Validated', 'B Validated', '+3']);
    fireEvent.click(list.getByRole('button', { name: '3 more certifications' }));
    const tooltip = await screen.findByRole('tooltip');
    for (const name of ['C', 'D', 'E']) expect(tooltip).toHaveTextContent(`Certificate: ${name}-1`);
    expect(tooltip).not.toHaveTextContent('B-1');
  });

  it('are in Spanish', async () => {
    await changeLanguage('es');
    const row = await openRow({ certifications: ['A', 'B', 'C'].map((name) => makeCertification(name)) });
    fireEvent.click(row.getByRole('button', { name: '1 certificación más' }));
    expect(await screen.findByRole('tooltip')).toHaveTextContent('COrganismo certificador: C CouncilCertificado: C-1Estado: Validado');
  });
});

describe('published', () => {
  // spec: §2 variants published tooltip
  it.each([
    ['en', 'Published', 'All data will be live on Google on Jan. 1, 2026'],
    ['es', 'Publicada', 'Todos los datos estarán disponibles en Google el 1 de enero de 2026'],
  ] as const)('says in %s when it will be live', async (language, word, text) => {
    await changeLanguage(language);
    const row = await openRow({ published: true });
    await userEvent.hover(row.getByText(word));
    const tooltip = await screen.findByRole('tooltip');
    expect(tooltip.textContent).toBe(text);
  });

  it.each([
    ['queued', 'Published Queued', 'Publicada En cola'],
    ['sent', 'Published Sent', 'Publicada Enviada'],
    ['live', 'Published Live', 'Publicada En línea'],
    ['refused', 'Published Refused', 'Publicada Rechazada'],
  ] as const)('shows the channel state %s with an icon and a word', async (state, english, spanish) => {
    const row = await openRow({ published: true, channel: { state, reason: '' } });
    const cell = row.getAllByRole('cell')[4] as HTMLElement;
    expect(cell).toHaveTextContent(english);
    expect(cell.querySelector('svg')).toBeVisible();
    await act(() => changeLanguage('es'));
    expect(cell).toHaveTextContent(spanish);
  });

  it.each([
    ['queued', 'Today: waiting to be sent to Google.', 'Hoy: en espera de enviarse a Google.'],
    ['sent', 'Today: sent to Google, which is checking it.', 'Hoy: enviada a Google, que la está revisando.'],
    ['live', 'Today: live on Google.', 'Hoy: en línea en Google.'],
  ] as const)('shows the current state beside the date: %s', async (state, english, spanish) => {
    const row = await openRow({ published: true, channel: { state, reason: '' } });
    await userEvent.hover(row.getByText('Published'));
    const tooltip = await screen.findByRole('tooltip');
    expect([...tooltip.querySelectorAll('p')].map((line) => line.textContent)).toEqual([
      english,
      'All data will be live on Google on Jan. 1, 2026',
    ]);
    await act(() => changeLanguage('es'));
    expect(tooltip).toHaveTextContent(spanish);
  });

  it.each(['hover', 'focus'])('shows on %s why the channel refused it, beside the date', async (how) => {
    const reason = 'Image too small: at least 100 × 100 pixels';
    const row = await openRow({ published: true, channel: { state: 'refused', reason } });
    const badge = row.getByText('Refused');
    if (how === 'hover') await userEvent.hover(badge);
    else fireEvent.focus(badge.closest('[tabindex]') as HTMLElement);
    const tooltip = await screen.findByRole('tooltip');
    expect([...tooltip.querySelectorAll('p')].map((line) => line.textContent)).toEqual([
      `Google refused it: ${reason}`,
      'Correct the product and it is sent again at once. If the GTIN is wrong, add the product with the right one and delete this one.',
      'All data will be live on Google on Jan. 1, 2026',
    ]);
  });

  it.each(['not_connected', 'waiting', 'refused'])('says that it waits for the connection, which is %s', async (state) => {
    server.use(http.get('*/api/v1/brands/1/channel/', () => HttpResponse.json({ ...CONNECTED, state })));
    const row = await openRow({ published: true, channel: { state: 'queued', reason: '' } });
    expect(row.getAllByRole('cell')[4]).toHaveTextContent('Published Waiting');
    await userEvent.hover(row.getByText('Published'));
    expect(await screen.findByRole('tooltip')).toHaveTextContent(
      'Today: waiting until this brand is connected to Google.The brand’s settings say what is missing.All data',
    );
  });

  it('says that it waits until the brand is active, whatever the connection', async () => {
    const change = { published: true, channel: { state: 'queued', reason: '' } } as const;
    const row = await openRow(change, undefined, { ...fjord, status: 'inactive' });
    await waitFor(() => expect(row.getAllByRole('cell')[4]).toHaveTextContent('Published Waiting'));
    await userEvent.hover(row.getByText('Published'));
    expect(await screen.findByRole('tooltip')).toHaveTextContent(/^Today: waiting until this brand is active\.All data/);
    expect(screen.getByText('Published variants wait: this brand is inactive.')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'See the settings' })).toBeNull();
  });

  it.each(['active', 'pending'] as const)('says that it is queued in a brand that is %s, which sends it', async (status) => {
    const change = { published: true, channel: { state: 'queued', reason: '' } } as const;
    const row = await openRow(change, undefined, { ...fjord, status });
    expect(row.getAllByRole('cell')[4]).toHaveTextContent('Published Queued');
  });

  it('says so when the channel refused it without a reason', async () => {
    const row = await openRow({ published: true, channel: { state: 'refused', reason: '' } });
    await userEvent.hover(row.getByText('Refused'));
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Google refused it and gave no reason.');
  });

  it('says that an unpublished one is still being withdrawn, without a date', async () => {
    const row = await openRow({ published: false, channel: { state: 'removing', reason: '' } });
    expect(row.getAllByRole('cell')[4]).toHaveTextContent('Unpublished Removing');
    await userEvent.hover(row.getByText('Removing'));
    expect((await screen.findByRole('tooltip')).textContent).toBe('Google still has it. It is being removed.');
  });

  // spec: §2 variants published tooltip
  it('has no tooltip when it is not', async () => {
    const row = await openRow({ published: false });
    await userEvent.hover(row.getByText('Unpublished'));
    expect(row.getByText('Unpublished').closest('td')?.querySelector('[tabindex], [data-state]')).toBeNull();
  });
});

describe('the notice above the table', () => {
  const mockApi = (answer: () => Response) => server.use(http.get('*/api/v1/brands/1/channel/', answer));

  it.each([
    ['not_connected', 'status', 'Published variants wait: this brand is not connected to Google.'],
    ['waiting', 'status', 'Published variants wait: the link of this brand at Google is not approved yet.'],
    ['refused', 'alert', 'Published variants wait: Google does not accept this brand’s connection.'],
  ])('says why nothing is sent to Google if the connection is %s, and links to the settings', async (state, role, text) => {
    mockApi(() => HttpResponse.json({ ...CONNECTED, state }));
    await openRow({});
    expect(screen.getByText(text).closest(`[role="${role}"]`)).toBeVisible();
    expect(screen.getByRole('link', { name: 'See the settings' })).toHaveAttribute('href', '/brands/1/settings');
  });

  it('goes away once the brand is connected, without a reload', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    mockApi(() => HttpResponse.json({ ...CONNECTED, state: 'refused' }));
    await openRow({ published: true, channel: { state: 'queued', reason: '' } });
    expect(screen.getByText(/Published variants wait/)).toBeVisible();
    mockApi(() => HttpResponse.json(CONNECTED));
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    await waitFor(() => expect(screen.queryByText(/Published variants wait/)).toBeNull());
  });

  it('appears while variants wait and Google stops accepting the connection', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await openRow({ published: true, channel: { state: 'queued', reason: '' } });
    expect(screen.queryByText(/Published variants wait/)).toBeNull();
    mockApi(() => HttpResponse.json({ ...CONNECTED, state: 'refused' }));
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(await screen.findByText(/Published variants wait: Google does not accept/)).toBeVisible();
  });

  it.each([
    ['if the brand is connected', () => HttpResponse.json(CONNECTED)],
    ['if the connection is unknown', () => HttpResponse.json({ code: 'not_found', detail: '', request_id: '' }, { status: 404 })],
  ])('is not shown %s', async (_name, answer) => {
    mockApi(answer);
    await openRow({ published: true, channel: { state: 'queued', reason: '' } });
    expect(screen.queryByText(/Published variants wait/)).toBeNull();
  });
});

describe('the menu of a row', () => {
  const openMenu = (row: Awaited<ReturnType<typeof openRow>>) =>
    userEvent.click(row.getByRole('button', { name: 'Actions for Wool socks 1' }));

  // spec: §2 variants row menu
  it.each([
    [false, 'Publish'],
    [true, 'Unpublish'],
  ])('of a variant with published %s has %s', async (published, label) => {
    await openMenu(await openRow({ published }));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([label]);
  });
});

describe('the buttons', () => {
  // spec: §2 variants buttons
  it.each([
    ['Add Product Variant', (onAdd: () => void) => expect(onAdd).toHaveBeenCalledOnce()],
    ['Publish all to channels', () => screen.findByRole('dialog', { name: 'Publish to distribution channels' })],
  ])('%s reacts to a click', async (name, expectDone) => {
    const onAdd = vi.fn();
    await openRow({}, onAdd);
    await userEvent.click(screen.getByRole('button', { name }));
    await expectDone(onAdd);
    expect(screen.queryByRole('tooltip')).toBeNull();
  });
});
