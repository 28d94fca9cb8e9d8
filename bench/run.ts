import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

/** `npm run bench` lists the measurements, `npm run bench -- variants-list --rows=20000` runs one. */
const names = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'run')
  .sort();

const [name = '', ...options] = process.argv.slice(2);
if (names.includes(name)) {
  const bench = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...options], { stdio: 'inherit' });
  bench.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  console.log(`Measurements:\n${names.map((known) => `  npm run bench -- ${known}`).join('\n')}`);
  process.exitCode = name ? 2 : 0;
}
