import type { MailTexts } from './mail-texts.ts';

export const en: MailTexts = {
  roles: { viewer: 'viewer', editor: 'editor', admin: 'admin', owner: 'owner' },
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  footer: (email) => `Brand Portal sent this message to ${email}.`,
  linkHint: 'If the button does not work, open this address in your browser:',

  invitation: {
    subject: (brand) => `Your invitation to ${brand} on Brand Portal`,
    title: (brand) => `Join ${brand}`,
    body: ({ inviter, brand, role }) =>
      `${inviter || 'The Brand Portal team'} invites you to manage ${brand} on Brand Portal. Your role will be: ${role}.`,
    button: 'Accept the invitation',
    notes: (invitationDays) => [
      `The link works for ${invitationDays} days and for you alone. Please do not pass it on.`,
      'If you did not expect this invitation, you can ignore this message.',
    ],
  },

  added: {
    subject: (brand) => `You are now a member of ${brand}`,
    title: (brand) => `Welcome to ${brand}`,
    body: ({ inviter, brand, role }) =>
      `${inviter || 'The Brand Portal team'} has added you to ${brand} on Brand Portal. Your role is: ${role}.`,
    button: 'Open Brand Portal',
    notes: () => ['Sign in with the account that you have already.'],
  },
};
