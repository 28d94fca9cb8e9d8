import type pg from 'pg';

export interface PlainAnswer {
  readonly ids: number[];
  readonly count: number;
}

/** The same result in the simplest way: one hand-written statement for the rows and one for the count. */
export async function plainList(client: pg.Client, brandId: number, query: Readonly<Record<string, string>>): Promise<PlainAnswer> {
  const { page = '1', search, published, has_certs, ordering = '-created_at' } = query;
  const conditions = ['brand_id = $1'];
  const values: unknown[] = [brandId];
  if (published) conditions.push(`published = ${published === 'true'}`);
  if (has_certs) conditions.push(`has_certs = ${has_certs === 'true'}`);
  if (search) {
    values.push(`%${search.replace(/[\\%_]/g, '\\$&')}%`);
    conditions.push(`(name_key like $2 or gtin14 like $2 or id in (
      select l.variant_id from variant_certificates l join certificates c on c.brand_id = $1 and c.id = l.certificate_id
      join certifications n on n.id = c.certification_id
      where l.brand_id = $1 and (c.id_key like upper($2) or search_key(n.name) like $2)))`);
  }
  const column = ordering.endsWith('name') ? 'name_key' : 'created_at';
  const direction = ordering.startsWith('-') ? 'desc' : 'asc';
  const where = conditions.join(' and ');
  const rows = await client.query<{ id: string }>(
    `select id, gtin, name, published, created_at from variants where ${where}
     order by ${column} ${direction}, id ${direction} limit 10 offset ${(Number(page) - 1) * 10}`,
    values,
  );
  const counted = await client.query<{ count: string }>(`select count(*) from variants where ${where}`, values);
  return { ids: rows.rows.map(({ id }) => Number(id)), count: Number(counted.rows[0]?.count) };
}
