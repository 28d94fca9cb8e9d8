import { describe, expect, it } from 'vitest';
import { readView, toListQuery, type VariantsView, writeView } from './variants-view.ts';

const read = (address: string) => readView(new URLSearchParams(address));
const write = (view: VariantsView, before = '') => writeView(new URLSearchParams(before), view).toString();

const byDefault: VariantsView = {
  search: '',
  filter: 'all',
  ordering: '-created_at',
  reason: '',
  issue: '',
  certificate: 0,
  state: '',
  page: 1,
  pageSize: 10,
};
const special: VariantsView = {
  search: 'oat & rye',
  filter: 'published',
  ordering: '-name',
  reason: '',
  issue: '',
  certificate: 41,
  state: '',
  page: 3,
  pageSize: 50,
};

describe('an address', () => {
  it('omits default values', () => {
    expect(read('')).toEqual(byDefault);
    expect(write(byDefault)).toBe('');
  });

  it('has all other values, and is read as it was written', () => {
    const address = write(special);
    expect(address).toBe('search=oat+%26+rye&certificate=41&filter=published&ordering=-name&page=3&page_size=50');
    expect(read(address)).toEqual(special);
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=two',
    'page=',
    'page=1e3',
    'page=999999999',
    'page_size=15',
    'page_size=1000',
    'page_size=abc',
    'filter=nothing',
    'filter=toString',
    'ordering=price',
    'ordering=created_at',
    'search=',
    'search=%20%20',
    'state=nowhere',
    'certificate=abc',
  ])('with %s is read as if it were missing', (address) => {
    expect(read(address)).toEqual(byDefault);
  });

  it('keeps unrelated parameters', () => {
    expect(write(byDefault, 'from=mail&page=7')).toBe('from=mail');
  });

  it('limits the search to the length that the server accepts', () => {
    expect(read(`search=${'x'.repeat(300)}`).search).toHaveLength(200);
  });
});

describe('the request to the server', () => {
  // spec: §3 variant list query, §7 variants, §9 default sort
  it('has the page, its size and the order', () => {
    expect(toListQuery(byDefault)).toEqual({ page: 1, page_size: 10, ordering: '-created_at' });
    expect(toListQuery({ ...byDefault, search: 'oat', ordering: 'name', page: 2, pageSize: 100 })).toEqual({
      page: 2,
      page_size: 100,
      ordering: 'name',
      search: 'oat',
    });
  });

  // spec: §3 variant list query
  it.each([
    ['with_certifications', { has_certs: true }],
    ['without_certifications', { has_certs: false }],
    ['published', { published: true }],
    ['unpublished', { published: false }],
  ] as const)('with the filter %s has %j', (filter, expected) => {
    expect(toListQuery({ ...byDefault, filter })).toEqual({ ...toListQuery(byDefault), ...expected });
  });
});
