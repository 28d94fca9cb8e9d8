import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { invitationServer, member, serverError } from './test-support/invitation-server.ts';
import { address, openPage } from './test-support/open-page.tsx';

const mockServer = startMockServer();
const link = '/verify-email?token=abc';

function mockApi(status: { verified: boolean; token?: string }) {
  const server = invitationServer(status);
  mockServer.use(...server.handlers);
  return server;
}

const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const verifyButton = () => screen.findByRole('button', { name: 'Verify email' });

afterEach(() => changeLanguage('en'));

describe('an invitation that is being checked', () => {
  // spec: §2 verify loading
  it('says so', async () => {
    mockApi({ verified: false });
    openPage(link);
    const heading = screen.getByRole('heading', { level: 1, name: 'Checking your invitation…' });
    expect(heading.parentElement).toHaveAttribute('role', 'status');
    await verifyButton();
    expect(screen.queryByText('Checking your invitation…')).toBeNull();
  });

  it('sends no referrer', async () => {
    mockApi({ verified: false });
    openPage(link);
    expect(document.head.querySelector('meta[name="referrer"]')).toHaveAttribute('content', 'no-referrer');
    await verifyButton();
  });
});

describe('an invitation of platform staff', () => {
  it('says so instead of a company and a role', async () => {
    const { answers } = mockApi({ verified: false });
    const staff = { ...member, parent_company: '', role: 'viewer', is_staff: true };
    answers.status.push(() => HttpResponse.json({ verified: false, member: staff }));
    openPage(link);
    await verifyButton();
    const details = screen.getByLabelText('Your invitation');
    expect(details).toHaveTextContent(/Brand Portal.*Platform staff/);
    expect(details).not.toHaveTextContent('Viewer');
  });
});

