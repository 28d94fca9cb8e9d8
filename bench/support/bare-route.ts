import fastify from 'fastify';
import pg from 'pg';

/** The upper bound: the framework, the driver and one prepared statement that reads ten rows by an index. A separate process. */
const [port = '', databaseUrl = '', brandId = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const app = fastify();
const row = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    gtin: { type: 'string' },
    name: { type: 'string' },
    published: { type: 'boolean' },
    created_at: { type: 'string' },
  },
};
const schema = { response: { 200: { type: 'object', properties: { results: { type: 'array', items: row } } } } };
const text = `select id, gtin, name, published, created_at from variants
  where brand_id = $1 and published = false and has_certs = false order by created_at desc, id desc limit 10`;

app.get('/', { schema }, async () => ({
  results: (await pool.query({ name: 'ten-rows', text, values: [brandId] })).rows,
}));
process.on('SIGTERM', async () => {
  await app.close();
  await pool.end();
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
