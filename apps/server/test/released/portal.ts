import { execFileSync, spawn } from 'node:child_process';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The portal of the checkout in the working directory, on the database of DATABASE_URL: its server, its commands, its tables. */

const databaseUrl = process.env.DATABASE_URL ?? '';
const port = '4817';
const url = `http://127.0.0.1:${port}`;
const folder = mkdtempSync(join(tmpdir(), 'released-'));
const encryptionKey = randomBytes(32).toString('base64');
const own = { PORT: port, HOST: '127.0.0.1', DATA_DIR: folder, CHANNEL_ENCRYPTION_KEY: encryptionKey };
const env = { ...process.env, ...own };
const signingKey = { id: randomUUID(), secret: randomBytes(32) };
const client = new pg.Client({ connectionString: databaseUrl });

/** The server is killed when the work is done, so that nothing is tidied up. */
export async function withPortal(work: () => Promise<void>): Promise<void> {
  await client.connect();
  const server = spawn(process.execPath, ['apps/embedded/src/main.ts'], { env, stdio: 'inherit' });
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true);
    const { id, secret } = signingKey;
    await sql(`insert into signing_keys (id, secret, active_from) values ($1, $2, now() - interval '1 day')`, id, secret);
    await work();
  } finally {
    server.kill('SIGKILL');
  }
}

/** The last call. The dump has neither comments nor commands that only psql or a newer PostgreSQL knows. */
export async function dump(): Promise<string> {
  await client.end();
  const options = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges'];
  const text = execFileSync('pg_dump', [...options, databaseUrl]).toString();
  return text.replaceAll(/^(?:\\.*|--(?: .*)?|SET transaction_timeout.*)\n/gm, '');
}

export async function sql<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return (await client.query<Row>(text, values)).rows;
}

/** The values of the first column. */
export async function numbers(text: string, ...values: unknown[]): Promise<number[]> {
  return (await sql<Record<string, string>>(text, ...values)).map((row) => Number(Object.values(row)[0]));
}

export async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isDone()) return;
    await sleep(100);
  }
  throw new Error(`In vain: ${what}`);
}

/** One of the operator's commands, with options by name. */
export function command(name: string, options: Readonly<Record<string, string | true>>): void {
  const given = Object.entries(options).flatMap(([option, value]) => [`--${option}`, ...(value === true ? [] : [value])]);
  const args = ['apps/embedded/src/cli/portal.ts', ...name.split(' '), ...given];
  execFileSync(process.execPath, args, { env, stdio: 'inherit' });
}

export function writeTemporary(name: string, text = ''): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

export interface Person {
  readonly id: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Someone with an account and a session. */
export async function signIn(firstName: string, lastName: string): Promise<Person> {
  const email = `${firstName}.${lastName}@example.com`.toLowerCase();
  const [id = 0] = await numbers(
    `insert into users (email, first_name, last_name, provider_subject, language) values ($1, $2, $3, $4, 'en') returning id`,
    email,
    firstName,
    lastName,
    `test|${email}`,
  );
  const [sid] = await numbers(
    `insert into sessions (user_id, refresh_hash, expires_at) values ($1, $2, now() + interval '7 days') returning id`,
    id,
    randomBytes(32),
  );
  const iat = Math.floor(Date.now() / 1000);
  const person = { sub: String(id), sid: String(sid), iss: 'brand-portal', aud: 'brand-portal-api' };
  const claims = [
    { alg: 'HS256', kid: signingKey.id },
    { ...person, iat, exp: iat + 3600 },
  ];
  const body = claims.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const signature = createHmac('sha256', signingKey.secret).update(body).digest('base64url');
  return { id, headers: { authorization: `Bearer ${body}.${signature}` } };
}

/** The fields that are read here, each of some answer. */
interface Answer {
  readonly id: number;
  readonly import_id: number;
  readonly deletion_id: number;
  readonly state: string;
  readonly results: readonly { readonly brand_id: number; readonly id: number; readonly certificate_id: string }[];
}

export function callAs(person: Person, method: string, path: string, body?: object): Promise<Answer> {
  return call(method, `api/v1/${path}`, person.headers, body);
}

export async function setSwitches(switches: object): Promise<void> {
  await call('PATCH', 'channel-emulator/switches', {}, switches);
}

async function call(method: string, path: string, headers: Person['headers'], body?: object): Promise<Answer> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${url}/${path}`, {
    method,
    headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text || 'null');
}
