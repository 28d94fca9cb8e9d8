import { type Static, Type } from 'typebox';
import { PASSWORD_MIN_LENGTH, PASSWORD_SPECIAL_CHARACTERS } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { PersonName } from './people.ts';
import { Role } from './roles.ts';

const tag = 'onboarding';

const InvitationToken = Type.String({ minLength: 1, maxLength: 200 });

const InvitedMember = Type.Object({
  email: Type.String(),
  name: Type.String(),
  first_name: Type.Optional(Type.String()),
  last_name: Type.Optional(Type.String()),
  parent_company: Type.String(),
  role: Role,
  is_staff: Type.Optional(
    Type.Literal(true, {
      description: 'Invited as platform staff: then `parent_company` is empty, and the role means nothing.',
    }),
  ),
});

export const VerificationStatus = Type.Object({
  verified: Type.Boolean(),
  member: InvitedMember,
  mailed: Type.Optional(
    Type.Literal(true, {
      description: 'The link was handed over by an admin and proves nothing: a mail with one that does is on its way.',
    }),
  ),
});
export type VerificationStatus = Static<typeof VerificationStatus>;

export const getVerificationStatus = endpoint({
  method: 'GET',
  path: '/api/v1/verification-status/',
  summary: 'Whom an invitation is for, and whether their e-mail is verified',
  tag,
  access: 'public',
  query: Type.Object({ token: InvitationToken }),
  status: 200,
  response: VerificationStatus,
  errors: ['invitation_invalid'],
});

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/v1/verify-email/',
  summary: 'Confirm that the invitation reached its e-mail address',
  tag,
  access: 'public',
  body: Type.Object({ token: InvitationToken }),
  status: 200,
  response: VerificationStatus,
  errors: ['invitation_invalid'],
});

export const SetupPassword = Type.Object({
  token: InvitationToken,
  password: Type.String({ minLength: 1, maxLength: 256 }),
  first_name: Type.Optional(PersonName),
  last_name: Type.Optional(PersonName),
});
export type SetupPassword = Static<typeof SetupPassword>;

export const setupPassword = endpoint({
  method: 'POST',
  path: '/api/v1/setup-password/',
  summary: 'Create the account of an invited member, using the invitation up',
  tag,
  access: 'public',
  body: SetupPassword,
  status: 200,
  response: Type.Object({ email: Type.String() }),
  errors: [
    'invitation_invalid',
    'email_not_verified',
    'email_not_supported',
    'setup_in_progress',
    'password_too_weak',
    'provider_unavailable',
  ],
});

/** Password rules, in display order. */
export const PASSWORD_RULES = {
  length: (password: string) => password.length >= PASSWORD_MIN_LENGTH,
  // \p{Lu} and not A-Z: letters of any alphabet count, such as Ñ and á.
  uppercase: (password: string) => /\p{Lu}/u.test(password),
  lowercase: (password: string) => /\p{Ll}/u.test(password),
  number: (password: string) => /[0-9]/.test(password),
  special: (password: string) => [...PASSWORD_SPECIAL_CHARACTERS].some((character) => password.includes(character)),
} as const;
export type PasswordRule = keyof typeof PASSWORD_RULES;

export function brokenPasswordRules(password: string): PasswordRule[] {
  return (Object.keys(PASSWORD_RULES) as PasswordRule[]).filter((rule) => !PASSWORD_RULES[rule](password));
}
