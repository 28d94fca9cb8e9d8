import type { Role } from '@brand-portal/contract/roles';

/** What a message may be about; empty where it is about something else. */
export interface Facts {
  /** Who did it; empty where the operator did. */
  readonly actor: string;
  readonly brand: string;
  readonly role: string;
  /** How long the link works: days for an invitation, minutes for a new password. */
  readonly linkLasts: number;
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
  | 'password_reset'
  | 'password_changed';

/** What a language must say. */
export interface MailTexts {
  readonly roles: Readonly<Record<Role, string>>;
  readonly greeting: (name: string) => string;
  readonly footer: (email: string) => string;
  readonly linkHint: string;
  readonly messages: Readonly<Record<MailKind, MessageTexts>>;
  readonly certificates: CertificateTexts;
}

/** Of the mail about certificates that end or are no longer valid. */
export interface CertificateTexts {
  /** Both numbers are those of certificates. */
  readonly subject: (facts: { brand: string; total: number }) => string;
  readonly body: (facts: { brand: string; total: number }) => string;
  /** `day`: in words. */
  readonly ends: (daysLeft: number, day: string) => string;
  readonly ended: (day: string) => string;
  /** By the code of the reason; `detail`: the words of a rejection. */
  readonly invalid: (code: string, detail: string) => string;
  readonly variants: (count: number) => string;
  readonly more: (count: number) => string;
  readonly button: string;
  readonly note: string;
  readonly turnOff: string;
}
