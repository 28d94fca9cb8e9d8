import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const SERVER_PORT = process.env.PORT ?? '3000';
const WEB_PORT = process.env.WEB_PORT ?? '5173';

/** Hot reload on both sides: Vite in front, which proxies /api and the like to the server, which restarts on each change. */
const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'apps/embedded/src/main.ts'], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, PORT: SERVER_PORT, PUBLIC_URL: `http://localhost:${WEB_PORT}` },
});
const web = spawn(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js')], {
  cwd: join(ROOT, 'apps/web'),
  stdio: 'inherit',
  env: { ...process.env, API_ORIGIN: `http://localhost:${SERVER_PORT}`, WEB_PORT },
});

// If one exits, the other is stopped too.
server.on('exit', (code) => web.kill() && process.exit(code ?? 1));
web.on('exit', (code) => server.kill() && process.exit(code ?? 1));
// Ctrl-C reaches all three processes through the terminal. A second signal to the server would cut its shutdown short.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {
  server.kill();
  web.kill();
});
