import { readFile } from 'node:fs/promises';

type Result = Record<'detail' | 'state', string> &
  Record<'id' | 'import_id' | 'imported' | 'total_rows', number> & { errors: [] };
const { PORTAL_URL, PORTAL_BRAND, PORTAL_KEY } = process.env;
const [file = 'products.csv'] = process.argv.slice(2);
const brand = `${PORTAL_URL}/api/v1/brands/${PORTAL_BRAND}`;
const headers = { authorization: `Bearer ${PORTAL_KEY}`, prefer: 'respond-async, wait=5' };
const body = new FormData();
body.set('file', new Blob([await readFile(file)]), file);
const upload = await fetch(`${brand}/variant-certifications/upload/`, { method: 'POST', headers, body });
let result = (await upload.json()) as Result;
if (!upload.ok) throw new Error(result.detail);
while (['waiting', 'running'].includes(result.state)) {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const answer = await fetch(`${brand}/imports/${result.import_id ?? result.id}/`, { headers });
  result = (await answer.json()) as Result;
}
console.log(`${result.imported} of ${result.total_rows} rows imported`, result.errors);
