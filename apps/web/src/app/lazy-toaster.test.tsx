import { TOAST_DURATION_MS } from '@brand-portal/contract/constants';
import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../lib/query-client.ts';
import { clearToasts, toast } from '../ui/toast-store.ts';
import { Providers } from './providers.tsx';

vi.mock('../ui/toaster.tsx', () => {
  throw new Error('gone with the last release');
});

afterEach(() => {
  vi.useRealTimers();
  clearToasts();
});

test('a toast whose code cannot be loaded is shown as a plain text for a while, and the page stays', async () => {
  render(
    <Providers queryClient={createQueryClient()}>
      <p>The page</p>
    </Providers>,
  );
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await act(async () => void toast({ title: 'Something went wrong', description: 'Try again.' }));
  expect(await screen.findByRole('alert', {}, { timeout: 10_000 })).toHaveTextContent(
    'Something went wrong Try again.',
  );
  expect(screen.getByText('The page')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(2 * TOAST_DURATION_MS));
  expect(screen.queryByRole('alert')).toBeNull();
});
