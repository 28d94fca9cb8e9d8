import { callAs, command, numbers, type Person, setSwitches, signIn, sql, until, writeTemporary } from './portal.ts';

/** A brand with everything in every state, and what the test of an upgrade goes on with. */

export interface Filled {
  readonly owner: Person;
  readonly staff: Person;
  /** Numbers of brands, imports and a deletion. */
  readonly places: Readonly<Record<string, number>>;
}

interface Brand {
  readonly id: number;
  readonly admin: Person;
  readonly editor: Person;
}

const HEADER = 'gtin,variant_name,category,certification_name,certificate_id,publishing_channel,description,certificate_link';
const line = (number: number, name: string, ...others: string[]) => [gtin(number), name, ...others].join(',');
const FSC_IDS = Array.from({ length: 10 }, (_, place) => `FSC-C10000${place}`);

export async function fill(): Promise<Filled> {
  const owner = await signIn('Ana', 'Ruiz');
  const staff = await signIn('Sam', 'Ito');
  await sql('update users set is_staff = true where id = $1', staff.id);
  const createBrand = async (name: string) =>
    (await callAs(staff, 'POST', 'brands/', { name, owner_email: 'ana.ruiz@example.com', status: 'active' })).id;
  const id = await createBrand('Casa Verde');
  const unconnected = await createBrand('Alder & Sons');
  const disconnected = await createBrand('Quiet Lake');
  const admin = await addMember(id, 'admin', await signIn('Ben', 'Okoro'));
  const editor = await addMember(id, 'editor', await signIn('Eva', 'Lind'));
  await addMember(id, 'viewer', await signIn('Vic', 'Moss'));
  const brand = { id, admin, editor };

  loadRegistry(FSC_IDS.map((id) => `${id},true,2099-12-31`));
  const imports = await importFiles(brand);
  await judgeCertificates(brand, staff);
  await publish(brand);
  await useOtherConnections(owner, unconnected, disconnected);
  const open = await deleteVariants(brand);
  await changeTeam(brand);
  await callAs(owner, 'PATCH', `brands/${id}/`, { description: 'Furniture', website: 'https://casaverde.example' });
  await callAs(owner, 'DELETE', `brands/${await createBrand('Gone')}/`);
  await until('the search index', async () => (await sql(`select from due_work where kind = 'index_variants'`)).length === 0);
  await leaveUnfinished(id, imports.checked);
  return { owner, staff, places: { brand: id, unconnected, disconnected, open, ...imports } };
}

async function addMember(brandId: number, role: string, person: Person): Promise<Person> {
  await sql(`insert into brand_members (brand_id, user_id, role, status) values ($1, $2, $3, 'active')`, brandId, person.id, role);
  return person;
}

function loadRegistry(entries: readonly string[]): void {
  const file = writeTemporary('registry.csv', ['certificate_id,active,expires_on', ...entries].join('\n'));
  command('certificates registry load', { certification: 'FSC', file, replace: true, apply: true });
}

function form(name: string, lines: readonly string[]): FormData {
  const form = new FormData();
  form.append('file', new Blob([lines.join('\n')], { type: 'text/csv' }), name);
  return form;
}

async function upload(person: Person, brandId: number, name: string, lines: readonly string[]): Promise<number> {
  const path = `brands/${brandId}/variant-certifications/upload/`;
  return (await callAs(person, 'POST', path, form(name, [HEADER, ...lines]))).import_id;
}

