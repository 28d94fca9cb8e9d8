import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../lib/query-client.ts';
import { clearToasts, toast } from '../ui/toast-store.ts';
import { Providers } from './providers.tsx';

vi.mock('../ui/toaster.tsx', () => {
  throw new Error('gone with the last release');
});

afterEach(() => clearToasts());

test('a toast that fails to load does not break the page', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  render(
    <Providers queryClient={createQueryClient()}>
      <p>The page</p>
    </Providers>,
  );
  await act(async () => void toast({ title: 'Saved' }));
  await vi.waitFor(() => expect(logged).toHaveBeenCalledWith('A part of the page failed:', expect.any(Error)), 10_000);
  expect(screen.getByText('The page')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});
