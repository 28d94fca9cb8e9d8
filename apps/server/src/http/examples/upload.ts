import { openAsBlob } from 'node:fs';

const { PORTAL_URL, PORTAL_BRAND, PORTAL_KEY } = process.env;
const [file = 'products.csv'] = process.argv.slice(2);
const url = `${PORTAL_URL}/api/v1/brands/${PORTAL_BRAND}/variant-certifications/upload/`;
const body = new FormData();
body.set('file', await openAsBlob(file), file);
const upload = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${PORTAL_KEY}` }, body });
const result = (await upload.json()) as { imported: number; total_rows: number; errors: object[]; detail: string };
if (!upload.ok) throw new Error(result.detail);
console.log(`${result.imported} of ${result.total_rows} rows imported`, result.errors);
