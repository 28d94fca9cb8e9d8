import type { LoadedBrand } from './reads-data.ts';

interface ReadCase {
  readonly label: string;
  readonly path: string;
}

/** Every list and every count of a brand, at its ends and in its middle. */
export function readCases({ brandId, imports, variantId, certificateId }: LoadedBrand): ReadCase[] {
  const brand = `/api/v1/brands/${brandId}/`;
  const variants: Record<string, string> = {
    'first page': '',
    'last page': 'page=100000',
    'page 50,000, by name': 'page=50000&ordering=name',
    'published, by name, page 2,000': 'published=true&ordering=name&page=2000',
    'search "green tea"': 'search=green tea',
    'search "xqzwj"': 'search=xqzwj',
    'search "e"': 'search=e',
    'search "4000000123"': 'search=4000000123',
    'search "ID-4711"': 'search=ID-4711',
    'search that finds nothing': 'search=no such product',
    'search "green tea", page 2,000': 'search=green tea&page=2000',
    ...Object.fromEntries(
      ['live', 'on_its_way', 'refused', 'blocked', 'unpublished', 'certificate_problems'].flatMap((state) => [
        [`state ${state}`, `state=${state}`],
        [`state ${state}, page 1,000`, `state=${state}&page=1000`],
        [`state ${state}, search "green tea"`, `state=${state}&search=green tea`],
        [`state ${state}, search "e"`, `state=${state}&search=e`],
        [`state ${state}, with certs, by name`, `state=${state}&has_certs=true&ordering=name`],
      ]),
    ),
    ...Object.fromEntries(
      ['restricted_gtin', 'no_image', 'no_description', 'not_displayed', 'prefix_outlier', 'refused', 'unreachable'].flatMap((reason) => [
        [`reason ${reason}`, `reason=${reason}`],
        [`reason ${reason}, search "green tea"`, `reason=${reason}&search=green tea`],
      ]),
    ),
    'issue issue_1': 'issue=issue_1',
    certificate: `certificate=${certificateId}`,
  };
  const states: Record<string, string> = {
    all: '',
    published: 'published=true',
    'with certs': 'has_certs=true',
    refused: 'state=refused',
    'search "green tea"': 'search=green tea',
    'search "e"': 'search=e',
    'reason no_image': 'reason=no_image',
    'issue issue_1': 'issue=issue_1',
    certificate: `certificate=${certificateId}`,
  };
  const certificates: Record<string, string> = {
    'first page': 'page=1',
    'last page': 'page=5000',
    'middle, by id': 'page=2500&ordering=certificate_id',
    'by certification': 'ordering=certification_name',
    'search "4711"': 'search=4711',
    'ends soon': 'status=ends_soon',
  };
  const changes = (kind: 'created' | 'updated' | 'certified'): ReadCase[] =>
    [1, 2_000, 15_000, 30_000].map((page) => ({
      label: `changes of an import, ${kind}, page ${page}`,
      path: `${brand}imports/${imports[kind]}/changes/?kind=${kind}&page=${page}`,
    }));
  const rejected = `${brand}imports/${imports.rejected}/`;
  return [
    ...Object.entries(variants).map(([label, query]) => ({
      label: `variants: ${label}`,
      path: `${brand}variants/?${query}`,
    })),
    ...Object.entries(states).map(([label, query]) => ({
      label: `states: ${label}`,
      path: `${brand}variants/states/?${query}`,
    })),
    { label: 'variant', path: `${brand}variants/${variantId}/` },
    ...Object.entries(certificates).map(([label, query]) => ({
      label: `certificates: ${label}`,
      path: `${brand}certifications/?${query}`,
    })),
    { label: 'certificate', path: `${brand}certifications/${certificateId}/` },
    { label: 'certificate: its variants', path: `${brand}certifications/${certificateId}/variants/` },
    { label: 'coverage', path: `${brand}certificates/coverage/` },
    { label: 'readiness', path: `${brand}readiness/` },
    { label: 'attention', path: `${brand}attention/` },
    { label: 'attention of all my brands', path: '/api/v1/users/me/attention/' },
    { label: 'my brands', path: '/api/v1/brands/' },
    { label: 'brand: contents', path: `${brand}contents/` },
    { label: 'imports', path: `${brand}imports/` },
    { label: 'imports, page 1,000', path: `${brand}imports/?page=1000` },
    { label: 'imports, search', path: `${brand}imports/?search=products 4711` },
    { label: 'import: receipt with rejected rows', path: rejected },
    ...changes('created'),
    ...changes('updated'),
    ...changes('certified'),
    { label: 'import: undo preview, created', path: `${brand}imports/${imports.created}/undo/` },
    { label: 'import: undo preview, updated', path: `${brand}imports/${imports.updated}/undo/` },
    { label: 'import: error groups', path: `${rejected}error-groups/` },
    ...[1, 2_000, 30_000].map((page) => ({
      label: `import: corrections, page ${page}`,
      path: `${rejected}corrections/?page=${page}`,
    })),
    { label: 'import: corrections, wrong, page 2,000', path: `${rejected}corrections/?state=wrong&page=2000` },
    { label: 'history', path: `${brand}history/` },
    { label: 'history: filters', path: `${brand}history/filters/` },
    { label: 'history: by the system', path: `${brand}history/?person=0` },
    { label: 'history: one action', path: `${brand}history/?action=variants.imported` },
    { label: 'deletions', path: `${brand}deletions/` },
    { label: 'API keys', path: `${brand}api-keys/` },
    { label: 'team', path: `${brand}team/` },
    { label: 'platform: brands', path: '/api/v1/platform/brands/' },
    { label: 'platform: brands, search', path: '/api/v1/platform/brands/?search=small 47' },
    { label: 'platform: deliveries', path: '/api/v1/platform/deliveries/' },
    { label: 'platform: imports', path: '/api/v1/platform/imports/' },
    { label: 'platform: reviews', path: '/api/v1/platform/reviews/' },
    { label: 'platform: jobs', path: '/api/v1/platform/jobs/' },
    { label: 'platform: registries', path: '/api/v1/platform/registries/' },
  ];
}
