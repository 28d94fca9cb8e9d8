import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { DropdownMenu, DropdownMenuItem } from './dropdown-menu.tsx';
import { loadFloating } from './use-opener.ts';

const onSelect = vi.fn();

function renderMenu() {
  render(
    <DropdownMenu trigger={<button type="button">Actions</button>}>
      <DropdownMenuItem onSelect={onSelect}>Show</DropdownMenuItem>
      <DropdownMenuItem onSelect={onSelect} disabledReason="Nothing is chosen">
        Publish
      </DropdownMenuItem>
    </DropdownMenu>,
  );
  return screen.getByRole('button', { name: 'Actions' });
}

async function open() {
  await userEvent.click(renderMenu());
}

describe('a menu', () => {
  it('belongs to its button, which has the focus again after Escape', async () => {
    const button = renderMenu();
    expect(button).toHaveAttribute('aria-haspopup', 'menu');
    expect(button).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(button);
    const menu = screen.getByRole('menu', { name: 'Actions' });
    expect(button).toHaveAttribute('aria-expanded', 'true');
    expect(button).toHaveAttribute('aria-controls', menu.id);
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(button).toHaveFocus();
  });

  it.each(['{Enter}', ' ', '{ArrowDown}'])('opened with %j has the focus on its first item', async (key) => {
    const button = renderMenu();
    button.focus();
    await userEvent.keyboard(key);
    expect(screen.getByRole('menuitem', { name: 'Show' })).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}');
    expect(screen.getByRole('menuitem', { name: /^Publish/ })).toHaveFocus();
  });

  it('closes when its button is pressed again', async () => {
    const button = renderMenu();
    await userEvent.click(button);
    await userEvent.click(button);
    expect(screen.queryByRole('menu')).toBeNull();
    expect(button).toHaveAttribute('aria-expanded', 'false');
  });

  it('whose code is not there yet opens when it comes, and its button keeps the focus until then', async () => {
    delete loadFloating.loaded;
    const button = renderMenu();
    button.focus();
    fireEvent.keyDown(button, { key: 'Enter' });
    expect(screen.queryByRole('menu')).toBeNull();
    expect(button).toHaveFocus();
    expect(button).toHaveAttribute('aria-expanded', 'true');
    expect(await screen.findByRole('menu')).toBeVisible();
    expect(button).toBeInTheDocument();
    expect(screen.getByRole('menuitem', { name: 'Show' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    expect(button).toHaveFocus();
  });

  it.each([
    ['Escape', () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })],
    ['a press elsewhere', () => fireEvent.pointerDown(document.body)],
    ['the focus elsewhere', () => fireEvent.focusIn(document.body)],
  ])('whose code is not there yet does not open after %s', async (_, goOn) => {
    delete loadFloating.loaded;
    const button = renderMenu();
    button.focus();
    fireEvent.keyDown(button, { key: 'Enter' });
    expect(button).toHaveAttribute('aria-expanded', 'true');
    expect(button).not.toHaveAttribute('aria-controls');
    goOn();
    expect(button).toHaveAttribute('aria-expanded', 'false');
    await act(() => loadFloating());
    expect(screen.queryByRole('menu')).toBeNull();
  });
});

describe('an item of a menu', () => {
  it('reports that it was chosen, and closes the menu', async () => {
    onSelect.mockReset();
    await open();
    await userEvent.click(screen.getByRole('menuitem', { name: 'Show' }));
    expect(onSelect).toHaveBeenCalledOnce();
    expect(screen.queryByRole('menu')).toBeNull();
  });

  it('that is disabled says why, and can still be reached with the arrow keys', async () => {
    onSelect.mockReset();
    await open();
    const item = screen.getByRole('menuitem', { name: 'Publish Nothing is chosen' });
    expect(item).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByText('Nothing is chosen')).toBeVisible();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(item).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(onSelect).not.toHaveBeenCalled();
    expect(screen.getByRole('menu')).toBeVisible();
  });
});
