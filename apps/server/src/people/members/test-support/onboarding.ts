import { ErrorBody } from '@brand-portal/contract/errors';
import fastify from 'fastify';
import { Logger, runOnce } from 'graphile-worker';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createLogLines } from '../../../../test/log-lines.ts';
import { createTestBrand, createTestMember } from '../../../../test/people.ts';
import { useTestDatabase } from '../../../../test/test-database.ts';
import { createGate } from '../../../entry/gate.ts';
import { createTasks } from '../../../entry/tasks.ts';
import { createAdmission } from '../../../http/admission.ts';
import { useErrorHandler } from '../../../http/error-handler.ts';
import { createRoute } from '../../../http/route.ts';
import { useContractValidation } from '../../../http/validation.ts';
import type { Mail, Mailer } from '../../../mail/mailer.ts';
import { migrateJobs } from '../../../queue/worker.ts';
import { createAccessTokens } from '../../identity/access-tokens.ts';
import { createSigningKeys } from '../../identity/signing-keys.ts';
import type { IdentityDirectory, Person } from '../identity-directory.ts';
import { registerMemberRoutes } from '../members.routes.ts';
import { registerOnboardingRoutes } from '../onboarding.routes.ts';

export const PUBLIC_URL = 'https://portal.example';
export const GOOD_PASSWORD = 'Correct.horse7';

const logger = pino({ level: 'silent' });

/** An in-memory directory of an identity provider. Tests can make it fail. */
class FakeDirectory implements IdentityDirectory {
  readonly accounts = new Map<string, Person & { subject: string }>();
  calls = 0;
  /** Hooks that run before and after an account is created. */
  before: () => Promise<void> = async () => {};
  after: () => Promise<void> = async () => {};

  async createOrUpdateUser(person: Person): Promise<{ subject: string }> {
    this.calls += 1;
    await this.before();
    const subject = this.accounts.get(person.email)?.subject ?? `auth0|${this.accounts.size + 1}`;
    this.accounts.set(person.email, { ...person, subject });
    await this.after();
    return { subject };
  }
}

/** Records mails, or throws `refuse` if it is set. */
class FakeMailer implements Mailer {
  readonly mails: Mail[] = [];
  refuse: Error | undefined;

  async send(mail: Mail): Promise<void> {
    if (this.refuse) throw this.refuse;
    this.mails.push(mail);
  }

  /** The token of the latest invitation sent to the address. */
  tokenFor(email: string): string {
    const mail = this.mails.findLast(({ to }) => to.address === email);
    return /verify-email\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
  }
}

/** The routes of this module with their own database, and a brand with an owner and an admin. */
export async function useOnboarding() {
  const database = await useTestDatabase();
  const { db, pool } = database;
  await migrateJobs(pool, logger);
  const directory = new FakeDirectory();
  const mailer = new FakeMailer();
  const log = createLogLines();

  const app = fastify({ logger: { level: 'silent' }, routerOptions: { ignoreTrailingSlash: true } });
  app.addSchema(ErrorBody);
  useErrorHandler(app);
  useContractValidation(app);
  const route = createRoute(app, createGate(db, createAccessTokens(createSigningKeys(db)), 'help@example.com'), createAdmission());
  registerMemberRoutes(route, { db, publicUrl: PUBLIC_URL });
  registerOnboardingRoutes(route, { db, directory });
  onTestFinished(() => app.close());

  const brandId = await createTestBrand(db, 'Casa Verde');
  const owner = await createTestMember(db, brandId, 'owner', 'Olivia Lindqvist');
  const admin = await createTestMember(db, brandId, 'admin', 'Ana Torres');
  const members = `/api/v1/brands/${brandId}/members/`;

  const call = async (headers: Record<string, string>, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) => {
    const answer = await app.inject({ method, url, headers, ...(body && { body }) });
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
  };
  /** Runs every queued job once, including jobs scheduled for later. */
  const runJobs = async () => {
    await pool.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()');
    await runOnce({
      pgPool: pool,
      taskList: createTasks({ db, mailer, publicUrl: PUBLIC_URL, logger: log.logger }),
      noHandleSignals: true,
      logger: new Logger(() => () => {}),
    });
  };
  const invite = async (email: string, role = 'editor') => {
    const { body } = await call(owner.headers, 'POST', members, { email, role });
    await runJobs();
    return { member: body, token: mailer.tokenFor(email) };
  };
  const status = (token: string) => call({}, 'GET', `/api/v1/verification-status/?token=${encodeURIComponent(token)}`);
  const verify = (token: string) => call({}, 'POST', '/api/v1/verify-email/', { token });
  const setup = (token: string, fields: object = {}) =>
    call({}, 'POST', '/api/v1/setup-password/', { token, password: GOOD_PASSWORD, ...fields });
  const audits = async () => {
    const { rows } = await pool.query('select action, user_id, details from audit_log where brand_id = $1 order by id', [brandId]);
    return rows as { action: string; user_id: number | null; details: Record<string, unknown> }[];
  };
  return {
    database,
    db,
    pool,
    app,
    directory,
    mailer,
    log,
    brandId,
    owner,
    admin,
    members,
    call,
    runJobs,
    invite,
    status,
    verify,
    setup,
    audits,
  };
}
