import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RegistryEntry } from './registry.queries.ts';
import { readRegistryFile } from './registry-file.ts';

function useFile(name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-registry-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

async function read(path: string): Promise<RegistryEntry[]> {
  const entries: RegistryEntry[] = [];
  for await (const entry of readRegistryFile(path)) entries.push(entry);
  return entries;
}

test('CSV is accepted as spreadsheets write it', async () => {
  const csv = '\uFEFFCertificate ID;Expires On;Holder;Active\r\nFSC-C000001;2027-01-31;"Ä; ""B""";yes\r\n\r\n FSC-C000002 ;;x;INACTIVE\r\n';
  expect(await read(useFile('fsc.CSV', csv))).toEqual([
    { position: 2, externalId: 'FSC-C000001', active: true, expiresOn: '2027-01-31' },
    { position: 4, externalId: 'FSC-C000002', active: false, expiresOn: null },
  ]);
  expect(await read(useFile('a.csv', 'certificate_id\n7\n'))).toMatchObject([{ externalId: '7', active: true }]);
});

test('JSON is accepted as an array and as one object per line, also with brackets and quotes in its strings', async () => {
  const first = { position: 1, externalId: 'A', active: true, expiresOn: null };
  const second = { position: 2, externalId: 'B', active: false, expiresOn: '2027-01-31' };
  const objects = [
    '{"certificate_id": "A", "holder": {"name": "} \\" {[", "tags": ["\\\\"]}}',
    '{"certificate_id": "B", "active": false, "expires_on": "2027-01-31"}',
  ];
  expect(await read(useFile('a.json', `[${objects.join(',\n')}]`))).toEqual([first, second]);
  expect(await read(useFile('a.json', objects.join('\n')))).toEqual([first, second]);
  expect(await read(useFile('a.json', '[]'))).toEqual([]);
});

test('an object that is split across chunks of the file is read completely', async () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `ID-${index}-${'é'.repeat(index % 40)}`);
  const path = useFile('a.json', JSON.stringify(ids.map((certificate_id) => ({ certificate_id }))));
  expect((await read(path)).map(({ externalId }) => externalId)).toEqual(ids);
});

test.each([
  ['a.csv', 'certificate_id,active\nA,true\nB,perhaps\n', 'Row 3: active must be true or false, not "perhaps".'],
  ['a.csv', 'certificate_id,expires_on\nA,31/01/2027\n', 'Row 2: expires_on must be a day such as 2027-01-31, not "31/01/2027".'],
  ['a.csv', 'certificate_id,expires_on\nA,2027-02-29\n', 'Row 2: expires_on must be a day such as 2027-01-31, not "2027-02-29".'],
  ['a.csv', 'certificate_id,active\n\n ,true\n', 'Row 3 has no certificate_id.'],
  ['a.csv', `certificate_id\n${'x'.repeat(101)}\n`, 'Row 2 has a certificate_id of more than 100 characters.'],
  ['a.csv', 'certificate_id\nA\u0007B\n', 'Row 2 has control characters in its certificate_id.'],
  ['a.csv', 'PK\u0003\u0004', 'a.csv is not a CSV file.'],
  ['a.csv', 'certificate_id,active\nA\n', 'Row 2 does not have as many cells as the first.'],
  ['a.csv', 'certificate_id,active\n"A,true\n', 'Row 2 has a quote that is never closed.'],
  ['a.csv', 'id,active\nA,true\n', 'The first row must name the columns certificate_id, active, expires_on; there is no certificate_id.'],
  ['a.csv', '', 'a.csv is empty: its first row must name the columns certificate_id, active, expires_on.'],
  ['a.json', '[{"certificate_id": "A"}, 7]', 'Entry 2 is not a JSON object such as {"certificate_id": "A-1"}.'],
  ['a.json', '[{"certificate_id": "A"}, {"certificate_id": ', 'Entry 2 is cut off: the file ends inside it.'],
  ['a.json', '[{certificate_id: "A"}]', 'Entry 1 is not a JSON object such as {"certificate_id": "A-1"}.'],
  ['a.json', '[{"certificate_id": "A", "active": 2}]', 'Entry 1: active must be true or false, not "2".'],
  ['a.txt', 'certificate_id\nA\n', 'a.txt must be a file that ends in .csv or .json.'],
])('%s with %j is refused in one sentence', async (name, content, sentence) => {
  const path = useFile(name, content);
  await expect(read(path)).rejects.toMatchObject({ message: expect.stringMatching(/^[^\n]+$/) });
  await expect(read(path)).rejects.toThrow(sentence);
});

test('a missing file is reported', async () => {
  await expect(read('/nowhere/a.csv')).rejects.toThrow('There is no file /nowhere/a.csv.');
  await expect(read(tmpdir())).rejects.toThrow(`There is no file ${tmpdir()}.`);
});

test('a CSV file beyond the limits of a spreadsheet is refused by the limit that it exceeds', async () => {
  await expect(read(useFile('a.csv', `certificate_id\n${'A\n'.repeat(1_048_576)}`))).rejects.toThrow(
    'a.csv has more than 1000000 rows. In a .json file, with one object per line, there is no such limit.',
  );
  await expect(read(useFile('a.csv', `certificate_id\n${'x'.repeat(300_000)}\n`))).rejects.toThrow(
    'Row 2 is too long to be one of a CSV file.',
  );
});
