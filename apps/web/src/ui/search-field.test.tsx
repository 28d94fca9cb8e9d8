import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { SearchField } from './search-field.tsx';
import { Toaster } from './toaster.tsx';

function Page() {
  const [value, setValue] = useState('');
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <SearchField label="Search" value={value} onChange={setValue} maxLength={20} inputRef={input} />
      <input aria-label="Other" />
      <input type="checkbox" aria-label="A box" />
      <button type="button" onClick={() => input.current?.focus()}>
        Search here
      </button>
    </>
  );
}

const field = () => screen.getByRole('searchbox', { name: 'Search' });

describe('a search field', () => {
  beforeEach(() => {
    render(<Page />);
  });

  it('gets the focus when / is pressed, without typing it', async () => {
    await userEvent.keyboard('/');
    expect(field()).toHaveFocus();
    expect(field()).toHaveValue('');
  });

  it('gets the focus from a checkbox too, in which nothing is typed', async () => {
    await userEvent.click(screen.getByRole('checkbox', { name: 'A box' }));
    await userEvent.keyboard('/');
    expect(field()).toHaveFocus();
  });

  it('ignores a / that is typed into another field', async () => {
    await userEvent.type(screen.getByRole('textbox', { name: 'Other' }), 'a/b');
    expect(screen.getByRole('textbox', { name: 'Other' })).toHaveValue('a/b');
    expect(field()).not.toHaveFocus();
  });

  it('is cleared by Escape', async () => {
    await userEvent.type(field(), 'oat');
    expect(field()).toHaveValue('oat');
    await userEvent.keyboard('{Escape}');
    expect(field()).toHaveValue('');
  });

  it('can be focused by its owner, which also sets its maximum length', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Search here' }));
    expect(field()).toHaveFocus();
    await userEvent.keyboard('a'.repeat(25));
    expect(field()).toHaveValue('a'.repeat(20));
  });

  it('says that a pasted text is too long, instead of searching for its beginning', async () => {
    render(<Toaster />);
    await userEvent.type(field(), 'oat');
    await userEvent.paste('4006381333931 4006381333948 4006381333955');
    expect(field()).toHaveValue('oat');
    expect(await screen.findByText('The search takes at most 20 characters. The pasted text has 41.')).toBeInTheDocument();
    await userEvent.paste(' milk');
    expect(field()).toHaveValue('oat milk');
  });

  it('is cleared by its button, which is there only when there is something to clear', async () => {
    expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
    await userEvent.type(field(), 'oat');
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    expect(field()).toHaveValue('');
    expect(field()).toHaveFocus();
  });
});
