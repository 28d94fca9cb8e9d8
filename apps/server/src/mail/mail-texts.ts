import type { Role } from '@brand-portal/contract/roles';

/** The values of a message. Unused ones are empty. */
export interface Facts {
  /** Who did it; empty for the operator. */
  readonly actor: string;
  /** The recipient's. */
  readonly email: string;
  readonly brand: string;
  readonly role: string;
  /** How long the link is valid: days for an invitation, minutes for a new password. */
  readonly linkLasts: number;
  readonly keys: KeyFacts;
}

/** Of a mail about the API keys and the feed URL that somebody created. */
export interface KeyFacts {
  /** Empty if their account is deleted. */
  readonly member: string;
  readonly change: 'removed' | 'left' | 'demoted';
  /** The first keys by name; empty: none. */
  readonly names: readonly string[];
  readonly more: number;
  readonly feed: boolean;
  readonly revoked: boolean;
}

interface MessageTexts {
  readonly subject: (facts: Facts) => string;
  readonly title: (facts: Facts) => string;
  readonly body: (facts: Facts) => string;
  readonly button: string;
  readonly notes: (facts: Facts) => readonly string[];
}

export type MailKind =
  | 'invitation'
  | 'invitation_to_account'
  | 'added'
  | 'role_changed'
  | 'removed'
  | 'keys'
  | 'password_reset'
  | 'password_changed';

/** The texts that each language must have. */
export interface MailTexts {
  readonly roles: Readonly<Record<Role, string>>;
  readonly greeting: (name: string) => string;
  readonly footer: (email: string) => string;
  readonly linkHint: string;
  readonly messages: Readonly<Record<MailKind, MessageTexts>>;
  readonly certificates: CertificateTexts;
}

/** For the mail about certificates that expire or are no longer valid. */
export interface CertificateTexts {
  /** Both numbers count certificates. */
  readonly subject: (facts: { brand: string; total: number }) => string;
  readonly body: (facts: { brand: string; total: number }) => string;
  /** `day` is formatted. */
  readonly ends: (daysLeft: number, day: string) => string;
  readonly ended: (day: string) => string;
  /** Texts by the code of the reason. `detail` is the text of a rejection. */
  readonly invalid: (code: string, detail: string) => string;
  readonly variants: (count: number) => string;
  readonly more: (count: number) => string;
  readonly button: string;
  readonly note: string;
  readonly turnOff: string;
}
