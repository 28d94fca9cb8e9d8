import type { ImportChange, ImportForMember, ImportReceipt, KeptVariant } from '@brand-portal/contract/import';
import type { ImportErrorGroup } from '@brand-portal/contract/import-corrections';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import * as saving from '../../lib/save-file.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { fjord, refusal } from '../brands/test-support/brands.tsx';
import { cancelUrl, importUrl, rejectedUrl } from './test-support/import.tsx';
import { changesUrl, correctionsUrl, doneImport, groupsUrl, importsUrl, listed, openImports, undoUrl } from './test-support/imports.tsx';

const server = startMockServer();
const VIEWERS_REASON = 'Your role in this brand is Viewer; this takes at least the role Editor. Ask Olivia Lindqvist.';
let saveFile: MockInstance<typeof saving.saveFile>;
beforeEach(() => {
  saveFile = vi.spyOn(saving, 'saveFile').mockReturnValue();
});

beforeEach(() => {
  clearToasts();
  mockNewest();
  mockChanges(() => []);
  mockRejectedRows(1);
});

const mockNewest = (...results: ImportReceipt[]) =>
  server.use(http.get(importsUrl, () => HttpResponse.json({ results, count: results.length })));

function mockRejectedRows(count: number) {
  const counts = { wrong: count, ready: 0, importing: 0, imported: 0 };
  server.use(http.get(correctionsUrl, () => HttpResponse.json({ columns: [], results: [], count, counts })));
}

const mockApi = (change: Partial<ImportForMember> = {}) => server.use(http.get(importUrl, () => HttpResponse.json(doneImport(change))));

function mockChanges(of: (kind: string | null, page: string | null) => Partial<ImportChange>[], count?: number) {
  server.use(
    http.get(changesUrl, ({ request }) => {
      const { searchParams } = new URL(request.url);
      const some = { gtin: '4006381333931', name: 'Salt', category: '', old_name: null, old_category: null };
      const results = of(searchParams.get('kind'), searchParams.get('page')).map((change, index) => ({
        variant_id: index + 1,
        ...some,
        certificates: [],
        ...change,
      }));
      return HttpResponse.json({ results, count: count ?? results.length });
    }),
  );
}

const group = (change: Partial<ImportErrorGroup> = {}): ImportErrorGroup => ({
  code: 'gtin_check_digit',
  field: 'gtin',
  title: 'Wrong check digit',
  count: 1,
  rows: [{ row: 3, message: 'The check digit should be 1' }],
  ...change,
});

const findHeading = (name: string) => screen.findByRole('heading', { level: 1, name });
const countOf = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling?.textContent;

