import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** All inputs of `vite build`, relative to the repository's root. */
const WEB_INPUTS = ['apps/web', 'packages/contract/src', 'packages/contract/package.json', 'tsconfig.base.json', 'package-lock.json'];

const NOT_AN_INPUT = /^(node_modules|dist|coverage|test-results|\..*)$|\.test\.tsx?$|\.tsbuildinfo$/;

function listFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => !NOT_AN_INPUT.test(name))
    .flatMap((name) => listFiles(join(path, name)));
}

/** One checksum over the names and contents of all inputs of the web build. */
export function checksumOfWebInputs(root: string): string {
  const hash = createHash('sha256');
  const files = WEB_INPUTS.flatMap((input) => listFiles(join(root, input)));
  const named = files.map((file) => ({ file, name: relative(root, file).split(sep).join('/') }));
  for (const { file, name } of named.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const content = readFileSync(file);
    // The length separates "ab" + "c" from "a" + "bc".
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
