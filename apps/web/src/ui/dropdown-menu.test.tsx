import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { DropdownMenu, DropdownMenuItem } from './dropdown-menu.tsx';

const onSelect = vi.fn();

async function open() {
  render(
    <DropdownMenu trigger={<button type="button">Actions</button>}>
      <DropdownMenuItem onSelect={onSelect}>Show</DropdownMenuItem>
      <DropdownMenuItem onSelect={onSelect} disabledReason="Nothing is chosen">
        Publish
      </DropdownMenuItem>
    </DropdownMenu>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
}

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
