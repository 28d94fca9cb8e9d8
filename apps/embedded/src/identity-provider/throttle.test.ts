import { expect, test } from 'vitest';
import { networkOf } from './throttle.ts';

test('an IPv4 address is its own network, also when written as IPv6', () => {
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
});

test('IPv6 addresses are grouped by /48, which a whole site has', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1::/48');
  expect(networkOf('2001:0DB8:0001:2::9')).toBe('2001:db8:1::/48');
  expect(networkOf('2001:db8::9')).toBe('2001:db8:0::/48');
  expect(networkOf('::1')).toBe('0:0:0::/48');
});

test('what is no address is a network of its own', () => {
  expect(networkOf('fe80::1%eth0')).toBe('fe80::1%eth0');
  expect(networkOf('unknown')).toBe('unknown');
});
