import { reviewCertificate } from '@brand-portal/server/catalog/certificates/reviews.ts';
import { validateCertificates } from '@brand-portal/server/catalog/certificates/validation.ts';
import { checkDigit } from '@brand-portal/server/catalog/fields/gtin.ts';
import { type Db, inTransaction } from '@brand-portal/server/db/database.ts';
import {
  insertDemoCertificates,
  insertDemoLinks,
  insertDemoVariants,
  type NewCertificate,
  type NewLink,
  type NewVariant,
} from './demo-variants.queries.ts';

interface Assortment {
  readonly variants: NewVariant[];
  readonly certificates: DemoCertificate[];
  readonly links: NewLink[];
}

interface DemoCertificate extends NewCertificate {
  /** Without a loaded registry, only an approval makes a certificate valid. */
  readonly approved: boolean;
  readonly expiresOn: string | undefined;
}

/**
 * One brand with thousands of variants, one with a few dozen in Spanish, some with a handful, one with none. `brandIds` has the demo brands
 * by name. Call it once, when the brands are created.
 */
export async function loadDemoVariants(db: Db, brandIds: ReadonlyMap<string, number>): Promise<void> {
  await inTransaction(db, async (db) => {
    for (const [brandName, assortment] of Object.entries(assortments())) {
      const brandId = brandIds.get(brandName);
      if (brandId === undefined) continue;
      await insertDemoVariants(db, brandId, assortment.variants);
      await insertDemoCertificates(db, brandId, assortment.certificates);
      await insertDemoLinks(db, brandId, assortment.links);
      await decideOn(db, brandId, assortment.certificates);
    }
  });
}

/** Uses the same functions as the operator and the job, so that the statuses stay when a member imports more. */
async function decideOn(db: Db, brandId: number, certificates: readonly DemoCertificate[]): Promise<void> {
  const approval = { verdict: 'approved', note: "Seen in the issuer's public register." } as const;
  for (const { certification_name, external_certificate_id, approved, expiresOn } of certificates) {
    if (!approved) continue;
    const name = { brandId, certification: certification_name, externalId: external_certificate_id };
    // Some have expired since: they were approved on their last day.
    await reviewCertificate(db, name, { ...approval, expiresOn }, expiresOn);
  }
  await validateCertificates(db, brandId);
}

function assortments(): Record<string, Assortment> {
  return {
    'Fjord & Forest': generateAssortment(outdoorNames(), '735000', [
      certificate('Global Recycled Standard', 'GRS-CU-884213', { approved: true }),
      certificate('OEKO-TEX STANDARD 100', '14.HCN.21906', { approved: true }),
      certificate('OEKO-TEX MADE IN GREEN', 'M219H4D7E', { approved: true }),
      certificate('bluesign', 'BSP-10482', { approved: true }),
      certificate('Certified B Corporation', 'BC-2021-4410', { approved: true }),
      certificate('FSC', 'FSC-C104882', { approved: true }),
      certificate('GOTS', 'CU-1099421'),
      certificate('Nordic Swan Ecolabel', '3039 0114'),
      certificate('EU Ecolabel', 'SE/039/014'),
      certificate('FSC', 'FSC-104882'),
      certificate('Global Recycled Standard', 'GRS-CU-700001', { approved: true, expiresOn: '2024-03-31' }),
    ]),
    'Lumbre Cocina': generateAssortment(kitchenNames(), '843701', [
      certificate('EU Organic', 'ES-ECO-023', { approved: true }),
      certificate('Fairtrade', 'FLO-34417', { approved: true }),
      certificate('Vegan Trademark', 'VT-018833'),
      certificate('EU Organic', 'ECO-ES-23'),
    ]),
    'Northfield Organics': generateAssortment(
      farmNames(),
      '061414',
      [certificate('USDA Organic', '8150001234', { approved: true }), certificate('Non-GMO Project Verified', 'NGP-55120')],
      { inTrial: false },
    ),
    'Maison Verveine': generateAssortment(
      ['Crème de jour à la verveine 50 ml', 'Huile précieuse 30 ml', 'Savon doux 100 g'],
      '376012',
      [certificate('COSMOS Organic', 'COS-77125')],
      { inTrial: false },
    ),
  };
}

