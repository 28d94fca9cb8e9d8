import {
  MAX_CORRECTION_LENGTH,
  type RejectedRow,
  type RejectedRowCounts,
  type RejectedRowPage,
} from '@brand-portal/contract/import-corrections';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Link, Route, Routes } from 'react-router';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppRouter } from '../../app/app-router.tsx';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { fjord, refusal, renderAt } from '../brands/test-support/brands.tsx';
import { ImportPage } from './import-page.tsx';
import { importUrl } from './test-support/import.tsx';
import { changesUrl, correctionsUrl, doneImport, groupsUrl, importsUrl, openImports } from './test-support/imports.tsx';

const server = startMockServer();
const VIEWERS_REASON = 'Your role in this brand is Viewer; this takes at least the role Editor. Ask Olivia Lindqvist.';

const columns = [
  { place: 0, name: 'Name', field: 'variant_name' },
  { place: 2, name: 'GTIN', field: 'gtin' },
  { place: 3, name: 'Label', field: 'certification_name' },
];
const unknown = {
  place: 3,
  code: 'unknown_certification',
  message: 'The certification "Fairtrade Intl" is not supported.',
  suggestions: ['Fairtrade'],
};
const checkDigit = {
  place: 2,
  code: 'gtin_check_digit',
  message: 'The check digit should be 1.',
  suggestions: [],
  hint: 'If the other digits are right, the number is 4006381333931.',
};
const row = (change: Partial<RejectedRow> = {}): RejectedRow => ({
  row: 3,
  state: 'wrong',
  cells: ['Tea', '4006381333931', 'Fairtrade Intl'],
  corrected: [],
  errors: [unknown],
  import_id: null,
  ...change,
});
const ready = (change: Partial<RejectedRow> = {}) => row({ state: 'ready', errors: [], ...change });
const counted = (change: Partial<RejectedRowCounts> = {}) => ({
  wrong: 0,
  ready: 0,
  importing: 0,
  imported: 0,
  ...change,
});

let shown: RejectedRowPage;
let requests: string[];
let sent: unknown[];

function show(...results: RejectedRow[]) {
  const counts = counted();
  for (const { state } of results) counts[state] += 1;
  shown = { columns, results, count: results.length, counts };
}

beforeEach(() => {
  clearToasts();
  [requests, sent] = [[], []];
  show(row());
  server.use(
    http.get(importUrl, () => HttpResponse.json(doneImport({ rejected: 2 }))),
    http.get(changesUrl, () => HttpResponse.json({ results: [], count: 0 })),
    http.get(groupsUrl, () => HttpResponse.json([])),
    http.get(importsUrl, () => HttpResponse.json({ results: [], count: 0 })),
    http.get(correctionsUrl, ({ request }) => {
      requests.push(new URL(request.url).search);
      return HttpResponse.json(shown);
    }),
  );
});

/** Mocks a correction; afterwards the server has this row. */
function take(after: RejectedRow, same = 0) {
  server.use(
    http.patch(`${correctionsUrl}:row/`, async ({ request, params }) => {
      sent.push({ row: Number(params.row), ...((await request.json()) as object) });
      show(...shown.results.map((other) => (other.row === after.row ? after : other)));
      return HttpResponse.json({ row: after, counts: shown.counts, same });
    }),
  );
}

const open = async () => {
  openImports('imports/7');
  return screen.findByRole('table', { name: 'Rejected rows' });
};
const cell = (column: string, number = 3) => screen.getByRole('button', { name: new RegExp(`^Edit ${column}, row ${number}:`) });
const field = (column: string) => screen.getByRole('textbox', { name: `${column}, row 3` });

/** Saving row 3 fails once the returned function is called. */
function failLater(): () => void {
  const answer = Promise.withResolvers<void>();
  server.use(
    http.patch(`${correctionsUrl}3/`, async () => {
      await answer.promise;
      return HttpResponse.error();
    }),
  );
  return answer.resolve;
}

