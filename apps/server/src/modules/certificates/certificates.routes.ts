import * as endpoints from '@brand-portal/contract/certificates';
import type { Db } from '../../db/database.ts';
import { languageOf } from '../../http/language.ts';
import type { Route } from '../../http/route.ts';
import { listCatalogue } from './catalogue.ts';
import { exportCertificates } from './certificate-export.ts';
import { countVariantsWith } from './certificates.queries.ts';
import { listBrandCertificates, listCertificatePage, removeCertificate } from './certificates.ts';

export function registerCertificateRoutes(route: Route, { db, lists }: { db: Db; lists: Db }): void {
  route(endpoints.listCatalogue, () => listCatalogue(db));

  route(endpoints.countCertifiedVariants, async ({ params: { brandId, certificateId } }) => ({
    count: await countVariantsWith(db, brandId, certificateId),
  }));

  route(endpoints.deleteBrandCertification, ({ params, userId }) => removeCertificate(db, { ...params, userId }));

  route(endpoints.listBrandCertifications, async ({ params, query }) =>
    Object.keys(query).length > 0
      ? listCertificatePage(lists, params.brandId, query)
      : listBrandCertificates(db, params.brandId),
  );

  route(endpoints.exportCertificates, ({ params, query, request }) =>
    exportCertificates(db, params.brandId, query, languageOf(request.headers['accept-language'])),
  );
}