describe('the page of an import', () => {
  it('shows who uploaded which file, the result, and warnings', async () => {
    mockApi({ warnings: [{ code: 'ignored_columns', message: 'Unknown columns are ignored: Notes.' }] });
    openImports('imports/7');
    expect(await findHeading('socks.csv')).toBeVisible();
    expect(screen.getByText(/^Uploaded by Ada Byron, .*2026/)).toBeVisible();
    const labels = ['Rows', 'Rejected rows', 'Variants created', 'Variants updated', 'Variants unchanged'];
    expect(labels.map(countOf)).toEqual(['20', '0', '11', '5', '4']);
    expect(screen.getByText('Unknown columns are ignored: Notes.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'All imports' })).toHaveAttribute('href', '/brands/1/imports');
  });

  it('groups errors by kind, with their rows', async () => {
    mockApi({ rejected: 1_201 });
    const rows = Array.from({ length: 20 }, (_, index) => ({ row: index + 2, message: `Wrong ${index}` }));
    const many = group({ code: 'gtin_length', title: 'Wrong number of digits', count: 1_200, rows });
    server.use(http.get(groupsUrl, () => HttpResponse.json([many, group()])));
    openImports('imports/7');
    const summary = await screen.findByText('1,200 × Wrong number of digits');
    expect(screen.getByText('1 × Wrong check digit')).toBeVisible();
    expect(screen.getByText('Row 2: Wrong 0')).not.toBeVisible();
    await userEvent.click(summary);
    expect(screen.getByText('Row 2: Wrong 0')).toBeVisible();
    expect(screen.getByText('1,180 more. The rejected rows list them all.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Download rejected rows' })).toBeVisible();
  });

  it('says that rejected rows have been deleted, and offers no download of them', async () => {
    mockApi({ rejected: 2 });
    mockRejectedRows(0);
    server.use(http.get(groupsUrl, () => HttpResponse.json([])));
    openImports('imports/7');
    expect(await screen.findByText(/they are kept for 90 days/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Download rejected rows' })).toBeNull();
  });

  it('shows what changed, before and after, in pages', async () => {
    mockApi();
    const before = { old_name: 'Salt', name: 'Sea salt', old_category: '', category: 'Food' };
    mockChanges((kind, page) => (kind === 'updated' ? [before] : kind === 'created' ? [{ name: `Created ${page}` }] : []), 11);
    openImports('imports/7');
    expect(await screen.findByText('Created 1')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    expect(await screen.findByText('Created 2')).toBeVisible();
    await userEvent.click(screen.getByRole('tab', { name: 'Updated' }));
    const row = (await screen.findByText('Sea salt')).closest('tr') as HTMLElement;
    expect(within(row).getAllByRole('cell')[1]).toHaveTextContent('before: Salt after: Sea salt');
    expect(within(row).getAllByRole('cell')[2]).toHaveTextContent('before: (empty) after: Food');
  });

  it('shows the progress of a running import, and cancels it', async () => {
    let state: Partial<ImportForMember> = { state: 'running', stage: 'reading', rows_done: 60, rows_total: 100 };
    server.use(
      http.get(importUrl, () => HttpResponse.json(doneImport(state))),
      http.post(cancelUrl, () => {
        state = { state: 'cancelled' };
        return HttpResponse.json(doneImport(state));
      }),
    );
    openImports('imports/7');
    expect(await screen.findByText('Reading rows: 60 of 100')).toBeVisible();
    expect(screen.getByRole('progressbar', { name: 'Import progress' })).toHaveAttribute('aria-valuenow', '60');
    expect(screen.queryByRole('tab')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel import' }));
    expect(await screen.findByText('Import cancelled. Nothing was changed.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Cancel import' })).toBeNull();
    expect(screen.getByRole('main')).toHaveFocus();
  });

  it('says why an import failed', async () => {
    mockApi({ state: 'failed', undo_until: null, failure: { code: 'interrupted', message: 'The server stopped.' } });
    openImports('imports/7');
    expect(await screen.findByRole('alert')).toHaveTextContent('The server stopped.');
    expect(screen.queryByRole('button', { name: 'Undo import' })).toBeNull();
  });

  it.each(['imports/7', 'imports/none'])('says that there is no import at %s', async (address) => {
    server.use(http.get(importUrl, () => HttpResponse.json({ code: 'import_not_found' }, { status: 404 })));
    openImports(address);
    expect(await findHeading('There is no such import')).toBeVisible();
  });

  it('can be tried again where it could not be loaded', async () => {
    server.use(http.get(importUrl, () => HttpResponse.json({ code: 'internal_error' }, { status: 500 })));
    openImports('imports/7');
    expect(await screen.findByRole('alert')).toHaveTextContent('The import could not be loaded');
    mockApi();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await findHeading('socks.csv')).toBeVisible();
  });
});

describe('an undo', () => {
  const kept: KeptVariant[] = [
    {
      id: 4,
      gtin: '4006381333931',
      name: 'Olive oil',
      fields: [
        { field: 'category', by: 'Ada Byron', at: '2026-11-18T10:00:00Z' },
        { field: 'image_link', by: '', at: null },
      ],
    },
  ];
  const preview = { restored: 5, removed: 10, withdrawn: 0, certificate_links: 0, kept_count: 1, kept };
  const undone = doneImport({
    id: 8,
    undoes_import_id: 7,
    undo_until: null,
    variants_updated: 5,
    variants_removed: 10,
    kept_count: 1,
    kept,
  });
  const openDialog = async () => {
    openImports('imports/7');
    await userEvent.click(await screen.findByRole('button', { name: 'Undo import' }));
    return screen.getByRole('dialog', { name: 'Undo the import of socks.csv?' });
  };

  it('first shows what it would do, with the names of what it keeps, and then its receipt', async () => {
    mockApi();
    server.use(
      http.get(undoUrl, () => HttpResponse.json(preview)),
      http.post(undoUrl, ({ request }) => {
        expect(request.headers.get('prefer')).toBe('respond-async, wait=2');
        return HttpResponse.json({ import_id: 8, state: 'running' }, { status: 202 });
      }),
      http.get('*/api/v1/brands/1/imports/8/', () => HttpResponse.json(undone)),
    );
    const dialog = await openDialog();
    expect(await within(dialog).findByText('5 restored, 10 removed, 1 kept because it was changed later')).toBeVisible();
    expect(within(dialog).getByRole('heading', { name: 'Kept because they were changed later' })).toBeVisible();
    const [item] = within(dialog).getAllByRole('listitem');
    expect(item).toHaveTextContent(/^Olive oil4006381333931Category, changed by Ada Byron on Nov 18, 2026.*Image link$/);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Undo import' }));
    expect(await findHeading('Undo of socks.csv')).toBeVisible();
    expect(['Restored', 'Removed', 'Kept'].map(countOf)).toEqual(['5', '10', '1']);
    expect(screen.getByText('Olive oil')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See the import that was undone' })).toHaveAttribute('href', '/brands/1/imports/7');
    expect(getToasts()[0]).toMatchObject({ variant: 'success', title: 'The import of socks.csv was undone' });
  });

  it('shows its receipt even if the import is seen as undone before the undo is', async () => {
    mockApi();
    let now = { ...undone, state: 'running' };
    server.use(
      http.get(undoUrl, () => HttpResponse.json(preview)),
      http.post(undoUrl, () => HttpResponse.json({ import_id: 8, state: 'running' }, { status: 202 })),
      http.get('*/api/v1/brands/1/imports/8/', () => HttpResponse.json(now)),
    );
    const { queryClient } = openImports('imports/7');
    await userEvent.click(await screen.findByRole('button', { name: 'Undo import' }));
    const dialog = screen.getByRole('dialog', { name: 'Undo the import of socks.csv?' });
    await within(dialog).findByText('Olive oil');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Undo import' }));
    // As when the user returns to the window.
    mockApi({ state: 'undone', undo_until: null });
    await act(() => queryClient.invalidateQueries());
    expect(await screen.findByText('This import was undone.')).toBeInTheDocument();
    expect(dialog).toBeVisible();
    now = undone;
    expect(await findHeading('Undo of socks.csv')).toBeVisible();
    expect(getToasts()[0]).toMatchObject({ variant: 'success', title: 'The import of socks.csv was undone' });
  });

  it('of an import of corrected rows says so, in the dialog and on its page', async () => {
    mockApi({ corrects_import_id: 5 });
    server.use(
      http.get(undoUrl, () => HttpResponse.json(preview)),
      http.post(undoUrl, () => HttpResponse.json(undone)),
      http.get('*/api/v1/brands/1/imports/8/', () => HttpResponse.json(undone)),
    );
    openImports('imports/7');
    await userEvent.click(await screen.findByRole('button', { name: 'Undo import' }));
    const dialog = screen.getByRole('dialog', { name: 'Undo the import of corrected rows of socks.csv?' });
    await within(dialog).findByText('Olive oil');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Undo import' }));
    expect(await findHeading('Undo of corrected rows of socks.csv')).toBeVisible();
    expect(getToasts()[0]).toMatchObject({ title: 'The import of corrected rows of socks.csv was undone' });
  });

  it('says how many variants leave Google, that imports of corrected rows are kept, and that certificates get their pages back', async () => {
    mockApi();
    server.use(http.get(undoUrl, () => HttpResponse.json({ ...preview, withdrawn: 1_234, corrected_imports: 2, certificate_links: 3 })));
    const dialog = within(await openDialog());
    expect(await dialog.findByText('2 imports of corrected rows stay.')).toBeVisible();
    expect(dialog.getByText('1,234 published variants will no longer be published to Google.')).toBeVisible();
    expect(dialog.getByText('3 certificates get their former pages at the issuer.')).toBeVisible();
  });

  it('that was running before a reload is followed, and not offered again', async () => {
    mockApi();
    mockNewest(listed({ id: 8, undoes_import_id: 7, state: 'running' }), listed());
    openImports('imports/7');
    expect(await screen.findByText('This import is being undone.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'See the undo' })).toHaveAttribute('href', '/brands/1/imports/8');
    expect(screen.queryByRole('button', { name: 'Undo import' })).toBeNull();
    mockApi({ state: 'undone', undo_until: null });
    mockNewest(listed({ id: 8, undoes_import_id: 7 }), listed({ state: 'undone' }));
    expect(await screen.findByText('This import was undone.', undefined, { timeout: 8_000 })).toBeVisible();
  });

  it('that is refused says why, and leaves the page as it is', async () => {
    mockApi();
    const refusal = { code: 'import_not_undoable', detail: 'This import can no longer be taken back.' };
    server.use(
      http.get(undoUrl, () => HttpResponse.json(preview)),
      http.post(undoUrl, () => HttpResponse.json(refusal, { status: 409 })),
    );
    const dialog = await openDialog();
    await within(dialog).findByText('Olive oil');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Undo import' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('This import can no longer be taken back.');
  });

  it('whose preview cannot be loaded cannot be started, and can be tried again', async () => {
    mockApi();
    server.use(http.get(undoUrl, () => refusal('internal_error')));
    const dialog = await openDialog();
    await within(dialog).findByRole('alert');
    expect(within(dialog).getByRole('button', { name: 'Undo import' })).toBeDisabled();
    server.use(http.get(undoUrl, () => HttpResponse.json(preview)));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Try again' }));
    expect(await within(dialog).findByText('Olive oil')).toBeVisible();
  });

  it.each([
    ['no longer possible', { undo_until: null }, 'This import can no longer be undone.'],
    [
      'no longer possible, of pages of certificates alone,',
      { undo_until: null, variants_created: 0, variants_updated: 0 },
      'This import can no longer be undone.',
    ],
    [
      'of nothing',
      { undo_until: null, changed_nothing: true, variants_created: 0, variants_updated: 0 },
      'This import changed no variants, so there is nothing to undo.',
    ],
    ['already done', { state: 'undone', undo_until: null }, 'This import was undone.'],
  ] as const)('that is %s is not offered, and the page says so', async (_case, change, text) => {
    mockApi(change);
    openImports('imports/7');
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Undo import' })).toBeNull();
  });
});

describe('a viewer', () => {
  const viewer = { ...fjord, role: 'viewer' } as const;
  const hintOf = async (name: string) => {
    (await screen.findByRole('button', { name })).focus();
    return screen.findByRole('tooltip');
  };

  it('sees beforehand which role an undo takes, and the page says why it is refused', async () => {
    server.use(
      http.get(importUrl, () => HttpResponse.json(doneImport({ may_edit: false }))),
      http.get(undoUrl, () => refusal('permission_denied')),
    );
    openImports('imports/7', viewer);
    expect(await screen.findByText(/^Editors can undo it until /)).toBeVisible();
    expect(await hintOf('Undo import')).toHaveTextContent(VIEWERS_REASON);
    await userEvent.click(screen.getByRole('button', { name: 'Undo import' }));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByRole('alert')).toBeVisible();
    expect(within(dialog).queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('sees beforehand which role it takes to cancel a running import, and why it is refused', async () => {
    server.use(
      http.get(importUrl, () => HttpResponse.json(doneImport({ state: 'running', may_edit: false }))),
      http.post(cancelUrl, () => refusal('permission_denied')),
    );
    openImports('imports/7', viewer);
    expect(await hintOf('Cancel import')).toHaveTextContent(VIEWERS_REASON);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel import' }));
    await waitFor(() => expect(getToasts()).toMatchObject([{ description: expect.stringMatching(/^Permission denied/) }]));
  });
});

it.each([
  ['catalogue.xlsx', 'catalogue-rejected.csv'],
  ['Catalogue.CSV', 'Catalogue-rejected.csv'],
  ['catalogue.v2.txt', 'catalogue.v2-rejected.csv'],
  ['catalogue', 'catalogue-rejected.csv'],
])('the rejected rows of %s are saved as %s', async (file_name, saved) => {
  server.use(
    http.get(importUrl, () => HttpResponse.json(doneImport({ file_name, rejected: 1 }))),
    http.get(rejectedUrl, () => HttpResponse.text('gtin')),
  );
  openImports('imports/7');
  await userEvent.click(await screen.findByRole('button', { name: 'Download rejected rows' }));
  await waitFor(() => expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), saved));
});
