import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Tooltip } from './tooltip.tsx';
import { loadFloating } from './use-opener.ts';

describe('a tooltip', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    // Soon after another tooltip, perhaps that of an earlier test, one opens without a delay.
    vi.advanceTimersByTime(1_000);
  });
  afterEach(() => vi.useRealTimers());

  // spec: §9 tooltip
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

  describe('beside another', () => {
    const hover = (name: string) => fireEvent.pointerMove(screen.getByRole('button', { name }), { pointerType: 'mouse' });
    const leave = (name: string) => fireEvent.pointerLeave(screen.getByRole('button', { name }), { pointerType: 'mouse' });
    const showFirst = () => {
      render(
        ['First', 'Second'].map((name) => (
          <Tooltip key={name} content={`About ${name}`}>
            <button type="button">{name}</button>
          </Tooltip>
        )),
      );
      // Longer than a tooltip of an earlier test counts.
      act(() => vi.advanceTimersByTime(1_000));
      hover('First');
      act(() => vi.advanceTimersByTime(200));
      expect(screen.getByRole('tooltip')).toHaveTextContent('About First');
    };

    it('opens at once, and the other closes', () => {
      showFirst();
      hover('Second');
      expect(screen.getByRole('tooltip')).toHaveTextContent('About Second');
    });

    it('stays closed while the pointer may be on its way to the other', () => {
      showFirst();
      leave('First');
      hover('Second');
      act(() => vi.advanceTimersByTime(1_000));
      expect(screen.getByRole('tooltip')).toHaveTextContent('About First');
    });

    it('waits again after a pause', () => {
      showFirst();
      fireEvent.click(screen.getByRole('button', { name: 'First' }));
      act(() => vi.advanceTimersByTime(300));
      hover('Second');
      act(() => vi.advanceTimersByTime(199));
      expect(screen.queryByRole('tooltip')).toBeNull();
      act(() => vi.advanceTimersByTime(1));
      expect(screen.getByRole('tooltip')).toHaveTextContent('About Second');
    });
  });

  it('closes with Escape', () => {
    render(
      <Tooltip content="All of it">
        <button type="button">Publish</button>
      </Tooltip>,
    );
    fireEvent.focus(screen.getByRole('button', { name: 'Publish' }));
    act(() => vi.advanceTimersByTime(100));
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('whose code is not there yet appears when it comes', async () => {
    vi.useRealTimers();
    delete loadFloating.loaded;
    render(
      <Tooltip content="All of it">
        <button type="button">Publish</button>
      </Tooltip>,
    );
    const button = screen.getByRole('button', { name: 'Publish' });
    act(() => button.focus());
    expect(screen.queryByRole('tooltip')).toBeNull();
    expect(await screen.findByRole('tooltip')).toHaveTextContent('All of it');
    expect(button).toHaveFocus();
    act(() => button.blur());
    await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
  });

  it('whose code comes after the pointer has left does not appear', async () => {
    delete loadFloating.loaded;
    render(
      <Tooltip content="All of it">
        <button type="button">Publish</button>
      </Tooltip>,
    );
    const button = screen.getByRole('button', { name: 'Publish' });
    fireEvent.pointerMove(button, { pointerType: 'mouse' });
    act(() => vi.advanceTimersByTime(1_000));
    fireEvent.pointerLeave(button, { pointerType: 'mouse' });
    await act(() => loadFloating());
    expect(screen.queryByRole('tooltip')).toBeNull();
    expect(button).not.toHaveAccessibleDescription();
  });
});