function certificate(
  certification_name: string,
  external_certificate_id: string,
  { approved = false, expiresOn }: { approved?: boolean; expiresOn?: string } = {},
): DemoCertificate {
  return { certification_name, external_certificate_id, approved, expiresOn };
}

const NEWEST = 120;

/**
 * A third of the newest are published if the brand has its trial: few, so that the first start is not busy delivering them. Half have no
 * certificate, most others have one or two, and every fortieth has five or more.
 */
function generateAssortment(
  names: string[],
  companyPrefix: string,
  certificates: DemoCertificate[],
  { inTrial } = { inTrial: true },
): Assortment {
  const variants = names.map((name, index) => ({
    gtin: toGtin13(companyPrefix, index + 1),
    name,
    category: name.split(' ').slice(0, 2).join(' '),
    published: inTrial && index % 3 === 0 && index >= names.length - NEWEST,
  }));
  const links = variants.flatMap(({ gtin }, index) =>
    Array.from({ length: Math.min(countLinks(index), certificates.length) }, (_, link) => {
      const { certification_name, external_certificate_id } = certificates[(index + link) % certificates.length] as NewCertificate;
      return { gtin, certification_name, external_certificate_id };
    }),
  );
  return { variants, certificates, links };
}

function countLinks(index: number): number {
  if (index % 40 === 7) return 5 + (index % 3);
  return index % 2 === 0 ? 0 : 1 + (index % 3 === 0 ? 1 : 0);
}

function toGtin13(companyPrefix: string, item: number): string {
  const digits = companyPrefix + String(item).padStart(12 - companyPrefix.length, '0');
  return `${digits}${checkDigit(`0${digits}`)}`;
}

function combine(...parts: string[][]): string[] {
  return parts.reduce((names, part) => names.flatMap((name) => part.map((next) => `${name}${next}`)), ['']);
}

/** 5 × 12 × 10 × 5: three thousand, as in a shop's export. */
function outdoorNames(): string[] {
  return combine(
    ["Men's ", "Women's ", 'Unisex ', "Kids' ", 'Junior '],
    [
      'Skarv Rain Jacket',
      'Fjell Merino Base Layer',
      'Tind Softshell',
      'Lauv Fleece Hoodie',
      'Bris Windbreaker',
      'Myr Trekking Trousers',
      'Isbre Down Vest',
      'Havn Wool Sweater',
      'Sti Trail Shorts',
      'Rød Anorak',
      'Øyra Thermal Leggings',
      'Bål Flannel Shirt',
    ],
    [
      ', Forest Green',
      ', Midnight Blue',
      ', Glacier Grey',
      ', Cloudberry',
      ', Charcoal',
      ', Lichen',
      ', Rust Red',
      ', Bark Brown',
      ', Polar White',
      ', Crème',
    ],
    [', XS', ', S', ', M', ', L', ', XL'],
  );
}

function kitchenNames(): string[] {
  return combine(
    [
      'Aceite de oliva virgen extra',
      'Salsa brava picante',
      'Pimentón ahumado de la Vera',
      'Alcachofas en conserva',
      'Mermelada de higo y limón',
      'Atún del norte en aceite',
      'Jalapeños encurtidos',
      'Miel de azahar',
      'Mojo rojo canario',
      'Piñones tostados',
    ],
    [' 100 g', ' 250 g', ' 500 g', ' formato hostelería'],
  );
}

function farmNames(): string[] {
  return combine(['Rolled Oats', 'Steel-Cut Oats', 'Whole Wheat Flour', 'Spelt Flour', 'Pearl Barley', 'Rye Flakes'], [' 1 lb', ' 5 lb']);
}
