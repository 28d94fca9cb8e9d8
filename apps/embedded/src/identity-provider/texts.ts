import { type Language, PASSWORD_MIN_LENGTH as MIN, PASSWORD_SPECIAL_CHARACTERS as SPECIAL } from '@brand-portal/contract/constants';

/** All texts of the provider's own pages. */
const en = {
  language_name: 'English',
  language_label: 'Language',
  title: 'Sign in',
  subtitle: 'Continue to Brand Portal',
  email: 'Email',
  password: 'Password',
  show_password: 'Show password',
  forgot: 'Forgot password?',
  email_missing: 'Enter your email.',
  password_missing: 'Enter your password.',
  wrong: 'Wrong email or password.',
  wait: (seconds: number) => `Too many wrong attempts. Wait ${duration('en', seconds)}, then try again.`,
  go_to_sign_in: 'Go to sign-in',
  ask_again: 'Ask for a new link',
  back_to_portal: 'Back to the portal',

  forgot_title: 'Forgot your password?',
  forgot_subtitle: 'Enter your email, and we send you a link to choose a new one.',
  forgot_submit: 'Send the link',
  wait_to_ask: (seconds: number) => `Too many links were asked for. Wait ${duration('en', seconds)}, then try again.`,

  reset_title: 'Choose a new password',
  change_title: 'Change your password',
  password_for: (email: string, isReset: boolean) => `For ${email}. You will be signed out ${isReset ? 'everywhere' : 'on other devices'}.`,
  current_password: 'Current password',
  new_password: 'New password',
  confirm_password: 'Confirm new password',
  save_password: 'Save password',
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
    error: { title: 'Sign-in could not be completed', text: 'The request was not understood. Start again from the portal.' },
    unavailable: { title: 'Sign-in could not be completed', text: 'Something went wrong on our side. Wait a moment, then start again.' },
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
    },
    password_reset: { title: 'Your password is changed', text: 'You were signed out everywhere. Sign in with your new password.' },
    password_changed: { title: 'Your password is changed', text: 'Other devices were signed out. You stay signed in here.' },
    signed_out: { title: 'Sign in first', text: 'You can change your password once you are signed in.' },
  },
};

const es: typeof en = {
  language_name: 'Español',
  language_label: 'Idioma',
  title: 'Iniciar sesión',
  subtitle: 'Para continuar en Brand Portal',
  email: 'Correo electrónico',
  password: 'Contraseña',
  show_password: 'Mostrar la contraseña',
  forgot: '¿Olvidaste tu contraseña?',
  email_missing: 'Escribe tu correo electrónico.',
  password_missing: 'Escribe tu contraseña.',
  wrong: 'Correo electrónico o contraseña incorrectos.',
  wait: (seconds) => `Demasiados intentos fallidos. Espera ${duration('es', seconds)} e inténtalo de nuevo.`,
  go_to_sign_in: 'Ir a iniciar sesión',
  ask_again: 'Pedir un enlace nuevo',
  back_to_portal: 'Volver al portal',

  forgot_title: '¿Olvidaste tu contraseña?',
  forgot_subtitle: 'Escribe tu correo electrónico y te enviaremos un enlace para elegir una nueva.',
  forgot_submit: 'Enviar el enlace',
  wait_to_ask: (seconds) => `Se han pedido demasiados enlaces. Espera ${duration('es', seconds)} e inténtalo de nuevo.`,

  reset_title: 'Elige una contraseña nueva',
  change_title: 'Cambia tu contraseña',
  password_for: (email, isReset) => `Para ${email}. Se cerrará la sesión ${isReset ? 'en todas partes' : 'en los demás dispositivos'}.`,
  current_password: 'Contraseña actual',
  new_password: 'Contraseña nueva',
  confirm_password: 'Confirma la contraseña nueva',
  save_password: 'Guardar la contraseña',
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
    error: { title: 'No se pudo completar el inicio de sesión', text: 'No se entendió la solicitud. Vuelve a empezar desde el portal.' },
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
    },
    password_reset: {
      title: 'Tu contraseña ha cambiado',
      text: 'Se ha cerrado la sesión en todas partes. Inicia sesión con tu contraseña nueva.',
    },
    password_changed: {
      title: 'Tu contraseña ha cambiado',
      text: 'Se ha cerrado la sesión en los demás dispositivos. Aquí sigues con la sesión iniciada.',
    },
    signed_out: { title: 'Primero inicia sesión', text: 'Podrás cambiar tu contraseña en cuanto hayas iniciado sesión.' },
  },
};

export const TEXTS: Readonly<Record<Language, typeof en>> = { en, es };
export type MessageName = keyof typeof en.messages;

function duration(language: Language, seconds: number): string {
  const [value, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