describe('rejected rows', () => {
  it('are a table with the columns of the file, the error at its cell and a hint without a button', async () => {
    show(row(), row({ row: 1_204, cells: ['Oil', '4006381333932', ''], errors: [checkDigit] }));
    const table = await open();
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual([...['Row', 'Name', 'GTIN', 'Label']]);
    expect(cell('Label')).toHaveAccessibleDescription('The certification "Fairtrade Intl" is not supported.');
    expect(cell('Name')).not.toHaveAccessibleDescription();
    const second = within(table).getByRole('row', { name: /Row 1,204/ });
    expect(within(second).getByText(/If the other digits are right, the number is 4006381333931/)).toBeVisible();
    expect(within(second).queryByRole('button', { name: /^Use/ })).toBeNull();
    expect(screen.getByText('2 rows with errors')).toBeVisible();
  });

  it('are edited by keyboard: Enter and F2 edit, Enter saves, Escape discards, Tab saves and moves on', async () => {
    const user = userEvent.setup();
    await open();
    take(row({ cells: ['Tea', '96385074', 'Fairtrade Intl'], corrected: [2] }));
    cell('GTIN').focus();
    await user.keyboard('{Enter}');
    expect(field('GTIN')).toHaveFocus();
    await user.keyboard('123{Escape}');
    expect(cell('GTIN')).toHaveFocus();
    expect(cell('GTIN')).toHaveAccessibleName('Edit GTIN, row 3: 4006381333931');
    await user.keyboard('{F2}96385074{Enter}');
    expect(cell('GTIN')).toHaveFocus();
    expect(await screen.findByRole('button', { name: 'Edit GTIN, row 3: 96385074' })).toBeVisible();
    expect(sent).toEqual([{ row: 3, place: 2, from: '4006381333931', to: '96385074' }]);
    // Opened and closed without a change: no correction is sent.
    await user.keyboard('{Enter}{Tab}');
    expect(cell('Label')).toHaveFocus();
    take(ready({ cells: ['Tea', '96385074', 'FSC'], corrected: [2, 3] }));
    await user.keyboard('{Enter}FSC{Tab}');
    expect(await screen.findByText('0 rows with errors · 1 ready')).toBeVisible();
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual({ row: 3, place: 3, from: 'Fairtrade Intl', to: 'FSC' });
  });

  it('are corrected with one click, then in all rows with the value, then imported', async () => {
    const user = userEvent.setup();
    const replaced: unknown[] = [];
    server.use(
      http.post(`${correctionsUrl}replace/`, async ({ request }) => {
        replaced.push(await request.json());
        show(ready({ cells: ['Tea', '4006381333931', 'Fairtrade'] }), ready({ row: 4 }));
        return HttpResponse.json({ rows: 1, counts: shown.counts });
      }),
      http.post(`${correctionsUrl}import/`, () => {
        show(ready({ state: 'imported', import_id: 9 }), ready({ row: 4, state: 'imported', import_id: 9 }));
        return HttpResponse.json({ imported: 2, import_id: 9 });
      }),
    );
    show(row(), row({ row: 4 }));
    await open();
    const importButton = screen.getByRole('button', { name: 'Import corrected rows' });
    expect(importButton).toHaveAttribute('aria-disabled', 'true');
    take(ready({ cells: ['Tea', '4006381333931', 'Fairtrade'], corrected: [3] }), 412);
    await user.click(screen.getByRole('button', { name: 'Use “Fairtrade” for Label, row 3' }));
    expect(cell('Label')).toHaveFocus();
    expect(await screen.findByText('“Fairtrade Intl” → “Fairtrade” in 412 rows')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Apply to all 412 rows with this value' }));
    expect(await screen.findByText('0 rows with errors · 2 ready')).toHaveFocus();
    expect(replaced).toEqual([{ place: 3, from: 'Fairtrade Intl', to: 'Fairtrade' }]);
    expect(screen.queryByRole('button', { name: /^Apply/ })).toBeNull();
    await user.click(importButton);
    expect(await screen.findByText('0 rows with errors · 2 imported')).toBeVisible();
    expect(getToasts()[0]).toMatchObject({
      variant: 'success',
      title: '2 corrected rows imported',
      link: { to: '/brands/1/imports/9' },
    });
    // Imported rows cannot be edited, and link to their import.
    expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull();
    expect(screen.getAllByRole('link', { name: 'See its import' })[0]).toHaveAttribute('href', '/brands/1/imports/9');
  });

  it('are imported once for several clicks', async () => {
    let imports = 0;
    server.use(
      http.post(`${correctionsUrl}import/`, () => {
        imports += 1;
        show(ready({ state: 'imported', import_id: 9 }));
        if (imports === 1) return HttpResponse.json({ imported: 1, import_id: 9 });
        return HttpResponse.json({ code: 'import_nothing_corrected', detail: 'x' }, { status: 409 });
      }),
    );
    show(ready());
    await open();
    const button = screen.getByRole('button', { name: 'Import corrected rows' });
    // Without a render in between, as in a double click.
    button.click();
    button.click();
    expect(await screen.findByText('0 rows with errors · 1 imported')).toBeVisible();
    await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'));
    expect(imports).toBe(1);
    expect(getToasts()).toMatchObject([{ variant: 'success' }]);
  });

  it('show no error when a second click finds that all are imported already', async () => {
    let imports = 0;
    server.use(
      http.post(`${correctionsUrl}import/`, () => {
        imports += 1;
        if (imports === 1) return HttpResponse.json({ imported: 1, import_id: 9 });
        show(ready({ state: 'imported', import_id: 9 }));
        return HttpResponse.json({ code: 'import_nothing_corrected', detail: 'x' }, { status: 409 });
      }),
    );
    show(ready());
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Import corrected rows' }));
    await waitFor(() => expect(getToasts()).toHaveLength(1));
    await userEvent.click(await screen.findByRole('button', { name: 'Import corrected rows' }));
    expect(await screen.findByText('0 rows with errors · 1 imported')).toBeVisible();
    expect(imports).toBe(2);
    expect(getToasts()).toMatchObject([{ variant: 'success' }]);
  });

  it.each([
    ['a GTIN: one number cannot be several products', 'GTIN', '4006381333931', '96385074'],
    ['a value that is truncated in the list', 'Name', 'x'.repeat(MAX_CORRECTION_LENGTH), 'Tea'],
  ])('are not offered to be changed all at once if the value is %s', async (_why, column, from, to) => {
    const cells = (value: string) => (column === 'GTIN' ? ['Tea', value, 'Fairtrade Intl'] : [value, '1', 'x']);
    show(row({ cells: cells(from) }));
    await open();
    take(row({ cells: cells(to), corrected: [column === 'GTIN' ? 2 : 0] }), 30);
    await userEvent.click(cell(column));
    await userEvent.keyboard(`${to}{Enter}`);
    expect(await screen.findByRole('button', { name: `Edit ${column}, row 3: ${to}` })).toBeVisible();
    await waitFor(() => expect(requests.length).toBeGreaterThan(1));
    expect(screen.queryByRole('button', { name: /^Apply/ })).toBeNull();
  });

  it('are not offered to be changed all at once to a value that is wrong', async () => {
    await open();
    const error = { place: 3, code: 'unknown_certification', message: 'Not supported', suggestions: [] };
    take(row({ cells: ['Tea', '4006381333931', 'usda'], corrected: [3], errors: [error] }), 30);
    await userEvent.click(cell('Label'));
    await userEvent.keyboard('usda{Enter}');
    expect(await screen.findByText('Not supported')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Apply/ })).toBeNull();
  });

  it('that are still wrong after a correction say so to a screen reader, whose focus stays on the cell', async () => {
    await open();
    const error = { place: 3, code: 'unknown_certification', message: 'Not supported', suggestions: [] };
    take(row({ cells: ['Tea', '4006381333931', 'usda'], corrected: [3], errors: [error] }));
    await userEvent.click(cell('Label'));
    await userEvent.keyboard('usda{Enter}');
    const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
    await waitFor(() => expect(said()).toContain('Label, row 3: Not supported'));
    take(ready({ cells: ['Tea', '4006381333931', 'FSC'], corrected: [3] }));
    await userEvent.keyboard('{Enter}FSC{Enter}');
    expect(await screen.findByText('0 rows with errors · 1 ready')).toBeVisible();
    expect(said()).not.toContain('Label, row 3: Not supported');
  });

  it('have a name for a cell beyond the columns of the file, also for screen readers', async () => {
    show(row({ cells: ['Tea', '4006381333931', 'FSC', 'far'], errors: [] }));
    shown = { ...shown, columns: [...columns, { place: 4, name: '', field: null }] };
    await open();
    const message = 'The row has more cells than the header.';
    const cells = ['Tea', '4006381333931', 'FSC', 'farther'];
    take(row({ cells, corrected: [4], errors: [{ place: 4, code: 'too_many_cells', message, suggestions: [] }] }));
    await userEvent.click(cell('Column 5'));
    await userEvent.keyboard('farther{Enter}');
    const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
    await waitFor(() => expect(said()).toContain(`Column 5, row 3: ${message}`));
  });

  it('are no longer offered to be changed all at once when they are imported', async () => {
    server.use(
      http.post(`${correctionsUrl}import/`, () => {
        show(ready({ state: 'imported', import_id: 9 }));
        return HttpResponse.json({ imported: 1, import_id: 9 });
      }),
    );
    await open();
    take(ready({ cells: ['Tea', '4006381333931', 'Fairtrade'], corrected: [3] }), 30);
    await userEvent.click(screen.getByRole('button', { name: 'Use “Fairtrade” for Label, row 3' }));
    expect(await screen.findByRole('button', { name: /^Apply/ })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Import corrected rows' }));
    expect(screen.queryByRole('button', { name: /^Apply/ })).toBeNull();
    expect(await screen.findByText('0 rows with errors · 1 imported')).toBeVisible();
  });

  it('are not offered to be changed all at once by an edit that is saved while they are imported', async () => {
    const { promise: isSaved, resolve: answer } = Promise.withResolvers<void>();
    const { promise: isImported, resolve: finish } = Promise.withResolvers<void>();
    const after = ready({ cells: ['Tea', '4006381333931', 'Fairtrade'], corrected: [3] });
    show(row(), ready({ row: 4 }));
    let imports = 0;
    server.use(
      http.patch(`${correctionsUrl}3/`, async () => {
        await isSaved;
        show(after, ready({ row: 4 }));
        return HttpResponse.json({ row: after, counts: shown.counts, same: 30 });
      }),
      http.post(`${correctionsUrl}import/`, async () => {
        imports += 1;
        await isImported;
        return HttpResponse.json({ imported: 2, import_id: 9 });
      }),
    );
    await open();
    await userEvent.click(cell('Label'));
    await userEvent.clear(field('Label'));
    await userEvent.keyboard('Fairtrade');
    // The click also ends the edit.
    await userEvent.click(screen.getByRole('button', { name: 'Import corrected rows' }));
    answer();
    await waitFor(() => expect(imports).toBe(1));
    expect(await screen.findByText('0 rows with errors · 2 ready')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Apply/ })).toBeNull();
    finish();
  });

  it('that are being imported are not polled for somebody who may no longer see them', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    show(ready({ state: 'importing' }));
    await open();
    let refused = 0;
    server.use(
      http.get(correctionsUrl, () => {
        refused += 1;
        return refusal('permission_denied');
      }),
    );
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    await waitFor(() => expect(refused).toBe(1));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(refused).toBe(1);
  });

  it('can be edited again before the first edit is answered, and nothing is lost', async () => {
    const firstAnswer = Promise.withResolvers<void>();
    let stored = 'Tea';
    server.use(
      http.patch(`${correctionsUrl}3/`, async ({ request }) => {
        const correction = (await request.json()) as { from: string; to: string };
        sent.push(correction);
        if (sent.length === 1) await firstAnswer.promise;
        if (correction.from !== stored) return HttpResponse.json({ code: 'import_row_changed' }, { status: 409 });
        stored = correction.to;
        const after = row({ cells: [stored, '4006381333931', 'Fairtrade Intl'], corrected: [0] });
        show(after);
        return HttpResponse.json({ row: after, counts: shown.counts, same: 0 });
      }),
    );
    await open();
    const user = userEvent.setup();
    await user.click(cell('Name'));
    await user.keyboard('Green tea{Enter}{Enter}Black tea{Enter}');
    firstAnswer.resolve();
    await waitFor(() => expect(sent).toHaveLength(2));
    // The answer to the first edit does not overwrite the second.
    expect(cell('Name')).toHaveAccessibleName('Edit Name, row 3: Black tea');
    await waitFor(() => expect(stored).toBe('Black tea'));
    expect(sent).toMatchObject([
      { from: 'Tea', to: 'Green tea' },
      { from: 'Green tea', to: 'Black tea' },
    ]);
    await waitFor(() => expect(requests.length).toBeGreaterThan(2));
    expect(cell('Name')).toHaveAccessibleName('Edit Name, row 3: Black tea');
    expect(getToasts()).toEqual([]);
  });

  it('keep a second edit even if the first could not be saved', async () => {
    const firstAnswer = Promise.withResolvers<void>();
    server.use(
      http.patch(`${correctionsUrl}3/`, async ({ request }) => {
        sent.push(await request.json());
        if (sent.length === 1) await firstAnswer.promise;
        if (sent.length === 1) return HttpResponse.json({ code: 'internal_error', detail: 'x' }, { status: 500 });
        show(row({ cells: ['Black tea', '4006381333931', 'Fairtrade Intl'], corrected: [0] }));
        return HttpResponse.json({ row: shown.results[0], counts: shown.counts, same: 0 });
      }),
    );
    await open();
    const user = userEvent.setup();
    await user.click(cell('Name'));
    await user.keyboard('Green tea{Enter}{Enter}Black tea{Enter}');
    firstAnswer.resolve();
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toMatchObject({ from: 'Tea', to: 'Black tea' });
    await waitFor(() => expect(requests.length).toBeGreaterThan(2));
    expect(await screen.findByRole('button', { name: 'Edit Name, row 3: Black tea' })).toBeVisible();
  });

  it('keep what was typed if it could not be saved, and Enter tries again', async () => {
    const user = userEvent.setup();
    await open();
    server.use(http.patch(`${correctionsUrl}3/`, () => HttpResponse.error()));
    await user.click(cell('Name'));
    await user.keyboard('Green tea{Enter}');
    expect(await screen.findByDisplayValue('Green tea')).toHaveFocus();
    expect(field('Name')).toHaveAccessibleDescription('Not saved. Press Enter to try again.');
    expect(getToasts()).toMatchObject([{ variant: 'error', title: 'The correction could not be saved' }]);
    take(row({ cells: ['Green tea', '4006381333931', 'Fairtrade Intl'], corrected: [0] }));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(sent).toEqual([{ row: 3, place: 0, from: 'Tea', to: 'Green tea' }]));
    expect(await screen.findByRole('button', { name: 'Edit Name, row 3: Green tea' })).toHaveFocus();
    expect(screen.queryByText(/^Not saved/)).toBeNull();
  });

  it('that could not be saved do not take the focus from another cell, and Escape discards them', async () => {
    const user = userEvent.setup();
    await open();
    const fail = failLater();
    await user.click(cell('Name'));
    await user.keyboard('Green tea{Tab}{Enter}123');
    fail();
    expect(await screen.findByDisplayValue('Green tea')).not.toHaveFocus();
    expect(field('GTIN')).toHaveFocus();
    expect(field('GTIN')).toHaveValue('123');
    await user.click(field('Name'));
    await user.keyboard('{Escape}');
    expect(cell('Name')).toHaveAccessibleName('Edit Name, row 3: Tea');
    expect(screen.getByDisplayValue('123')).toHaveAccessibleDescription('Not saved. Press Enter to try again.');
  });

  it('that could not be saved can be replaced by the suggestion', async () => {
    const user = userEvent.setup();
    await open();
    server.use(http.patch(`${correctionsUrl}3/`, () => HttpResponse.error()));
    await user.click(cell('Label'));
    await user.keyboard('FSC{Tab}');
    expect(await screen.findByText(/^Not saved/)).toBeVisible();
    expect(field('Label')).not.toHaveFocus();
    take(ready({ cells: ['Tea', '4006381333931', 'Fairtrade'], corrected: [3] }));
    await user.click(screen.getByRole('button', { name: 'Use “Fairtrade” for Label, row 3' }));
    expect(await screen.findByText('0 rows with errors · 1 ready')).toBeVisible();
    expect(sent).toEqual([{ row: 3, place: 3, from: 'Fairtrade Intl', to: 'Fairtrade' }]);
    expect(screen.getByRole('button', { name: 'Edit Label, row 3: Fairtrade' })).toHaveFocus();
  });

  it('keep the text of an open field if the edit before could not be saved', async () => {
    const user = userEvent.setup();
    await open();
    const fail = failLater();
    await user.click(cell('Name'));
    await user.keyboard('Green tea{Enter}{Enter}Black');
    fail();
    expect(await screen.findByText(/^Not saved/)).toBeVisible();
    await user.keyboard(' tea');
    expect(field('Name')).toHaveValue('Black tea');
  });

  it('say that a zero was added to a GTIN of 11 digits that is right with it', async () => {
    const cells = ['Tea', '36000291452', 'Fairtrade'];
    show(ready({ cells, corrected: [2] }), row({ row: 4, cells, errors: [checkDigit] }));
    await open();
    expect(cell('GTIN')).toHaveAccessibleDescription('A zero is added in front: 036000291452');
    expect(cell('GTIN', 4)).toHaveAccessibleDescription(/^The check digit should be 1\./);
    expect(screen.getAllByText(/^A zero is added/)).toHaveLength(1);
  });

  it('that somebody else has corrected are shown with the current values, with a message', async () => {
    const user = userEvent.setup();
    await open();
    server.use(
      http.patch(`${correctionsUrl}3/`, () => {
        show(row({ cells: ['Green tea', '4006381333931', 'Fairtrade Intl'] }));
        return HttpResponse.json({ code: 'import_row_changed', detail: 'x' }, { status: 409 });
      }),
    );
    await user.click(cell('Name'));
    await user.keyboard('Black tea{Enter}');
    expect(await screen.findByRole('button', { name: 'Edit Name, row 3: Green tea' })).toBeVisible();
    expect(getToasts()[0]).toMatchObject({
      variant: 'warning',
      title: expect.stringContaining('Somebody else'),
      description: 'You wrote: Black tea',
    });
  });

  it('are loaded by state and page', async () => {
    const user = userEvent.setup();
    shown = { ...shown, count: 25 };
    await open();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(requests.at(-1)).toBe('?page=2&page_size=10'));
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await waitFor(() => expect(requests.at(-1)).toBe('?page=3&page_size=10'));
    await user.click(screen.getByRole('combobox', { name: 'Per page:' }));
    await user.click(screen.getByRole('option', { name: '20' }));
    // The first visible row stays in view.
    await waitFor(() => expect(requests.at(-1)).toBe('?page=2&page_size=20'));
    await user.click(screen.getByRole('combobox', { name: 'Show' }));
    await user.click(screen.getByRole('option', { name: 'With errors' }));
    await waitFor(() => expect(requests.at(-1)).toBe('?page=1&page_size=20&state=wrong'));
  });

  it('are read only for viewers, who are told beforehand which role it takes and whom to ask', async () => {
    server.use(http.get(importUrl, () => HttpResponse.json(doneImport({ rejected: 1, may_edit: false }))));
    openImports('imports/7', { ...fjord, role: 'viewer' });
    const table = await screen.findByRole('table', { name: 'Rejected rows' });
    expect(within(table).getByText('Fairtrade Intl')).toBeVisible();
    expect(within(table).queryByRole('button')).toBeNull();
    expect(screen.getByText(VIEWERS_REASON)).toBeVisible();
    screen.getByRole('button', { name: 'Import corrected rows' }).focus();
    expect(await screen.findByRole('tooltip')).toHaveTextContent(VIEWERS_REASON);
  });

  it('that cannot be loaded can be loaded again', async () => {
    server.use(http.get(correctionsUrl, () => HttpResponse.json({ code: 'permission_denied' }, { status: 403 })));
    openImports('imports/7');
    expect(await screen.findByText('The rejected rows could not be loaded')).toBeVisible();
    server.use(http.get(correctionsUrl, () => HttpResponse.json(shown)));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('table', { name: 'Rejected rows' })).toBeVisible();
  });

  it('of which another page or state cannot be loaded keep their toolbar, to go back', async () => {
    const user = userEvent.setup();
    shown = { ...shown, count: 25 };
    await open();
    const failAt = (query: string) =>
      server.use(
        http.get(correctionsUrl, ({ request }) =>
          request.url.includes(query) ? HttpResponse.json({ code: 'permission_denied' }, { status: 403 }) : HttpResponse.json(shown),
        ),
      );
    failAt('page=2');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    expect(await screen.findByText('The rejected rows could not be loaded')).toBeVisible();
    expect(screen.queryByRole('table', { name: 'Rejected rows' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Import corrected rows' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Previous page' }));
    expect(await screen.findByRole('table', { name: 'Rejected rows' })).toBeVisible();
    failAt('state=wrong');
    const filter = screen.getByRole('combobox', { name: 'Show' });
    await user.click(filter);
    await user.click(screen.getByRole('option', { name: 'With errors' }));
    expect(await screen.findByText('The rejected rows could not be loaded')).toBeVisible();
    // Its pages are not known.
    expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull();
    await user.click(filter);
    await user.click(screen.getByRole('option', { name: 'All rows' }));
    expect(await screen.findByRole('table', { name: 'Rejected rows' })).toBeVisible();
  });

  it('that could not be imported show the reason', async () => {
    show(ready());
    server.use(
      http.post(`${correctionsUrl}import/`, () => HttpResponse.json({ code: 'import_nothing_corrected', detail: 'x' }, { status: 409 })),
    );
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Import corrected rows' }));
    await waitFor(() => expect(getToasts()[0]).toMatchObject({ variant: 'error', title: 'The corrected rows were not imported' }));
  });
});

