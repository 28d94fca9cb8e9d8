import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { contractWithoutSchemas } from './vite/contract-without-schemas.ts';

export default defineConfig({
  plugins: [react(), contractWithoutSchemas()],
  test: {
    name: 'web',
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    setupFiles: ['src/test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    // The palette's test reads the values from the file itself.
    css: { include: /palette\.css\?raw/ },
    restoreMocks: true,
    unstubGlobals: true,
  },
});
