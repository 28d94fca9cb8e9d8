// @module-tag empty-installation
import { describe, expect, test } from 'vitest';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { useOnboarding } from './test-support/onboarding.ts';

async function useTeam() {
  const onboarding = await useOnboarding();
  const { call, owner, brandId, pool } = onboarding;
  const team = `/api/v1/brands/${brandId}/team/`;
  const list = async (query = '', headers: Record<string, string> = owner.headers) => (await call(headers, 'GET', `${team}${query}`)).body;
  const emails = async (query: string) => ((await list(query)).results as { email: string }[]).map(({ email }) => email.split(/[.@]/)[0]);
  const expire = () => pool.query(`update invitations set expires_at = now() - interval '1 hour' where expires_at is not null`);
  return { ...onboarding, team, list, emails, expire };
}

describe('the team', () => {
  test('lists members before the invited, with role, state, last use and who is the last owner', async () => {
    const { list, invite, expire, owner, admin } = await useTeam();
    await invite('late@example.com', 'viewer');
    await expire();
    await invite('luis@example.com', 'owner');
    const { results, count } = await list();
    expect(count).toBe(4);
    const member = { status: 'active', state: 'active', expires_at: null };
    expect(results).toEqual([
      {
        ...member,
        id: owner.id,
        email: owner.email,
        first_name: 'Olivia',
        last_name: 'Lindqvist',
        role: 'owner',
        last_seen_at: expect.any(String),
        is_last_owner: true,
      },
      {
        ...member,
        id: admin.id,
        email: admin.email,
        first_name: 'Ana',
        last_name: 'Torres',
        role: 'admin',
        last_seen_at: null,
        is_last_owner: false,
      },
      expect.objectContaining({
        email: 'luis@example.com',
        state: 'invited',
        role: 'owner',
        is_last_owner: false,
        last_seen_at: null,
        expires_at: expect.any(String),
      }),
      expect.objectContaining({ email: 'late@example.com', state: 'expired', role: 'viewer' }),
    ]);
  });

  test('is searched, filtered, sorted and paged by the server, and has nobody of another brand', async () => {
    const { list, emails, invite, expire, db, brandId, owner } = await useTeam();
    await createTestMember(db, brandId, 'editor', 'Zoë Åkesson');
    await createTestMember(db, await createTestBrand(db), 'editor', 'Zora Elsewhere');
    await invite('late@example.com', 'viewer');
    await expire();
    await invite('luis@example.com', 'viewer');
    expect(await emails('?search=zoe%20ake')).toEqual(['zoë']);
    expect(await emails('?search=LUIS%40')).toEqual(['luis']);
    expect(await emails('?search=100%25')).toEqual([]);
    expect(await emails('?role=viewer')).toEqual(['late', 'luis']);
    expect(await emails('?state=invited')).toEqual(['luis']);
    expect(await emails('?state=expired')).toEqual(['late']);
    expect(await emails('?ordering=name')).toEqual(['ana', 'late', 'luis', 'olivia', 'zoë']);
    expect(await emails('?ordering=-name')).toEqual(['zoë', 'olivia', 'luis', 'late', 'ana']);
    expect(await emails('?ordering=role')).toEqual(['olivia', 'ana', 'zoë', 'late', 'luis']);
    expect((await emails('?ordering=-state'))[0]).toBe('late');
    expect((await emails('?ordering=last_seen'))[0]).toBe('olivia');
    expect((await emails('?ordering=-last_seen'))[0]).toBe('olivia');
    expect(await emails('?page=2&page_size=2&ordering=name')).toEqual(['luis', 'olivia']);
    expect(await list('?page=9&page_size=2', owner.headers)).toEqual({ results: [], count: 5 });
  });

  test('records a member’s last use at most every ten minutes, and does not wait for a lock on the member', async () => {
    const { list, call, pool, brandId, owner, admin, db } = await useTeam();
    const seen = async () =>
      (await pool.query('select last_seen_at::text as at from brand_members where user_id = $1', [admin.id])).rows[0]?.at;
    const stranger = await createTestUser(db);
    await call(stranger.headers, 'GET', `/api/v1/brands/${brandId}/team/`);
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('select from brand_members where user_id = $1 for update', [admin.id]);
      await list('', admin.headers);
      expect(await seen()).toBeNull();
      await client.query('rollback');
    } finally {
      client.release();
    }
    await list('', admin.headers);
    const first = await seen();
    expect(first).not.toBeNull();
    await list('', admin.headers);
    expect(await seen()).toBe(first);
    await pool.query(`update brand_members set last_seen_at = now() - interval '11 minutes'`);
    await list('', admin.headers);
    const { results } = await list('?ordering=-last_seen', owner.headers);
    expect(Date.now() - Date.parse(results[0].last_seen_at)).toBeLessThan(60_000);
  });
});

