import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearToasts, dismissToast, getToasts, subscribeToToasts, toast } from './toast-store.ts';

const titles = () => getToasts().map((shown) => shown.title);

describe('the list of toasts', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    clearToasts();
    vi.useRealTimers();
  });

  // spec: §4 toasts newest first
  it('has the newest first', () => {
    for (const title of ['first', 'second', 'third']) toast({ title });
    expect(titles()).toEqual(['third', 'second', 'first']);
  });

  // spec: §4 toasts kept, §9 toasts kept
  it('keeps at most 5, dropping the oldest', () => {
    for (const title of ['1', '2', '3', '4', '5', '6', '7']) toast({ title });
    expect(titles()).toEqual(['7', '6', '5', '4', '3']);
  });

  // spec: §3 toast
  it('opens a toast with an id of its own and the default variant', () => {
    const first = toast({ title: 'Saved', description: 'All of it', icon: '★' });
    const second = toast({ title: 'Sent' });
    expect(first.id).not.toBe(second.id);
    expect(getToasts()[1]).toEqual({
      id: first.id,
      title: 'Saved',
      description: 'All of it',
      icon: '★',
      variant: 'default',
      open: true,
    });
  });

  it('merges repeated toasts into one with a count, except those with an action or a link', () => {
    toast({ title: 'Published', description: 'Olive oil' });
    toast({ title: 'Published', description: 'Sea salt' });
    toast({ title: 'Published', variant: 'error' });
    toast({ title: 'Published', description: 'Tea', action: { label: 'Undo', onSelect: () => {} } });
    toast({ title: 'Published', description: 'Granola' });
    expect(getToasts().map(({ description, times }) => [description, times])).toEqual([
      ['Granola', 3],
      ['Tea', undefined],
      [undefined, undefined],
    ]);
  });

  it('does not merge a toast into a dismissed one', () => {
    toast({ title: 'Published' }).dismiss();
    toast({ title: 'Published' });
    expect(getToasts().map(({ open, times }) => [open, times])).toEqual([
      [true, undefined],
      [false, undefined],
    ]);
  });

  // spec: §4 toast updated
  it('changes a toast in its place when it is updated', () => {
    const { id, update } = toast({ title: 'Uploading' });
    toast({ title: 'Other' });
    update({ title: 'Uploaded', variant: 'success' });
    expect(getToasts()[1]).toMatchObject({ id, title: 'Uploaded', variant: 'success', open: true });
    update({ title: 'Uploaded', description: '3 rows' });
    expect(getToasts()[1]).toMatchObject({ title: 'Uploaded', description: '3 rows' });
  });

  // spec: §4 toast dismissed, §9 toast removal
  it('marks a dismissed toast closed and removes it exactly 5000 ms later', () => {
    const { dismiss } = toast({ title: 'Saved' });
    toast({ title: 'Stays' });
    dismiss();
    expect(getToasts().map(({ title, open }) => ({ title, open }))).toEqual([
      { title: 'Stays', open: true },
      { title: 'Saved', open: false },
    ]);
    vi.advanceTimersByTime(4_999);
    expect(titles()).toEqual(['Stays', 'Saved']);
    vi.advanceTimersByTime(1);
    expect(titles()).toEqual(['Stays']);
  });

  it('does not start the 5000 ms again when a toast is dismissed twice', () => {
    const { id } = toast({ title: 'Saved' });
    dismissToast(id);
    vi.advanceTimersByTime(3_000);
    dismissToast(id);
    vi.advanceTimersByTime(2_000);
    expect(getToasts()).toEqual([]);
  });

  it('notifies listeners until they unsubscribe', () => {
    const listener = vi.fn();
    const stop = subscribeToToasts(listener);
    const { dismiss } = toast({ title: 'Saved' });
    dismiss();
    expect(listener).toHaveBeenCalledTimes(2);
    stop();
    toast({ title: 'Unheard' });
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('is left as it was when an unknown toast is dismissed', () => {
    toast({ title: 'Saved' });
    dismissToast('unknown');
    vi.advanceTimersByTime(10_000);
    expect(titles()).toEqual(['Saved']);
  });
});