it('the import of corrected rows is named after its file, and links to the import that had rejected them', async () => {
  server.use(http.get(importUrl, () => HttpResponse.json(doneImport({ corrects_import_id: 5 }))));
  openImports('imports/7');
  expect(await screen.findByRole('heading', { level: 1, name: 'Corrected rows of socks.csv' })).toBeVisible();
  expect(screen.getByText(/^Corrected by Ada Byron/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'See the import that had rejected them' })).toHaveAttribute('href', '/brands/1/imports/5');
});

describe('text in an open cell', () => {
  const asksBeforeReload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  it.each([
    ['Back', () => act(() => window.history.back())],
    ['a link', () => userEvent.click(screen.getByRole('link', { name: 'Brands' }))],
  ])('is saved by %s, without a question', async (_how, leave) => {
    window.history.replaceState(null, '', '/brands');
    renderAt(
      '',
      <>
        <Link to="/brands">Brands</Link>
        <Link to="/brands/1/imports/7">Import</Link>
        <Routes>
          <Route path="/brands" element={null} />
          <Route path="/brands/:id/imports/:importId" element={<ImportPage />} />
        </Routes>
      </>,
      AppRouter,
    );
    await userEvent.click(screen.getByRole('link', { name: 'Import' }));
    await screen.findByRole('table', { name: 'Rejected rows' });
    take(row({ cells: ['Tea', '96385074', 'Fairtrade Intl'], corrected: [2] }));
    await userEvent.click(cell('GTIN'));
    await userEvent.keyboard('96385074');
    await leave();
    await waitFor(() => expect(screen.getByLabelText('address')).toHaveTextContent(/^\/brands$/));
    await waitFor(() => expect(sent).toEqual([{ row: 3, place: 2, from: '4006381333931', to: '96385074' }]));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('asks before a reload until it is saved', async () => {
    await open();
    take(row({ cells: ['Tea', '96385074', 'Fairtrade Intl'], corrected: [2] }));
    await userEvent.click(cell('GTIN'));
    expect(asksBeforeReload()).toBe(false);
    await userEvent.keyboard('96385074');
    expect(asksBeforeReload()).toBe(true);
    await userEvent.keyboard('{Enter}');
    expect(asksBeforeReload()).toBe(false);
  });
});
