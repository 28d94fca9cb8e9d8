import type { CreateBrand } from '@brand-portal/contract/brands';
import { emailKey } from '@brand-portal/contract/people';
import type { Role } from '@brand-portal/contract/roles';
import { audit } from '@brand-portal/server/audit/audit.ts';
import { connectBrand, forgetClient } from '@brand-portal/server/channel/connections.ts';
import { type Db, inTransaction } from '@brand-portal/server/db/database.ts';
import { StartupError } from '@brand-portal/server/lib/errors.ts';
import { createBrand, deleteBrand, hasBrands, optInForTrial } from '@brand-portal/server/people/brands/brands.ts';
import { linkUser } from '@brand-portal/server/people/identity/users.ts';
import { addMember } from '@brand-portal/server/people/members/memberships.ts';
import { insertLink, listLinks } from './channel-emulator/channel-emulator.queries.ts';
import { PARTNER_ACCOUNT } from './channel-emulator/channel-emulator.ts';
import * as queries from './demo-people.queries.ts';
import { loadDemoRefusals } from './demo-refusals.ts';
import { loadDemoVariants } from './demo-variants.ts';
import { deleteRecordsOfAccount } from './identity-provider/adapter.queries.ts';
import type { EmbeddedIdentityProvider } from './identity-provider/identity-provider.ts';

export const DEMO_PASSWORD = 'Demo-Portal-2026!';

type Person = 'owner' | 'editor' | 'viewer';

export const DEMO_PEOPLE: Readonly<Record<Person, { email: string; firstName: string; lastName: string }>> = {
  owner: { email: 'olivia.owner@demo.example', firstName: 'Olivia', lastName: 'Lindqvist' },
  editor: { email: 'eduardo.editor@demo.example', firstName: 'Eduardo', lastName: 'Marín' },
  viewer: { email: 'vera.viewer@demo.example', firstName: 'Vera', lastName: 'Okafor' },
};

const EMAIL_KEYS = Object.values(DEMO_PEOPLE).map(({ email }) => emailKey(email));

interface DemoBrand extends Omit<CreateBrand, 'owner_email'> {
  readonly trial?: boolean;
  readonly connection?: { readonly countries: string[]; readonly language: string; readonly isLinked: boolean };
  readonly members: Partial<Record<Person, Role>>;
}

const everyone = { owner: 'owner', editor: 'editor', viewer: 'viewer' } as const;

/** Good examples and edge cases: each status, no website, no logo, a broken logo, a name that is too long to fit. */
const DEMO_BRANDS: readonly DemoBrand[] = [
  {
    name: 'Fjord & Forest',
    status: 'active',
    trial: true,
    logo: '/demo-logos/fjord.svg',
    website: 'https://fjord-forest.example',
    description: 'Outdoor clothing from recycled fibres, made to be mended.',
    connection: { countries: ['SE', 'NO', 'DK'], language: 'en', isLinked: true },
    members: everyone,
  },
  {
    name: 'Lumbre Cocina',
    status: 'active',
    trial: true,
    logo: '/demo-logos/lumbre.svg',
    website: 'https://lumbre-cocina.example',
    description: 'Aceites, salsas y conservas de productores pequeños.',
    connection: { countries: ['ES', 'PT'], language: 'es', isLinked: true },
    members: everyone,
  },
  {
    name: 'Northfield Organics',
    status: 'active',
    logo: '/demo-logos/northfield.svg',
    website: 'https://northfield.example',
    description: 'Grains, oats and flour from certified organic farms.',
    connection: { countries: ['GB', 'IE'], language: 'en', isLinked: true },
    members: { owner: 'owner', editor: 'admin' },
  },
  {
    name: 'Maison Verveine',
    status: 'pending',
    logo: '/demo-logos/maison.svg',
    description: 'Cosmetics. Waiting for review, and without a website yet.',
    connection: { countries: ['FR', 'BE'], language: 'fr', isLinked: false },
    members: { owner: 'owner', viewer: 'viewer' },
  },
  {
    name: 'The Very Long and Rather Unreasonably Named Artisanal Household Goods Company of Upper Saxony',
    status: 'inactive',
    logo: '/demo-logos/there-is-no-such-file.svg',
    website: 'https://a-rather-long-address-for-a-rather-long-name.example/welcome',
    description: 'A name that does not fit on one line, and a logo that does not load.',
    members: { owner: 'owner' },
  },
  {
    name: 'Tiny',
    status: 'active',
    members: { owner: 'owner', editor: 'viewer' },
  },
];