describe('inviting several people', () => {
  test('validates each address, deduplicates spellings of one, and sends mails in the requested language', async () => {
    const { call, team, owner, admin, invite, runJobs, mailer } = await useTeam();
    await invite('invited@example.com');
    const emails = [
      'eva@example.com',
      ' EVA@example.com ',
      'not an address',
      'x'.repeat(400),
      admin.email.toUpperCase(),
      'invited@example.com',
      'max@example.com',
      '<script>@example.com',
    ];
    const body = { emails, role: 'editor', language: 'es' };
    const answer = await call(owner.headers, 'POST', `${team}invitations/`, body);
    expect(answer.status).toBe(200);
    expect(answer.body.results).toEqual([
      { email: 'EVA@example.com', outcome: 'invited' },
      { email: 'not an address', outcome: 'invalid' },
      { email: 'x'.repeat(400), outcome: 'invalid' },
      { email: admin.email.toUpperCase(), outcome: 'already_member' },
      { email: 'invited@example.com', outcome: 'already_invited' },
      { email: 'max@example.com', outcome: 'invited' },
      { email: '<script>@example.com', outcome: 'invalid' },
    ]);
    await runJobs();
    const mails = mailer.mails.slice(1);
    expect(mails.map(({ to }) => to.address).sort()).toEqual(['EVA@example.com', 'max@example.com']);
    expect(mails.every(({ subject }) => subject.startsWith('Tu invitación'))).toBe(true);
  });

  test('as owners is allowed for owners only, and a refused call invites nobody and names the owner', async () => {
    const { call, team, list, admin } = await useTeam();
    const body = { emails: ['eva@example.com'], role: 'owner' };
    expect(await call(admin.headers, 'POST', `${team}invitations/`, body)).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', context: { role: 'admin', required_role: 'owner', ask: 'Olivia Lindqvist' } },
    });
    expect((await list()).count).toBe(2);
  });

  test('stops at the hourly limit of the brand, with a result per address', async () => {
    const { call, team, owner, pool, brandId } = await useTeam();
    await pool.query(
      `insert into audit_log (brand_id, action, details) select $1, 'member.invited', '{"member_id": 1}' from generate_series(1, 99)`,
      [brandId],
    );
    const body = { emails: ['eva@example.com', 'max@example.com'], role: 'viewer' };
    expect((await call(owner.headers, 'POST', `${team}invitations/`, body)).body.results).toEqual([
      { email: 'eva@example.com', outcome: 'invited' },
      { email: 'max@example.com', outcome: 'rate_limited' },
    ]);
  });
});

