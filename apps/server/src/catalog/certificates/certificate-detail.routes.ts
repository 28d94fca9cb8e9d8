import * as endpoints from '@brand-portal/contract/certificate-detail';
import type { Db } from '../../db/database.ts';
import { languageOf } from '../../http/language.ts';
import type { Route } from '../../http/route.ts';
import { getCertificateDetail, replaceCertificate, updateCertificate } from './certificate-detail.ts';

export function registerCertificateDetailRoutes(route: Route, { db }: { db: Db }): void {
  route(endpoints.getCertificateDetail, ({ params, userId, request }) =>
    getCertificateDetail(db, { ...params, userId, language: languageOf(request) }),
  );
  route(endpoints.updateCertificate, ({ params, body, userId, request }) =>
    updateCertificate(db, { ...params, userId, language: languageOf(request) }, body.link),
  );
  route(endpoints.replaceCertificate, ({ params, body, userId, request }) =>
    replaceCertificate(db, { ...params, userId, language: languageOf(request) }, body),
  );
}
