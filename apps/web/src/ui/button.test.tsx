import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { Button } from './button.tsx';

describe('a button', () => {
  it('does not submit its form unless its type is submit', async () => {
    const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
    render(
      <form onSubmit={onSubmit}>
        <Button>Cancel</Button>
        <Button type="submit">Save</Button>
      </form>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onSubmit).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(onSubmit).toHaveBeenCalledOnce();
  });

  it('says what it does while busy, and cannot be pressed again', async () => {
    const onClick = vi.fn();
    render(
      <Button busy busyLabel="Saving…" onClick={onClick}>
        Save
      </Button>,
    );
    const button = screen.getByRole('button', { name: 'Saving…' });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAttribute('aria-busy', 'true');
    await userEvent.click(button);
    expect(onClick).not.toHaveBeenCalled();
  });

  it('keeps the focus while busy, and does nothing', async () => {
    const onClick = vi.fn();
    const button = (busy: boolean) => (
      <Button busy={busy} onClick={onClick}>
        Save
      </Button>
    );
    const { rerender } = render(button(false));
    await userEvent.click(screen.getByRole('button'));
    rerender(button(true));
    expect(screen.getByRole('button')).toHaveFocus();
    expect(screen.getByRole('button')).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(screen.getByRole('button'));
    expect(onClick).toHaveBeenCalledOnce();
  });

  it('keeps room for the other label, so that its width does not change', () => {
    const { rerender } = render(
      <Button busy={false} busyLabel="Saving…">
        Save
      </Button>,
    );
    const reserved = () => screen.getByRole('button').querySelector('[data-hidden-label]')?.getAttribute('data-hidden-label');
    expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled();
    expect(reserved()).toBe('Saving…');
    rerender(
      <Button busy busyLabel="Saving…">
        Save
      </Button>,
    );
    expect(reserved()).toBe('Save');
  });

  it('can be a link', () => {
    render(
      <Button asChild>
        <a href="/brands">Brands</a>
      </Button>,
    );
    expect(screen.getByRole('link', { name: 'Brands' })).toHaveAttribute('href', '/brands');
  });

  it('that is a link shows its icon, and while busy its label without a target', async () => {
    const onClick = vi.fn();
    const link = (busy: boolean) => (
      <Button asChild icon={<svg data-testid="icon" />} busy={busy} busyLabel="Opening…" onClick={onClick}>
        <a href="#brands">Brands</a>
      </Button>
    );
    const { rerender } = render(link(false));
    expect(screen.getByRole('link', { name: 'Brands' })).toContainElement(screen.getByTestId('icon'));

    rerender(link(true));
    const busy = screen.getByRole('link', { name: 'Opening…' });
    expect(busy).toHaveAttribute('aria-busy', 'true');
    expect(busy).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(busy);
    expect(onClick).not.toHaveBeenCalled();
    expect(window.location.hash).toBe('');
  });
});
