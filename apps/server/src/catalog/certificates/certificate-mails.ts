import type { Language } from '@brand-portal/contract/constants';
import { PAGES } from '@brand-portal/contract/pages';
import type { FastifyBaseLogger } from 'fastify';
import { audit } from '../../audit/audit.ts';
import type { Db } from '../../db/database.ts';
import type { Rows } from '../../db/fragments.ts';
import { type Mail, type Mailer, sendUnlessRefused } from '../../mail/mailer.ts';
import { getBrand } from '../../people/brands/brands.ts';
import { findPerson } from '../../people/identity/users.ts';
import { listMailedAdmins } from '../../people/members/members.ts';
import { type Jobs, queueJob } from '../../queue/queue.ts';
import { type BrandState, inAnyBrand, isBrandInactive, JOB_WAIT } from '../../writes/brand-lock.ts';
import {
  dueNotices,
  listNoticedCertificates,
  markNoticesSent,
  type Notice,
  sentNotices,
  setNextNotices,
} from '../../writes/certificate-notices.ts';
import { type BrandByBrand, setDueWork, workBrandByBrand } from '../../writes/due-work.ts';
import { type CertificateMail, certificateMail } from './certificate-mail.ts';
import { currentDay, daysFrom } from './days.ts';

/** Certificates listed in a mail; it says how many more there are. */
const LISTED = 20;

/** One mail per brand and day at most; returns how many mails were queued. The notices and the mail job are committed together. */
export function queueCertificateMails(db: Db, now = new Date(), options?: BrandByBrand): Promise<number> {
  const queue = (brandId: number) => queueMailsOf(db, brandId, currentDay(now));
  return workBrandByBrand(db, 'mail_certificates', queue, { ...options, now });
}

function queueMailsOf(db: Db, brandId: number, day: string): Promise<number> {
  const queueMails = async (db: Db, state: BrandState) => {
    if (state !== 'present' || (await isBrandInactive(db, brandId))) {
      // A deleted or inactive brand gets no mail. Its notices stay, in case it is restored or activated.
      const tomorrow = new Date(daysFrom(day, 1));
      await setDueWork(db, brandId, 'mail_certificates', state === 'missing' ? undefined : tomorrow);
      return 0;
    }
    const certificates = await markNoticesSent(db, brandId, day);
    await setNextNotices(db, brandId, day);
    if (certificates === 0) return 0;
    const recipients = await listMailedAdmins(db, brandId);
    for (const user_id of recipients) await queueJob(db, 'send_certificate_notice', { brand_id: brandId, user_id, day });
    // `markNoticesSent` reads the day.
    const details = { certificates, recipients: recipients.length, day };
    await audit(db, { brandId, userId: null, action: 'certificates.mailed', details });
    return recipients.length;
  };
  return inAnyBrand(db, brandId, queueMails, JOB_WAIT);
}

interface Dependencies {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  readonly logger: FastifyBaseLogger;
}

/** No mail if they are no longer an owner or admin, or have turned the mails off. */
export async function sendCertificateMail(deps: Dependencies, job: Jobs['send_certificate_notice']): Promise<void> {
  const { brand_id, user_id, day } = job;
  const person = await findPerson(deps.db, user_id);
  if (!person || !(await listMailedAdmins(deps.db, brand_id)).includes(user_id)) return;
  const mail = await composeMail(deps.db, brand_id, { person, day, publicUrl: deps.publicUrl }, sentNotices(brand_id, day));
  if (!mail) return;
  const messageId = `<certificates-${brand_id}-${user_id}-${day}@${new URL(deps.publicUrl).hostname}>`;
  await sendUnlessRefused(deps, { ...mail, messageId }, { brand_id, user_id });
}

/** The mail that the brand would get now, and its recipients. Undefined if nothing is due. */
export async function previewCertificateMail(
  db: Db,
  brandId: number,
  { language, publicUrl, now = new Date() }: { language: Language; publicUrl: string; now?: Date },
): Promise<{ mail: Mail | undefined; recipients: string[] }> {
  await getBrand(db, brandId);
  const people = await Promise.all((await listMailedAdmins(db, brandId)).map((id) => findPerson(db, id)));
  const recipients = people.flatMap((person) => person?.email ?? []);
  const person = { email: recipients[0] ?? '', name: '', language };
  const day = currentDay(now);
  const mail = await composeMail(db, brandId, { person, day, publicUrl }, dueNotices(brandId, day));
  return { mail, recipients };
}

async function composeMail(
  db: Db,
  brandId: number,
  { person, day, publicUrl }: Pick<CertificateMail, 'person' | 'day'> & { publicUrl: string },
  notices: Rows<Notice>,
): Promise<Mail | undefined> {
  const told = await listNoticedCertificates(db, brandId, notices, LISTED);
  if (told.total === 0) return undefined;
  const { name: brand } = await getBrand(db, brandId);
  const linkTo = (page: string) => `${publicUrl}${page.replace(':id', String(brandId))}`;
  const links = { link: linkTo(PAGES.certifications), turnOffLink: linkTo(`${PAGES.settings}#mails`) };
  return certificateMail({ person, brand, day, ...told, ...links });
}
