import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useDebouncedSearch } from './use-debounced-search.ts';

const onSearch = vi.fn();

function setUp(search = '') {
  const hook = renderHook((current: string) => useDebouncedSearch(current, onSearch), { initialProps: search });
  return {
    text: () => hook.result.current[0],
    type: (text: string) => act(() => hook.result.current[1](text)),
    /** Changes the search in the URL. */
    arrive: (current: string) => hook.rerender(current),
  };
}

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

describe('a search that is typed', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    onSearch.mockReset();
  });
  afterEach(() => vi.useRealTimers());

  // spec: §4 search resets the page, §9 search debounce
  it('is sent 300 ms after the last letter, once', () => {
    const { type } = setUp();
    type('o');
    wait(299);
    type('oa');
    wait(299);
    expect(onSearch).not.toHaveBeenCalled();
    wait(1);
    expect(onSearch).toHaveBeenCalledExactlyOnceWith('oa');
    wait(1_000);
    expect(onSearch).toHaveBeenCalledOnce();
  });

  it('is sent without the spaces around it, and not at all for spaces', () => {
    const { type } = setUp();
    type('   ');
    wait(300);
    expect(onSearch).not.toHaveBeenCalled();
    type(' oat ');
    wait(300);
    expect(onSearch).toHaveBeenCalledExactlyOnceWith('oat');
  });

  it('is not sent when it is reverted in time', () => {
    const { type } = setUp('oat');
    type('oats');
    wait(200);
    type('oat');
    wait(1_000);
    expect(onSearch).not.toHaveBeenCalled();
  });

  it('keeps the letters that were typed while it was being sent', () => {
    const { type, text, arrive } = setUp();
    type('oat');
    wait(300);
    type('oat d');
    arrive('oat');
    expect(text()).toBe('oat d');
    wait(300);
    expect(onSearch).toHaveBeenLastCalledWith('oat d');
  });

  it('is replaced by a search from the URL', () => {
    const { type, text, arrive } = setUp('oat');
    type('oat d');
    arrive('rye');
    expect(text()).toBe('rye');
    wait(1_000);
    expect(onSearch).not.toHaveBeenCalled();
  });

  it('is restored by the back button, also after it was sent from here', () => {
    const { type, text, arrive } = setUp();
    type('oat');
    wait(300);
    arrive('oat');
    arrive('');
    expect(text()).toBe('');
    arrive('oat');
    expect(text()).toBe('oat');
    wait(1_000);
    expect(onSearch).toHaveBeenCalledOnce();
  });
});