async function importFiles({ id, editor }: Brand) {
  const at = `brands/${id}/imports`;
  const send = (name: string, lines: readonly string[]) => upload(editor, id, name, lines);
  await send('products.csv', [
    ...FSC_IDS.map((id, place) => line(place, `Table ${place}`, 'Furniture', 'FSC', id, '', 'Oak', 'https://example.com/fsc')),
    ...Array.from({ length: 20 }, (_, place) => line(100 + place, `Crème brûlée ${place}`, 'Desserts')),
    line(200, 'Shirt', 'Clothing', 'GOTS', 'CU 800010'),
    line(201, 'Towel', 'Home', 'GOTS', 'CU 800011'),
    line(202, 'Sheet', 'Home', 'GOTS', 'CU 800012'),
    line(203, 'Honey', 'Food', 'EU Organic', 'ES-ECO-001'),
    line(204, 'Jam', 'Food', 'EU Organic', 'nonsense'),
    line(205, 'Chair', 'Furniture', 'FSC', 'FSC-C999999'),
  ]);
  const rejected = await send('with errors.csv', [
    line(0, 'Table with another name', 'Furniture'),
    line(210, 'Good', 'Furniture'),
    '12345,Short GTIN,Furniture',
    '4006381000014,Wrong check digit,Furniture',
    line(212, '', 'Furniture'),
    line(213, 'Coffee', 'Food', 'Fair Trade', 'FLO 1'),
    line(214, 'Tea', 'Food', 'Organic', 'X-1'),
    line(215, 'Cocoa', 'Food', 'Fair Trade', 'FLO 2'),
    line(216, 'Rice', 'Food', 'No such scheme', '1'),
    line(217, 'One name', 'Food'),
    line(217, 'Another name', 'Food'),
    line(218, 'Certificate without id', 'Food', 'FSC'),
  ]);

  // Of the rejected rows, one is imported, and one is ready.
  const corrected = await send('to correct.csv', [
    line(220, 'Right', 'Food'),
    line(221, 'Cup', 'Food', 'Fair Trade', 'FLO 3'),
    line(222, 'Plate', 'Food', 'Organic', 'ES-ECO-002'),
  ]);
  await callAs(editor, 'PATCH', `${at}/${corrected}/corrections/3/`, { place: 3, to: 'Fairtrade' });
  await callAs(editor, 'POST', `${at}/${corrected}/corrections/import/`);
  await callAs(editor, 'PATCH', `${at}/${corrected}/corrections/4/`, { place: 3, to: 'EU Organic' });

  const undone = await send('undone.csv', [line(1, 'Undone', 'Desks'), line(230, 'Kept', 'Food'), line(232, 'Undone', 'Food')]);
  await callAs(editor, 'PATCH', `brands/${id}/variants/${await idOf(id, 230)}/`, {
    name: 'Kept by the undo',
    version: 1,
  });
  await callAs(editor, 'POST', `${at}/${undone}/undo/`);
  await send('unchanged.csv', [line(100, 'Crème brûlée 0', 'Desserts')]);
  const undoable = await send('undoable.csv', [line(2, 'Renamed by import', 'Desks'), line(231, 'Created by import', 'Food')]);

  // Otherwise what failed at once leaves no trace.
  const later = { ...editor, headers: { ...editor.headers, prefer: 'respond-async' } };
  for (const [name = '', ...lines] of [
    ['no table.csv', '<!doctype html>', '<p>'],
    ['only a header.csv', HEADER],
    ['awaits columns.csv', 'EAN;Producto;Color', `${gtin(240)};Mesa;rojo`],
  ]) {
    await callAs(later, 'POST', `brands/${id}/variant-certifications/upload/`, form(name, lines));
  }
  const discarded = await check('discarded.csv', [line(250, 'Never', 'Food')]);
  await callAs(editor, 'POST', `${at}/${discarded}/cancel/`);
  const confirmed = await check('confirmed.csv', [line(251, 'Confirmed', 'Food')]);
  await callAs(editor, 'POST', `${at}/${confirmed}/confirm/`, {
    variants_created: 1,
    variants_updated: 0,
    variants_unchanged: 0,
    rejected: 0,
    published: 0,
    sent_again: 0,
  });
  await endsAs(confirmed, 'done');
  const checked = await check('checked.csv', [line(252, 'Checked', 'Food'), line(253, 'Salt', 'Food', 'Fair Trade', 'FLO 4')]);
  return { rejected, corrected, undoable, checked };

  async function check(name: string, lines: readonly string[]): Promise<number> {
    const { import_id } = await callAs(editor, 'POST', `${at}/check/`, form(name, [HEADER, ...lines]));
    await endsAs(import_id, 'checked');
    return import_id;
  }

  function endsAs(importId: number, state: string): Promise<void> {
    return until(`import ${importId}`, async () => (await callAs(editor, 'GET', `${at}/${importId}/`)).state === state);
  }
}

/** Imports as a crash leaves them: one that ran and one that waited for it. And one that a member cancelled. */
async function leaveUnfinished(brandId: number, like: number): Promise<void> {
  const copyAs = async (state: string, stage: string | null) => {
    const [id] = await numbers(
      `insert into imports (brand_id, user_id, file_name, file_bytes, file_sha256, rows_total, state, stage)
       select brand_id, user_id, $3, file_bytes, file_sha256, rows_total, $4, $5 from imports where brand_id = $1 and id = $2 returning id`,
      brandId,
      like,
      `${state}.csv`,
      state,
      stage,
    );
    return id;
  };
  await copyAs('waiting', null);
  await copyAs('cancelled', null);
  const running = await copyAs('running', 'merging');
  await sql('insert into staged_imports (brand_id, import_id) values ($1, $2)', brandId, running);
  await sql(
    `insert into import_rows (brand_id, import_id, row_number, gtin, gtin14, name, category, details, publish, cells, errors)
     select brand_id, $3, row_number, gtin, gtin14, name, category, details, publish, cells, errors
     from import_rows where brand_id = $1 and import_id = $2`,
    brandId,
    like,
    running,
  );
}

