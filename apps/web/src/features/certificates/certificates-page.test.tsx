import type { ListedCertification } from '@brand-portal/contract/certificates';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, onTestFinished, vi } from 'vitest';
import { localDay } from '../../lib/format.ts';
import { changeLanguage } from '../../lib/i18n.ts';
import * as saving from '../../lib/save-file.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { exportAnswer } from '../../test/pieces.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { refusal } from '../brands/test-support/brands.tsx';
import {
  bodyRows,
  ids,
  listUrl,
  makeCertificate,
  mockBrand,
  mockCertificates,
  openCertificates,
  searchBox,
  table,
  VIEWERS_HINT,
} from './test-support/certificates.tsx';

let saveFile: MockInstance<typeof saving.saveFile>;
beforeEach(() => {
  saveFile = vi.spyOn(saving, 'saveFile').mockReturnValue();
});

const server = startMockServer();

const mockApi = (certificates: readonly ListedCertification[]) => {
  const { handler, requests } = mockCertificates(certificates);
  server.use(handler);
  return requests;
};

async function openWith(...certificates: ListedCertification[]) {
  const requests = mockApi(certificates);
  const page = openCertificates();
  await screen.findByText(/^(Showing|Mostrando)/);
  return { ...page, requests };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => makeCertificate(`FSC-C${100_000 + index}`));

beforeEach(() => server.use(mockBrand()));
afterEach(() => changeLanguage('en'));

