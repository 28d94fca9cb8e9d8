import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { invitationServer, member, serverError } from './test-support/invitation-server.ts';
import { address, openPage } from './test-support/open-page.tsx';

const mockServer = startMockServer();
const good = 'Secret-7!';
const created = 'REPLACE /login?message=account-created for ada@example.com';

async function open(status: { verified: boolean } = { verified: true }) {
  const server = invitationServer(status);
  mockServer.use(...server.handlers);
  openPage('/setup-password?token=abc');
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).not.toHaveTextContent(/^Checking/));
  return server;
}

const password = () => screen.getByLabelText('Password');
const confirmed = () => screen.getByLabelText('Confirm password');
const button = () => screen.getByRole('button', { name: 'Set up password' });
const title = (name: string) => screen.findByRole('heading', { level: 1, name });

async function fill(first = good, second = first) {
  await userEvent.type(password(), first);
  await userEvent.type(confirmed(), second);
}

afterEach(() => changeLanguage('en'));

describe('the way to the form', () => {
  // spec: §5 missing token
  it('is blocked without a token', async () => {
    openPage('/setup-password');
    await title('Verification Error');
    expect(screen.getByRole('alert')).toHaveTextContent('No verification token provided');
    expect(screen.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login');
    expect(screen.queryByLabelText('Password')).toBeNull();
  });

  // spec: §2 route setup-password
  it('is blocked with a token that the server does not know', async () => {
    mockServer.use(...invitationServer({ verified: true, token: 'another' }).handlers);
    openPage('/setup-password?token=abc');
    await title('Invalid Token');
  });

  it('leads to the verification if the e-mail is not verified', async () => {
    await open({ verified: false });
    expect(screen.getByRole('heading', { name: 'Verify your email first' })).toBeVisible();
    await userEvent.click(screen.getByRole('link', { name: 'Go to verification' }));
    expect(await screen.findByRole('button', { name: 'Verify email' })).toBeVisible();
    expect(address()).toBe('REPLACE /verify-email?token=abc');
  });
});

describe('the form', () => {
  // spec: §2 password form
  it('says whose account it is, and what each field is for', async () => {
    await open();
    expect(await title('Set up your password')).toHaveFocus();
    expect(document.title).toBe('Set up your password · Brand Portal');
    expect(screen.getByRole('definition')).toHaveTextContent(member.email);
    expect(password()).toHaveAttribute('autocomplete', 'new-password');
    expect(confirmed()).toHaveAttribute('autocomplete', 'new-password');
    expect(screen.getByLabelText('First name (optional)')).toHaveAttribute('autocomplete', 'given-name');
    expect(screen.getByLabelText('Last name (optional)')).toHaveAttribute('autocomplete', 'family-name');
    const username = document.querySelector('input[autocomplete=username]');
    expect(username).toHaveValue(member.email);
    expect(username).not.toBeVisible();
  });

  it('shows the name of the invitation, which can be changed', async () => {
    const server = invitationServer({ verified: true });
    mockServer.use(...server.handlers);
    const invited = { ...member, first_name: 'Ada', last_name: 'Lovelace' };
    server.answers.status.push(() => HttpResponse.json({ verified: true, member: invited }));
    openPage('/setup-password?token=abc');
    expect(await screen.findByLabelText('First name (optional)')).toHaveValue('Ada');
    expect(screen.getByLabelText('Last name (optional)')).toHaveValue('Lovelace');
    await userEvent.clear(screen.getByLabelText('Last name (optional)'));
    await userEvent.type(screen.getByLabelText('Last name (optional)'), 'Byron');
    await fill();
    await userEvent.click(button());
    await title('Sign in');
    expect(server.calls.setUp).toEqual([{ token: 'abc', password: good, first_name: 'Ada', last_name: 'Byron' }]);
  });

  // spec: §4 account created, §5 password button while submitting, §7 setup password
  it('creates the account and leads to the sign-in page', async () => {
    const { calls, hold } = await open();
    const release = hold();
    await userEvent.type(screen.getByLabelText('First name (optional)'), ' Ada ');
    await userEvent.type(screen.getByLabelText('Last name (optional)'), 'Lovelace');
    await fill();
    await userEvent.click(button());
    expect(await screen.findByRole('button', { name: 'Setting up…' })).toHaveAttribute('aria-disabled', 'true');
    release();
    await title('Sign in');
    expect(address()).toBe(created);
    expect(calls.setUp).toEqual([{ token: 'abc', password: good, first_name: 'Ada', last_name: 'Lovelace' }]);
  });

  // spec: §5 names optional
  it('needs no name', async () => {
    const { calls } = await open();
    await fill();
    await userEvent.click(button());
    await title('Sign in');
    expect(calls.setUp).toEqual([{ token: 'abc', password: good, first_name: '', last_name: '' }]);
  });

  it('is filled in and sent by keyboard alone', async () => {
    const { calls } = await open();
    await userEvent.tab();
    await userEvent.keyboard('Ada');
    await userEvent.tab();
    await userEvent.keyboard('Lovelace');
    await userEvent.tab();
    await userEvent.keyboard(good);
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Show password' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(password()).toHaveAttribute('type', 'text');
    await userEvent.tab();
    await userEvent.keyboard(good);
    await userEvent.tab();
    expect(screen.getByRole('button', { name: 'Show confirmed password' })).toHaveFocus();
    await userEvent.tab();
    expect(button()).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await title('Sign in');
    expect(calls.setUp).toHaveLength(1);
  });

  it('is sent once for several submits', async () => {
    const { calls, hold } = await open();
    const release = hold();
    await fill();
    const form = button().closest('form') as HTMLFormElement;
    fireEvent.submit(form);
    fireEvent.submit(form);
    await userEvent.type(confirmed(), '{Enter}');
    release();
    await title('Sign in');
    expect(calls.setUp).toHaveLength(1);
  });
});

describe('an account', () => {
  it.each([
    ['an empty 200', () => new HttpResponse('')],
    ['a 204', () => new HttpResponse(null, { status: 204 })],
  ])('is created by %s', async (_, answer) => {
    const { answers } = await open();
    answers.setUp.push(answer);
    await fill();
    await userEvent.click(button());
    await title('Sign in');
    expect(address()).toBe(created);
  });
});

describe('a failed set-up', () => {
  // spec: §8 password setup failed
  it.each([
    ['error', { error: 'Your company signs in elsewhere.', detail: 'no' }],
    ['detail', { detail: 'Your company signs in elsewhere.' }],
  ])('shows only the server’s %s if its code is unknown', async (_, body) => {
    const { answers } = await open();
    answers.setUp.push(() => HttpResponse.json(body, { status: 500 }));
    await fill();
    await userEvent.click(button());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Your company signs in elsewhere\.$/);
  });

  // spec: §8 password setup failed
  it('has the fixed text if the server sent no message', async () => {
    const { answers } = await open();
    answers.setUp.push(() => new HttpResponse(null, { status: 400 }));
    await fill();
    await userEvent.click(button());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Failed to set up password/);
  });

  it('shows the server’s reasons and can be retried with the typed text, until it succeeds', async () => {
    const { answers, calls } = await open();
    answers.setUp.push(
      () => serverError('setup_in_progress'),
      () => HttpResponse.error(),
      () => serverError('provider_unavailable'),
    );
    await fill();
    await userEvent.click(button());
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(/^Your account is being set up already. Wait a moment and try again.$/);
    expect(button()).toHaveFocus();
    expect(button()).toBeEnabled();
    await userEvent.click(button());
    await screen.findByText('Failed to set up password');
    expect(screen.getByRole('alert')).toHaveTextContent('Network error. Please check your connection.');
    await userEvent.click(button());
    await screen.findByText('The sign-in service does not answer. Please try again later.');
    await userEvent.click(button());
    await title('Sign in');
    expect(calls.setUp.map((call) => call.password)).toEqual([good, good, good, good]);
  });

  it('shows the server’s objection to the password until another one is typed', async () => {
    const { answers } = await open();
    answers.setUp.push(() => serverError('password_too_weak', { password: 'Password is too common' }));
    await fill();
    await userEvent.click(button());
    expect(await screen.findByRole('alert')).toHaveTextContent('Please fix password requirements');
    expect(password()).toBeInvalid();
    expect(password()).toHaveAccessibleDescription(/^This password is not accepted\. Choose another one\./);
    expect(screen.queryByText('Password is too common')).toBeNull();
    await userEvent.type(password(), '8');
    expect(password()).not.toBeInvalid();
    expect(screen.queryByText(/^This password is not accepted/)).toBeNull();
  });

  it('says which name is too long, until it is changed', async () => {
    await open();
    const firstName = screen.getByLabelText('First name (optional)');
    await userEvent.click(firstName);
    await userEvent.paste('a'.repeat(151));
    expect(firstName).toHaveValue('a'.repeat(151));
    expect(firstName).toHaveAccessibleDescription('Use at most 150 characters.');
    expect(screen.getByLabelText('Last name (optional)')).not.toBeInvalid();
    await userEvent.type(firstName, '{Backspace}');
    expect(firstName).not.toBeInvalid();
  });

  it('says that the token has become invalid in the meantime', async () => {
    const { answers } = await open();
    answers.setUp.push(() => serverError('invitation_invalid'));
    await fill();
    await userEvent.click(button());
    expect(await title('Invalid Token')).toHaveFocus();
    expect(screen.getByRole('link', { name: 'Go to Login' })).toBeVisible();
  });

  it('leads to the verification when the server says that the e-mail is not verified', async () => {
    const { answers } = await open();
    answers.setUp.push(() => serverError('email_not_verified'));
    await fill();
    await userEvent.click(button());
    await title('Verify your email first');
    await userEvent.click(screen.getByRole('link', { name: 'Go to verification' }));
    expect(await screen.findByRole('button', { name: 'Verify email' })).toBeVisible();
  });
});

describe('the form in Spanish', () => {
  it('is Spanish throughout', async () => {
    await changeLanguage('es');
    const { answers } = await open();
    answers.setUp.push(() => HttpResponse.error());
    await title('Configura tu contraseña');
    expect(document.title).toBe('Configura tu contraseña · Brand Portal');
    await userEvent.type(screen.getByLabelText('Contraseña'), good);
    await userEvent.type(screen.getByLabelText('Confirmar contraseña'), 'otra');
    expect(screen.getByLabelText('Confirmar contraseña')).toHaveAccessibleDescription('Las contraseñas no coinciden');
    await userEvent.clear(screen.getByLabelText('Confirmar contraseña'));
    await userEvent.type(screen.getByLabelText('Confirmar contraseña'), good);
    await userEvent.click(screen.getByRole('button', { name: 'Configurar contraseña' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('No se pudo configurar la contraseña');
    expect(screen.getByRole('alert')).toHaveTextContent('Error de red. Comprueba tu conexión.');
  });
});
