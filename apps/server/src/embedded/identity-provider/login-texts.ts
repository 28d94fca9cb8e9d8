import type { Language } from '@brand-portal/contract/constants';

interface LoginTexts {
  readonly language_name: string;
  readonly language_label: string;
  readonly title: string;
  readonly subtitle: string;
  readonly email: string;
  readonly password: string;
  readonly show_password: string;
  readonly submit: string;
  readonly submitting: string;
  readonly email_missing: string;
  readonly password_missing: string;
  readonly wrong: string;
  readonly wait: (seconds: number) => string;
  readonly stale_title: string;
  readonly stale: string;
  readonly error_title: string;
  readonly error: string;
  readonly unavailable: string;
  readonly logout_refused_title: string;
  readonly logout_refused: string;
  readonly back: string;
}

/** Everything that the provider's own pages say. */
export const LOGIN_TEXTS: Readonly<Record<Language, LoginTexts>> = {
  en: {
    language_name: 'English',
    language_label: 'Language',
    title: 'Sign in',
    subtitle: 'Continue to Brand Portal',
    email: 'Email',
    password: 'Password',
    show_password: 'Show password',
    submit: 'Sign in',
    submitting: 'Signing in...',
    email_missing: 'Enter your email.',
    password_missing: 'Enter your password.',
    wrong: 'Wrong email or password.',
    wait: (seconds) =>
      `Too many wrong attempts. Wait ${seconds === 1 ? '1 second' : `${seconds} seconds`}, then try again.`,
    stale_title: 'This sign-in page has expired',
    stale: 'It was open for too long, or it has been used already. Start again to sign in.',
    error_title: 'Sign-in could not be completed',
    error: 'The request was not understood. Start again from the portal.',
    unavailable: 'Something went wrong on our side. Wait a moment, then start again.',
    logout_refused_title: 'This sign-out link is not allowed',
    logout_refused: 'It leads to an address outside the portal, so you were not signed out. Sign out from the portal.',
    back: 'Back to sign-in',
  },
  es: {
    language_name: 'Español',
    language_label: 'Idioma',
    title: 'Iniciar sesión',
    subtitle: 'Para continuar en Brand Portal',
    email: 'Correo electrónico',
    password: 'Contraseña',
    show_password: 'Mostrar la contraseña',
    submit: 'Iniciar sesión',
    submitting: 'Iniciando sesión...',
    email_missing: 'Escribe tu correo electrónico.',
    password_missing: 'Escribe tu contraseña.',
    wrong: 'Correo electrónico o contraseña incorrectos.',
    wait: (seconds) =>
      `Demasiados intentos fallidos. Espera ${seconds === 1 ? '1 segundo' : `${seconds} segundos`} e inténtalo de nuevo.`,
    stale_title: 'Esta página de inicio de sesión ha caducado',
    stale: 'Estuvo abierta demasiado tiempo o ya se ha utilizado. Vuelve a empezar para iniciar sesión.',
    error_title: 'No se pudo completar el inicio de sesión',
    error: 'No se entendió la solicitud. Vuelve a empezar desde el portal.',
    unavailable: 'Algo ha fallado por nuestra parte. Espera un momento y vuelve a empezar.',
    logout_refused_title: 'Este enlace de cierre de sesión no está permitido',
    logout_refused:
      'Lleva a una dirección fuera del portal, así que no se ha cerrado la sesión. Ciérrala desde el portal.',
    back: 'Volver al inicio de sesión',
  },
};
