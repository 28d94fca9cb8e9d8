import type { Db } from '@brand-portal/server/db/database.ts';
import { type Issue, upsertRefusal } from './channel-emulator/channel-emulator.queries.ts';

/** On the first page of two demo brands, the emulated channel refuses one published variant each; one of them in one country only. */
const REFUSALS: Readonly<Record<string, Omit<Issue, 'severity'>>> = {
  '7350000029987': {
    type: 'INCORRECT_TEXT_FORMATTING',
    title: 'Incorrect text formatting in title',
    description: 'Remove promotional text and gimmicky characters from the title.',
    attribute: 'title',
    applicableCountries: ['DK'],
  },
  '8437010000409': {
    type: 'GTIN_BRAND_MISMATCH',
    title: 'GTIN does not match the brand',
    description: 'The GTIN is registered for another brand. Provide the GTIN that GS1 assigned to this product.',
    attribute: 'gtin',
  },
};

export async function loadDemoRefusals(db: Db): Promise<void> {
  for (const [gtin, issue] of Object.entries(REFUSALS)) await upsertRefusal(db, gtin, { ...issue, severity: 'ERROR' });
}
