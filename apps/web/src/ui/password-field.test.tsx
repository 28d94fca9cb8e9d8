import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { PasswordField } from './password-field.tsx';

const words = { label: 'Password', showLabel: 'Show password', hideLabel: 'Hide password' };
const field = () => screen.getByLabelText('Password');

describe('a password field', () => {
  it('hides the text until its button is pressed, and hides it again', async () => {
    render(<PasswordField {...words} />);
    await userEvent.type(field(), 'secret');
    expect(field()).toHaveAttribute('type', 'password');
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(field()).toHaveAttribute('type', 'text');
    expect(field()).toHaveValue('secret');
    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(field()).toHaveAttribute('type', 'password');
  });

  it('can be shown by keyboard, without submitting its form', async () => {
    render(
      <form
        onSubmit={() => {
          throw new Error('sent');
        }}
      >
        <PasswordField {...words} />
      </form>,
    );
    await userEvent.tab();
    expect(field()).toHaveFocus();
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Show password' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(field()).toHaveAttribute('type', 'text');
    expect(screen.getByRole('button', { name: 'Hide password' })).toHaveFocus();
  });

  it('is hidden again when its form is submitted', async () => {
    render(
      <form onSubmit={(event) => event.preventDefault()}>
        <PasswordField {...words} />
      </form>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    await userEvent.type(field(), 'secret{Enter}');
    expect(field()).toHaveAttribute('type', 'password');
  });

  it('is described by its note and by what the page adds', () => {
    const page = (error?: string) => (
      <>
        <PasswordField {...words} hint="Choose a long one" error={error} aria-describedby="rules" />
        <p id="rules">Eight characters</p>
      </>
    );
    const { rerender } = render(page());
    expect(field()).toHaveAccessibleDescription('Choose a long one Eight characters');
    expect(field()).not.toHaveAttribute('aria-invalid');
    rerender(page('Too weak'));
    expect(field()).toHaveAccessibleDescription('Too weak Eight characters');
    expect(field()).toBeInvalid();
  });
});
