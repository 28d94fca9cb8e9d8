import { act, renderHook } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { expect, it, vi } from 'vitest';
import { usePart, withTexts } from './lazy.ts';

it('code that cannot be loaded is reported, and loaded the next time it is wanted', async () => {
  const importCode = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValue('code');
  const load = withTexts(importCode);
  const onFailure = vi.fn();
  const { result, rerender } = renderHook(({ isWanted }) => usePart(load, isWanted, onFailure), {
    initialProps: { isWanted: false },
  });
  expect(importCode).not.toHaveBeenCalled();
  await act(async () => rerender({ isWanted: true }));
  expect(onFailure).toHaveBeenCalledOnce();
  expect(result.current).toBeUndefined();
  rerender({ isWanted: false });
  await act(async () => rerender({ isWanted: true }));
  expect(onFailure).toHaveBeenCalledOnce();
  expect(result.current).toBe('code');
});

it('code that cannot be loaded is loaded again when it is wanted for something else', async () => {
  const importCode = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new Error('offline'))
    .mockResolvedValue('code');
  const load = withTexts(importCode);
  const { result, rerender } = renderHook(({ id }) => usePart(load, id), { initialProps: { id: 'first' } });
  await act(async () => undefined);
  expect(result.current).toBeUndefined();
  await act(async () => rerender({ id: 'second' }));
  expect(result.current).toBe('code');
});

it('code that comes between the rendering and its effects is there', async () => {
  const load = withTexts(async () => 'code');
  const { result } = renderHook(() => {
    useLayoutEffect(() => {
      load.loaded = 'code';
    }, []);
    return usePart(load, true);
  });
  await act(async () => undefined);
  expect(result.current).toBe('code');
});
