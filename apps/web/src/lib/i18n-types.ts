import type firstLoad from '../locales/en/first-load.json';
import type history from '../locales/en/history.json';
import type onboarding from '../locales/en/onboarding.json';
import type platform from '../locales/en/platform.json';
import type portal from '../locales/en/portal.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof firstLoad & typeof onboarding & typeof portal & typeof history & typeof platform };
  }
}
