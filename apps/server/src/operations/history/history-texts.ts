import type { Language } from '@brand-portal/contract/constants';
import type { EditableField } from '@brand-portal/contract/variant-fields';
import type { Details } from './history.queries.ts';

/** Actions that every member may read. All others, including unknown ones, are for admins and owners. */
const LABELS: Readonly<Record<string, readonly [en: string, es: string]>> = {
  'brand.created': ['Brand created', 'Marca creada'],
  'brand.updated': ['Brand changed', 'Marca modificada'],
  'brand.trial_started': ['Free trial started', 'Prueba gratuita iniciada'],
  'brand.deleted': ['Brand deleted', 'Marca eliminada'],
  'brand.restored': ['Brand restored', 'Marca restaurada'],
  'variant.created': ['Variant added', 'Variante añadida'],
  'variant.edited': ['Variant edited', 'Variante editada'],
  'variant.published': ['Variant published', 'Variante publicada'],
  'variant.unpublished': ['Variant unpublished', 'Publicación de una variante retirada'],
  'variant.all_published': ['All variants published', 'Todas las variantes publicadas'],
  'variant.certificate_added': ['Certificate added to a variant', 'Certificado añadido a una variante'],
  'variant.certificate_removed': ['Certificate removed from a variant', 'Certificado quitado de una variante'],
  'variants.published': ['Variants published', 'Variantes publicadas'],
  'variants.unpublished': ['Variants unpublished', 'Publicación de variantes retirada'],
  'variants.deleted': ['Variants deleted', 'Variantes eliminadas'],
  'variants.restored': ['Variants restored', 'Variantes restauradas'],
  'variants.imported': ['File imported', 'Archivo importado'],
  'variants.import_cancelled': ['Import cancelled', 'Importación cancelada'],
  'variants.check_discarded': ['Check of a file discarded', 'Comprobación de un archivo descartada'],
  'variants.imports_dismissed': ['Notices of imports dismissed', 'Avisos de importaciones descartados'],
  'variants.import_undone': ['Import undone', 'Importación deshecha'],
  'certificate.removed': ['Certificate removed', 'Certificado eliminado'],
  'certificate.link_changed': ['Page of a certificate changed', 'Página de un certificado cambiada'],
  'certificate.replaced': ['Certificate replaced', 'Certificado sustituido'],
  'certificate.approved': ['Certificate approved', 'Certificado aprobado'],
  'certificate.rejected': ['Certificate rejected', 'Certificado rechazado'],
  'certificate.review_withdrawn': ['Review of a certificate withdrawn', 'Revisión de un certificado retirada'],
  'certificate.status_changed': ['Certificate status changed', 'Estado de certificados cambiado'],
  'certificates.mailed': ['Mail about certificates sent', 'Correo sobre certificados enviado'],
  'channel.connected': ['Connected to Google', 'Conexión con Google establecida'],
  'channel.disconnected': ['Disconnected from Google', 'Conexión con Google terminada'],
  'channel.feed_created': ['Address of the feed created', 'Dirección del feed creada'],
  'channel.feed_revoked': ['Address of the feed revoked', 'Dirección del feed revocada'],
  'delivery.retried': ['Sent to Google again', 'Nuevo envío a Google'],
};

/** The file is named as well, but nobody has uploaded it again. */
const CORRECTIONS_IMPORTED = ['Corrected rows imported', 'Filas corregidas importadas'];

const ADMIN_LABELS: typeof LABELS = {
  'member.invited': ['Member invited', 'Miembro invitado'],
  'member.added': ['Member added', 'Miembro añadido'],
  'member.activated': ['Member joined', 'Miembro incorporado'],
  'member.removed': ['Member removed', 'Miembro eliminado'],
  'member.role_changed': ['Role changed', 'Rol cambiado'],
  'member.notifications_changed': ['Own email notices changed', 'Avisos propios por correo cambiados'],
  'api_key.created': ['API key created', 'Clave de API creada'],
  'api_key.revoked': ['API key revoked', 'Clave de API revocada'],
  'invitation.email_verified': ['Invitation: address confirmed', 'Invitación: dirección confirmada'],
  'invitation.resent': ['Invitation sent again', 'Invitación reenviada'],
  'invitation.link_made': ['Invitation: new link made', 'Invitación: nuevo enlace creado'],
};

export const ACTIONS_FOR_EVERYBODY = Object.keys(LABELS);

const FIELD_WORDS: Readonly<Record<EditableField, readonly [en: string, es: string]>> = {
  name: ['name', 'nombre'],
  category: ['category', 'categoría'],
  description: ['description', 'descripción'],
  image_link: ['image link', 'enlace de la imagen'],
  product_page_url: ['product page', 'página del producto'],
};

