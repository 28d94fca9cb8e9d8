import type { ImportField } from '@brand-portal/contract/import-mapping';
import type { EditableField } from '@brand-portal/contract/variant-fields';
import type account from '../locales/en/account.json';
import type apiKeys from '../locales/en/api-keys.json';
import type attention from '../locales/en/attention.json';
import type certificates from '../locales/en/certificates.json';
import type firstLoad from '../locales/en/first-load.json';
import type history from '../locales/en/history.json';
import type imports from '../locales/en/imports.json';
import type onboarding from '../locales/en/onboarding.json';
import type palette from '../locales/en/palette.json';
import type platform from '../locales/en/platform.json';
import type portal from '../locales/en/portal.json';
import type settings from '../locales/en/settings.json';
import type team from '../locales/en/team.json';
import type variantPanel from '../locales/en/variant-panel.json';
import type portalInSpanish from '../locales/es/portal.json';

/** Texts with the name of every field and column. */
type WithFields<Texts extends { fields: Record<EditableField | Exclude<ImportField, 'variant_name'>, string> }> = Texts;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: {
      translation: typeof firstLoad &
        typeof onboarding &
        WithFields<typeof portal> &
        Pick<WithFields<typeof portalInSpanish>, 'fields'> &
        typeof palette &
        typeof variantPanel &
        typeof attention &
        typeof certificates &
        typeof imports &
        typeof settings &
        typeof apiKeys &
        typeof account &
        typeof team &
        typeof history &
        typeof platform;
    };
  }
}
