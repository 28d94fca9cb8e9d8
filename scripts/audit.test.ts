import { expect, test } from 'vitest';
import { describeAudit, describeLockfile, describeOutdated } from './audit.ts';

test('each finding is listed with its severity, its source, and whether there is a fix', () => {
  const report = describeAudit({
    vulnerabilities: {
      harmless: { name: 'harmless', severity: 'low', range: '<2.0.0', via: ['leaky'], fixAvailable: false },
      leaky: {
        name: 'leaky',
        severity: 'critical',
        range: '<=1.4.1',
        via: [{ title: 'Leaks secrets', url: 'https://github.com/advisories/GHSA-1' }],
        fixAvailable: { name: 'leaky', version: '1.4.2' },
      },
    },
  });
  expect(report).toEqual([
    '2 known vulnerabilities in what runs in production:',
    '  critical  leaky <=1.4.1: Leaks secrets (https://github.com/advisories/GHSA-1); fixed in leaky 1.4.2',
    '  low       harmless <2.0.0: through leaky; no fix yet',
  ]);
});

test('an audit without findings says so', () => {
  expect(describeAudit({ vulnerabilities: {} })).toEqual(['No known vulnerabilities in what runs in production.']);
});

test.each([
  [{ message: '405 Method Not Allowed - POST https://registry.example/bulk', statusCode: 405 }],
  [{ error: { code: 'ENOAUDIT', summary: 'Your configured registry does not support audit requests.' } }],
  [undefined],
])('without an answer of the endpoint, no result is reported', (answer) => {
  expect(describeAudit(answer)).toBeUndefined();
});

test('production packages of the lock file that are deprecated or have no checksum are listed', () => {
  const report = describeLockfile({
    packages: {
      '': { version: '0.1.0' },
      'apps/server': { version: '0.0.0' },
      'node_modules/@brand-portal/contract': { link: true },
      'node_modules/good': { version: '1.0.0', integrity: 'sha512-x' },
      'node_modules/old': { version: '2.0.0', integrity: 'sha512-x', deprecated: 'Use new instead' },
      'node_modules/loose': { version: '3.0.0' },
      'node_modules/tool': { version: '4.0.0', dev: true, deprecated: 'never mind' },
    },
  });
  expect(report).toEqual([
    '3 packages run in production, by package-lock.json.',
    '  deprecated  old 2.0.0: Use new instead',
    '  no checksum loose 3.0.0',
  ]);
});

test('outdated packages are listed if they are a major version behind', () => {
  const outdated = {
    a: { current: '1.2.0', latest: '3.0.0' },
    b: { current: '1.2.0', latest: '1.9.0' },
    c: [{ current: '2.0.0', latest: '3.1.0' }],
  };
  expect(describeOutdated(outdated)).toEqual([
    '3 direct dependencies have a newer version; a major version behind:',
    '  a 1.2.0, latest 3.0.0',
    '  c 2.0.0, latest 3.1.0',
  ]);
  expect(describeOutdated({})).toEqual(['Every direct dependency is the latest version.']);
  expect(describeOutdated(undefined)).toEqual(['The registry does not answer: what is out of date is not known either.']);
});
