import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { changeLanguage } from '../lib/i18n.ts';
import { DataTable } from './data-table.tsx';
import type { Column, ServerPagination } from './data-table-model.ts';

interface Fruit {
  id: number;
}

const columns: Column<Fruit>[] = [{ id: 'id', header: 'Number', sortable: true, cell: ({ id }) => id }];
const rowId = (row: Fruit) => String(row.id);
const rows: Fruit[] = [{ id: 31 }, { id: 32 }];
const common = { label: 'Fruit', columns, rows, rowId, pageSizes: [10, 20] };

function pagination(overrides: Partial<ServerPagination> = {}): ServerPagination {
  return { pageIndex: 3, pageSize: 10, pageCount: 10, totalCount: 95, onChange: vi.fn(), ...overrides };
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('a table whose pages the owner fetches', () => {
  // spec: §3 table pagination
  it('shows the rows it is given and counts with what the owner says', () => {
    render(<DataTable {...common} pagination={pagination()} />);
    expect(screen.getAllByRole('row')).toHaveLength(3);
    expect(screen.getByText('Showing 31 to 40 of 95 results')).toBeVisible();
    expect(screen.getByText('Page 4 of 10')).toBeVisible();
  });

  it('counts one result in the singular in Spanish', async () => {
    await changeLanguage('es');
    onTestFinished(() => changeLanguage('en'));
    render(<DataTable {...common} pagination={pagination({ pageIndex: 0, pageCount: 1, totalCount: 1 })} />);
    expect(screen.getByText('Mostrando 1–1 de 1 resultado')).toBeVisible();
  });

  // spec: §4 table reports to its owner
  it.each([
    ['First page', 0],
    ['Previous page', 2],
    ['Next page', 4],
    ['Last page', 9],
  ])('reports %s to the owner and moves only when the owner does', async (name, pageIndex) => {
    const state = pagination();
    render(<DataTable {...common} pagination={state} />);
    await press(name);
    expect(state.onChange).toHaveBeenCalledExactlyOnceWith({ pageIndex, pageSize: 10 });
    expect(screen.getByText('Page 4 of 10')).toBeVisible();
  });

  it('counts the visible rows while others are loading, and continues from the requested page', async () => {
    const shown = { pageIndex: 0, pageSize: 20, pageCount: 5, totalCount: 95 };
    const state = pagination({ shown });
    render(<DataTable {...common} pagination={state} isFetching />);
    expect(screen.getByText('Showing 1 to 20 of 95 results')).toBeVisible();
    expect(screen.getByText('Page 1 of 5')).toBeVisible();
    expect(screen.getByRole('combobox', { name: 'Per page:' })).toHaveTextContent('10');
    await press('Next page');
    expect(state.onChange).toHaveBeenCalledExactlyOnceWith({ pageIndex: 4, pageSize: 10 });
  });

  it('reports the page that a hovered or focused button leads to, and the next one after it is shown', async () => {
    const onIntent = vi.fn();
    const { rerender } = render(<DataTable {...common} pagination={pagination({ onIntent })} />);
    await press('Next page');
    expect(onIntent.mock.calls.flat()).toEqual([4, 4]);
    const shown = { pageIndex: 3, pageSize: 10, pageCount: 10, totalCount: 95 };
    rerender(<DataTable {...common} pagination={pagination({ pageIndex: 4, shown, onIntent })} isFetching />);
    expect(onIntent).toHaveBeenCalledTimes(2);
    rerender(<DataTable {...common} pagination={pagination({ pageIndex: 4, onIntent })} />);
    expect(onIntent).toHaveBeenCalledTimes(3);
    expect(onIntent).toHaveBeenLastCalledWith(5);
  });

  // spec: §4 table reports to its owner
  it('reports a new page size with the page on which the first visible row then is', async () => {
    const state = pagination();
    render(<DataTable {...common} pagination={state} />);
    await userEvent.click(screen.getByRole('combobox', { name: 'Per page:' }));
    await userEvent.click(screen.getByRole('option', { name: '20' }));
    expect(state.onChange).toHaveBeenCalledExactlyOnceWith({ pageIndex: 1, pageSize: 20 });
  });

  it('sends the owner back to the last page when the rows have become fewer', () => {
    const state = pagination({ pageIndex: 9, pageCount: 2, totalCount: 15 });
    render(<DataTable {...common} pagination={state} />);
    expect(state.onChange).toHaveBeenCalledExactlyOnceWith({ pageIndex: 1, pageSize: 10 });
    expect(screen.getByText('Page 2 of 2')).toBeVisible();
  });

  it('waits for the answer before it goes to the last page', () => {
    const state = pagination({ pageIndex: 9, pageCount: 2, totalCount: 15 });
    render(<DataTable {...common} pagination={state} isFetching />);
    expect(state.onChange).not.toHaveBeenCalled();
  });
});

describe('a table that the owner sorts', () => {
  it('reports ascending, descending and none, and does not sort the rows itself', async () => {
    const reported: unknown[] = [];
    function Owner() {
      const [sort, setSort] = useState<{ id: string; desc: boolean } | null>(null);
      const onChange = (next: typeof sort) => {
        reported.push(next);
        setSort(next);
      };
      return <DataTable {...common} rows={[{ id: 2 }, { id: 1 }]} sorting={{ sort, onChange }} />;
    }
    render(<Owner />);
    for (let click = 0; click < 3; click += 1) await press('Number');
    expect(reported).toEqual([{ id: 'id', desc: false }, { id: 'id', desc: true }, null]);
    expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['2', '1']);
  });

  it('offers to sort only the columns that can be sorted', () => {
    const unsorted: Column<Fruit> = { id: 'name', header: 'Name', cell: ({ id }) => `Fruit ${id}` };
    render(<DataTable {...common} columns={[...columns, unsorted]} sorting={{ sort: null, onChange: vi.fn() }} />);
    expect(screen.getByRole('columnheader', { name: 'Number' })).toHaveAttribute('aria-sort', 'none');
    expect(screen.queryByRole('button', { name: 'Name' })).toBeNull();
    expect(screen.getByRole('columnheader', { name: 'Name' })).not.toHaveAttribute('aria-sort');
  });
});
