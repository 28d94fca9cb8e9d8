import { type Language, PASSWORD_MIN_LENGTH as MIN, PASSWORD_SPECIAL_CHARACTERS as SPECIAL } from '@brand-portal/contract/constants';
import type { PasswordRule } from '@brand-portal/contract/onboarding';

interface MessageTexts {
  readonly title: string;
  readonly text: string;
  /** The button's text. Undefined: `back`. */
  readonly action?: string;
}

export type MessageName =
  | 'stale'
  | 'error'
  | 'unavailable'
  | 'logout_refused'
  | 'mail_sent'
  | 'no_mail'
  | 'link_dead'
  | 'password_reset'
  | 'password_changed'
  | 'signed_out';

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
  readonly forgot: string;
  readonly email_missing: string;
  readonly password_missing: string;
  readonly wrong: string;
  readonly wait: (seconds: number) => string;
  readonly back: string;
  readonly back_to_portal: string;

  readonly forgot_title: string;
  readonly forgot_subtitle: string;
  readonly forgot_submit: string;
  readonly forgot_submitting: string;
  readonly wait_to_ask: (seconds: number) => string;

  readonly reset_title: string;
  readonly change_title: string;
  readonly password_for: (email: string, isReset: boolean) => string;
  readonly current_password: string;
  readonly new_password: string;
  readonly confirm_password: string;
  readonly save_password: string;
  readonly saving_password: string;
  readonly password_rules: string;
  readonly password_mismatch: string;
  readonly password_too_long: string;
  readonly password_current_wrong: string;
  readonly rules_title: string;
  readonly rules: Readonly<Record<PasswordRule, string>>;
  readonly met: string;
  readonly unmet: string;

  readonly messages: Readonly<Record<MessageName, MessageTexts>>;
}