/** Runs on the first start only. One transaction, so that a crash in the middle leaves nothing and it runs again. */
export async function loadDemoData(db: Db, identityProvider: EmbeddedIdentityProvider): Promise<boolean> {
  if (await hasBrands(db)) return false;
  const subjects = await createAccounts(identityProvider);
  await inTransaction(db, async (db) => {
    const userIds = new Map<Person, number>();
    for (const [person, profile] of people()) {
      const { id } = await linkUser(db, { ...profile, subject: subjects.get(person) ?? '' });
      userIds.set(person, id);
    }
    const brandIds = new Map<string, number>();
    for (const { trial, members, connection: _, ...brand } of DEMO_BRANDS) {
      const brandId = await createBrand(db, null, brand);
      brandIds.set(brand.name, brandId);
      for (const [person, role] of Object.entries(members) as [Person, Role][]) {
        await addMember(db, { brandId, userId: userIds.get(person) ?? 0, role, status: 'active' });
      }
      if (trial) await optInForTrial(db, null, brandId);
    }
    await connectDemoBrands(db, brandIds);
    await loadDemoVariants(db, brandIds);
    await loadDemoRefusals(db);
  });
  return true;
}

/** The client id of a demo brand is this plus its own id. */
const CLIENT_IDS = 4000;

/** Connects them to the emulator as clients of the installation's account. One waits for its link. */
async function connectDemoBrands(db: Db, brandIds: ReadonlyMap<string, number>): Promise<void> {
  for (const { name, connection } of DEMO_BRANDS) {
    const brandId = brandIds.get(name);
    if (!connection || brandId === undefined) continue;
    const { countries, language, isLinked } = connection;
    const client_id = isLinked ? String(CLIENT_IDS + brandId) : null;
    if (client_id) await insertLink(db, { account: PARTNER_ACCOUNT, client_id, brand: name });
    const settings = { kind: 'partner', account: null, client_id, credentials: null, registered_name: name } as const;
    await connectBrand(db, brandId, { ...settings, countries, language });
  }
}

/** Demo products are for the emulator: none of them may be sent to a real account, or withdrawn there. Returns the names of the brands. */
export async function disconnectDemoBrands(db: Db): Promise<string[]> {
  const names = DEMO_BRANDS.map(({ name }) => name);
  const disconnected: string[] = [];
  for (const { client_id, brand } of await listLinks(db, PARTNER_ACCOUNT)) {
    const brandId = Number(client_id) - CLIENT_IDS;
    if (!names.includes(brand) || !(brandId > 0)) continue;
    if (await forgetClient(db, brandId, { client_id, registered_name: brand })) disconnected.push(brand);
  }
  return disconnected;
}

/** The addresses of accounts with the demo password. */
export function listDemoPeople(db: Db): Promise<string[]> {
  return queries.listAccounts(db, EMAIL_KEYS);
}

/** For production: the data folder may come from a development start. */
export async function refuseDemoPeople(db: Db): Promise<void> {
  const people = await listDemoPeople(db);
  if (people.length === 0) return;
  throw new StartupError(
    `The database has demo people, whose password everybody knows (${people.join(', ')}): remove them and their brands with "npm run portal -- demo remove", then start again.`,
  );
}

interface Removed {
  readonly people: readonly string[];
  /** Deleted brands, which had no other members. */
  readonly brands: readonly string[];
  readonly ownerless: readonly { id: number; name: string }[];
}

export function removeDemoPeople(db: Db): Promise<Removed> {
  return inTransaction(db, async (db) => {
    const people = await listDemoPeople(db);
    await disconnectDemoBrands(db);
    for (const subject of await queries.deleteAccounts(db, EMAIL_KEYS)) await deleteRecordsOfAccount(db, subject);
    const userIds = await queries.listUserIds(db, EMAIL_KEYS);
    if (userIds.length === 0) return { people, brands: [], ownerless: [] };
    const brands = await queries.listBrandsOfUsers(db, userIds);
    const theirs = brands.filter((brand) => !brand.has_others);
    for (const { id } of theirs) await deleteBrand(db, null, id);
    await queries.deleteUsers(db, userIds);
    await audit(db, { brandId: null, userId: null, action: 'demo.removed', details: { user_ids: userIds } });
    const ownerless = brands.filter((brand) => brand.has_others && !brand.has_other_owner);
    return {
      people,
      brands: theirs.map(({ name }) => name),
      ownerless: ownerless.map(({ id, name }) => ({ id, name })),
    };
  });
}

async function createAccounts(identityProvider: EmbeddedIdentityProvider): Promise<Map<Person, string>> {
  const subjects = new Map<Person, string>();
  for (const [person, { email, firstName, lastName }] of people()) {
    const { subject } = await identityProvider.createAccount({
      email,
      password: DEMO_PASSWORD,
      first_name: firstName,
      last_name: lastName,
      email_verified: true,
    });
    subjects.set(person, subject);
  }
  return subjects;
}

function people() {
  return Object.entries(DEMO_PEOPLE) as [Person, (typeof DEMO_PEOPLE)[Person]][];
}
