import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { Select } from './select.tsx';

const OPTIONS = ['All variants', 'Published only', 'Unpublished only', 'All that is new'].map((label) => ({
  value: label.toLowerCase(),
  label,
}));

function Page() {
  const [filter, setFilter] = useState('published only');
  return (
    <main>
      <h1>Variants</h1>
      <Select label="Filter" value={filter} options={OPTIONS} onChange={setFilter} />
      <button type="button">Publish</button>
    </main>
  );
}

const box = () => screen.getByRole('combobox', { name: 'Filter' });
const option = (name: string) => screen.getByRole('option', { name });

describe('a select', () => {
  it('opens at the selected option, and another one is selected with a click', async () => {
    render(<Page />);
    expect(box()).toHaveTextContent('Published only');
    expect(box()).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(box());
    expect(box()).toHaveAttribute('aria-expanded', 'true');
    expect(screen.getByRole('listbox', { name: 'Filter' })).toBeInTheDocument();
    expect(screen.getByRole('option', { selected: true })).toHaveFocus();
    expect(option('Published only')).toHaveFocus();
    await userEvent.click(option('Unpublished only'));
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(box()).toHaveTextContent('Unpublished only');
    expect(box()).toHaveFocus();
  });

  it('hides nothing of the page while it is open', async () => {
    render(<Page />);
    await userEvent.click(box());
    expect(option('All variants')).toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1, name: 'Variants' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Publish' })).toBeInTheDocument();
  });

  it.each(['{Enter}', ' ', '{ArrowDown}', '{ArrowUp}'])('opens with the key “%s”, and Escape changes nothing', async (key) => {
    render(<Page />);
    box().focus();
    await userEvent.keyboard(key);
    expect(option('Published only')).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}{Tab}');
    expect(option('Unpublished only')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(box()).toHaveTextContent('Published only');
    expect(box()).toHaveFocus();
  });

  it.each([
    ['{ArrowUp}', 'All variants'],
    ['{ArrowDown}', 'Unpublished only'],
    ['{End}{ArrowDown}', 'All that is new'],
    ['{End}{Home}{ArrowUp}', 'All variants'],
    ['u', 'Unpublished only'],
    ['aa', 'All variants'],
    ['all t', 'All that is new'],
    ['x', 'Published only'],
  ])('moves with the keys “%s” to “%s”, and selects it with Enter', async (keys, label) => {
    render(<Page />);
    await userEvent.click(box());
    await userEvent.keyboard(keys);
    expect(option(label)).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(box()).toHaveTextContent(label);
    expect(box()).toHaveFocus();
  });

  it('selects an option with the space bar', async () => {
    render(<Page />);
    await userEvent.click(box());
    await userEvent.keyboard('{ArrowDown} ');
    expect(box()).toHaveTextContent('Unpublished only');
  });

  it('that is closed selects the option that is typed', async () => {
    render(<Page />);
    box().focus();
    await userEvent.keyboard('all t');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(box()).toHaveTextContent('All that is new');
  });
});
