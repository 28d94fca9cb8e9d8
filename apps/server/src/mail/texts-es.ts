import type { MailTexts } from './mail-texts.ts';

const TEAM = 'El equipo de Brand Portal';

export const es: MailTexts = {
  roles: { viewer: 'lector', editor: 'editor', admin: 'administrador', owner: 'propietario' },
  greeting: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
  footer: (email) => `Brand Portal ha enviado este mensaje a ${email}.`,
  linkHint: 'Si el botón no funciona, abre esta dirección en tu navegador:',

  certificates: {
    subject: ({ brand, total }) => `«${brand}»: ${total === 1 ? '1 certificado necesita' : `${total} certificados necesitan`} tu atención`,
    body: ({ brand, total }) =>
      total === 1
        ? `Un certificado de «${brand}» vence pronto o ya no es válido:`
        : `${total} certificados de «${brand}» vencen pronto o ya no son válidos:`,
    ends: (daysLeft, day) =>
      daysLeft === 0 ? `vence hoy, ${day}` : `vence en ${daysLeft === 1 ? '1 día' : `${daysLeft} días`}, el ${day}`,
    ended: (day) => `venció el ${day}`,
    invalid: (code, detail) => {
      if (code === 'rejected') return `no es válido: rechazado por el equipo de Brand Portal («${detail}»)`;
      if (code === 'not_listed') return 'no es válido: el registro no lo incluye';
      if (code === 'not_active') return 'no es válido: el registro lo da por inactivo';
      if (code === 'pattern') return 'no es válido: su ID no tiene la forma que documenta el emisor';
      return 'no es válido';
    },
    variants: (count) => (count === 1 ? '1 variante' : `${count} variantes`),
    more: (count) => (count === 1 ? 'y 1 más' : `y ${count} más`),
    button: 'Ver los certificados',
    note: 'Cuando un certificado vence, su distintivo se retira de Google. Sustitúyelo antes por el renovado.',
    turnOff: 'Recibes este mensaje como propietario o administrador, una vez al día como mucho. Desactívalo en los ajustes:',
  },

  messages: {
    invitation: {
      subject: ({ brand }) => `Tu invitación a «${brand}» en Brand Portal`,
      title: ({ brand }) => `Únete a «${brand}»`,
      body: ({ actor, brand, role }) => `${actor || TEAM} te invita a gestionar «${brand}» en Brand Portal. Tu rol será: ${role}.`,
      button: 'Aceptar la invitación',
      notes: ({ linkLasts }) => [
        `El enlace es válido durante ${linkLasts} días y solo para ti. No lo compartas.`,
        'Si no esperabas esta invitación, puedes ignorar este mensaje.',
      ],
    },

    invitation_to_account: {
      subject: ({ brand }) => `Tu invitación a «${brand}» en Brand Portal`,
      title: ({ brand }) => `Únete a «${brand}»`,
      body: ({ actor, brand, role }) => `${actor || TEAM} te invita a gestionar «${brand}» en Brand Portal. Tu rol será: ${role}.`,
      button: 'Abrir Brand Portal',
      notes: ({ email }) => [
        `Inicia sesión con tu cuenta ${email} y acepta o rechaza allí la invitación.`,
        'Si no esperabas esta invitación, puedes ignorar este mensaje.',
      ],
    },

    added: {
      subject: ({ brand }) => `Ya eres miembro de «${brand}»`,
      title: ({ brand }) => `Te damos la bienvenida a «${brand}»`,
      body: ({ actor, brand, role }) => `${actor || TEAM} te ha añadido a «${brand}» en Brand Portal. Tu rol es: ${role}.`,
      button: 'Abrir Brand Portal',
      notes: ({ email }) => [`Inicia sesión con tu cuenta ${email}.`],
    },

    role_changed: {
      subject: ({ brand }) => `Tu rol en «${brand}» ha cambiado`,
      title: ({ brand }) => `Tu rol en «${brand}»`,
      body: ({ actor, brand, role }) => `${actor || TEAM} ha cambiado tu rol en «${brand}» en Brand Portal. Ahora tu rol es: ${role}.`,
      button: 'Abrir Brand Portal',
      notes: ({ brand }) => [`Si crees que es un error, pregunta a un administrador de «${brand}».`],
    },

    removed: {
      subject: ({ brand }) => `Ya no eres miembro de «${brand}»`,
      title: ({ brand }) => `Ya no estás en «${brand}»`,
      body: ({ actor, brand }) =>
        `${actor || TEAM} te ha quitado de «${brand}» en Brand Portal. Ya no puedes abrir la marca; tu cuenta se mantiene.`,
      button: 'Abrir Brand Portal',
      notes: ({ brand }) => [`Si crees que es un error, pregunta a un administrador de «${brand}».`],
    },

    keys: {
      subject: ({ keys: { member }, brand }) => `Claves de API de ${member || 'un antiguo miembro'} en «${brand}»`,
      title: ({ keys: { member } }) => `Claves de API de ${member || 'un antiguo miembro'}`,
      body: ({ actor, brand, keys: { member, change, names, more, feed, revoked } }) => {
        const done = {
          removed: `${actor || TEAM} ha quitado a ${member || 'un miembro'} de «${brand}».`,
          left: `${member || 'Un antiguo miembro'} ha dejado «${brand}».`,
          demoted: `${actor || TEAM} ha cambiado el rol de ${member || 'un miembro'} en «${brand}».`,
        }[change];
        const listed = [...names.map((name) => `«${name}»`), ...(more > 0 ? [`${more} más`] : [])].join(', ');
        const keys = revoked ? `Sus claves de API se han revocado: ${listed}.` : `Sus claves de API siguen funcionando: ${listed}.`;
        const url = revoked ? 'También se ha revocado la URL del feed que creó.' : 'La URL del feed que creó sigue funcionando.';
        return [done, names.length > 0 && keys, feed && url].filter(Boolean).join(' ');
      },
      button: 'Abrir las claves de API',
      notes: ({ keys: { revoked } }) => [
        revoked
          ? 'Los scripts que las usaban necesitan otras nuevas.'
          : 'Esa persona puede conocerlas todavía. Si tienes dudas, revócalas y crea otras.',
      ],
    },

    password_reset: {
      subject: () => 'Elige una contraseña nueva para Brand Portal',
      title: () => 'Elige una contraseña nueva',
      body: () => 'Alguien, probablemente tú, ha pedido una contraseña nueva para tu cuenta en Brand Portal.',
      button: 'Elegir una contraseña nueva',
      notes: ({ linkLasts }) => [
        `El enlace funciona una sola vez, durante ${linkLasts} minutos y solo para ti. No lo compartas.`,
        'Si no has sido tú, ignora este mensaje: tu contraseña no cambia.',
      ],
    },

    password_changed: {
      subject: () => 'Tu contraseña de Brand Portal ha cambiado',
      title: () => 'Tu contraseña ha cambiado',
      body: () => 'La contraseña de tu cuenta en Brand Portal acaba de cambiar. Se ha cerrado la sesión en los demás dispositivos.',
      button: 'Elegir otra contraseña',
      notes: () => [
        'Si has sido tú, no tienes que hacer nada.',
        'Si no has sido tú, elige otra contraseña cuanto antes con el botón de arriba.',
      ],
    },
  },
};
