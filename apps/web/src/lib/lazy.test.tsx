import { act, render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense, useLayoutEffect } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { lazyFrom, usePart, withTexts } from './lazy.ts';

it('code that cannot be loaded is reported, and loaded the next time it is wanted', async () => {
  const importCode = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('code');
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
  const importCode = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('code');
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

describe('a page whose code could not be loaded', () => {
  const usePage = () => {
    const importCode = vi
      .fn<() => Promise<{ Page: () => string }>>()
      .mockRejectedValueOnce(new Error('offline'))
      .mockResolvedValue({ Page: () => 'The page' });
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    return { importCode, Page: lazyFrom(withTexts(importCode), 'Page') };
  };

  it('is loaded again by trying again', async () => {
    const { importCode, Page } = usePage();
    render(
      <ErrorBoundary>
        <Suspense>
          <Page />
        </Suspense>
      </ErrorBoundary>,
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('The page')).toBeVisible();
    expect(importCode).toHaveBeenCalledTimes(2);
  });

  it('is loaded again when it is visited again', async () => {
    const { importCode, Page } = usePage();
    const app = (path: string) => (
      <ErrorBoundary resetKey={path} fallback="An error">
        <Suspense>{path === '/page' ? <Page /> : 'Another page'}</Suspense>
      </ErrorBoundary>
    );
    const { rerender } = render(app('/page'));
    expect(await screen.findByText('An error')).toBeVisible();
    rerender(app('/other'));
    expect(await screen.findByText('Another page')).toBeVisible();
    rerender(app('/page'));
    expect(await screen.findByText('The page')).toBeVisible();
    expect(importCode).toHaveBeenCalledTimes(2);
  });
});
