import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase, useTestDatabase } from '../../../test/test-database.ts';
import { addCatalogueEntry, listWholeCatalogue, retireFromCatalogue } from '../certificates/catalogue.ts';
import { type CertificationNames, createCertificationNames } from './certification-names.ts';

/** From the catalogue of a new installation. */
let names: CertificationNames;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  names = createCertificationNames(await listWholeCatalogue(database.db));
});
afterAll(() => database.drop());

const found = (name: string) => names.find(name).map((entry) => entry.name);

test('every certification is found by its own name, whatever the case, accents and punctuation', async () => {
  for (const { name } of await listWholeCatalogue(database.db)) {
    expect(found(name)).toEqual([name]);
    expect(found(` ${name.toUpperCase()}® `)).toEqual([name]);
    expect(found(name.toLowerCase().replaceAll(' ', '  '))).toEqual([name]);
  }
});

test.each([
  ['Global Organic Textile Standard', 'GOTS'],
  ['Fair Trade USA', 'Fair Trade Certified'],
  ['Fairtrade International', 'Fairtrade'],
  ['EU Energy Label', 'EPREL'],
  ['Forest Stewardship Council', 'FSC'],
  ['Programme for the Endorsement of Forest Certification', 'PEFC'],
  ['MSC', 'MSC Certified Sustainable Seafood'],
  ['Aquaculture Stewardship Council', 'ASC Farmed Responsibly'],
  ['GRS', 'Global Recycled Standard'],
  ['B Corp', 'Certified B Corporation'],
  ['Blauer Engel', 'Blue Angel'],
  ['GlobalGAP', 'GLOBALG.A.P.'],
  ['Global G.A.P.', 'GLOBALG.A.P.'],
  ['Roundtable on Sustainable Palm Oil', 'RSPO'],
  ['USDA Certified Organic', 'USDA Organic'],
  ['oekotex standard 100', 'OEKO-TEX STANDARD 100'],
  ['Made in Green by OEKO-TEX®', 'OEKO-TEX MADE IN GREEN'],
  ['Greenguard', 'UL GREENGUARD'],
  ['Agricultura Ecológica', 'EU Organic'],
  ['etiqueta ecologica europea', 'EU Ecolabel'],
  ['Cisne Nórdico', 'Nordic Swan Ecolabel'],
])('"%s" is %s', (name, entry) => {
  expect(found(name)).toEqual([entry]);
});

test.each([
  ['Fair Trade', ['Fair Trade Certified', 'Fairtrade']],
  ['FAIR-TRADE', ['Fair Trade Certified', 'Fairtrade']],
  ['Fairtrade Certified', ['Fair Trade Certified', 'Fairtrade']],
  ['FairTradeCertified', ['Fair Trade Certified', 'Fairtrade']],
  ['OEKO-TEX', ['OEKO-TEX MADE IN GREEN', 'OEKO-TEX STANDARD 100']],
  ['Organic', ['COSMOS Organic', 'EU Organic', 'USDA Organic']],
  ['Ecolabel', ['EU Ecolabel', 'Nordic Swan Ecolabel']],
  ['Ecoetiqueta', ['EU Ecolabel', 'Nordic Swan Ecolabel']],
  ['Comercio Justo', ['Fair Trade Certified', 'Fairtrade']],
  ['Orgánico', ['COSMOS Organic', 'EU Organic', 'USDA Organic']],
  // Not 'UL ECOLOGO', although it is two letters away.
  ['Ecológico', ['COSMOS Organic', 'EU Organic', 'USDA Organic']],
])('"%s" could be any of %j', (name, entries) => {
  expect(found(name)).toEqual(entries);
});

test.each([
  ['Rainforrest Aliance', 'Rainforest Alliance'],
  ['Fairtrad', 'Fairtrade'],
  ['Blue Angle', 'Blue Angel'],
  ['Global Organik Textile Standard', 'GOTS'],
  ['FSC Recycled', 'FSC'],
  ['Fair Trade USA label', 'Fair Trade Certified'],
])('"%s" is not known, and "%s" is suggested', (name, suggestion) => {
  expect(found(name)).toEqual([]);
  expect(names.suggest(name)).toBe(suggestion);
});

test.each([
  'Global Organic Standard',
  'Canada Organic',
  'JAS Organic',
  'UK Organic',
  'Certified Vegan',
  'Fair Trade Federation',
  'Responsible Wool Standard',
  'BSC',
  'Green',
  'Qwertz',
])('"%s" may be the label of another body: nothing is suggested', (name) => {
  expect(found(name)).toEqual([]);
  expect(names.suggest(name)).toBe('');
});

test('a name is the beginning of the names of one or several certifications, in whole words', () => {
  const beginning = (name: string) => names.listBeginning(name).map((entry) => entry.name);
  expect(beginning('oeko tex made in')).toEqual(['OEKO-TEX MADE IN GREEN']);
  expect(beginning('Rainforest')).toEqual(['Rainforest Alliance']);
  expect(beginning('Rain')).toEqual([]);
  expect(beginning('')).toEqual([]);
});

test.each([
  ['FSC; GOTS', ['FSC', 'GOTS']],
  ['GOTS + Fairtrade International', ['GOTS', 'Fairtrade']],
  ['FSC Recycled', []],
  ['Fair Trade USA label', []],
  ['FSC, FSC', []],
  ['JAS Organic', []],
])('"%s" names several certifications: %j', (name, several) => {
  expect(
    names
      .listSeveral(name)
      .map((entry) => entry.name)
      .sort(),
  ).toEqual([...several].sort());
});

test('a retired certification is not found, and a name that it shares still belongs to both', async () => {
  const { db } = await useTestDatabase();
  await retireFromCatalogue(db, 'Fair Trade Certified');
  await addCatalogueEntry(db, { name: 'Demeter', bodyCode: 'DEM', bodyName: 'Demeter e.V.', aliases: ['Biodynamic'] });
  const names = createCertificationNames(await listWholeCatalogue(db));
  expect(names.find('Fair Trade USA')).toEqual([]);
  expect(names.find('Fair Trade').map(({ name }) => name)).toEqual(['Fair Trade Certified', 'Fairtrade']);
  expect(names.find('biodynamic').map(({ name }) => name)).toEqual(['Demeter']);
});
