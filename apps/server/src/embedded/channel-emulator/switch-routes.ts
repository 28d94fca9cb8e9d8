import { Ajv } from 'ajv';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { deleteRefusals, getSwitches, updateSwitches, upsertRefusal } from './channel-emulator.queries.ts';
import { BASE_PATH, ROUTE_OPTIONS } from './emulated-routes.ts';

const share = Type.Optional(Type.Number({ minimum: 0, maximum: 1 }));
const milliseconds = Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 }));
const text = Type.String({ minLength: 1, maxLength: 500 });
const SwitchChanges = Type.Object(
  {
    ...{ late_ms: milliseconds, processing_ms: milliseconds },
    ...{ fail_share: share, throttle_share: share, lose_share: share, refuse_share: share },
    keep_calls: Type.Optional(Type.Boolean()),
    refusals: Type.Optional(Type.Array(Type.Object({ gtin: text, type: text, title: text, description: text }))),
  },
  { additionalProperties: false },
);
type SwitchChanges = Static<typeof SwitchChanges>;
const isSwitchChanges = new Ajv().compile<SwitchChanges>(SwitchChanges);

/** How the channel is told to misbehave: late, failing, throttling, losing answers, refusing. Nothing of this is Google's. */
export function registerSwitchRoutes(app: FastifyInstance, db: Db): void {
  app.get(`${BASE_PATH}/switches`, ROUTE_OPTIONS, () => getSwitches(db));

  app.patch(`${BASE_PATH}/switches`, ROUTE_OPTIONS, async (request) => {
    const { refusals, ...changes } = checkSwitches(request.body);
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
