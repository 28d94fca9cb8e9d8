import type { Db } from '@brand-portal/server/db/database.ts';
import { AppError } from '@brand-portal/server/lib/errors.ts';
import { Ajv } from 'ajv';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireLocalCaller } from '../callers.ts';
import {
  deleteRefusals,
  getSwitches,
  insertLink,
  type Link,
  type Switches,
  updateSwitches,
  upsertRefusal,
} from './channel-emulator.queries.ts';
import { BASE_PATH, ROUTE_OPTIONS } from './channel-emulator-routes.ts';

interface SwitchChanges extends Partial<Switches> {
  readonly refusals?: readonly {
    gtin: string;
    type: string;
    title: string;
    description: string;
    applicableCountries?: string[];
  }[];
  readonly links?: readonly Link[];
}

const share = { type: 'number', minimum: 0, maximum: 1 };
const milliseconds = { type: 'integer', minimum: 0, maximum: 60_000 };
const text = { type: 'string', minLength: 1, maxLength: 500 };
const refusal = { gtin: text, type: text, title: text, description: text };
const link = { account: text, client_id: { type: 'string', maxLength: 50 }, brand: text };

const isSwitchChanges = new Ajv().compile<SwitchChanges>({
  type: 'object',
  additionalProperties: false,
  properties: {
    late_ms: milliseconds,
    processing_ms: milliseconds,
    keep_calls: { type: 'boolean' },
    fail_share: share,
    throttle_share: share,
    lose_share: share,
    refuse_share: share,
    refusals: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: Object.keys(refusal),
        properties: { ...refusal, applicableCountries: { type: 'array', items: text } },
      },
    },
    links: {
      type: 'array',
      items: { type: 'object', additionalProperties: false, required: Object.keys(link), properties: link },
    },
  },
});

/** Switches of the emulator: known accounts, delays, failures, throttling, lost responses, rejections. Google has no such API. */
export function registerSwitchRoutes(app: FastifyInstance, db: Db): void {
  const options = {
    ...ROUTE_OPTIONS,
    onRequest: async (request: FastifyRequest) => requireLocalCaller(request, 'The emulator'),
  };
  app.get(`${BASE_PATH}/switches`, options, () => getSwitches(db));

  app.patch(`${BASE_PATH}/switches`, options, async (request) => {
    const { refusals, links = [], ...changes } = checkSwitches(request.body);
    for (const link of links) await insertLink(db, link);
    if (Object.keys(changes).length > 0) await updateSwitches(db, changes);
    if (refusals) {
      await deleteRefusals(db);
      for (const { gtin, ...issue } of refusals) await upsertRefusal(db, gtin, { ...issue, severity: 'ERROR' });
    }
    return getSwitches(db);
  });
}

function checkSwitches(body: unknown): SwitchChanges {
  if (isSwitchChanges(body)) return body;
  const [problem] = isSwitchChanges.errors ?? [];
  throw new AppError('validation_failed', `${problem?.instancePath || 'body'} ${problem?.message}`);
}
