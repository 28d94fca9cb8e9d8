import type { MailTexts } from './mail-texts.ts';

const TEAM = 'The Brand Portal team';

export const en: MailTexts = {
  roles: { viewer: 'viewer', editor: 'editor', admin: 'admin', owner: 'owner' },
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  footer: (email) => `Brand Portal sent this message to ${email}.`,
  linkHint: 'If the button does not work, open this address in your browser:',

  certificates: {
    subject: ({ brand, total }) => `“${brand}”: ${total === 1 ? '1 certificate needs' : `${total} certificates need`} you`,
    body: ({ brand, total }) =>
      total === 1
        ? `A certificate of “${brand}” ends soon or is no longer valid:`
        : `${total} certificates of “${brand}” end soon or are no longer valid:`,
    ends: (daysLeft, day) =>
      daysLeft === 0 ? `ends today, ${day}` : `ends in ${daysLeft === 1 ? '1 day' : `${daysLeft} days`}, on ${day}`,
    ended: (day) => `ended on ${day}`,
    invalid: (code, detail) => {
      if (code === 'rejected') return `is invalid: rejected by the Brand Portal team (“${detail}”)`;
      if (code === 'not_listed') return 'is invalid: the registry does not list it';
      if (code === 'not_active') return 'is invalid: the registry lists it as not active';
      if (code === 'pattern') return 'is invalid: its ID does not have the form that the issuer documents';
      return 'is invalid';
    },
    variants: (count) => (count === 1 ? '1 variant' : `${count} variants`),
    more: (count) => (count === 1 ? 'and 1 more' : `and ${count} more`),
    button: 'See the certificates',
    note: 'A claim is taken off Google when its certificate ends. Replace the certificate with the renewed one before that.',
    turnOff: 'You get this as an owner or admin, once a day at most. Turn it off in the settings:',
  },

  messages: {
    invitation: {
      subject: ({ brand }) => `Your invitation to “${brand}” on Brand Portal`,
      title: ({ brand }) => `Join “${brand}”`,
      body: ({ actor, brand, role }) => `${actor || TEAM} invites you to manage “${brand}” on Brand Portal. Your role will be: ${role}.`,
      button: 'Accept the invitation',
      notes: ({ linkLasts }) => [
        `The link works for ${linkLasts} days and for you alone. Please do not pass it on.`,
        'If you did not expect this invitation, you can ignore this message.',
      ],
    },

    invitation_to_account: {
      subject: ({ brand }) => `Your invitation to “${brand}” on Brand Portal`,
      title: ({ brand }) => `Join “${brand}”`,
      body: ({ actor, brand, role }) => `${actor || TEAM} invites you to manage “${brand}” on Brand Portal. Your role will be: ${role}.`,
      button: 'Open Brand Portal',
      notes: ({ email }) => [
        `Sign in with your account ${email}, and accept or decline the invitation there.`,
        'If you did not expect this invitation, you can ignore this message.',
      ],
    },

    added: {
      subject: ({ brand }) => `You are now a member of “${brand}”`,
      title: ({ brand }) => `Welcome to “${brand}”`,
      body: ({ actor, brand, role }) => `${actor || TEAM} has added you to “${brand}” on Brand Portal. Your role is: ${role}.`,
      button: 'Open Brand Portal',
      notes: ({ email }) => [`Sign in with your account ${email}.`],
    },

    role_changed: {
      subject: ({ brand }) => `Your role in “${brand}” has changed`,
      title: ({ brand }) => `Your role in “${brand}”`,
      body: ({ actor, brand, role }) => `${actor || TEAM} has changed your role in “${brand}” on Brand Portal. Your role is now: ${role}.`,
      button: 'Open Brand Portal',
      notes: ({ brand }) => [`If you think this is a mistake, ask an admin of “${brand}”.`],
    },

    removed: {
      subject: ({ brand }) => `You are no longer a member of “${brand}”`,
      title: ({ brand }) => `You are no longer in “${brand}”`,
      body: ({ actor, brand }) =>
        `${actor || TEAM} has removed you from “${brand}” on Brand Portal. You cannot open the brand any more; your account stays.`,
      button: 'Open Brand Portal',
      notes: ({ brand }) => [`If you think this is a mistake, ask an admin of “${brand}”.`],
    },

    keys: {
      subject: ({ keys: { member }, brand }) => `API keys of ${member || 'a former member'} in “${brand}”`,
      title: ({ keys: { member } }) => `API keys of ${member || 'a former member'}`,
      body: ({ actor, brand, keys: { member, change, names, more, feed, revoked } }) => {
        const who = member || 'A former member';
        const done = {
          removed: `${actor || TEAM} removed ${member || 'a member'} from “${brand}”.`,
          left: `${who} left “${brand}”.`,
          demoted: `${actor || TEAM} changed the role of ${member || 'a member'} in “${brand}”.`,
        }[change];
        const listed = [...names.map((name) => `“${name}”`), ...(more > 0 ? [`${more} more`] : [])].join(', ');
        const keys = revoked ? `Their API keys were revoked: ${listed}.` : `Their API keys still work: ${listed}.`;
        const url = revoked ? 'The feed URL that they created was revoked.' : 'The feed URL that they created still works.';
        return [done, names.length > 0 && keys, feed && url].filter(Boolean).join(' ');
      },
      button: 'Open API keys',
      notes: ({ keys: { revoked } }) => [
        revoked
          ? 'Scripts that used them need new ones.'
          : 'The person may still know them. Revoke them and create new ones if you are not sure.',
      ],
    },

    password_reset: {
      subject: () => 'Choose a new password for Brand Portal',
      title: () => 'Choose a new password',
      body: () => 'Somebody, probably you, asked for a new password for your account on Brand Portal.',
      button: 'Choose a new password',
      notes: ({ linkLasts }) => [
        `The link works once, for ${linkLasts} minutes, and for you alone. Please do not pass it on.`,
        'If it was not you, ignore this message: your password stays as it is.',
      ],
    },

    password_changed: {
      subject: () => 'Your password for Brand Portal was changed',
      title: () => 'Your password was changed',
      body: () => 'The password of your account on Brand Portal was changed just now. Other devices were signed out.',
      button: 'Choose another password',
      notes: () => ['If it was you, there is nothing to do.', 'If it was not you, choose another password at once, by the button above.'],
    },
  },
};
