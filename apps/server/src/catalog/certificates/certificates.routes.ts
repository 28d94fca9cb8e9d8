import * as endpoints from '@brand-portal/contract/certificates';
import * as coverage from '@brand-portal/contract/coverage';
import * as reviews from '@brand-portal/contract/reviews';
import type { Db } from '../../db/database.ts';
import { languageOf } from '../../http/language.ts';
import type { Route } from '../../http/route.ts';
import { listCatalogue } from './catalogue.ts';
import { exportCertificates } from './certificate-export.ts';
import { countVariantsWith } from './certificates.queries.ts';
import { listBrandCertificates, listCertificatePage, removeCertificate } from './certificates.ts';
import { exportCoverage, getCoverage } from './coverage.ts';
import { listReviews, reviewMany } from './reviews.ts';

export function registerCertificateRoutes(route: Route, { db, lists }: { db: Db; lists: Db }): void {
  route(endpoints.listCatalogue, () => listCatalogue(db));

  route(endpoints.countCertifiedVariants, async ({ params: { brandId, certificateId } }) => ({
    count: await countVariantsWith(db, brandId, certificateId),
  }));

  route(endpoints.deleteBrandCertification, ({ params, userId }) => removeCertificate(db, { ...params, userId }));

  route(endpoints.listBrandCertifications, async ({ params, query }) =>
    Object.keys(query).length > 0 ? listCertificatePage(lists, params.brandId, query) : listBrandCertificates(db, params.brandId),
  );

  route(coverage.getCoverage, ({ params }) => getCoverage(db, params.brandId));

  route(coverage.exportCoverage, ({ params, query, request }) => exportCoverage(db, params.brandId, query, languageOf(request)));

  route(endpoints.exportCertificates, ({ params, query, request }) => exportCertificates(db, params.brandId, query, languageOf(request)));
}

export function registerReviewRoutes(route: Route, { db }: { db: Db }): void {
  route(reviews.listReviews, () => listReviews(db, { limit: reviews.MAX_REVIEWED_AT_ONCE }));

  route(reviews.reviewMany, ({ body, userId }) => reviewMany(db, userId, body));
}