describe('a link that an admin copies', () => {
  test('does not verify the e-mail: it shows the invitation and sends a new mail, and only the link in the mail creates an account', async () => {
    const { call, team, admin, invite, status, verify, setup, runJobs, mailer, audits } = await useTeam();
    const { member, token: mailed } = await invite('luis@example.com');
    const { body } = await call(admin.headers, 'POST', `${team}${member.id}/link/`);
    const token = /^https:\/\/portal\.example\/verify-email\?token=([\w-]{43})$/.exec(body.link)?.[1] ?? '';
    expect((await audits()).at(-1)).toMatchObject({ action: 'invitation.link_made', user_id: admin.id });

    expect((await status(token)).body).toMatchObject({ verified: false, member: { email: 'luis@example.com' } });
    // The mailed link verifies the address. The copied link stays unverified.
    expect((await verify(mailed)).body).toMatchObject({ verified: true });
    expect((await status(token)).body).toMatchObject({ verified: false });
    expect(await setup(token)).toMatchObject({ status: 403, body: { code: 'email_not_verified' } });

    expect((await verify(token)).body).toMatchObject({ verified: false, mailed: true });
    await runJobs();
    expect(mailer.mails).toHaveLength(2);
    const fresh = mailer.tokenFor('luis@example.com');
    expect(fresh).not.toBe(mailed);
    await verify(fresh);
    expect((await setup(fresh)).status).toBe(200);
    expect((await status(token)).status).toBe(404);
  });

  test('is replaced by the next one, renews an expired invitation, and becomes invalid with a new mail or a withdrawal', async () => {
    const { call, team, members, list, admin, invite, expire, status, runJobs, pool } = await useTeam();
    const { member } = await invite('luis@example.com');
    await expire();
    const copy = async () => {
      const { body } = await call(admin.headers, 'POST', `${team}${member.id}/link/`);
      return new URL(body.link).searchParams.get('token') ?? '';
    };
    const first = await copy();
    expect((await list('?search=luis')).results[0].state).toBe('invited');
    const second = await copy();
    expect((await status(first)).status).toBe(404);
    expect((await status(second)).status).toBe(200);
    await call(admin.headers, 'POST', `${members}${member.id}/resend/`);
    await runJobs();
    expect((await status(second)).status).toBe(404);
    // As after the purge of an expired invitation: the membership remains.
    await pool.query('delete from invitations');
    const third = await copy();
    expect((await status(third)).status).toBe(200);
    await call(admin.headers, 'DELETE', `${members}${member.id}/`);
    expect((await status(third)).status).toBe(404);
    expect((await call(admin.headers, 'POST', `${team}${member.id}/link/`)).status).toBe(404);
  });

  test('renews an expired invitation for somebody with an account too, until the link expires', async () => {
    const { call, team, list, admin, brandId, db, pool } = await useTeam();
    const luis = await createTestUser(db);
    await call(admin.headers, 'POST', `${team}invitations/`, { emails: [luis.email], role: 'editor' });
    await pool.query('update invitations set expires_at = now()');
    const own = '/api/v1/users/me/invitations/';
    const waiting = async () => (await call(luis.headers, 'GET', own)).body.results.length;
    const state = async () => (await list(`?search=${luis.email}`)).results[0].state;
    const copy = () => call(admin.headers, 'POST', `${team}${luis.id}/link/`);
    expect([await waiting(), await state()]).toEqual([0, 'expired']);
    await copy();
    expect([await waiting(), await state()]).toEqual([1, 'invited']);
    // As after the purge of an expired invitation.
    await pool.query('delete from invitations');
    await copy();
    expect([await waiting(), await state()]).toEqual([1, 'invited']);
    await pool.query('update invitations set link_expires_at = now()');
    expect([await waiting(), await state()]).toEqual([0, 'expired']);
    expect((await call(luis.headers, 'POST', `${own}${brandId}/accept/`)).status).toBe(404);
  });

  test('cannot send more mails than the limit per person', async () => {
    const { call, team, admin, invite, verify } = await useTeam();
    const { member } = await invite('luis@example.com');
    const { body } = await call(admin.headers, 'POST', `${team}${member.id}/link/`);
    const token = new URL(body.link).searchParams.get('token') ?? '';
    for (let mail = 0; mail < 4; mail++) expect((await verify(token)).status).toBe(200);
    expect(await verify(token)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });
});
