import type { BrandAnswer } from '@brand-portal/contract/brands';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import * as saving from '../../lib/save-file.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { brandQuery } from '../brands/brands-queries.ts';
import { fjord } from '../brands/test-support/brands.tsx';
import {
  catalogueUrl,
  csvFile,
  dialogHandlers,
  drop,
  fileInput,
  headersUrl,
  openDialog,
  pick,
  uploadButton,
} from './test-support/import.tsx';
import { brandHandler, importsUrl, listed } from './test-support/imports.tsx';

const server = startMockServer();
let saved: MockInstance<typeof saving.saveFile>;

beforeEach(() => {
  saved = vi.spyOn(saving, 'saveFile').mockReturnValue();
  server.use(...dialogHandlers());
});
afterEach(() => changeLanguage('en'));

/** Reads bytes, because decoding as text would drop the byte order mark. */
async function savedText() {
  const [content, name] = saved.mock.lastCall ?? [];
  const bytes = await (content as Blob).arrayBuffer();
  return { name, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) };
}

const definition = (term: string) => screen.getByText(term).nextElementSibling as HTMLElement;
const columns = (term: string) => [...definition(term).children].map((column) => column.textContent);

describe('step 1', () => {
  // spec: §2 upload columns listed, §5 required columns
  it('lists the required columns with an asterisk and the optional ones without', async () => {
    await openDialog();
    await screen.findByText('category');
    expect(columns('Required columns')).toEqual(['variant_name*', 'gtin*']);
    expect(columns('Optional columns')).toEqual(['category', 'certificate_id']);
  });

  // spec: §2 upload template, §3 template file
  it('saves the template, readable for Excel, with asterisks at required columns', async () => {
    await openDialog();
    await screen.findByText('category');
    await userEvent.click(screen.getByRole('button', { name: 'Download template' }));
    expect(await savedText()).toEqual({
      name: 'product-template.csv',
      text: '\uFEFFvariant_name*,gtin*,category,certificate_id\r\n',
    });
  });

  it('writes one asterisk where the server has written it already', async () => {
    const named = { columns: ['Name*', 'Shelf'], required_columns: ['Name*'], optional_columns: ['Shelf'] };
    server.use(http.get(headersUrl, () => HttpResponse.json(named)));
    await openDialog();
    await screen.findByText('Shelf');
    expect(columns('Required columns')).toEqual(['Name*']);
    await userEvent.click(screen.getByRole('button', { name: 'Download template' }));
    expect((await savedText()).text).toBe('\uFEFFName*,Shelf\r\n');
  });

  it('offers nothing to download before the columns are known, and says why', async () => {
    server.use(http.get(headersUrl, () => new Promise<never>(() => {})));
    await openDialog();
    const button = screen.getByRole('button', { name: 'Download template' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    await userEvent.hover(button);
    expect(await screen.findByRole('tooltip')).toHaveTextContent('The template’s columns are being loaded');
    await userEvent.click(button);
    expect(saved).not.toHaveBeenCalled();
  });

  // spec: §3 fallback template, §8 template headers failed
  it('falls back to a basic template when the headers fail to load, until a retry succeeds', async () => {
    server.use(http.get(headersUrl, () => HttpResponse.json({}, { status: 500 }), { once: true }));
    await openDialog();
    const alert = await screen.findByText('Failed to load CSV template headers. You can still download a basic template.');
    expect(columns('Required columns')).toEqual(['Variant Name*', 'GTIN*']);
    expect(columns('Optional columns')).toEqual(['Category', 'Publishing Channel', 'Certification Status']);
    await userEvent.click(screen.getByRole('button', { name: 'Download template' }));
    expect((await savedText()).text).toBe('\uFEFFVariant Name*,Category,GTIN*,Publishing Channel,Certification Status\r\n');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByRole('region', { name: 'Download the template' })).toHaveFocus();
    expect(await screen.findByText('certificate_id')).toBeVisible();
    expect(alert).not.toBeInTheDocument();
  });

  it('shows no error if headers that it has cannot be refreshed', async () => {
    const { queryClient } = await openDialog();
    await screen.findByText('certificate_id');
    server.use(http.get(headersUrl, () => HttpResponse.error()));
    await act(() => queryClient.refetchQueries({ queryKey: ['csv-headers'] }));
    await waitFor(() => expect(queryClient.getQueryState(['csv-headers'])?.status).toBe('error'));
    // React renders it a moment later.
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText('certificate_id')).toBeVisible();
  });

  // spec: §2 upload certifications listed
  it('collapses the supported certifications behind their count', async () => {
    await openDialog();
    const button = await screen.findByRole('button', { name: 'Supported certifications 2' });
    expect(button).toHaveAttribute('aria-expanded', 'false');
    expect(screen.queryByText('FSC Mix')).toBeNull();
    await userEvent.click(button);
    const list = screen.getByRole('region', { name: 'Supported certifications' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Fairtrade', 'FSC Mix']);
    await userEvent.click(button);
    expect(screen.queryByText('FSC Mix')).toBeNull();
  });

  it('says so when the certifications fail to load, and can load them again', async () => {
    server.use(http.get(catalogueUrl, () => HttpResponse.error(), { once: true }));
    await openDialog();
    await userEvent.click(screen.getByRole('button', { name: 'Supported certifications' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^The list could not be loaded\. ?Network error\./);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByRole('region', { name: 'Download the template' })).toHaveFocus();
    expect(await screen.findByText('FSC Mix')).toBeVisible();
  });

  it('loads headers and catalogue once, even if the dialog is opened several times', async () => {
    const requests = vi.fn();
    server.events.on('request:start', ({ request }) => requests(new URL(request.url).pathname));
    await openDialog();
    await screen.findByText('category');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    await screen.findByText('category');
    expect(requests.mock.calls.flat().sort()).toEqual(['/api/v1/certifications/', '/api/v1/variant-certifications/csv-headers/']);
    server.events.removeAllListeners();
  });

  // spec: §7 csv headers, §7 catalogue, §9 caches
  it.each([
    ['/api/v1/variant-certifications/csv-headers/', 5],
    ['/api/v1/certifications/', 10],
  ])('caches the answer of %s for %d minutes, also while no dialog is open', async (path, minutes) => {
    const requests: string[] = [];
    server.events.on('request:start', ({ request }) => requests.push(new URL(request.url).pathname));
    const requestCount = () => requests.filter((one) => one === path).length;
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    try {
      await openDialog();
      await screen.findByRole('button', { name: 'Supported certifications 2' });
      await screen.findByText('category');
      act(() => screen.getByRole('button', { name: 'Cancel' }).click());
      await act(() => vi.advanceTimersByTimeAsync(minutes * 60_000 - 5_000));
      act(() => screen.getByRole('button', { name: 'Add' }).click());
      // Without a loading state in between.
      expect(screen.getByRole('button', { name: 'Supported certifications 2' })).toBeVisible();
      expect(requestCount()).toBe(1);
      act(() => screen.getByRole('button', { name: 'Cancel' }).click());
      await act(() => vi.advanceTimersByTimeAsync(10_000));
      act(() => screen.getByRole('button', { name: 'Add' }).click());
      await waitFor(() => expect(requestCount()).toBe(2));
    } finally {
      vi.useRealTimers();
      server.events.removeAllListeners();
    }
  });
});

describe('step 2', () => {
  // spec: §2 upload file name and size
  it('accepts a file from the picker, which offers .csv, and shows its name and size in KB', async () => {
    await openDialog();
    expect(fileInput()).toHaveAttribute('accept', '.csv');
    expect(fileInput()).not.toHaveAttribute('multiple');
    await pick(csvFile('x'.repeat(1_536)));
    expect(screen.getByText('socks.csv')).toBeVisible();
    expect(screen.getByText('1.5 KB')).toBeVisible();
    expect(uploadButton()).not.toHaveAttribute('aria-disabled');
    expect(uploadButton()).toHaveFocus();
  });

  // spec: §2 upload drop and click
  it('accepts a dropped file of type text/csv', async () => {
    await openDialog();
    drop(csvFile());
    expect(await screen.findByText('socks.csv')).toBeVisible();
  });

  it.each(['drop', 'picker'])('refuses a workbook by %s, and one click takes it to the Imports page', async (how) => {
    server.use(
      brandHandler(),
      http.get(importsUrl, () => HttpResponse.json({ results: [listed()], count: 1 })),
    );
    const { router } = await openDialog();
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const workbook = new File(['PK'], 'socks.xlsx', { type });
    if (how === 'drop') drop(workbook);
    else await pick(workbook);
    expect(await screen.findByText('Only CSV files are accepted.')).toBeVisible();
    expect(screen.queryByText('socks.xlsx')).toBeNull();
    expect(uploadButton()).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(screen.getByRole('button', { name: 'Import it on the Imports page' }));
    expect(router.state.location.pathname).toBe('/brands/1/imports');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await screen.findByText('socks.xlsx')).toBeVisible();
    await waitFor(() => expect(uploadButton()).toHaveFocus());
  });

  it('says where an Excel file can be imported', async () => {
    await openDialog();
    expect(screen.getByRole('link', { name: 'Import it on the Imports page' })).toHaveAttribute('href', '/brands/1/imports');
  });

  // spec: §2 upload file types, §5 csv only
  it.each([
    ['text/plain', 'notes.txt', /^Only CSV files are accepted\./],
    ['', 'socks.csv', /Use “Choose a file” to pick it instead\.$/],
    ['application/vnd.ms-excel', 'socks.csv', /Use “Choose a file” to pick it instead\.$/],
  ])('refuses a dropped file of type "%s" named %s', async (type, name, message) => {
    await openDialog();
    drop(new File(['x'], name, { type }));
    expect(await screen.findByText(message)).toBeVisible();
    expect(uploadButton()).toHaveAttribute('aria-disabled', 'true');
  });

  // spec: §2 upload drop and click
  it('refuses several files and says why; a valid file removes the message', async () => {
    await openDialog();
    drop(csvFile('a', 'a.csv'), csvFile('b', 'b.csv'));
    const message = await screen.findByText('Only one file can be uploaded at a time.');
    expect(screen.getByRole('button', { name: 'Choose a file' })).toHaveAccessibleDescription(message.textContent);
    drop(csvFile());
    expect(await screen.findByText('socks.csv')).toBeVisible();
    expect(message).not.toBeInTheDocument();
  });

  it('refuses more than 64 MB before anything is sent', async () => {
    await openDialog();
    const file = csvFile();
    Object.defineProperty(file, 'size', { value: 64 * 1024 * 1024 + 1 });
    await pick(file);
    expect(await screen.findByText(/^The file is larger than 64 MB\./)).toBeVisible();
  });

  it('keeps the chosen file when an invalid one is dropped', async () => {
    await openDialog();
    await pick(csvFile());
    drop(new File(['x'], 'notes.txt', { type: 'text/plain' }));
    expect(await screen.findByText(/^Only CSV files are accepted/)).toBeVisible();
    expect(screen.getByText('socks.csv')).toBeVisible();
  });

  // spec: §2 upload reset
  it('removes the file on Reset, and moves the focus to the file picker', async () => {
    await openDialog();
    await pick(csvFile());
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
    expect(screen.queryByText('socks.csv')).toBeNull();
    expect(screen.getByRole('button', { name: 'Choose a file' })).toHaveFocus();
    expect(uploadButton()).toHaveAttribute('aria-disabled', 'true');
  });

  it('says why nothing can be uploaded without a file', async () => {
    await openDialog();
    await userEvent.hover(uploadButton());
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Choose a CSV file first');
  });
});

describe('the dialog', () => {
  // spec: §2 upload opens anew
  it('opens empty, without anything from the last time', async () => {
    await openDialog();
    await pick(csvFile());
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('button', { name: 'Add' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Add' }));
    expect(screen.getByRole('dialog', { name: 'Add product variants' })).toBeVisible();
    expect(screen.queryByText('socks.csv')).toBeNull();
  });

  it('says to a viewer, before a file is chosen, that the upload will be refused', async () => {
    const { queryClient } = await openDialog();
    act(() => queryClient.setQueryData<BrandAnswer>(brandQuery(1).queryKey, { ...fjord, role: 'viewer' }));
    expect(await screen.findByText(/^Your role in this brand is Viewer/)).toBeVisible();
    await pick(csvFile());
    expect(uploadButton()).not.toHaveAttribute('aria-disabled');
  });

  it('is in Spanish', async () => {
    await changeLanguage('es');
    await openDialog();
    await screen.findByText('category');
    expect(screen.getByRole('dialog', { name: 'Añadir variantes de producto' })).toBeVisible();
    expect(columns('Columnas obligatorias')).toEqual(['variant_name*', 'gtin*']);
    await pick(csvFile('x'.repeat(1_536)));
    expect(screen.getByText('1,5 KB')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Subir archivo' })).toBeVisible();
  });
});
