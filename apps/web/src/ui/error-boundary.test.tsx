import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';

let logged: MockInstance;
let broken = true;
function Fragile() {
  if (broken) throw new Error('broken');
  return <p>Whole</p>;
}

describe('an error boundary', () => {
  beforeEach(() => {
    broken = true;
    logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  });

  it('shows and logs the error, and retries on request', async () => {
    render(
      <ErrorBoundary>
        <Fragile />
      </ErrorBoundary>,
    );
    expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong');
    expect(logged).toHaveBeenCalledWith('A part of the page failed:', expect.any(Error));
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByText('Whole')).toBeVisible();
  });

  it('retries automatically when its key changes', () => {
    const boundary = (key: string) => (
      <ErrorBoundary resetKey={key}>
        <Fragile />
      </ErrorBoundary>
    );
    const { rerender } = render(boundary('/a'));
    broken = false;
    rerender(boundary('/a'));
    expect(screen.getByRole('alert')).toBeVisible();
    rerender(boundary('/b'));
    expect(screen.getByText('Whole')).toBeVisible();
  });
});
