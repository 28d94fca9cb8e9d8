import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Tooltip } from './tooltip.tsx';

describe('a tooltip', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('appears above after the pointer has rested for 200 ms', () => {
    render(
      <Tooltip content="All of it">
        <button type="button">Publish</button>
      </Tooltip>,
    );
    fireEvent.pointerMove(screen.getByRole('button', { name: 'Publish' }), { pointerType: 'mouse' });
    act(() => vi.advanceTimersByTime(199));
    expect(screen.queryByRole('tooltip')).toBeNull();
    act(() => vi.advanceTimersByTime(1));
    const tooltip = screen.getByRole('tooltip');
    expect(tooltip).toHaveTextContent('All of it');
    expect(tooltip.closest('[data-side]') ?? tooltip.parentElement).toHaveAttribute('data-side', 'top');
    expect(screen.getByRole('button', { name: 'Publish' })).toHaveAccessibleDescription('All of it');
  });

  it.each([
    [true, 'opens'],
    [false, 'does not open'],
  ])('with openOnPress %s %s when it is pressed', (openOnPress) => {
    render(
      <Tooltip content="All of it" openOnPress={openOnPress}>
        <button type="button">3 more</button>
      </Tooltip>,
    );
    const button = screen.getByRole('button', { name: '3 more' });
    // Touch: no hover comes first.
    fireEvent.pointerDown(button, { pointerType: 'touch' });
    fireEvent.pointerUp(button, { pointerType: 'touch' });
    fireEvent.click(button);
    expect(screen.queryByRole('tooltip') !== null).toBe(openOnPress);
  });

  it('stays open when the focused element is scrolled into view, and closes on later scrolling', () => {
    render(
      <Tooltip content="All of it">
        <button type="button">Publish</button>
      </Tooltip>,
    );
    fireEvent.focus(screen.getByRole('button', { name: 'Publish' }));
    fireEvent.scroll(document.body);
    expect(screen.getByRole('tooltip')).toHaveTextContent('All of it');
    act(() => vi.advanceTimersByTime(100));
    fireEvent.scroll(document.body);
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('does not appear where it is not needed', () => {
    render(
      <Tooltip content="All of it" disabled>
        <button type="button">Publish</button>
      </Tooltip>,
    );
    fireEvent.pointerMove(screen.getByRole('button', { name: 'Publish' }), { pointerType: 'mouse' });
    act(() => vi.advanceTimersByTime(1_000));
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('pressed while it was not needed does not appear once it is', () => {
    const ui = (disabled: boolean) => (
      <Tooltip content="All of it" disabled={disabled} openOnPress>
        <button type="button">Publish</button>
      </Tooltip>
    );
    const { rerender } = render(ui(true));
    fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
    rerender(ui(false));
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('left while it was not needed does not appear once it is', () => {
    const ui = (disabled: boolean) => (
      <Tooltip content="All of it" disabled={disabled}>
        <button type="button">Publish</button>
      </Tooltip>
    );
    const { rerender } = render(ui(false));
    const button = screen.getByRole('button', { name: 'Publish' });
    fireEvent.pointerMove(button, { pointerType: 'mouse' });
    act(() => vi.advanceTimersByTime(1_000));
    expect(screen.getByRole('tooltip')).toHaveTextContent('All of it');
    rerender(ui(true));
    fireEvent.pointerLeave(button, { pointerType: 'mouse' });
    rerender(ui(false));
    expect(screen.queryByRole('tooltip')).toBeNull();
  });
});