describe('a certificate', () => {
  // spec: §1 see certificates, §2 route certificates, §2 certificates table
  it('is a row of id, certifying body, certification and status', async () => {
    await openWith(makeCertificate('FSC-C104882'));
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Your Certificates');
    expect(
      within(table())
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Certificate ID', 'Certifying Body', 'Certification', 'Valid until', 'Variants', 'Status']);
    expect(
      within(bodyRows()[0] as HTMLElement)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ).toEqual(['FSC-C104882', 'Forest Stewardship Council', 'FSC', 'No end known', '0 variants', 'Validated']);
  });

  it('shows until when it is valid and how many variants have it, with those that are live with it', async () => {
    const day = (days: number) => localDay(Date.now() + days * 86_400_000);
    await openWith(
      makeCertificate('A', { expires_on: day(23), variants: 1_214, live_variants: 12 }),
      makeCertificate('B', { expires_on: day(-1), variants: 3, live_variants: 3, overall_status: 'invalid' }),
      makeCertificate('C', { variants: 1_000_000 }),
    );
    const cells = (index: number) => within(bodyRows()[index] as HTMLElement).getAllByRole('cell');
    expect(cells(0)[3]).toHaveTextContent(/20\d\d in 23 days$/);
    expect(cells(0)[4]).toHaveTextContent('1,214 variants, 12 live');
    expect(cells(1)[3]).toHaveTextContent(/ yesterday$/);
    expect(cells(1)[4]).toHaveTextContent(/^3 variants$/);
    await act(() => changeLanguage('es'));
    expect(cells(0)[3]).toHaveTextContent(/ dentro de 23 días$/);
    expect(cells(0)[4]).toHaveTextContent('1214 variantes (12 en línea)');
    expect(cells(2)[4]).toHaveTextContent('1.000.000 de variantes');
  });

  it('shows how far away its end is from the day that it is for the user', async () => {
    vi.stubEnv('TZ', 'America/Los_Angeles');
    // There it is still November 17, 5 PM.
    vi.useFakeTimers({ now: new Date('2026-11-18T01:00:00Z'), toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.unstubAllEnvs();
    });
    await openWith(makeCertificate('A', { expires_on: '2026-11-17' }), makeCertificate('B', { expires_on: '2026-11-18' }));
    expect(bodyRows()[0]).toHaveTextContent(/17, 2026 today/);
    expect(bodyRows()[1]).toHaveTextContent(/18, 2026 tomorrow/);
  });

  // spec: §4 certification statuses
  it.each([
    ['pending', '', 'Pending Review', 'It has just arrived and will be checked in a moment.'],
    ['pending', 'no_registry', 'Pending Review', 'We have no registry of FSC to check it against, so our team will review it.'],
    ['validated', 'listed', 'Validated', 'The registry lists it as active.'],
    ['validated', 'listed:2027-01-31', 'Validated', 'The registry lists it as active until January 31, 2027.'],
    ['validated', 'approved:Seen: on paper', 'Validated', 'Approved by our team: Seen: on paper'],
    ['invalid', 'pattern', 'Invalid', 'The ID does not have the form used by Forest Stewardship Council. Check it for typing errors.'],
    ['invalid', 'not_listed', 'Invalid', 'The registry of FSC does not list it. Check the ID for typing errors.'],
    ['invalid', 'not_active', 'Invalid', 'The registry of FSC lists it as no longer active.'],
    ['invalid', 'expired:2026-03-01', 'Invalid', 'It expired on March 1, 2026.'],
    ['invalid', 'rejected:Forged', 'Invalid', 'Rejected by our team: Forged'],
  ] as const)('that is %s because of %j says so on focus', async (overall_status, reason, word, sentence) => {
    await openWith(makeCertificate('A', { overall_status, reason }));
    const badge = within(bodyRows()[0] as HTMLElement)
      .getByText(word)
      .closest('[tabindex]') as HTMLElement;
    expect(badge.querySelector('svg')).toBeVisible();
    fireEvent.focus(badge);
    expect(await screen.findByRole('tooltip')).toHaveTextContent(sentence);
  });

  it('shows its reason on hover', async () => {
    await openWith(makeCertificate('A', { overall_status: 'invalid', reason: 'expired:2026-03-01' }));
    const badge = within(bodyRows()[0] as HTMLElement)
      .getByText('Invalid')
      .closest('[tabindex]') as HTMLElement;
    await userEvent.hover(badge);
    expect(await screen.findByRole('tooltip')).toHaveTextContent('It expired on March 1, 2026.');
  });

  it('whose status or reason is unknown to this version is shown as invalid, without an empty tooltip', async () => {
    await openWith(makeCertificate('A', { overall_status: 'revoked' as 'invalid', reason: 'revoked:x' }));
    const row = within(bodyRows()[0] as HTMLElement);
    expect(row.getByText('Invalid').closest('[tabindex]')?.tagName).toBe('TR');
    await userEvent.hover(row.getByText('Invalid'));
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('is in Spanish, including dates', async () => {
    await openWith(makeCertificate('A', { overall_status: 'invalid', reason: 'expired:2026-03-01' }));
    await act(() => changeLanguage('es'));
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Tus certificados');
    fireEvent.focus(screen.getByText('No válido').closest('[tabindex]') as HTMLElement);
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Venció el 1 de marzo de 2026.');
  });
});

describe('removing a certificate', () => {
  const removeUrl = '*/api/v1/brands/1/certifications/:id/';
  const variantsUrl = '*/api/v1/brands/1/certifications/:id/variants/';
  beforeEach(() => server.use(http.get(variantsUrl, () => HttpResponse.json({ count: 0 }))));

  async function askFor(id: string) {
    await userEvent.click(screen.getByRole('button', { name: `More for certificate ${id}` }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove certificate' }));
    return screen.findByRole('dialog', { name: `Remove certificate ${id}?` });
  }

  it('asks first, removes that one and says so', async () => {
    clearToasts();
    const [mistyped, right] = [makeCertificate('FSC-C104828'), makeCertificate('FSC-C104882')];
    await openWith(mistyped, right);
    const removed: unknown[] = [];
    const counted: unknown[] = [];
    server.use(
      http.get(variantsUrl, ({ params }) => {
        counted.push(params.id);
        return HttpResponse.json({ count: Number(params.id) === mistyped.id ? 1_200 : 0 });
      }),
      http.delete(removeUrl, ({ params }) => {
        removed.push(params.id);
        mockApi([right]);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const dialog = await askFor('FSC-C104828');
    expect(removed).toEqual([]);
    expect(await within(dialog).findByText('1,200 product variants lose this certificate.')).toBeVisible();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
    await expect.poll(ids).toEqual(['FSC-C104882']);
    expect(removed).toEqual([String(mistyped.id)]);
    expect(screen.queryByRole('dialog')).toBeNull();
    // Counted again after the removal, the closing dialog would say that none loses it.
    expect(counted).toEqual([String(mistyped.id)]);
    expect(getToasts()).toMatchObject([{ variant: 'success', title: 'Certificate FSC-C104828 removed' }]);
  });

  it('that is refused shows the reason, and changes nothing', async () => {
    await openWith(makeCertificate('A'));
    server.use(
      http.delete(removeUrl, () => HttpResponse.json({ code: 'permission_denied', detail: 'no', request_id: 'x' }, { status: 403 })),
    );
    const dialog = await askFor('A');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Permission denied');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(ids()).toEqual(['A']);
    expect(screen.getByRole('button', { name: 'More for certificate A' })).toHaveFocus();
  });

  it('of one that is gone meanwhile says so, and the list no longer has it', async () => {
    const [gone, other] = [makeCertificate('A'), makeCertificate('B')];
    await openWith(gone, other);
    server.use(
      http.delete(removeUrl, () => {
        mockApi([other]);
        return refusal('certificate_not_found');
      }),
    );
    const dialog = await askFor('A');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('It may have been replaced or removed.');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await expect.poll(ids).toEqual(['B']);
  });

  it('tells a viewer beforehand which role it needs', async () => {
    mockApi([makeCertificate('A')]);
    server.use(mockBrand('viewer'));
    openCertificates();
    await screen.findByText(/^Showing/);
    await userEvent.click(screen.getByRole('button', { name: 'More for certificate A' }));
    const item = await screen.findByRole('menuitem', { name: /^Remove certificate/ });
    await waitFor(() => expect(item).toHaveTextContent(VIEWERS_HINT));
    await userEvent.click(item);
    expect(await screen.findByRole('dialog', { name: 'Remove certificate A?' })).toBeVisible();
  });

  it('speaks Spanish', async () => {
    await openWith(makeCertificate('A'));
    await act(() => changeLanguage('es'));
    await userEvent.click(screen.getByRole('button', { name: 'Más opciones del certificado A' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Eliminar certificado' }));
    expect(await screen.findByRole('dialog', { name: '¿Eliminar el certificado A?' })).toBeVisible();
  });

  it('is not offered for a certificate without an id', async () => {
    const { id: _id, ...certificate } = makeCertificate('A');
    server.use(http.get(listUrl, () => HttpResponse.json({ results: [certificate], count: 1 })));
    openCertificates();
    await screen.findByText('A');
    expect(screen.queryByRole('button', { name: /^More for/ })).toBeNull();
  });
});

// spec: §2 certificates empty
it('a list without certificates says so and links to the product variants', async () => {
  mockApi([]);
  openCertificates();
  expect(await screen.findByRole('heading', { name: 'No certificates yet' })).toBeVisible();
  expect(screen.queryByRole('table')).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'Go to product variants' }));
  expect(screen.getByText('The variants')).toBeVisible();
});

it.each([
  ['none', () => HttpResponse.json([]), 'No data available'],
  ['one', () => HttpResponse.json([makeCertificate('A')]), 'A'],
  ['an error', () => HttpResponse.json({ detail: 'no' }, { status: 403 }), 'The certificates could not be loaded'],
])('the search box is there from the start and with %s, and keeps the typed text', async (_what, respond, text) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(http.get(listUrl, () => held.then(respond)));
  openCertificates();
  const box = searchBox();
  await userEvent.type(box, 'a');
  answer();
  expect(await screen.findByText(text)).toBeVisible();
  expect(searchBox()).toBe(box);
  expect(box).toHaveValue('a');
  expect(box).toHaveFocus();
});

it('the list keeps its layout while it loads', async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get(listUrl, async () => {
      await held;
      return HttpResponse.json({ results: [makeCertificate('A')], count: 1 });
    }),
  );
  openCertificates();
  expect(table()).toHaveAttribute('aria-busy', 'true');
  expect(bodyRows()).toHaveLength(10);
  answer();
  await screen.findByText('A');
  expect(table()).toHaveAttribute('aria-busy', 'false');
});

it('that cannot be loaded says why, and trying again helps', async () => {
  server.use(http.get(listUrl, () => HttpResponse.json({ code: 'internal_error', detail: 'no', request_id: 'x' }, { status: 500 })));
  openCertificates();
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The certificates could not be loaded');
  expect(alert).toHaveTextContent('Server error. Please try again later.');
  mockApi([makeCertificate('A')]);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('A')).toBeVisible();
});

it('the list polls while a certificate is not checked yet, and then stops', async () => {
  let requests = 0;
  server.use(
    http.get(listUrl, () => {
      requests += 1;
      const checked = { overall_status: 'pending', reason: requests > 1 ? 'no_registry' : '' } as const;
      return HttpResponse.json({ results: [makeCertificate('A', checked)], count: 1 });
    }),
  );
  const { queryClient } = openCertificates();
  await screen.findByText('A');
  await expect.poll(() => requests, { timeout: 8_000 }).toBe(2);
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  const query = queryClient.getQueryCache().find({ queryKey: ['brands', 'detail', 1, 'certificates', 'list'], exact: false });
  expect(query?.state.data).toMatchObject({ results: [{ reason: 'no_registry' }] });
});

describe('many certificates', () => {
  it('are searched, filtered, sorted and paged by the server, with the state in the URL', async () => {
    const { requests, query } = await openWith(...many(25), makeCertificate('CU-1', { overall_status: 'invalid' }));
    expect(screen.getByText('Showing 1 to 10 of 26 results')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Last page' }));
    await expect.poll(() => ids()[0]).toBe('FSC-C100020');
    expect(query()).toBe('?page=3');
    await userEvent.type(searchBox(), 'cu forest');
    await expect.poll(ids).toEqual(['CU-1']);
    await userEvent.click(screen.getByRole('combobox', { name: 'Filter certificates' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Ends within 60 days' }));
    await userEvent.click(screen.getByRole('button', { name: /^Valid until/ }));
    await expect
      .poll(() => requests.at(-1))
      .toEqual({
        search: 'cu forest',
        status: 'ends_soon',
        ordering: 'expires_on',
        page: '1',
        page_size: '10',
      });
    await expect.poll(query).toBe('?search=cu+forest&status=ends_soon&ordering=expires_on');
    await userEvent.click(screen.getByRole('button', { name: /^Valid until/ }));
    await expect.poll(() => requests.at(-1)?.ordering).toBe('-expires_on');
    await userEvent.click(screen.getByRole('button', { name: /^Valid until/ }));
    await expect.poll(query).toBe('?search=cu+forest&status=ends_soon');
  });

  it('open with the state of the URL', async () => {
    const requests = mockApi(many(12));
    openCertificates('?status=validated&ordering=-certificate_id&page=2&page_size=10');
    await expect.poll(() => requests[0]).toMatchObject({ status: 'validated', ordering: '-certificate_id', page: '2' });
    expect(await screen.findByText('Showing 11 to 12 of 12 results')).toBeVisible();
    expect(screen.getByRole('columnheader', { name: 'Certificate ID' })).toHaveAttribute('aria-sort', 'descending');
  });

  // spec: §4 table keeps the first row
  it('keep the first visible row in view when the page size changes', async () => {
    const requests = mockApi(many(25));
    const { query } = openCertificates('?page=3');
    expect(await screen.findByText('Showing 21 to 25 of 25 results')).toBeVisible();
    await userEvent.click(screen.getByRole('combobox', { name: 'Per page:' }));
    await userEvent.click(screen.getByRole('option', { name: '20' }));
    await waitFor(() => expect(requests.at(-1)).toMatchObject({ page: '2', page_size: '20' }));
    expect(query()).toBe('?page=2&page_size=20');
  });

  it('without a match say so, and search and filter can be cleared there', async () => {
    mockApi(many(11));
    const { query } = openCertificates('?search=nothing&status=pending');
    expect(await within(table()).findByText('No data available')).toBeVisible();
    expect(screen.getByText('Certificates found: 0')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(searchBox()).toHaveFocus();
    expect(searchBox()).toHaveValue('');
    expect(await screen.findByText('Nothing fits the filter “Pending Review”.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
    await expect.poll(() => bodyRows().length).toBe(10);
    expect(query()).toBe('');
  });
});

describe('a server that only has the list of all certificates', () => {
  const mockAll = (certificates: readonly ListedCertification[]) => server.use(http.get(listUrl, () => HttpResponse.json(certificates)));
  const openAll = async (query: string) => {
    openCertificates(query);
    await screen.findByText(/^(Showing|Mostrando)/);
  };

  it('is searched here by every word, in id, body and certification, without case and accents', async () => {
    const other = { certification_name: 'GOTS', certifying_body_name: 'Étoile gGmbH' };
    mockAll([...many(25), makeCertificate('CU-1', other), makeCertificate('CU-2', other)]);
    await openAll('?search=etoile%20gots');
    expect(ids()).toEqual(['CU-1', 'CU-2']);
  });

  it('is sorted, filtered and paged here, with natural sorting of numbers', async () => {
    mockAll([...[10, 9, 100, 1].map((n) => makeCertificate(`CU-${n}`)), makeCertificate('X', { overall_status: 'pending' })]);
    await openAll('?ordering=-certificate_id&status=validated');
    expect(ids()).toEqual(['CU-100', 'CU-10', 'CU-9', 'CU-1']);
  });

  it('is shown in pages', async () => {
    mockAll(many(25));
    await openAll('?page=3');
    expect(screen.getByText('Showing 21 to 25 of 25 results')).toBeVisible();
    expect(ids()[0]).toBe('FSC-C100020');
  });
});

it('a list that cannot be refreshed says so below its rows, until trying again succeeds', async () => {
  const { queryClient } = await openWith(makeCertificate('FSC-C104882'));
  server.use(http.get(listUrl, () => HttpResponse.error(), { once: true }));
  await queryClient.refetchQueries();
  expect(await screen.findByText('Could not refresh')).toBeVisible();
  expect(ids()).toEqual(['FSC-C104882']);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByText('Could not refresh')).toBeNull());
});

describe('the export', () => {
  const exportUrl = '*/api/v1/brands/1/certificates/export/';

  it('has the rows of the list, as an Excel workbook or as CSV', async () => {
    const requests: string[] = [];
    server.use(
      http.get(exportUrl, ({ request }) => {
        requests.push(new URL(request.url).search);
        return exportAnswer('file', 1);
      }),
    );
    const { query } = await openWith(makeCertificate('FSC-C104882'), makeCertificate('FSC-C104883'));
    const choose = async (format: string) => {
      await userEvent.click(screen.getByRole('button', { name: 'Export' }));
      await userEvent.click(await screen.findByRole('menuitem', { name: format }));
    };
    await choose('Excel workbook (.xlsx)');
    await waitFor(() => expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'certificates.xlsx'));
    await userEvent.type(searchBox(), 'c104');
    await expect.poll(query).toBe('?search=c104');
    await userEvent.click(screen.getByRole('button', { name: /^Certifying Body/ }));
    await choose('CSV file (.csv)');
    await waitFor(() => expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'certificates.csv'));
    await userEvent.click(screen.getByRole('button', { name: /^Certifying Body/ }));
    await choose('CSV file (.csv)');
    await waitFor(() => expect(saveFile).toHaveBeenCalledTimes(3));
    expect(requests).toEqual([
      '?format=xlsx&apostrophe=true',
      '?format=csv&apostrophe=true&search=c104&ordering=certifying_body_name',
      '?format=csv&apostrophe=true&search=c104&ordering=-certifying_body_name',
    ]);
  });

  it('is not offered if there is nothing to export', async () => {
    mockApi([]);
    openCertificates();
    expect(await screen.findByRole('heading', { name: /certificates/i, level: 2 })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Export' })).not.toBeInTheDocument();
  });
});
