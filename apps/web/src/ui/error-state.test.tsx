import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { ErrorState } from './error-state.tsx';

function Page() {
  const [hasFailed, setFailed] = useState(true);
  return <main tabIndex={-1}>{hasFailed ? <ErrorState onRetry={() => setFailed(false)} /> : <p>Whole</p>}</main>;
}

describe('an error that disappears after a retry', () => {
  it('leaves the focus in the page', async () => {
    render(<Page />);
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(screen.getByText('Whole')).toBeVisible();
    expect(screen.getByRole('main')).toHaveFocus();
  });

  it('does not steal the focus if it has moved elsewhere', async () => {
    const { rerender } = render(
      <main tabIndex={-1}>
        <ErrorState onRetry={() => undefined} />
      </main>,
    );
    await userEvent.tab();
    await userEvent.tab();
    rerender(<main tabIndex={-1} />);
    expect(document.body).toHaveFocus();
  });
});
