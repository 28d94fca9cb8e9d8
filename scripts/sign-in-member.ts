import { createHmac, randomBytes, randomUUID } from 'node:crypto';

interface Client {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Signs an owner of the brand in without the identity provider, for benchmarks and fault tests: inserts a user, a membership, a session and
 * a key, and creates an access token like the server's, a JWT (HS256) signed by a row of signing_keys. It is valid for the whole run: the
 * server only checks its expiry.
 */
export async function signInMember(client: Client, brandId: number): Promise<{ authorization: string }> {
  const key = { id: randomUUID(), secret: randomBytes(32) };
  // Older than the server's key, so that the server continues to sign with its own.
  await client.query(`insert into signing_keys (id, secret, active_from) values ($1, $2, now() - interval '1 day')`, [key.id, key.secret]);
  const { rows } = await client.query<{ id: string }>('insert into users (email) values ($1) returning id', [
    `owner.${key.id}@example.com`,
  ]);
  const userId = String(rows[0]?.id);
  await client.query(`insert into brand_members (brand_id, user_id, role, status) values ($1, $2, 'owner', 'active')`, [brandId, userId]);
  const sessions = await client.query<{ id: string }>(
    `insert into sessions (user_id, refresh_hash, expires_at) values ($1, $2, now() + interval '1 year') returning id`,
    [userId, randomBytes(32)],
  );
  const now = Math.floor(Date.now() / 1000);
  const sid = String(sessions.rows[0]?.id);
  const claims = { sub: userId, sid, iss: 'brand-portal', aud: 'brand-portal-api', iat: now, exp: now + DAY_SECONDS };
  const body = [{ alg: 'HS256', kid: key.id }, claims].map((part) => base64url(JSON.stringify(part))).join('.');
  const signature = createHmac('sha256', key.secret).update(body).digest('base64url');
  return { authorization: `Bearer ${body}.${signature}` };
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
