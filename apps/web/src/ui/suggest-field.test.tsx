import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { SuggestField } from './suggest-field.tsx';

const onSubmit = vi.fn();

function Form() {
  const [value, setValue] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(value);
      }}
    >
      <SuggestField label="Certification" value={value} onChange={setValue} suggestions={['Fairtrade', 'FSC', 'Crème Verte']} />
    </form>
  );
}

const field = () => screen.getByRole('combobox', { name: 'Certification' });
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

beforeEach(() => {
  onSubmit.mockClear();
  render(<Form />);
});

it('suggests what matches, ignoring case and accents, and accepts another text', async () => {
  await userEvent.tab();
  expect(options()).toEqual([]);
  await userEvent.keyboard('f');
  expect(options()).toEqual(['Fairtrade', 'FSC']);
  await userEvent.clear(field());
  await userEvent.keyboard('creme');
  expect(options()).toEqual(['Crème Verte']);
  await userEvent.keyboard(' brulee');
  expect(options()).toEqual([]);
  await userEvent.keyboard('{Enter}');
  expect(onSubmit).toHaveBeenCalledWith('creme brulee');
});

it('is used by arrow keys: Enter takes the suggestion, and the next Enter submits', async () => {
  await userEvent.tab();
  await userEvent.keyboard('{ArrowUp}');
  expect(field()).toHaveAttribute('aria-activedescendant', screen.getByRole('option', { selected: true }).id);
  expect(screen.getByRole('option', { selected: true })).toHaveTextContent('Crème Verte');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(field()).toHaveValue('FSC');
  expect(field()).toHaveFocus();
  expect(options()).toEqual([]);
  expect(onSubmit).not.toHaveBeenCalled();
  await userEvent.keyboard('{Enter}');
  expect(onSubmit).toHaveBeenCalledWith('FSC');
});

it('is used by mouse: a click opens, chooses and keeps the focus; Escape and Tab close it', async () => {
  await userEvent.click(field());
  await userEvent.click(screen.getByRole('option', { name: 'Fairtrade' }));
  expect(field()).toHaveValue('Fairtrade');
  expect(field()).toHaveFocus();
  await userEvent.clear(field());
  expect(options()).toHaveLength(3);
  await userEvent.keyboard('{Escape}');
  expect(options()).toEqual([]);
  await userEvent.keyboard('{ArrowDown}');
  expect(options()).toHaveLength(3);
  await userEvent.tab();
  expect(options()).toEqual([]);
});
