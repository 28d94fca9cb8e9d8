import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { contractWithoutSchemas } from './vite/contract-without-schemas.ts';

const TESTS = 'src/**/*.test.{ts,tsx}';

/** Files that leave something behind in the page or in its modules, which no test can take back. */
const NEED_OWN_PAGE = [
  // The SDK's client exists once per page, and keeps the provider that it was made for.
  'src/features/auth/provider-client.test.ts',
  // The scripts of index.html listen on the document from then on.
  'src/lib/no-flash.test.ts',
];

/**
 * Files that replace a module with a mock, or load modules again, need modules of their own; all others share one jsdom
 * and one module graph. For a function of ours, `vi.spyOn` on the imported module does without.
 */
const isolated = globSync(TESTS, { cwd: import.meta.dirname }).filter(
  (file) =>
    NEED_OWN_PAGE.includes(file.replaceAll('\\', '/')) ||
    /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(join(import.meta.dirname, file), 'utf8')),
);

/** `web` shares modules between files, which halves the CPU time; `web-mocks` isolates each file. */
export const webTests = (name: 'web' | 'web-mocks') =>
  defineConfig({
    plugins: [react(), contractWithoutSchemas()],
    test: {
      name,
      environment: 'jsdom',
      environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
      setupFiles: ['src/test/setup.ts'],
      ...(name === 'web' ? { include: [TESTS], exclude: isolated, isolate: false } : { include: isolated, isolate: true }),
      // The palette's test reads the values from the file itself.
      css: { include: /palette\.css\?raw/ },
      restoreMocks: true,
      // Its default of 1 s is too short for a busy machine.
      expect: { poll: { timeout: 8_000 } },
      testTimeout: 60_000,
    },
  });

export default webTests('web');
