import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findBrowser, startsBrowser } from './find-browser.ts';

/** The fake browsers are shell scripts. */
describe.skipIf(process.platform === 'win32')('the browser', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'brand-portal-browser-'));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  function program(name: string, script: string): string {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  it('is the one that CHROMIUM_PATH names', async () => {
    const path = program('mine', 'echo "Chromium 150.0.1"');
    vi.stubEnv('CHROMIUM_PATH', path);
    expect(await findBrowser()).toBe(path);
  });

  it('is refused in one sentence when CHROMIUM_PATH names something that does not start', async () => {
    vi.stubEnv('CHROMIUM_PATH', join(folder, 'missing'));
    await expect(findBrowser()).rejects.toThrow(/^CHROMIUM_PATH names .*missing, which is not a Chromium that starts\.$/);
  });

  it.skipIf(process.platform !== 'linux')('is the first on the PATH that starts, not the first that exists', async () => {
    program('chromium', 'echo "requires the chromium snap" >&2; exit 1');
    const working = program('google-chrome', 'echo "Google Chrome 150.0.1"');
    vi.stubEnv('CHROMIUM_PATH', '');
    vi.stubEnv('PATH', folder);
    expect(await findBrowser()).toBe(working);
  });

  it('is not just any program that exits with 0', async () => {
    expect(await startsBrowser(program('other', 'echo "Firefox 150"'))).toBe(false);
    expect(await startsBrowser(program('silent', 'exit 0'))).toBe(false);
  });
});