describe('an invitation opened with a copied link', () => {
  it('sends a mail when it is verified, and says to check the inbox', async () => {
    const { answers, calls } = mockApi({ verified: false });
    answers.verify.push(() => HttpResponse.json({ verified: false, member, mailed: true }));
    openPage(link);
    await userEvent.click(await verifyButton());
    await title('Check your inbox');
    expect(screen.getByText(/We have sent an email to ada@example.com/)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Set up password' })).toBeNull();
    // The token may have been replaced: it is not fetched again.
    expect(calls.status).toBe(1);
  });
});

describe('an invitation that cannot be checked', () => {
  // spec: §5 missing token, §8 no token, §8 verification error screen
  it.each(['/verify-email', '/verify-email?token=', '/verify-email?token=%20'])('has no token at %s', async (path) => {
    openPage(path);
    expect(await title('Verification Error')).toHaveFocus();
    expect(screen.getByRole('alert')).toHaveTextContent('No verification token provided');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    await userEvent.click(screen.getByRole('link', { name: 'Go to Login' }));
    expect(address()).toBe('PUSH /login');
  });

  // spec: §2 route verify-email, §2 verify invalid token, §8 invalid token screen
  it('has a token that the server does not know', async () => {
    mockApi({ verified: false, token: 'another' });
    openPage(link);
    await title('Invalid Token');
    expect(screen.getByRole('alert')).toHaveTextContent('The verification token is invalid or has expired.');
    expect(screen.getByRole('link', { name: 'Go to Login' })).toHaveAttribute('href', '/login');
    expect(document.title).toBe('Invalid Token · Brand Portal');
  });

  it('has a malformed token', async () => {
    mockApi({ verified: false }).answers.status.push(() => serverError('validation_failed', { token: 'is too long' }));
    openPage(link);
    await title('Invalid Token');
  });

  // spec: §2 verify error, §8 status check failed
  it('fails for another reason, and can be checked again several times', async () => {
    const { answers, calls } = mockApi({ verified: false });
    // Each check makes three attempts.
    answers.status.push(...Array.from({ length: 3 }, () => () => serverError('internal_error')));
    answers.status.push(...Array.from({ length: 3 }, () => () => HttpResponse.error()));
    openPage(link);
    await title('Verification Error');
    expect(screen.getByRole('alert')).toHaveTextContent('Failed to check verification status');
    expect(screen.getByRole('alert')).toHaveTextContent('Server error. Please try again later.');
    expect(screen.getByRole('link', { name: 'Go to Login' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Network error. Please check your connection.')).toBeVisible();
    expect(await title('Verification Error')).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await verifyButton();
    expect(calls.status).toBe(7);
  });

  it('says so at once when there is no network, instead of waiting for it', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const { answers } = mockApi({ verified: false });
    answers.status.push(...Array.from({ length: 3 }, () => () => HttpResponse.error()));
    openPage(link);
    await title('Verification Error');
  });
});

describe('an e-mail that is not verified', () => {
  // spec: §6 roles are labels
  it('is shown with the invited person', async () => {
    mockApi({ verified: false });
    openPage(link);
    await title('Verify your email');
    expect(document.title).toBe('Verify your email · Brand Portal');
    const terms = screen.getAllByRole('term').map((term) => term.textContent);
    const values = screen.getAllByRole('definition').map((value) => value.textContent);
    expect(terms).toEqual(['Email', 'Name', 'Company', 'Role']);
    expect(values).toEqual([member.email, member.name, member.parent_company, 'Editor']);
  });

  // spec: §2 verify unverified, §7 verify email
  it('is verified, loaded again, and leads to the password', async () => {
    const { calls, hold } = mockApi({ verified: false });
    const release = hold();
    openPage(link);
    await userEvent.click(await verifyButton());
    expect(await screen.findByRole('button', { name: 'Verifying…' })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByText('Verifying…', { selector: '[role=status]' })).toBeInTheDocument();
    release();
    expect(await title('Email verified')).toHaveFocus();
    await waitFor(() => expect(calls.status).toBe(2));
    await userEvent.click(screen.getByRole('link', { name: 'Set up password' }));
    await title('Set up your password');
    expect(address()).toBe('REPLACE /setup-password?token=abc');
    expect(calls.status).toBe(2);
  });

  it('is verified by keyboard alone', async () => {
    mockApi({ verified: false });
    openPage(link);
    await verifyButton();
    await userEvent.tab();
    expect(await verifyButton()).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await title('Email verified');
    await userEvent.tab();
    expect(screen.getByRole('link', { name: 'Set up password' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await title('Set up your password');
  });

  it('is verified once, even if the button is clicked several times', async () => {
    const { calls } = mockApi({ verified: false });
    openPage(link);
    const button = await verifyButton();
    fireEvent.click(button);
    fireEvent.click(button);
    await title('Email verified');
    expect(calls.verify).toBe(1);
  });

  it('leads to the password even if it cannot be loaded again', async () => {
    const { answers, calls } = mockApi({ verified: false });
    openPage(link);
    const button = await verifyButton();
    answers.status.push(...Array.from({ length: 3 }, () => () => serverError('internal_error')));
    await userEvent.click(button);
    await title('Email verified');
    await waitFor(() => expect(calls.status).toBe(4));
    expect(screen.getByRole('link', { name: 'Set up password' })).toBeVisible();
  });

  it('shows why it could not be verified, and can be retried until it is', async () => {
    const { answers } = mockApi({ verified: false });
    answers.verify.push(
      () => serverError('rate_limited'),
      () => HttpResponse.error(),
    );
    openPage(link);
    await userEvent.click(await verifyButton());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Too many requests. Wait a moment and try again.$/);
    expect(await verifyButton()).toHaveFocus();
    await userEvent.click(await verifyButton());
    await screen.findByText('Failed to verify email');
    expect(screen.getByRole('alert')).toHaveTextContent('Network error. Please check your connection.');
    await userEvent.click(await verifyButton());
    await title('Email verified');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  // spec: §8 verify failed
  it.each([
    ['error', { error: 'This link was used on another device.', detail: 'no' }],
    ['detail', { detail: 'This link was used on another device.' }],
  ])('shows only the server’s %s if its code is unknown', async (_, body) => {
    const { answers } = mockApi({ verified: false });
    answers.verify.push(() => HttpResponse.json(body, { status: 400 }));
    openPage(link);
    await userEvent.click(await verifyButton());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^This link was used on another device\.$/);
  });

  // spec: §8 verify failed
  it.each([400, 500])('fails with the fixed text if the server sent no message with its %i', async (status) => {
    const { answers } = mockApi({ verified: false });
    answers.verify.push(() => new HttpResponse(null, { status }));
    openPage(link);
    await userEvent.click(await verifyButton());
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Failed to verify email/);
  });

  it.each([
    ['an empty 200', () => new HttpResponse('')],
    ['a 204', () => new HttpResponse(null, { status: 204 })],
    ['an answer without fields', () => HttpResponse.json({})],
  ])('is verified by %s, and loaded again', async (_, answer) => {
    const { answers, calls } = mockApi({ verified: false });
    openPage(link);
    const button = await verifyButton();
    answers.verify.push(answer);
    answers.status.push(() => HttpResponse.json({ verified: true, member }));
    await userEvent.click(button);
    await title('Email verified');
    expect(screen.getByText(member.email)).toBeVisible();
    await waitFor(() => expect(calls.status).toBe(2));
  });

  it('says that the token has become invalid in the meantime', async () => {
    const { answers } = mockApi({ verified: false });
    answers.verify.push(() => serverError('invitation_invalid'));
    openPage(link);
    await userEvent.click(await verifyButton());
    expect(await title('Invalid Token')).toHaveFocus();
  });
});

describe('an e-mail that is verified already', () => {
  // spec: §2 verify verified
  it('leads to the password at once, without details that the invitation lacks', async () => {
    const { answers } = mockApi({ verified: true });
    answers.status.push(() => HttpResponse.json({ verified: true, member: { ...member, name: '' } }));
    openPage(link);
    await title('Email verified');
    expect(screen.getByRole('link', { name: 'Set up password' })).toHaveAttribute('href', '/setup-password?token=abc');
    expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['Email', 'Company', 'Role']);
    expect(screen.queryByRole('button', { name: 'Verify email' })).toBeNull();
  });
});

describe('the page in Spanish', () => {
  // spec: §3 roles, §6 roles are labels
  it.each([
    ['owner', 'Propietario'],
    ['admin', 'Administrador'],
    ['editor', 'Editor'],
    ['viewer', 'Lector'],
  ] as const)('names the role %s', async (role, name) => {
    await changeLanguage('es');
    mockApi({ verified: false }).answers.status.push(() => HttpResponse.json({ verified: false, member: { ...member, role } }));
    openPage(link);
    await title('Verifica tu correo electrónico');
    expect(document.title).toBe('Verifica tu correo electrónico · Brand Portal');
    expect(within(screen.getByText('Rol').parentElement as HTMLElement).getByRole('definition')).toHaveTextContent(name);
  });

  it('shows the server’s error in Spanish too', async () => {
    await changeLanguage('es');
    mockApi({ verified: false }).answers.verify.push(() => serverError('internal_error'));
    openPage(link);
    await userEvent.click(await screen.findByRole('button', { name: 'Verificar correo' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Error del servidor. Inténtalo más tarde.');
  });
});