const WORDS: Readonly<Record<string, readonly [en: string, es: string]>> = {
  ...FIELD_WORDS,
  viewer: ['viewer', 'lector'],
  editor: ['editor', 'editor'],
  admin: ['admin', 'administrador'],
  owner: ['owner', 'propietario'],
  // As the badges of certificates say it.
  validated: ['Validated', 'Validado'],
  pending: ['Pending Review', 'En revisión'],
  invalid: ['Invalid', 'No válido'],
  logo: ['logo', 'logotipo'],
  website: ['website', 'sitio web'],
  status: ['status', 'estado'],
};

const placeOf = (language: Language) => (language === 'en' ? 0 : 1);

/** Fallback for unknown actions: `api_key.created` becomes 'Api key: created'. */
export function labelOf(action: string, language: Language): string {
  const known = LABELS[action] ?? ADMIN_LABELS[action];
  if (known) return known[placeOf(language)];
  const words = action.replaceAll('_', ' ').replace('.', ': ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function isKnownAction(action: string): boolean {
  return action in LABELS || action in ADMIN_LABELS;
}

export function describeAction(action: string, details: Details, language: Language): string {
  const more = describeDetails(action, details, language);
  const isOfCorrections = action === 'variants.imported' && typeof details.corrects === 'number';
  const label = isOfCorrections ? (CORRECTIONS_IMPORTED[placeOf(language)] ?? '') : labelOf(action, language);
  return more ? `${label}: ${more}` : label;
}

function describeDetails(action: string, details: Details, language: Language): string {
  const place = placeOf(language);
  const word = (value: unknown) => (typeof value === 'string' ? (WORDS[value]?.[place] ?? value) : '');
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const number = (value: unknown) => (typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : undefined);
  const words = (values: readonly unknown[]) => [...new Set(values.map(word).filter(Boolean))].join(', ');
  const change = (from: unknown, to: unknown) => [word(from), word(to)].filter(Boolean).join(' → ');

  switch (action) {
    case 'brand.updated':
      return words(Object.keys(details));
    case 'variant.edited':
      return Array.isArray(details.changes) ? words(details.changes.map((changed) => changed?.field)) : '';
    case 'variant.all_published':
      return number(details.published) ?? '';
    case 'variants.published':
    case 'variants.unpublished': {
      const names = Array.isArray(details.names) ? details.names.map(text) : [];
      const named = nameSome(names, Number(details.changed), language);
      return [number(details.changed) ?? '', named && `(${named})`].filter(Boolean).join(' ');
    }
    case 'variants.deleted':
      return number(details.changed) ?? '';
    case 'variants.restored': {
      const { restored, kept } = details;
      if (typeof restored !== 'number' || typeof kept !== 'number' || kept === 0) return number(restored) ?? '';
      const [some, all] = [number(restored), number(restored + kept)];
      return (
        [
          `${some} of ${all}; the rest was created again, or its import was undone`,
          `${some} de ${all}; el resto se ha vuelto a crear o su importación se ha deshecho`,
        ][place] ?? ''
      );
    }
    case 'variants.imported': {
      const [imported, rows] = [number(details.imported), number(details.total_rows)];
      if (imported === undefined || rows === undefined) return '';
      const word = details.total_rows === 1 ? ['row', 'fila'] : ['rows', 'filas'];
      return `${imported} ${place === 0 ? 'of' : 'de'} ${rows} ${word[place]}`;
    }
    case 'variants.imports_dismissed':
      return number(details.imports) ?? '';
    case 'certificate.approved':
    case 'certificate.rejected':
      return text(details.note);
    case 'certificate.link_changed':
      return text(details.link);
    case 'certificate.replaced':
      return change(details.replaced, details.external_certificate_id);
    case 'certificate.status_changed':
      return change(details.from, details.to);
    case 'certificates.mailed':
      return number(details.certificates) ?? '';
    case 'api_key.created':
    case 'api_key.revoked':
      return text(details.name);
    case 'channel.connected':
      return text(details.registered_name);
    case 'delivery.retried':
      return number(details.deliveries) ?? '';
    case 'member.invited':
    case 'member.added':
      return word(details.role);
    case 'member.removed':
      return details.status === 'invited' ? (['had only been invited', 'solo estaba invitado'][place] ?? '') : '';
    case 'member.role_changed':
      return change(details.from, details.to);
    default:
      return '';
  }
}

/** 'Oak table, Pine chair and 3 more'; with semicolons if a name contains a comma. */
export function nameSome(names: readonly string[], count: number, language: Language): string {
  const more = count - names.length;
  if (names.length === 0) return '';
  const named = names.join(names.some((name) => name.includes(',')) ? '; ' : ', ');
  if (more <= 0) return named;
  const number = new Intl.NumberFormat(language).format(more);
  return `${named} ${language === 'en' ? `and ${number} more` : `y ${number} más`}`;
}

export const SHEET: Readonly<Record<Language, string>> = { en: 'History', es: 'Historial' };
