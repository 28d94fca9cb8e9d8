import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { connectBrand } from '../../scripts/connect-brand.ts';
import { signInMember } from '../../scripts/sign-in-member.ts';
import { databaseUrl, withConnection } from './probe.ts';
import type { ServerProcess } from './server.ts';

/** A brand for fault tests. It is connected to the emulator, and its owner calls the server over HTTP. */
export class TestBrand {
  readonly id: number;
  readonly headers: { authorization: string };

  private constructor(id: number, headers: { authorization: string }) {
    this.id = id;
    this.headers = headers;
  }

  static create(dataDir: string, name: string): Promise<TestBrand> {
    return withConnection(databaseUrl(dataDir), async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `insert into brands (name, status, opted_in_for_trial) values ($1, 'active', true) returning id`,
        [name],
      );
      const id = Number(rows[0]?.id);
      await connectBrand(client, id, name);
      return new TestBrand(id, await signInMember(client, id));
    });
  }

  /** The status of the answer; undefined without an answer. */
  async upload(server: ServerProcess, csv: string, headers?: Record<string, string>): Promise<number | undefined> {
    const body = new FormData();
    body.append('file', new Blob([csv], { type: 'text/csv' }), 'products.csv');
    return this.call(server, 'POST', `/api/v1/brands/${this.id}/variant-certifications/upload/`, body, headers);
  }

  /** The body of a successful answer; otherwise undefined. */
  async json<Answer>(server: ServerProcess, method: string, path: string, body?: object): Promise<Answer | undefined> {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${server.url}/api/v1/brands/${this.id}/${path}`, {
      method,
      headers: { ...this.headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    }).catch(() => undefined);
    return answer?.ok ? answer.json().catch(() => undefined) : undefined;
  }

  async call(
    server: ServerProcess,
    method: string,
    path: string,
    body?: BodyInit,
    headers?: Record<string, string>,
  ): Promise<number | undefined> {
    const request = { method, headers: { ...this.headers, ...headers }, ...(body && { body }) };
    const answer = await fetch(server.url + path, request).catch(() => undefined);
    // If the server is killed during the answer, it does not count as one.
    const text = await answer?.text().catch(() => undefined);
    return text === undefined ? undefined : answer?.status;
  }
}

/** Waits until no import or action of the brand waits or runs, and returns what all of them came to. */
export async function readEndedImports(dataDir: string, brandId: number): Promise<{ id: number; state: string; applied: number }[]> {
  const read = () =>
    withConnection(databaseUrl(dataDir), async (client) => {
      const { rows } = await client.query(
        `select i.id::int, i.state, (
           select count(*)::int from audit_log a
           where a.brand_id = i.brand_id and a.action = 'variants.imported' and (a.details->>'import_id')::bigint = i.id
         ) as applied
         from imports i where i.brand_id = $1 order by i.id`,
        [brandId],
      );
      return rows;
    });
  let imports = await read();
  for (const until = Date.now() + 60_000; imports.some(({ state }) => state === 'waiting' || state === 'running'); ) {
    if (Date.now() > until) throw new Error(`An import does not end: ${JSON.stringify(imports)}`);
    await wait(100);
    imports = await read();
  }
  return imports;
}

/** Counts and checksums of the brand's data, to detect changes. */
export async function readBrand(client: pg.Client, brandId: number): Promise<Record<string, unknown>> {
  const { rows } = await client.query(
    `select
      (select count(*)::int from variants where brand_id = $1) as variants,
      (select md5(string_agg(concat_ws('|', gtin, name, category, has_certs), ',' order by gtin14)) from variants where brand_id = $1) as contents,
      (select md5(string_agg(concat_ws('|', certification_id, external_certificate_id), ',' order by certification_id, external_certificate_id))
       from certificates where brand_id = $1) as certificates,
      (select count(*)::int from variant_certificates where brand_id = $1) as links,
      (select coalesce(sum(total), 0)::int from variant_counts where brand_id = $1) as counted,
      (select count(*)::int from (
        select variant_id from variant_search where brand_id = $1
        union all select variant_id from variant_search_waiting where brand_id = $1
        union all select v.id from variants v join variant_counts c using (brand_id) where brand_id = $1 and v.id > c.indexed_to
      ) found) as searchable`,
    [brandId],
  );
  return rows[0];
}

/** The number of published variants: by rows, by the stored count, and by deliveries. */
export async function readPublished(client: pg.Client, brandId: number): Promise<Record<string, number>> {
  const { rows } = await client.query(
    `select
      (select count(*)::int from variants where brand_id = $1 and published) as published,
      (select coalesce(sum(published), 0)::int from variant_counts where brand_id = $1) as counted_published,
      (select count(*)::int from variants v join deliveries d on d.brand_id = $1 and d.variant_id = v.id
       where v.brand_id = $1 and v.published) as deliveries`,
    [brandId],
  );
  return rows[0];
}
