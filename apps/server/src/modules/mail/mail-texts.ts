import type { Role } from '@brand-portal/contract/roles';

interface Sentence {
  /** Empty where the operator did it. */
  readonly inviter: string;
  readonly brand: string;
  readonly role: string;
}

interface MessageTexts {
  readonly subject: (brand: string) => string;
  readonly title: (brand: string) => string;
  readonly body: (sentence: Sentence) => string;
  readonly button: string;
  readonly notes: (invitationDays: number) => readonly string[];
}

/** What a language must say. */
export interface MailTexts {
  readonly roles: Readonly<Record<Role, string>>;
  readonly greeting: (name: string) => string;
  readonly footer: (email: string) => string;
  readonly linkHint: string;
  readonly invitation: MessageTexts;
  readonly added: MessageTexts;
}
