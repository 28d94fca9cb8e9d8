import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { DataTable } from './data-table.tsx';
import type { Column } from './data-table-model.ts';

interface Fruit {
  id: number;
  name: string;
}

const fruit = (count: number): Fruit[] => Array.from({ length: count }, (_row, index) => ({ id: index + 1, name: `Fruit ${index + 1}` }));
const columns: Column<Fruit>[] = [
  { id: 'id', header: 'Number', cell: ({ id }) => id },
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  { id: 'actions', header: 'Actions', cell: () => <button type="button">Peel</button> },
];
const common = { label: 'Fruit', columns, rowId: (row: Fruit) => String(row.id) };

const bodyRows = () =>
  within(screen.getByRole('table', { name: 'Fruit' }))
    .getAllByRole('row')
    .slice(1);
const firstName = () => within(bodyRows()[0] as HTMLElement).getAllByRole('cell')[1]?.textContent;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

async function choosePageSize(size: string) {
  await userEvent.click(screen.getByRole('combobox', { name: 'Per page:' }));
  await userEvent.click(screen.getByRole('option', { name: size }));
}

describe('a table', () => {
  // spec: §2 table header, §2 table position, §2 table page size, §9 table page size
  it('has a header row and shows 10 rows of the first page by default', () => {
    render(<DataTable {...common} rows={fruit(25)} />);
    expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['Number', 'Name', 'Actions']);
    expect(bodyRows()).toHaveLength(10);
    expect(firstName()).toBe('Fruit 1');
    expect(screen.getByText('Showing 1 to 10 of 25 results')).toBeVisible();
    expect(screen.getByText('Page 1 of 3')).toBeVisible();
    expect(screen.queryByText('Per page:')).toBeNull();
  });

  // spec: §2 table empty, §8 no data
  it('says No data available when there are no rows, and has no footer', () => {
    render(<DataTable {...common} rows={[]} />);
    expect(screen.getByText('No data available')).toBeVisible();
    expect(screen.queryByText(/^Showing/)).toBeNull();
  });

  it('shows a hint below No data available, if given', () => {
    const hint = { text: 'Pick some fruit', action: <button type="button">Pick</button> };
    render(<DataTable {...common} rows={[]} hint={hint} />);
    const cell = screen.getByRole('cell');
    expect(cell).toHaveTextContent('No data availablePick some fruitPick');
    expect(within(cell).getByRole('heading', { name: 'No data available' })).toBeVisible();
    expect(within(cell).getByRole('button', { name: 'Pick' })).toBeVisible();
  });

  // spec: §2 table page buttons
  it('goes to the next, last, previous and first page', async () => {
    render(<DataTable {...common} rows={fruit(25)} />);
    await press('Next page');
    expect(screen.getByText('Showing 11 to 20 of 25 results')).toBeVisible();
    await press('Last page');
    expect(screen.getByText('Showing 21 to 25 of 25 results')).toBeVisible();
    expect(screen.getByText('Page 3 of 3')).toBeVisible();
    expect(bodyRows()).toHaveLength(5);
    await press('Previous page');
    expect(screen.getByText('Page 2 of 3')).toBeVisible();
    await press('First page');
    expect(firstName()).toBe('Fruit 1');
  });

  // spec: §4 table page bounds
  it('cannot leave its first and last page', async () => {
    render(<DataTable {...common} rows={fruit(12)} />);
    expect(screen.getByRole('button', { name: 'First page' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Previous page' })).toBeDisabled();
    await press('Next page');
    expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Last page' })).toBeDisabled();
  });

  it('moves the focus when it reaches an end', async () => {
    render(<DataTable {...common} rows={fruit(25)} />);
    await press('Last page');
    expect(screen.getByRole('button', { name: 'Previous page' })).toHaveFocus();
    await press('First page');
    expect(screen.getByRole('button', { name: 'Next page' })).toHaveFocus();
  });

  // spec: §4 table page bounds
  it('falls back to the last page when rows disappear', async () => {
    const { rerender } = render(<DataTable {...common} rows={fruit(25)} />);
    await press('Last page');
    rerender(<DataTable {...common} rows={fruit(12)} />);
    expect(screen.getByText('Page 2 of 2')).toBeVisible();
    expect(firstName()).toBe('Fruit 11');
  });

  it('stays on its page when its rows are refreshed', async () => {
    const { rerender } = render(<DataTable {...common} rows={fruit(25)} />);
    await press('Next page');
    rerender(<DataTable {...common} rows={fruit(25)} />);
    expect(screen.getByText('Page 2 of 3')).toBeVisible();
  });

  // spec: §2 table page size, §4 table keeps the first row
  it('keeps the first visible row in view when the page size changes', async () => {
    render(<DataTable {...common} rows={fruit(100)} pageSizes={[10, 20, 50]} />);
    for (let step = 0; step < 3; step += 1) await press('Next page');
    expect(firstName()).toBe('Fruit 31');
    await choosePageSize('20');
    expect(screen.getByText('Page 2 of 5')).toBeVisible();
    expect(screen.getByText('Showing 21 to 40 of 100 results')).toBeVisible();
    expect(screen.getByRole('cell', { name: 'Fruit 31' })).toBeVisible();
  });

  it('shows all rows with a footer that the owner brings', () => {
    render(<DataTable {...common} rows={fruit(25)} footer={<p>Older</p>} />);
    expect(bodyRows()).toHaveLength(25);
    expect(screen.getByText('Older')).toBeVisible();
    expect(screen.queryByText(/^Showing/)).toBeNull();
  });

  it('renders a row again only if its data changed', () => {
    const cell = vi.fn(({ name }: Fruit) => name);
    const counted: Column<Fruit>[] = [{ id: 'name', header: 'Name', cell }];
    const [first, second] = fruit(2) as [Fruit, Fruit];
    const { rerender } = render(<DataTable {...common} columns={counted} rows={[first, second]} />);
    cell.mockClear();
    const renamed = { ...second, name: 'Pear' };
    rerender(<DataTable {...common} columns={counted} rows={[first, renamed]} isFetching />);
    expect(cell).toHaveBeenCalledExactlyOnceWith(renamed);
  });

  it('writes large numbers as the language does', () => {
    render(<DataTable {...common} rows={fruit(1_234)} />);
    expect(screen.getByText('Showing 1 to 10 of 1,234 results')).toBeVisible();
    expect(screen.getByText('Page 1 of 124')).toBeVisible();
  });

  it('scrolls inside a region that the keyboard can reach', () => {
    render(<DataTable {...common} rows={fruit(1)} />);
    expect(screen.getByRole('region', { name: 'Fruit' })).toHaveAttribute('tabindex', '0');
  });
});

describe('a row that can be clicked', () => {
  const onRowClick = vi.fn();
  const secondRow = () => bodyRows()[1] as HTMLElement;
  const second = { id: 2, name: 'Fruit 2' };

  // spec: §2 table row click
  it('reports a click with its data', async () => {
    render(<DataTable {...common} rows={fruit(3)} onRowClick={onRowClick} />);
    await userEvent.click(screen.getByRole('cell', { name: 'Fruit 2' }));
    expect(onRowClick).toHaveBeenCalledExactlyOnceWith(second);
  });

  it.each(['{Enter}', ' '])('can be pressed with the key %j', async (key) => {
    onRowClick.mockClear();
    render(<DataTable {...common} rows={fruit(3)} onRowClick={onRowClick} />);
    secondRow().focus();
    expect(secondRow()).toHaveFocus();
    await userEvent.keyboard(key);
    expect(onRowClick).toHaveBeenCalledExactlyOnceWith(second);
  });

  it('does not report clicks on its own buttons', async () => {
    onRowClick.mockClear();
    render(<DataTable {...common} rows={fruit(3)} onRowClick={onRowClick} />);
    const button = within(secondRow()).getByRole('button', { name: 'Peel' });
    await userEvent.click(button);
    await userEvent.keyboard('{Enter}');
    expect(onRowClick).not.toHaveBeenCalled();
  });

  // spec: §2 table row click
  it('cannot be focused when nothing would happen', () => {
    render(<DataTable {...common} rows={fruit(3)} />);
    expect(secondRow()).not.toHaveAttribute('tabindex');
  });
});

describe('a table that tells how many rows were found', () => {
  const found = (total: string) => `Fruit found: ${total}`;

  it('announces them once, with the page, also if there are none', async () => {
    const { rerender } = render(<DataTable {...common} rows={[]} isLoading found={found} />);
    const status = screen.getByRole('status');
    expect(status).toHaveTextContent('Loading…');
    rerender(<DataTable {...common} rows={fruit(12)} found={found} />);
    expect(status).toHaveTextContent('Fruit found: 12. Page 1 of 2');
    expect(screen.getByText('Showing 1 to 10 of 12 results')).not.toHaveAttribute('aria-live');
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
    expect(status).toHaveTextContent('Fruit found: 12. Page 2 of 2');
    rerender(<DataTable {...common} rows={[]} found={found} />);
    expect(status).toHaveTextContent('Fruit found: 0');
  });
});

describe('a table that is loading', () => {
  it('shows placeholders and says so before the first rows', () => {
    render(<DataTable {...common} rows={[]} isLoading />);
    expect(screen.getByRole('table', { name: 'Fruit' })).toHaveAttribute('aria-busy', 'true');
    expect(screen.getByRole('status')).toHaveTextContent('Loading…');
    expect(screen.queryByText('No data available')).toBeNull();
    expect(bodyRows()).toHaveLength(10);
  });

  it('reserves the space of its page buttons before the first rows', () => {
    render(<DataTable {...common} rows={[]} isLoading />);
    const buttons = within(screen.getByRole('navigation', { hidden: true })).getAllByRole('button', { hidden: true });
    expect(buttons).toHaveLength(4);
    for (const button of buttons) expect(button).toBeDisabled();
  });

  it('keeps the previous rows while others are loading', () => {
    render(<DataTable {...common} rows={fruit(3)} isFetching />);
    expect(screen.getByRole('table', { name: 'Fruit' })).toHaveAttribute('aria-busy', 'true');
    expect(screen.getByRole('cell', { name: 'Fruit 2' })).toBeVisible();
  });
});
