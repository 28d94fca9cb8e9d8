import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { contractWithoutSchemas } from './vite/contract-without-schemas.ts';
import { devRuntimeConfig } from './vite/dev-runtime-config.ts';
import { firstPaint } from './vite/first-paint.ts';

const serverOrigin = process.env.API_ORIGIN ?? 'http://localhost:3000';
const proxiedPaths = ['/api', '/idp', '/mailbox', '/healthz', '/readyz'];

/** The libraries that every page needs. */
const BASE = /node_modules[\\/](react|react-dom|scheduler|react-router|i18next|react-i18next|zustand|clsx)[\\/]/;

/** The frame of members' pages, and what nearly all of them share: in a page's own file, others would load that page with it. */
const SHELL =
  /app[\\/]main-shell|brands[\\/]brand-shell|ui[\\/](page-header|query-error|field|dialog\.)|lib[\\/]format|icons[\\/](x|trash)\.|attention-(notice|queries)/;

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    contractWithoutSchemas(),
    devRuntimeConfig(serverOrigin),
    firstPaint(),
    // index.html is not compressed ahead of time: the server fills in its nonce and configuration per response.
    compression({
      algorithms: ['brotliCompress', 'gzip'],
      include: /\.(?:js|css|svg|json)$/,
      threshold: 1024,
    }),
  ],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    // Inlined as data: URLs, fonts and images would need a wider content security policy.
    assetsInlineLimit: 0,
    // All browsers that the app runs in have it.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // One file for what is always loaded together: many small ones compress worse and take a request each. A group takes what its
        // modules import along, unless a group of higher priority has it.
        codeSplitting: {
          groups: [
            { name: 'base', test: BASE, priority: 5 },
            { name: 'app', tags: ['$initial'], priority: 4 },
            { name: 'shell', test: SHELL, priority: 3 },
            { name: 'table', test: /ui[\\/]data-table\.tsx/, priority: 2 },
            { name: 'variants', test: /app[\\/]variants-route/, priority: 1 },
            // What menus, tooltips and dialogs show.
            { name: 'floating', test: /ui[\\/](floating|dialog-window)/, priority: 0 },
          ],
        },
      },
    },
  },
  server: {
    port: Number(process.env.WEB_PORT ?? 5173),
    strictPort: true,
    // The server builds sign-in addresses from the Host header, so the browser's own must reach it.
    proxy: Object.fromEntries(proxiedPaths.map((path) => [path, { target: serverOrigin, changeOrigin: false }])),
  },
});
