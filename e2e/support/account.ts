import type { APIRequestContext } from '@playwright/test';
import { portal } from './portal.ts';
import type { ServerProcess } from './server.ts';

let made = 0;

export interface TestAccount {
  readonly email: string;
  readonly password: string;
}

/** A new person with a brand and a password of their own, for what would lock the others out. */
export async function makeAccount(server: ServerProcess, request: APIRequestContext): Promise<TestAccount> {
  made += 1;
  const account = { email: `person.${made}@example.com`, password: 'Correct!Horse7' };
  const said = await portal(server, 'brand', 'create', '--name', `Brand ${made}`, '--owner-email', account.email);
  const brand = /\d+/.exec(said)?.[0] ?? '';
  const link = await portal(server, 'invitation', 'link', '--brand', brand, '--email', account.email);
  const token = new URL(link.trim()).searchParams.get('token');
  await request.post(`${server.url}/api/v1/verify-email/`, { data: { token } });
  await request.post(`${server.url}/api/v1/setup-password/`, { data: { token, password: account.password } });
  return account;
}
