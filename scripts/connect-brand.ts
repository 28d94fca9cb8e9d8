interface Client {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** The installation's account at the channel emulator. */
const PARTNER_ACCOUNT = '1000001';

/** Connects a brand to the emulator, for benchmarks and fault tests. Without a connection, published variants wait. */
export async function connectBrand(client: Client, brandId: number, name: string): Promise<void> {
  const clientId = String(9_000 + brandId);
  await client.query('insert into embedded.channel_emulator_links (account, client_id, brand) values ($1, $2, $3)', [
    PARTNER_ACCOUNT,
    clientId,
    name,
  ]);
  await client.query(
    `insert into channel_connections (brand_id, kind, client_id, countries, language, registered_name)
     values ($1, 'partner', $2, array['US'], 'en', $3)`,
    [brandId, clientId, name],
  );
}
