import type { MailTexts } from './mail-texts.ts';

export const es: MailTexts = {
  roles: { viewer: 'lector', editor: 'editor', admin: 'administrador', owner: 'propietario' },
  greeting: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
  footer: (email) => `Brand Portal ha enviado este mensaje a ${email}.`,
  linkHint: 'Si el botón no funciona, abre esta dirección en tu navegador:',

  invitation: {
    subject: (brand) => `Tu invitación a ${brand} en Brand Portal`,
    title: (brand) => `Únete a ${brand}`,
    body: ({ inviter, brand, role }) =>
      `${inviter || 'El equipo de Brand Portal'} te invita a gestionar ${brand} en Brand Portal. Tu rol será: ${role}.`,
    button: 'Aceptar la invitación',
    notes: (invitationDays) => [
      `El enlace es válido durante ${invitationDays} días y solo para ti. No lo compartas.`,
      'Si no esperabas esta invitación, puedes ignorar este mensaje.',
    ],
  },

  added: {
    subject: (brand) => `Ya eres miembro de ${brand}`,
    title: (brand) => `Te damos la bienvenida a ${brand}`,
    body: ({ inviter, brand, role }) =>
      `${inviter || 'El equipo de Brand Portal'} te ha añadido a ${brand} en Brand Portal. Tu rol es: ${role}.`,
    button: 'Abrir Brand Portal',
    notes: () => ['Inicia sesión con la cuenta que ya tienes.'],
  },
};