/** Reviewed, valid, expired, and many that turn invalid at once; with mails about them that were sent, and that wait. */
async function judgeCertificates({ id, editor }: Brand, staff: Person): Promise<void> {
  const validated = async (count: number) => {
    const [found] = await numbers(`select count(*) from certificates where brand_id = $1 and status = 'validated'`, id);
    return found === count;
  };
  await until('the first validation', () => validated(FSC_IDS.length));
  const { results } = await callAs(staff, 'GET', 'platform/reviews/');
  const review = (certificate: string, verdict: object) => {
    const certificates = results.filter(({ certificate_id }) => certificate_id === certificate);
    return callAs(staff, 'POST', 'platform/reviews/', {
      ...verdict,
      certificates: certificates.map(({ brand_id, id }) => ({ brand_id, id })),
    });
  };
  await review('CU 800010', { verdict: 'approved', note: 'Seen at the issuer', expires_on: '2099-06-30' });
  await review('CU 800011', { verdict: 'rejected', note: 'Not of this brand' });
  await until('the reviews', () => validated(FSC_IDS.length + 1));
  const still = FSC_IDS.slice(0, 3).map((id) => `${id},true,2099-12-31`);
  loadRegistry([...still, `${FSC_IDS[3]},true,2026-01-31`, `${FSC_IDS[4]},false,`]);
  await until('the second validation', () => validated(still.length + 1));
  await sql(
    `insert into certificate_notices (brand_id, certificate_id, notice, told_on)
     select brand_id, id, '30:2099-12-31', '2026-11-01' from certificates where brand_id = $1 and external_certificate_id = $2`,
    ...[id, FSC_IDS[0]],
  );
  await sql(`update certificate_notices set told_on = '2026-11-02' where brand_id = $1 and notice like '0:%'`, id);
  const [replaced] = await numbers('select id from certificates where brand_id = $1 and external_certificate_id = $2', id, FSC_IDS[5]);
  await callAs(editor, 'POST', `brands/${id}/certifications/${replaced}/replace/`, { certificate_id: FSC_IDS[0] });
}

/** Every state of a delivery. */
async function publish({ id, editor }: Brand): Promise<void> {
  command('emulator link', { 'registered-name': 'Casa Verde', 'client-id': '4711' });
  command('channel connect', {
    brand: String(id),
    'client-id': '4711',
    countries: 'DE,AT',
    language: 'de',
    'registered-name': 'Casa Verde',
  });
  await callAs(editor, 'POST', `brands/${id}/opt-in-trial/`);
  const act = async (action: 'publish' | 'unpublish', items: readonly number[]) => {
    const ids = await Promise.all(items.map((item) => idOf(id, item)));
    await callAs(editor, 'POST', `brands/${id}/variants/actions/`, { action, ids });
  };
  const has = async (count: number, condition: string) =>
    (await numbers(`select count(*) from deliveries where brand_id = $1 and ${condition}`, id))[0] === count;

  const issue = { type: 'image_link_broken', title: 'Invalid image', description: 'The image could not be read.' };
  await setSwitches({
    processing_ms: 0,
    refusals: [
      { gtin: gtin(101), ...issue },
      { gtin: gtin(102), ...issue, applicableCountries: ['AT'] },
    ],
  });
  await act('publish', [0, 1, 3, 100, 101, 102, 103, 104, 105, 106, 107, 108]);
  await upload(editor, id, 'publishes.csv', [line(109, 'Published by a file', 'Desserts', '', '', 'Google')]);
  await until('the verdicts', () => has(13, `state in ('live', 'partly_live', 'refused')`));
  await setSwitches({ processing_ms: 60_000 });
  await act('publish', [110, 111]);
  await until('the sent ones', () => has(2, `state = 'sent'`));
  await setSwitches({ fail_share: 1 });
  await act('publish', [112, 113]);
  await act('unpublish', [107, 108]);
  const failing = `reason <> '' and state in ('queued', 'removing')`;
  await until('the failures', () => has(4, failing));
  await sql(`update deliveries set attempts = 4, next_attempt_at = now() + interval '1 hour' where brand_id = $1 and ${failing}`, id);
  // Rejected when they were sent, and not withdrawn yet: one in its first revision, one in a later one.
  const rejected = `state = 'refused', sent_revision = null, countries = '{}', judged_at = now(), next_attempt_at = now() + interval '1 hour'`;
  await sql(
    `update deliveries set ${rejected}, reason = 'Invalid value for description.' where brand_id = $1 and variant_id = $2`,
    id,
    await idOf(id, 111),
  );
  await sql(
    `update deliveries set ${rejected}, reason = 'Invalid value for title.', revision = revision + 1 where brand_id = $1 and variant_id = $2`,
    id,
    await idOf(id, 106),
  );
}

