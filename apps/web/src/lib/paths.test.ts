import { describe, expect, it } from 'vitest';
import { certificationsPath, parseId, productVariantsPath } from './paths.ts';

describe('the paths of a brand', () => {
  it('lead to its pages', () => {
    expect(productVariantsPath(7)).toBe('/brands/7/product-variants');
    expect(certificationsPath(7)).toBe('/brands/7/certifications');
  });

  it('contain its id', () => {
    expect(parseId('7')).toBe(7);
  });

  it.each([undefined, '', '0', '-1', '007', '1.5', '1e3', 'seven', '99999999999999999999'])('are invalid with the id %s', (id) => {
    expect(parseId(id)).toBeUndefined();
  });
});
