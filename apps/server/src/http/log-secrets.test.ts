import { uploadCsv } from '@brand-portal/contract/import';
import { createResetLink } from '@brand-portal/embedded/identity-provider/password-reset.ts';
import { Browser } from '@brand-portal/embedded/identity-provider/test-support/browser.ts';
import { ANA } from '@brand-portal/embedded/identity-provider/test-support/running-provider.ts';
import { authorizeUrl, obtainCode, redeem, type Tokens } from '@brand-portal/embedded/identity-provider/test-support/sign-in.ts';
import { useEmbeddedServer } from '@brand-portal/embedded/test/embedded-server.ts';
import { expect, test } from 'vitest';
import { createLogLines } from '../../test/log-lines.ts';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { createInvitationLink, inviteMember } from '../people/members/invitations.ts';

const PASSWORD_OF_ANA = ANA.password;
const CHOSEN = 'Chosen-Passw0rd!';
const WRONG = 'Wrong-Passw0rd!';
const RESET = 'Reset-Passw0rd!';

test('no password, token, code, cookie or content of a file or body is in the log, whatever happens', async () => {
  const log = createLogLines();
  const provider = await useEmbeddedServer({ logger: log.logger });
  const { app, database, publicUrl } = provider;
  const secrets: string[] = [PASSWORD_OF_ANA, CHOSEN, WRONG, RESET, new URL(database.url).password].filter(Boolean);
  const post = async (url: string, body: object, headers = {}) => {
    const answer = await app.inject({ method: 'POST', url, body, headers });
    return answer.statusCode < 300 && answer.body ? answer.json() : {};
  };

  // Signs in: at the provider with a wrong and the right password, then at the portal.
  const first = await new Browser().send(authorizeUrl(provider, 'verifier'));
  secrets.push(...first.headers.getSetCookie().map((line) => line.split(/[=;]/)[1] ?? ''));
  await obtainCode(provider, new Browser(), { email: ANA.email, password: WRONG });
  const code = await obtainCode(provider, new Browser());
  const tokens = (await (await redeem(provider, code)).json()) as Tokens;
  secrets.push(code.code, code.verifier, tokens.access_token, tokens.refresh_token, tokens.id_token);
  const session = await post('/api/v1/auth0/login/', { token: tokens.access_token });
  secrets.push(session.access, session.refresh);
  const { access } = await post('/api/v1/auth/token/refresh/', { refresh: session.refresh });
  secrets.push(access);

  // Resets a forgotten password by its link.
  const reset = (await createResetLink(database.db, publicUrl, ANA.email)) ?? '';
  const resetToken = new URL(reset).searchParams.get('token') ?? '';
  secrets.push(resetToken);
  await fetch(reset);
  for (const password of ['short', RESET]) {
    const body = new URLSearchParams({ token: resetToken, password, confirm: password });
    await fetch(`${publicUrl}/idp/reset-password`, { method: 'POST', body });
  }
  expect(await obtainCode(provider, new Browser(), { email: ANA.email, password: RESET })).toMatchObject({
    code: expect.stringMatching(/./),
  });

  // An invitation with its password, an upload, and malformed requests.
  const brandId = await createTestBrand(database.db);
  const owner = await createTestMember(database.db, brandId, 'owner');
  const member = await inviteMember(database.db, owner.id, brandId, { email: 'new@example.com', role: 'viewer' });
  const link = new URL(await createInvitationLink(database.db, publicUrl, brandId, member.id));
  const token = link.searchParams.get('token') ?? '';
  secrets.push(token, owner.headers.authorization.slice('Bearer '.length));
  await app.inject(link.pathname + link.search);
  await app.inject(`/api/v1/verification-status/?token=${token}`);
  await app.inject(`/api/%zz/?token=${token}`);
  await app.inject({ url: `/nowhere?token=${token}&code=${code.code}`, headers: { cookie: `a=${token}` } });
  await post('/api/v1/verify-email/', { token });
  await post('/api/v1/setup-password/', { token, password: 'short', first_name: 'New' });
  expect(await post('/api/v1/setup-password/', { token, password: CHOSEN })).toEqual({ email: 'new@example.com' });
  // The second lacks the columns, so the message quotes its first row. The variant's message quotes the GTIN.
  const uploadFile = (content: string) =>
    app.inject({
      method: 'POST',
      url: uploadCsv.path.replace(':brandId', String(brandId)),
      headers: { ...owner.headers, 'content-type': 'multipart/form-data; boundary=b' },
      payload: `--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${content}\r\n--b--\r\n`,
    });
  for (const content of ['variant_name,gtin\ncontent-of-file,1', 'content-of-file,price\nSoap,7']) await uploadFile(content);
  await post(`/api/v1/brands/${brandId}/variants/`, { name: 'Soap', gtin: 'content-of-body' }, owner.headers);
  secrets.push('content-of-file', 'content-of-body');

  // The database refuses a row, and quotes it.
  await database.pool.query(`alter table import_rows add constraint a check (name <> 'content-of-file')`);
  expect((await uploadFile('variant_name,gtin\ncontent-of-file,96385074')).statusCode).toBe(500);

  // The database fails in the middle of each.
  await database.pool.query(
    'alter table sessions rename to away_1; alter table invitations rename to away_2; alter table embedded.idp_accounts rename to away_3',
  );
  await post('/api/v1/auth/token/refresh/', { refresh: session.refresh });
  await post('/api/v1/setup-password/', { token, password: CHOSEN });
  await obtainCode(provider, new Browser());

  expect(log.lines().filter(({ msg }) => msg === 'Request failed').length).toBeGreaterThanOrEqual(2);
  expect(secrets.length).toBeGreaterThan(14);
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(3);
  const tellTale = log
    .text()
    .split('\n')
    .filter((line) => secrets.some((secret) => line.includes(secret)));
  expect(tellTale).toEqual([]);
});
