import { TOAST_DURATION_MS } from '@brand-portal/contract/constants';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearToasts, getToasts, toast } from './toast-store.ts';
import { Toaster } from './toaster.tsx';

const viewport = () => screen.getByRole('region', { name: 'Notifications (F8)' });
const shown = (title: string) => within(viewport()).queryByText(title);
const open = (title: string) => getToasts().find((item) => item.title === title)?.open;

function swipe(element: HTMLElement, distance: number) {
  fireEvent.pointerDown(element, { button: 0, pointerId: 1, clientX: 0, clientY: 0 });
  fireEvent.pointerMove(element, { pointerId: 1, clientX: distance / 2, clientY: 0 });
  fireEvent.pointerMove(element, { pointerId: 1, clientX: distance, clientY: 0 });
  fireEvent.pointerUp(element, { pointerId: 1, clientX: distance, clientY: 0 });
}

describe('a toast on the screen', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    render(<Toaster />, { wrapper: MemoryRouter });
  });
  afterEach(() => {
    act(clearToasts);
    vi.useRealTimers();
  });

  it('shows its title, description and variant', () => {
    act(() => void toast({ title: 'Could not save', description: 'Try again', variant: 'error' }));
    const item = shown('Could not save')?.closest('li');
    expect(item).toHaveAttribute('data-variant', 'error');
    expect(shown('Try again')).toBeVisible();
  });

  it('with progress shows it and stays open; its link navigates and dismisses it', () => {
    const link = { to: '/there', label: 'See it' };
    act(() => void toast({ title: 'Under way', progress: 60, link, isLasting: true }));
    act(() => void vi.advanceTimersByTime(10 * TOAST_DURATION_MS));
    expect(open('Under way')).toBe(true);
    expect(within(viewport()).getByRole('progressbar', { name: 'Under way' })).toHaveAttribute('aria-valuenow', '60');
    const shownLink = within(viewport()).getByRole('link', { name: 'See it' });
    expect(shownLink).toHaveAttribute('href', '/there');
    fireEvent.click(shownLink);
    expect(open('Under way')).toBe(false);
  });

  it('says how often something happened', () => {
    act(() => {
      toast({ title: 'Published', description: 'Olive oil queued for Google' });
      toast({ title: 'Published', description: 'Sea salt queued for Google' });
    });
    const item = within(shown('Published')?.closest('li') as HTMLElement);
    expect(item.getByText('2 ×')).toBeVisible();
    expect(item.getByText('Sea salt queued for Google')).toBeVisible();
  });

  it('stands above the footer of a list', () => {
    const footer = document.createElement('footer');
    footer.setAttribute('data-table-footer', '');
    footer.getBoundingClientRect = () => ({ top: window.innerHeight - 48, bottom: window.innerHeight }) as DOMRect;
    document.body.append(footer);
    act(() => void toast({ title: 'Published' }));
    expect(shown('Published')?.closest('ol')?.style.getPropertyValue('--above-footer')).toBe('48px');
    footer.remove();
    fireEvent.scroll(window);
    expect(shown('Published')?.closest('ol')?.style.getPropertyValue('--above-footer')).toBe('0px');
  });

  it.each([
    ['above the bar of a list, whose footer may be below the window', { 'data-table-bar': -48, 'data-table-footer': 12 }],
    ['in the window on a page with two lists', { 'data-table-bar': -1600, 'data-table-footer': -48 }],
  ])('stands %s', (_where, tops) => {
    const parts = Object.entries(tops).map(([name, fromBottom]) => {
      const part = document.createElement('div');
      part.setAttribute(name, '');
      const top = window.innerHeight + fromBottom;
      part.getBoundingClientRect = () => ({ top, bottom: top + 48 }) as DOMRect;
      document.body.append(part);
      return part;
    });
    act(() => void toast({ title: 'Published' }));
    expect(shown('Published')?.closest('ol')?.style.getPropertyValue('--above-footer')).toBe('48px');
    for (const part of parts) part.remove();
  });

  it('stands below the footer of a list where it fits there, so that it covers no row', () => {
    const footer = document.createElement('footer');
    footer.setAttribute('data-table-footer', '');
    let room = 150;
    footer.getBoundingClientRect = () => {
      const bottom = window.innerHeight - room;
      return { top: bottom - 48, bottom } as DOMRect;
    };
    document.body.append(footer);
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(120);
    act(() => void toast({ title: 'Published' }));
    const above = () => shown('Published')?.closest('ol')?.style.getPropertyValue('--above-footer');
    expect(above()).toBe('0px');
    room = 100;
    fireEvent.scroll(window);
    expect(above()).toBe('148px');
    footer.remove();
  });

  it('shows a list', () => {
    act(() => void toast({ title: 'Good to know', list: ['One', 'Another'] }));
    const items = within(shown('Good to know')?.closest('li') as HTMLElement).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual(['One', 'Another']);
  });

  it('with unknown progress has a bar without a value', () => {
    act(() => void toast({ title: 'Under way', progress: null, isLasting: true }));
    const bar = within(viewport()).getByRole('progressbar', { name: 'Under way' });
    expect(bar).not.toHaveAttribute('aria-valuenow');
  });

  it('runs its action, and closes', () => {
    const onSelect = vi.fn();
    act(() => void toast({ title: 'Under way', action: { label: 'Cancel it', onSelect }, isLasting: true }));
    fireEvent.click(within(viewport()).getByRole('button', { name: 'Cancel it' }));
    expect(onSelect).toHaveBeenCalledOnce();
    expect(open('Under way')).toBe(false);
  });

  // spec: §2 toast kinds
  it.each(['default', 'success', 'error', 'warning'] as const)('has an icon for the variant %s', (variant) => {
    act(() => void toast({ title: 'Told', variant }));
    const item = shown('Told')?.closest('li');
    expect(item).toHaveAttribute('data-variant', variant);
    expect(item?.querySelector('svg')).toBeVisible();
  });

  it('shows what it is updated to', () => {
    let handle: ReturnType<typeof toast> | undefined;
    act(() => {
      handle = toast({ title: 'Uploading' });
    });
    act(() => handle?.update({ title: 'Uploaded' }));
    expect(shown('Uploading')).toBeNull();
    expect(shown('Uploaded')).toBeVisible();
  });

  // spec: §9 toast duration
  it('closes after 5000 ms', () => {
    act(() => void toast({ title: 'Saved' }));
    act(() => vi.advanceTimersByTime(4_999));
    expect(shown('Saved')).toBeVisible();
    act(() => vi.advanceTimersByTime(1));
    expect(open('Saved')).toBe(false);
    expect(shown('Saved')).toBeNull();
  });

  it('closes when its button is pressed, and is removed 5000 ms later', () => {
    act(() => void toast({ title: 'Saved' }));
    fireEvent.click(within(viewport()).getByRole('button', { name: 'Close' }));
    expect(open('Saved')).toBe(false);
    act(() => vi.advanceTimersByTime(5_000));
    expect(getToasts()).toEqual([]);
  });

  // spec: §2 toast swipe, §9 swipe threshold
  it('closes when it is swiped farther than 50 px to the right', () => {
    act(() => void toast({ title: 'Swiped' }));
    const item = shown('Swiped')?.closest('li');
    if (!item) throw new Error('no toast');
    swipe(item, 50);
    expect(open('Swiped')).toBe(true);
    swipe(item, 51);
    expect(open('Swiped')).toBe(false);
  });

  // spec: §2 toast hotkey
  it('can be reached with F8', () => {
    act(() => void toast({ title: 'Saved' }));
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
    expect(viewport()).toContainElement(document.activeElement as HTMLElement);
    expect(document.activeElement).not.toBe(document.body);
  });

  it('gives the focus back when the last one is closed, and F8 without toasts does not take it', () => {
    const field = document.createElement('input');
    document.body.append(field);
    field.focus();
    act(() => void toast({ title: 'Saved' }));
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
    const close = within(viewport()).getByRole('button', { name: 'Close' });
    act(() => close.focus());
    fireEvent.click(close);
    expect(field).toHaveFocus();
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
    expect(field).toHaveFocus();
    field.remove();
  });
});
