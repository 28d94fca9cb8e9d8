type Variant = { gtin: string; name: string; published: boolean };
const { PORTAL_URL, PORTAL_BRAND, PORTAL_KEY } = process.env;
const headers = { authorization: `Bearer ${PORTAL_KEY}` };
const list = await fetch(`${PORTAL_URL}/api/v1/brands/${PORTAL_BRAND}/variants/?page_size=100`, { headers });
const { results, count, detail } = (await list.json()) as { results: Variant[]; count: number; detail: string };
if (!list.ok) throw new Error(detail);
console.log(`${count} variants`);
for (const { gtin, name, published } of results) console.log(gtin, name, published ? 'published' : 'not published');
