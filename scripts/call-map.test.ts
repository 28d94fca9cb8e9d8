import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../apps/server/src');
/** The entry points of the product's long call chains: after the routes, in the thread, and in the job. */
const WAYS = {
  'An import': [
    ['imports/accept.ts', 'acceptFile'],
    ['imports/import-job.ts', 'runNextImport'],
    ['imports/import.ts', 'stageFile'],
    ['imports/preview.ts', 'checkOrAsk'],
    ['imports/import.ts', 'applyRows'],
  ],
  'An import, in the thread that reads the file': [['imports/import-file.ts', 'openImportFile']],
  'A publish': [
    ['channel/publishing.ts', 'publishVariant'],
    ['imports/variant-actions/variant-actions.ts', 'acceptPublishAll'],
    ['imports/variant-actions/variant-actions.ts', 'publishAll'],
    ['channel/delivery.ts', 'createDeliveries'],
  ],
} as const;
/** Used everywhere, so they would hide the chain. */
const LEFT_OUT = /^(db|http|csv|xlsx)\/|^(errors|deadline|stopper|config|bounded-map)\.ts$/;

interface Node {
  readonly type: string;
  readonly [part: string]: unknown;
}
interface Module {
  readonly functions: ReadonlyMap<string, Node>;
  readonly exported: ReadonlySet<string>;
  /** Local name → source. For `import * as x` the name is `*`. */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const nameOf = (value: unknown) => (isNode(value) ? String(value.name ?? '') : '');
const parts = (node: Node) => Object.values(node).flat().filter(isNode);

const modules = new Map<string, Module>();
function readModule(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const path = join(SOURCES, file);
  const { program } = parseSync(path, existsSync(path) ? readFileSync(path, 'utf8') : '');
  const functions = new Map<string, Node>();
  const exported = new Set<string>();
  const imports = new Map<string, { file: string; name: string }>();
  for (const statement of (program as unknown as { body: Node[] }).body) {
    if (statement.type === 'ImportDeclaration') {
      const source = String((statement.source as Node).value);
      if (!source.startsWith('.')) continue;
      const from = relative(SOURCES, join(dirname(path), source)).replaceAll('\\', '/');
      for (const specifier of statement.specifiers as Node[]) {
        imports.set(nameOf(specifier.local), { file: from, name: nameOf(specifier.imported) || '*' });
      }
      continue;
    }
    const declared = isNode(statement.declaration) ? statement.declaration : statement;
    if (declared !== statement) exported.add(nameOf(declared.id));
    if (declared.type === 'FunctionDeclaration') functions.set(nameOf(declared.id), declared);
    for (const variable of (declared.declarations as Node[] | undefined) ?? []) {
      if (/Function/.test(nameOf(variable.init) || String((variable.init as Node | null)?.type))) {
        functions.set(nameOf(variable.id), variable);
      }
    }
  }
  const module = { functions, exported, imports };
  modules.set(file, module);
  return module;
}

/**
 * The exported functions that a function refers to, in order: called, or passed on to be called. Calls of a private function count as its
 * caller's.
 */
function calledBy(file: string, name: string, inside = new Set([name])): [file: string, name: string][] {
  const { functions, exported, imports } = readModule(file);
  const found = new Map<string, [string, string]>();
  const add = (file: string, name: string) => {
    if (!LEFT_OUT.test(file) && readModule(file).functions.has(name)) found.set(`${file} ${name}`, [file, name]);
  };
  const visit = (node: Node): void => {
    if (node.type === 'Identifier') {
      const own = nameOf(node);
      const imported = imports.get(own);
      if (imported) add(imported.file, imported.name);
      else if (exported.has(own) && own !== name) add(file, own);
      else if (functions.has(own) && !inside.has(own)) {
        for (const called of calledBy(file, own, inside.add(own))) add(...called);
      }
    } else if (node.type === 'MemberExpression') {
      const imported = imports.get(nameOf(node.object));
      if (imported?.name === '*') add(imported.file, nameOf(node.property));
      if (isNode(node.object)) visit(node.object);
    } else for (const part of parts(node)) visit(part);
  };
  const start = functions.get(name);
  if (!start) throw new Error(`${file} has no function ${name}: correct WAYS`);
  for (const part of parts(start)) visit(part);
  return [...found.values()];
}

/** Draws each function once: repeated ones are not expanded again. */
function draw([file, name]: readonly [string, string], seen: Set<string>, depth = 0, from = ''): string[] {
  const place = file === from ? '' : ` — ${file}`;
  const line = `${'  '.repeat(depth)}${name}${place}`;
  if (seen.has(`${file} ${name}`)) return [`${line} ↑`];
  seen.add(`${file} ${name}`);
  return [line, ...calledBy(file, name).flatMap((called) => draw(called, seen, depth + 1, file))];
}

function drawWays(): string {
  const sections = Object.entries(WAYS).flatMap(([title, starts]) => {
    const seen = new Set<string>();
    return [`## ${title}`, '', '```', ...starts.flatMap((start) => draw(start, seen)), '```', ''];
  });
  return [
    '# Who calls whom',
    '',
    'Drawn by `scripts/call-map.test.ts` from the code; after a change run it with `--update`. Paths are below `apps/server/src/` and stand where the file',
    'changes. ↑: what it calls stands above. Left out: what every module uses (`db`, `http`, `csv`, `xlsx`, `threads`, errors), and functions that are private to their file.',
    '',
    ...sections,
  ].join('\n');
}

test('docs/CALLS.md shows who calls whom in an import and a publish', async () => {
  await expect(drawWays()).toMatchFileSnapshot('../docs/CALLS.md');
});