/** All texts of the provider's own pages. */
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
    forgot: 'Forgot password?',
    email_missing: 'Enter your email.',
    password_missing: 'Enter your password.',
    wrong: 'Wrong email or password.',
    wait: (seconds) => `Too many wrong attempts. Wait ${inEnglish(seconds)}, then try again.`,
    back: 'Back to sign-in',
    back_to_portal: 'Back to the portal',

    forgot_title: 'Forgot your password?',
    forgot_subtitle: 'Enter your email, and we send you a link to choose a new one.',
    forgot_submit: 'Send the link',
    forgot_submitting: 'Sending...',
    wait_to_ask: (seconds) => `Too many links were asked for. Wait ${inEnglish(seconds)}, then try again.`,

    reset_title: 'Choose a new password',
    change_title: 'Change your password',
    password_for: (email, isReset) => `For ${email}. You will be signed out ${isReset ? 'everywhere' : 'on other devices'}.`,
    current_password: 'Current password',
    new_password: 'New password',
    confirm_password: 'Confirm new password',
    save_password: 'Save password',
    saving_password: 'Saving...',
    password_rules: 'Please fix password requirements',
    password_mismatch: 'Passwords do not match',
    password_too_long: 'Use at most 256 characters.',
    password_current_wrong: 'Your current password is wrong.',
    rules_title: 'Password requirements',
    rules: {
      length: `At least ${MIN} characters`,
      uppercase: 'One uppercase letter',
      lowercase: 'One lowercase letter',
      number: 'One number',
      special: `One of ${SPECIAL}`,
    },
    met: 'Met',
    unmet: 'Not met',

    messages: {
      stale: {
        title: 'This sign-in page has expired',
        text: 'It was open for too long, or it has been used already. Start again to sign in.',
      },
      error: {
        title: 'Sign-in could not be completed',
        text: 'The request was not understood. Start again from the portal.',
      },
      unavailable: {
        title: 'Sign-in could not be completed',
        text: 'Something went wrong on our side. Wait a moment, then start again.',
      },
      logout_refused: {
        title: 'This sign-out link is not allowed',
        text: 'It leads to an address outside the portal, so you were not signed out. Sign out from the portal.',
      },
      mail_sent: {
        title: 'Check your inbox',
        text: 'If this email has an account, a message with a link is on its way. The link works for 60 minutes.',
      },
      no_mail: {
        title: 'Forgot your password?',
        text: 'This portal does not send mail yet. Ask its operator for a link to choose a new password.',
      },
      link_dead: {
        title: 'This link does not work any more',
        text: 'It was used already, a newer one was sent, or it is older than 60 minutes.',
        action: 'Ask for a new link',
      },
      password_reset: {
        title: 'Your password is changed',
        text: 'You were signed out everywhere. Sign in with your new password.',
        action: 'Go to sign-in',
      },
      password_changed: {
        title: 'Your password is changed',
        text: 'Other devices were signed out. You stay signed in here.',
        action: 'Back to the portal',
      },
      signed_out: {
        title: 'Sign in first',
        text: 'You can change your password once you are signed in.',
        action: 'Go to sign-in',
      },
    },
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
    forgot: '¿Olvidaste tu contraseña?',
    email_missing: 'Escribe tu correo electrónico.',
    password_missing: 'Escribe tu contraseña.',
    wrong: 'Correo electrónico o contraseña incorrectos.',
    wait: (seconds) => `Demasiados intentos fallidos. Espera ${inSpanish(seconds)} e inténtalo de nuevo.`,
    back: 'Volver al inicio de sesión',
    back_to_portal: 'Volver al portal',

    forgot_title: '¿Olvidaste tu contraseña?',
    forgot_subtitle: 'Escribe tu correo electrónico y te enviaremos un enlace para elegir una nueva.',
    forgot_submit: 'Enviar el enlace',
    forgot_submitting: 'Enviando...',
    wait_to_ask: (seconds) => `Se han pedido demasiados enlaces. Espera ${inSpanish(seconds)} e inténtalo de nuevo.`,

    reset_title: 'Elige una contraseña nueva',
    change_title: 'Cambia tu contraseña',
    password_for: (email, isReset) => `Para ${email}. Se cerrará la sesión ${isReset ? 'en todas partes' : 'en los demás dispositivos'}.`,
    current_password: 'Contraseña actual',
    new_password: 'Contraseña nueva',
    confirm_password: 'Confirma la contraseña nueva',
    save_password: 'Guardar la contraseña',
    saving_password: 'Guardando...',
    password_rules: 'Corrige los requisitos de la contraseña',
    password_mismatch: 'Las contraseñas no coinciden',
    password_too_long: 'Usa como máximo 256 caracteres.',
    password_current_wrong: 'Tu contraseña actual no es correcta.',
    rules_title: 'Requisitos de la contraseña',
    rules: {
      length: `Al menos ${MIN} caracteres`,
      uppercase: 'Una mayúscula',
      lowercase: 'Una minúscula',
      number: 'Un número',
      special: `Uno de ${SPECIAL}`,
    },
    met: 'Cumplido',
    unmet: 'No cumplido',

    messages: {
      stale: {
        title: 'Esta página de inicio de sesión ha caducado',
        text: 'Estuvo abierta demasiado tiempo o ya se ha utilizado. Vuelve a empezar para iniciar sesión.',
      },
      error: {
        title: 'No se pudo completar el inicio de sesión',
        text: 'No se entendió la solicitud. Vuelve a empezar desde el portal.',
      },
      unavailable: {
        title: 'No se pudo completar el inicio de sesión',
        text: 'Algo ha fallado por nuestra parte. Espera un momento y vuelve a empezar.',
      },
      logout_refused: {
        title: 'Este enlace de cierre de sesión no está permitido',
        text: 'Lleva a una dirección fuera del portal, así que no se ha cerrado la sesión. Ciérrala desde el portal.',
      },
      mail_sent: {
        title: 'Revisa tu correo',
        text: 'Si este correo tiene una cuenta, recibirás un mensaje con un enlace. El enlace funciona durante 60 minutos.',
      },
      no_mail: {
        title: '¿Olvidaste tu contraseña?',
        text: 'Este portal todavía no envía correo. Pide a su operador un enlace para elegir una nueva.',
      },
      link_dead: {
        title: 'Este enlace ya no funciona',
        text: 'Ya se ha utilizado, se ha enviado otro más reciente o tiene más de 60 minutos.',
        action: 'Pedir un enlace nuevo',
      },
      password_reset: {
        title: 'Tu contraseña ha cambiado',
        text: 'Se ha cerrado la sesión en todas partes. Inicia sesión con tu contraseña nueva.',
        action: 'Ir a iniciar sesión',
      },
      password_changed: {
        title: 'Tu contraseña ha cambiado',
        text: 'Se ha cerrado la sesión en los demás dispositivos. Aquí sigues con la sesión iniciada.',
        action: 'Volver al portal',
      },
      signed_out: {
        title: 'Primero inicia sesión',
        text: 'Podrás cambiar tu contraseña en cuanto hayas iniciado sesión.',
        action: 'Ir a iniciar sesión',
      },
    },
  },
};

function inEnglish(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

function inSpanish(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? '1 segundo' : `${seconds} segundos`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? '1 minuto' : `${minutes} minutos`;
}
