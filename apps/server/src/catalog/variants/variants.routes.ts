import type { Quotas } from '@brand-portal/contract/quotas';
import * as detail from '@brand-portal/contract/variant-detail';
import * as endpoints from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import { languageOf } from '../../http/language.ts';
import type { Route } from '../../http/route.ts';
import { addVariant, addVariantCertificate, editVariant, getVariantDetail, removeVariantCertificate } from './variant-detail.ts';
import { exportVariants } from './variant-export.ts';
import { createSamples } from './variant-search.ts';
import { countVariantStates, filterKeyOf, listVariants } from './variants.ts';

export function registerVariantRoutes(route: Route, { db, lists, quotas }: { db: Db; lists: Db; quotas: Quotas }): void {
  const samples = createSamples();
  route(endpoints.listVariants, async ({ params: { brandId }, query }) => ({
    ...(await listVariants(lists, brandId, query, { samples })),
    filter_key: filterKeyOf(brandId, query),
  }));
  route(endpoints.countVariantStates, ({ params, query }) => countVariantStates(lists, params.brandId, query, { samples }));
  route(endpoints.exportVariants, ({ params, query, request }) => exportVariants(lists, params.brandId, query, languageOf(request)));
  route(endpoints.exportChosenVariants, ({ params, body, request }) => exportVariants(lists, params.brandId, body, languageOf(request)));

  route(detail.getVariantDetail, ({ params, userId, request }) =>
    getVariantDetail(db, { ...params, userId, language: languageOf(request) }),
  );
  route(detail.updateVariant, ({ params, body: { version, ...entered }, userId, request }) =>
    editVariant(db, { ...params, userId, language: languageOf(request) }, version, entered),
  );
  route(detail.createVariant, ({ params, body, userId, request }) =>
    addVariant(db, params.brandId, userId, body, { language: languageOf(request), quotas }),
  );
  route(detail.addVariantCertificate, ({ params, body, userId, request }) =>
    addVariantCertificate(db, { ...params, userId, language: languageOf(request) }, body),
  );
  route(detail.removeVariantCertificate, ({ params, userId }) => removeVariantCertificate(db, { ...params, userId }, params.certificateId));
}
