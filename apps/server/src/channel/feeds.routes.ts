import * as endpoints from '@brand-portal/contract/channel';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../db/database.ts';
import { asRead } from '../db/reads.ts';
import { hangUp, takeTurn } from '../http/admission.ts';
import { FEED_PATH } from '../http/request-log.ts';
import type { Route } from '../http/route.ts';
import { AppError, invalidFields } from '../lib/errors.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import { createFeed, getFeed, revokeFeed } from '../people/api-keys/feed-url.ts';
import { FEED_FORMATS, type FeedFormatName } from './feed-formats.ts';
import { FEED_IDS, type FeedId, type OpenedFeed, openFeed } from './feeds.ts';

interface Dependencies {
  readonly db: Db;
  readonly publicUrl: string;
  readonly supportEmail: string;
}

const FILE = /^([\w-]{43})\.(tsv|xml)$/;
/** Of one feed at the same time, from its digest to the last row that the reader takes. */
const FETCHES = { total: 12, each: 2, waiting: 20, waitMs: 5_000 };
/** Google fetches about once a day. More frequent requests get the cached response. */
const CACHED_SECONDS = 300;

export function registerFeedRoutes(app: FastifyInstance, route: Route, { db, publicUrl, supportEmail }: Dependencies): void {
  route(endpoints.getChannelFeed, ({ params }) => getFeed(db, params.brandId));
  route(endpoints.createChannelFeed, ({ params, userId }) => createFeed(db, userId, params.brandId, publicUrl));
  route(endpoints.revokeChannelFeed, ({ params, userId }) => revokeFeed(db, userId, params.brandId));

  // Public: the token in the URL is the only credential.
  const fetches = new FairQueue(FETCHES);
  const options = { schema: { hide: true }, config: { isCostly: true } };
  app.get<{ Params: { file: string } }>(`${FEED_PATH}:file`, options, async (request, reply) => {
    const [, token = '', name] = FILE.exec(request.params.file) ?? [];
    const format = name as FeedFormatName;
    const id = readId(request);
    const caller = hangUp(reply);
    const turn = await takeTurn(fetches, caller, [`feed ${token}`]);
    for (const end of ['finish', 'close']) reply.raw.once(end, turn.leave);
    const open = () => openFeed(db, token, { format, id, supportEmail });
    const feed = token ? await asRead(caller, open) : undefined;
    // The same response for unknown, renewed and revoked tokens.
    if (!feed) throw new AppError('not_found', 'There is no such feed.');
    reply
      .header('etag', feed.etag)
      .header('last-modified', feed.changedAt.toUTCString())
      .header('cache-control', `private, max-age=${CACHED_SECONDS}`)
      .header('x-robots-tag', 'noindex');
    if (isUnchanged(request, feed)) return reply.status(304).send();
    return reply.type(FEED_FORMATS[format].type).send(await asRead(caller, async () => feed.read()));
  });
}

function readId({ query }: FastifyRequest): FeedId {
  const { id = 'delivery' } = query as { id?: FeedId };
  if (!FEED_IDS.includes(id)) throw invalidFields({ id: `must be one of ${FEED_IDS.join(', ')}` });
  return id;
}

/** As HTTP defines it: the ETag decides if the request has one, otherwise the time in whole seconds. */
function isUnchanged({ headers }: FastifyRequest, { etag, changedAt }: OpenedFeed): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return Math.floor(changedAt.getTime() / 1000) * 1000 <= since;
}
