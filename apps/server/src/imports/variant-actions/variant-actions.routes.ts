import type { ImportReceipt } from '@brand-portal/contract/import';
import { publishAllVariants } from '@brand-portal/contract/publishing';
import type { RestoreResult, VariantActionResult } from '@brand-portal/contract/variant-action-results';
import * as endpoints from '@brand-portal/contract/variant-actions';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../../db/database.ts';
import { languageOf } from '../../http/language.ts';
import type { Route } from '../../http/route.ts';
import { acceptAction } from '../actions.ts';
import type { Follow } from '../follow.ts';
import { listDeletions, requireDeletion } from './deletions.ts';
import { acceptPublishAll, acceptSelection } from './variant-actions.ts';

/** The browser gives up after 10 s. */
const WAIT_MS = 8_000;

export function registerVariantActionRoutes(route: Route, { db, follow }: { db: Db; follow: Follow }): void {
  const callerOf = (request: FastifyRequest, brandId: number, userId: number) => ({
    brandId,
    userId,
    language: languageOf(request),
  });
  const acted = async ({ outcome }: Pick<ImportReceipt, 'outcome'>) => outcome as VariantActionResult;

  route(endpoints.actOnVariants, async ({ params: { brandId }, body, userId, request }) => {
    const key = await acceptSelection(db, callerOf(request, brandId, userId), body);
    return follow(request, key, acted, WAIT_MS);
  });

  route(publishAllVariants, async ({ params: { brandId }, userId, request }) => {
    const key = await acceptPublishAll(db, callerOf(request, brandId, userId));
    return follow(request, key, async (record) => ({ published: (await acted(record)).changed }), WAIT_MS);
  });

  route(endpoints.listDeletions, ({ params, request }) => listDeletions(db, params.brandId, languageOf(request)));

  route(endpoints.restoreDeletion, async ({ params: { brandId, deletionId }, userId, request }) => {
    await requireDeletion(db, brandId, deletionId);
    const key = await acceptAction(db, callerOf(request, brandId, userId), 'restore', { deletion_id: deletionId });
    return follow(request, key, async ({ outcome }) => outcome as RestoreResult, WAIT_MS);
  });
}