/** A brand without a connection, and one whose connection has ended; feeds. */
async function useOtherConnections(owner: Person, unconnected: number, disconnected: number): Promise<void> {
  await callAs(owner, 'POST', `brands/${unconnected}/opt-in-trial/`);
  await upload(owner, unconnected, 'other.csv', [line(300, 'Waits', 'Food', '', '', 'Google'), line(301, 'Draft', 'Food')]);
  await callAs(owner, 'POST', `brands/${unconnected}/channel/feed/`);
  await callAs(owner, 'DELETE', `brands/${unconnected}/channel/feed/`);
  const account = { account: '2000002', 'key-file': writeTemporary('key.json'), 'registered-name': 'Quiet Lake' };
  command('emulator link', account);
  const brand = String(disconnected);
  command('channel connect', { ...account, brand, kind: 'own', countries: 'US', language: 'en' });
  command('channel disconnect', { brand });
}

/** Returns the deletion that can be restored. Another one is restored, and one in part. */
async function deleteVariants({ id, editor }: Brand): Promise<number> {
  await callAs(editor, 'PATCH', `brands/${id}/variants/${await idOf(id, 115)}/`, { name: 'Edited', version: 1 });
  await callAs(editor, 'POST', `brands/${id}/variants/`, { gtin: gtin(260), name: 'Added', category: 'Food' });
  const remove = async (...items: number[]) => {
    const ids = await Promise.all(items.map((item) => idOf(id, item)));
    return (await callAs(editor, 'POST', `brands/${id}/variants/actions/`, { action: 'delete', ids })).deletion_id;
  };
  const restore = (deletion: number) => callAs(editor, 'POST', `brands/${id}/deletions/${deletion}/restore/`);
  const open = await remove(4, 5, 118);
  await restore(await remove(117));
  const part = await remove(116, 119);
  await upload(editor, id, 'again.csv', [line(116, 'Created again', 'Food')]);
  await restore(part);
  return open;
}

/** Invitations in every state, keys in every state, and a key whose maker is gone. */
async function changeTeam({ id, admin }: Brand): Promise<void> {
  const at = `brands/${id}`;
  await callAs(admin, 'POST', `${at}/channel/feed/`);
  const emails = ['new@example.com', 'late@example.com', 'gone@example.com'];
  await callAs(admin, 'POST', `${at}/team/invitations/`, { emails, role: 'editor', language: 'es' });
  const invited = await numbers('select id from users where email = any ($1) order by array_position($1, email)', emails);
  await callAs(admin, 'POST', `${at}/team/${invited[0]}/link/`);
  await sql(`update invitations set expires_at = now() - interval '1 day' where user_id = $1`, invited[1]);
  await callAs(admin, 'DELETE', `${at}/members/${invited[2]}/`);
  const createKey = async (maker: Person, role: string, days: number | null) =>
    (await callAs(maker, 'POST', `${at}/api-keys/`, { name: `Key of a ${role}`, role, expires_in_days: days })).id;
  await createKey(admin, 'editor', null);
  await callAs(admin, 'DELETE', `${at}/api-keys/${await createKey(admin, 'viewer', 30)}/`);
  const expired = await createKey(admin, 'viewer', 30);
  await sql(`update api_keys set expires_at = now() - interval '1 day' where user_id = $1`, expired);
  const leaver = await addMember(id, 'admin', await signIn('Lou', 'Gray'));
  await createKey(leaver, 'admin', null);
  await callAs(admin, 'DELETE', `${at}/members/${leaver.id}/`);
}

async function idOf(brandId: number, item: number): Promise<number> {
  const [id = 0] = await numbers('select id from variants where brand_id = $1 and gtin = $2', brandId, gtin(item));
  return id;
}

function gtin(item: number): string {
  const digits = `400638${String(item).padStart(6, '0')}`;
  const sum = [...digits].reduce((sum, digit, place) => sum + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
