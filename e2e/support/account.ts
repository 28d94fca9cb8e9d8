import type { APIRequestContext } from '@playwright/test';
import { portal } from './portal.ts';
import type { ServerProcess } from './server.ts';

let made = 0;

export interface TestAccount {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  /** The account's own brand. A journey that changes it does not affect journeys with the demo brands. */
  readonly brand: { readonly id: string; readonly name: string };
}

/** Creates an account with its own brand, for journeys that change passwords or end sessions. */
export async function makeAccount(server: ServerProcess, request: APIRequestContext): Promise<TestAccount> {
  made += 1;
  const email = `person.${made}@example.com`;
  const password = 'Correct!Horse7';
  const brand = `Brand ${made}`;
  const said = await portal(server, 'brand', 'create', '--name', brand, '--owner-email', email);
  const id = /\d+/.exec(said)?.[0] ?? '';
  const link = await portal(server, 'invitation', 'link', '--brand', id, '--email', email);
  const token = new URL(link.trim()).searchParams.get('token');
  await request.post(`${server.url}/api/v1/verify-email/`, { data: { token } });
  await request.post(`${server.url}/api/v1/setup-password/`, {
    data: { token, password, first_name: 'Person', last_name: String(made) },
  });
  return { email, password, name: `Person ${made}`, brand: { id, name: brand } };
}
