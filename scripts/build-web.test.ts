import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildWeb } from './build-web.ts';

describe('the web build', () => {
  let root: string;
  let builds = 0;

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const page = () => readFileSync(join(root, 'apps/web/dist/index.html'), 'utf8');

  /** A fake of vite that numbers the pages it writes. */
  async function build(_root: string, outDir: string) {
    builds += 1;
    const number = builds;
    writeFileSync(join(outDir, 'index.html'), `build ${number}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
    writeFileSync(join(outDir, 'script.js'), `build ${number}`);
    return { code: 0, output: '' };
  }

  beforeEach(() => {
    builds = 0;
    root = mkdtempSync(join(tmpdir(), 'brand-portal-build-'));
    write('apps/web/index.html', '<html></html>');
    write('apps/web/package.json', '{}');
    write('apps/web/src/main.tsx', 'main');
    write('packages/contract/package.json', '{}');
    write('packages/contract/src/brands.ts', 'brands');
    write('tsconfig.base.json', '{}');
    write('package-lock.json', '{}');
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(root, { recursive: true, force: true });
  });

  it('runs once for the same inputs and says nothing the second time', async () => {
    await buildWeb(root, { build });
    vi.mocked(process.stdout.write).mockClear();
    await buildWeb(root, { build });
    expect(page()).toBe('build 1');
    expect(process.stdout.write).not.toHaveBeenCalled();
  });

  it.each([
    'apps/web/src/main.tsx',
    'apps/web/src/new.tsx',
    'apps/web/index.html',
    'apps/web/package.json',
    'packages/contract/src/brands.ts',
    'tsconfig.base.json',
    'package-lock.json',
  ])('runs again after a change of %s', async (path) => {
    await buildWeb(root, { build });
    write(path, 'changed');
    await buildWeb(root, { build });
    expect(page()).toBe('build 2');
  });

  it('does not run again after a change of a test', async () => {
    await buildWeb(root, { build });
    write('apps/web/src/main.test.tsx', 'changed');
    await buildWeb(root, { build });
    expect(page()).toBe('build 1');
  });

  it('runs again when forced', async () => {
    await buildWeb(root, { build });
    await buildWeb(root, { build, force: true });
    expect(page()).toBe('build 2');
  });

  it('fails with the output of the build and keeps the last good build, which does not count as up to date', async () => {
    await buildWeb(root, { build });
    write('apps/web/src/main.tsx', 'broken');
    const broken = async () => ({ code: 1, output: 'main.tsx: unexpected token' });
    await expect(buildWeb(root, { build: broken })).rejects.toThrow('main.tsx: unexpected token');
    expect(page()).toBe('build 1');
    await buildWeb(root, { build });
    expect(page()).toBe('build 2');
  });

  it('runs again after a killed build, and removes its folder', async () => {
    const abandoned = join(root, 'apps/web/node_modules/.build-web/999999999-killed');
    mkdirSync(abandoned, { recursive: true });
    await buildWeb(root, { build });
    expect(page()).toBe('build 1');
    expect(existsSync(abandoned)).toBe(false);
  });

  it('produces one complete build when several run concurrently, and leaves no other files', async () => {
    await Promise.all(Array.from({ length: 8 }, () => buildWeb(root, { build, force: true })));
    const dist = join(root, 'apps/web/dist');
    expect(readFileSync(join(dist, 'script.js'), 'utf8')).toBe(page());
    expect(readdirSync(dist).sort()).toEqual(['.inputs-checksum', 'index.html', 'script.js']);
    expect(readdirSync(join(root, 'apps/web/node_modules/.build-web'))).toEqual([]);
  });
});
