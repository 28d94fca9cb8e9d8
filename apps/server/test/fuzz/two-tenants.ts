import { uploadCsv } from '@brand-portal/contract/import';
import { ROLES } from '@brand-portal/contract/roles';
import type { FastifyInstance } from 'fastify';
import { inviteMember } from '../../src/people/members/invitations.ts';
import { addCertificate, addVariants } from '../catalogue.ts';
import { createTestBrand, createTestKey, createTestMember, createTestUser, type TestUser } from '../people.ts';
import type { TestApp } from '../test-app.ts';

/** Part of every text of the other tenant. If a response to another caller contains it, data has leaked. */
export const MARKER = 'zqmarker';

type Headers = Readonly<Record<string, string>>;

export interface TwoTenants {
  /** The headers of each kind of caller. None is a member of the other tenant. */
  readonly callers: Readonly<Record<string, Headers>>;
  /** Ids of both tenants and an unknown id, by the name of the path parameter. */
  readonly ids: Readonly<Record<string, readonly number[]>>;
  /** The owner of the other tenant, and its brand. */
  readonly other: { readonly headers: Headers; readonly brandId: number };
  /** A checksum of all rows of the other tenant. */
  readOtherTenant(): Promise<string>;
}

interface Tenant {
  readonly brandId: number;
  readonly owner: TestUser;
  readonly variantId: number;
  readonly memberIds: readonly number[];
  readonly importId: number;
}

export async function createTwoTenants({ app, database }: TestApp): Promise<TwoTenants> {
  const { db, pool } = database;
  const callers: Record<string, Headers> = { nobody: {}, garbage: { authorization: 'Bearer x.y.z' } };
  callers.stranger = (await createTestUser(db)).headers;
  const staff = await createTestUser(db);
  await pool.query('update users set is_staff = true where id = $1', [staff.id]);
  callers.staff = staff.headers;

  const other = await createTenant(app, database, MARKER);
  // Some calls delete a brand. With three of them, later calls still find one.
  const own: Tenant[] = [];
  for (let count = 1; count <= 3; count++) own.push(await createTenant(app, database, `own${count}`));
  for (const role of ROLES) {
    const user = await createTestMember(db, own[0]?.brandId ?? 0, role);
    callers[role] = user.headers;
    for (const { brandId } of own.slice(1)) {
      await pool.query('insert into brand_members (brand_id, user_id, role, status) values ($1, $2, $3, $4)', [
        brandId,
        user.id,
        role,
        'active',
      ]);
    }
  }

  const [first] = own;
  if (first) callers.key = (await createTestKey(db, first.owner, first.brandId, 'admin')).headers;
  const both = [...own, other];
  return {
    callers,
    ids: {
      brandId: [...both.map(({ brandId }) => brandId), 999_999],
      variantId: [...both.map(({ variantId }) => variantId), 999_999],
      memberId: [...both.flatMap(({ memberIds }) => memberIds), 999_999],
      importId: [...both.map(({ importId }) => importId), 999_999],
    },
    other: { headers: other.owner.headers, brandId: other.brandId },
    readOtherTenant: () => readTenant(database, other.brandId),
  };
}

/** A brand with data of every kind. Each text contains `word`. */
async function createTenant(app: FastifyInstance, { db, pool }: TestApp['database'], word: string): Promise<Tenant> {
  const brandId = await createTestBrand(db, `${word} brand`);
  await pool.query('update brands set description = $2, website = $3, logo = $4, opted_in_for_trial = true where id = $1', [
    brandId,
    `${word} description`,
    `https://${word}.example/`,
    `/${word}.png`,
  ]);
  const owner = await createTestMember(db, brandId, 'owner', `${word} owner`);
  const invited = await inviteMember(db, owner.id, brandId, { email: `${word}.invited@example.com`, role: 'viewer' });
  const [variantId = 0] = await addVariants(db, brandId, [{ gtin: '4006381333931', name: `${word} variant` }]);
  await addCertificate(db, brandId, { code: `${word}-certificate`, certification: 'USDA Organic' }, [variantId]);
  const importId = await upload(app, brandId, owner.headers, word);
  return { brandId, owner, variantId, memberIds: [owner.id, invited.id], importId };
}

/** Imports a file with one valid and one rejected row. */
async function upload(app: FastifyInstance, brandId: number, headers: Headers, word: string): Promise<number> {
  const csv = `variant_name,gtin\n${word} imported,96385074\n${word} rejected,12345\n`;
  const answer = await app.inject({
    method: uploadCsv.method,
    url: uploadCsv.path.replace(':brandId', String(brandId)),
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
    payload: `--b\r\nContent-Disposition: form-data; name="file"; filename="${word}.csv"\r\nContent-Type: text/csv\r\n\r\n${csv}\r\n--b--\r\n`,
  });
  return answer.statusCode === 200 ? answer.json().import_id : 0;
}

/** Checksums of the brand's rows in every table with a brand_id, and of its users. */
async function readTenant({ pool }: TestApp['database'], brandId: number): Promise<string> {
  const { rows: tables } = await pool.query(
    `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
     where a.attname = 'brand_id' and not a.attisdropped and c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const conditions = [
    ...tables.map(({ relname }) => [relname, 'brand_id = $1']),
    ['brands', 'id = $1'],
    ['users', 'id in (select user_id from brand_members where brand_id = $1)'],
  ];
  const sums = conditions.map(async ([table, condition]) => {
    const { rows } = await pool.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${table} t where ${condition}`,
      [brandId],
    );
    return `${table}: ${rows[0].sum}`;
  });
  return (await Promise.all(sums)).join('\n');
}
