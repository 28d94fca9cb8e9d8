import { expect, test } from 'vitest';
import { maskSecrets } from './request-log.ts';

test('secrets in addresses are masked, the rest is kept', () => {
  expect(maskSecrets('/verify-email?token=s3cret&x=1')).toBe('/verify-email?token=***&x=1');
  expect(maskSecrets('/callback?code=abc&state=def')).toBe('/callback?code=***&state=***');
  expect(maskSecrets('/brands')).toBe('/brands');
});
