import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SetupPasswordForm } from './setup-password-form.tsx';
import { member } from './test-support/invitation-server.ts';

const good = 'Secret-7!';
const onSubmit = vi.fn();
const password = () => screen.getByLabelText('Password');
const confirmed = () => screen.getByLabelText('Confirm password');
const button = () => screen.getByRole('button', { name: 'Set up password' });
const rules = () => within(screen.getByRole('list', { name: 'Password requirements' })).getAllByRole('listitem');
const met = () => rules().map((rule) => !rule.textContent?.endsWith('Not met'));

beforeEach(() => {
  onSubmit.mockReset();
  render(<SetupPasswordForm member={member} isBusy={false} failure={null} onSubmit={onSubmit} />);
});

describe('the rules of a password', () => {
  // spec: §5 password length, §5 password characters, §5 password special characters
  it('are named, and none is met at first', () => {
    expect(rules().map((rule) => rule.textContent)).toEqual([
      'Password must be at least 8 characters long Not met',
      'Password must contain at least one uppercase letter Not met',
      'Password must contain at least one lowercase letter Not met',
      'Password must contain at least one number Not met',
      'Password must contain at least one special character One of !@#$%^&*(),.?":{}|<> Not met',
    ]);
    expect(password()).toHaveAccessibleDescription(/^Password requirements Password must be at least 8/);
  });

  // spec: §5 password characters, §9 password length
  it.each([
    ['abcdefgh', [true, false, true, false, false]],
    ['A', [false, true, false, false, false]],
    ['a', [false, false, true, false, false]],
    ['Ñ', [false, true, false, false, false]],
    ['á', [false, false, true, false, false]],
    ['ÁÑÑáéíó7', [true, true, true, true, false]],
    ['漢', [false, false, false, false, false]],
    ['7', [false, false, false, true, false]],
    ['?', [false, false, false, false, true]],
    ['-', [false, false, false, false, false]],
    [good, [true, true, true, true, true]],
  ])('are marked as met while %s is typed', async (text, expected) => {
    await userEvent.type(password(), text);
    expect(met()).toEqual(expected);
  });

  it('are unmet again when the password is shortened', async () => {
    await userEvent.type(password(), `${good}{Backspace}{Backspace}`);
    expect(met()).toEqual([false, true, true, false, false]);
  });
});

describe('the confirmed password', () => {
  // spec: §5 passwords match
  it('is wrong as soon as it differs, and right when it is the same', async () => {
    await userEvent.type(password(), good);
    expect(confirmed()).toHaveAccessibleDescription('Write the same password again');
    await userEvent.type(confirmed(), 'x');
    expect(confirmed()).toHaveAccessibleDescription('Passwords do not match');
    // Announced once, after a pause in typing.
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(confirmed()).toBeInvalid();
    await userEvent.clear(confirmed());
    await userEvent.type(confirmed(), good);
    expect(confirmed()).toHaveAccessibleDescription('Passwords match');
    expect(confirmed()).not.toBeInvalid();
    await userEvent.type(password(), '8');
    expect(confirmed()).toHaveAccessibleDescription('Passwords do not match');
  });

  it('is shown as wrong for being incomplete only after it lost the focus', async () => {
    await userEvent.type(password(), good);
    await userEvent.type(confirmed(), good.slice(0, 4));
    expect(screen.getByText('Passwords do not match')).toBeVisible();
    expect(confirmed()).not.toBeInvalid();
    await userEvent.tab();
    expect(confirmed()).toBeInvalid();
    await userEvent.click(confirmed());
    expect(confirmed()).not.toBeInvalid();
  });
});

describe('the button', () => {
  // spec: §5 password button disabled
  it('is disabled until everything is valid, and says why', async () => {
    expect(button()).toBeDisabled();
    expect(button()).toHaveAccessibleDescription('Enter your password in both fields');
    await userEvent.type(password(), good);
    expect(button()).toBeDisabled();
    await userEvent.type(confirmed(), 'other');
    expect(button()).toBeDisabled();
    expect(button()).toHaveAccessibleDescription('Please fix password requirements');
    await userEvent.clear(confirmed());
    await userEvent.type(confirmed(), good);
    expect(button()).toBeEnabled();
    expect(button()).not.toHaveAccessibleDescription();
  });

  // spec: §5 password button disabled
  it('stays disabled for a password that breaks a rule, though it is confirmed', async () => {
    await userEvent.type(password(), 'secret-7!');
    await userEvent.type(confirmed(), 'secret-7!');
    expect(button()).toBeDisabled();
    expect(button()).toHaveAccessibleDescription('Please fix password requirements');
  });
});

describe('Enter before everything is valid', () => {
  // spec: §5 password submit blocked
  it('is blocked, with a message and the focus in the password', async () => {
    await userEvent.type(screen.getByLabelText('Last name (optional)'), 'Lovelace{Enter}');
    expect(screen.getByRole('alert')).toHaveTextContent('Please fix password requirements');
    expect(password()).toHaveFocus();
    expect(password()).toBeInvalid();
    expect(button()).toHaveAccessibleDescription('Please fix password requirements');
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('moves the focus to the confirmation when only that is missing', async () => {
    await userEvent.type(password(), `${good}{Enter}`);
    expect(screen.getByRole('alert')).toHaveTextContent('Please fix password requirements');
    expect(confirmed()).toHaveFocus();
    expect(confirmed()).toBeInvalid();
    await userEvent.keyboard(`${good}`);
    expect(screen.queryByRole('alert')).toBeNull();
    await userEvent.keyboard('{Enter}');
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ password: good, first_name: '', last_name: '' });
  });

  // spec: §5 password submit blocked
  it('blocks a form that is submitted by other means', () => {
    fireEvent.submit(button().closest('form') as HTMLFormElement);
    expect(screen.getByRole('alert')).toHaveTextContent('Please fix password requirements');
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('does not affect the buttons that show the password', async () => {
    screen.getByRole('button', { name: 'Show password' }).focus();
    await userEvent.keyboard('{Enter}');
    expect(password()).toHaveAttribute('type', 'text');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the text for screen readers', () => {
  const spoken = () => screen.getAllByRole('status').map((status) => status.textContent);
  const write = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
  const pause = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is the progress, after a pause in typing', () => {
    write(password(), 'S');
    pause(900);
    write(password(), 'Se');
    pause(900);
    expect(spoken()).not.toContain('3 password requirements are not met yet');
    pause(100);
    expect(spoken()).toContain('3 password requirements are not met yet');
    write(password(), 'Secret7x');
    pause(1_000);
    expect(spoken()).toContain('1 password requirement is not met yet');
    write(password(), good);
    pause(1_000);
    expect(spoken()).toContain('All password requirements are met');
    write(confirmed(), 'Sec');
    pause(1_000);
    expect(spoken()).toContain('Passwords do not match');
    write(confirmed(), good);
    pause(1_000);
    expect(spoken()).toContain('Passwords match');
  });
});
