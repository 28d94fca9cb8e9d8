import type { CreateBrand } from '@brand-portal/contract/brands';
import type { Role } from '@brand-portal/contract/roles';
import { type Db, inTransaction } from '../db/database.ts';
import { createBrand, hasBrands, optInForTrial } from '../modules/brands/brands.ts';
import { addMember } from '../modules/brands/memberships.ts';
import { linkUser } from '../modules/identity/users.ts';
import { loadDemoRefusals } from './demo-refusals.ts';
import { loadDemoVariants } from './demo-variants.ts';
import type { EmbeddedIdentityProvider } from './identity-provider/identity-provider.ts';

export const DEMO_PASSWORD = 'Demo-Portal-2026!';

type Person = 'owner' | 'editor' | 'viewer';

export const DEMO_PEOPLE: Readonly<Record<Person, { email: string; firstName: string; lastName: string }>> = {
  owner: { email: 'olivia.owner@demo.example', firstName: 'Olivia', lastName: 'Lindqvist' },
  editor: { email: 'eduardo.editor@demo.example', firstName: 'Eduardo', lastName: 'Marín' },
  viewer: { email: 'vera.viewer@demo.example', firstName: 'Vera', lastName: 'Okafor' },
};

interface DemoBrand extends Omit<CreateBrand, 'owner_email'> {
  readonly trial?: boolean;
  readonly members: Partial<Record<Person, Role>>;
}

const everyone = { owner: 'owner', editor: 'editor', viewer: 'viewer' } as const;

/** The product at its best, and at its edges: each status, no website, no logo, a broken one, a name that does not fit. */
const DEMO_BRANDS: readonly DemoBrand[] = [
  {
    name: 'Fjord & Forest',
    status: 'active',
    trial: true,
    logo: '/demo-logos/fjord.svg',
    website: 'https://fjord-forest.example',
    description: 'Outdoor clothing from recycled fibres, made to be mended.',
    members: everyone,
  },
  {
    name: 'Lumbre Cocina',
    status: 'active',
    trial: true,
    logo: '/demo-logos/lumbre.svg',
    website: 'https://lumbre-cocina.example',
    description: 'Aceites, salsas y conservas de productores pequeños.',
    members: everyone,
  },
  {
    name: 'Northfield Organics',
    status: 'active',
    logo: '/demo-logos/northfield.svg',
    website: 'https://northfield.example',
    description: 'Grains, oats and flour from certified organic farms.',
    members: { owner: 'owner', editor: 'admin' },
  },
  {
    name: 'Maison Verveine',
    status: 'pending',
    logo: '/demo-logos/maison.svg',
    description: 'Cosmetics. Waiting for review, and without a website yet.',
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

/** On the first start only; done again after a kill in the middle, because nothing of it is there without the rest. */
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
    for (const { trial, members, ...brand } of DEMO_BRANDS) {
      const brandId = await createBrand(db, null, brand);
      brandIds.set(brand.name, brandId);
      for (const [person, role] of Object.entries(members) as [Person, Role][]) {
        await addMember(db, { brandId, userId: userIds.get(person) ?? 0, role, status: 'active' });
      }
      if (trial) await optInForTrial(db, null, brandId);
    }
    await loadDemoVariants(db, brandIds);
    await loadDemoRefusals(db);
  });
  return true;
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
