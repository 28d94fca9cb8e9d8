import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from '@swc/core';

/** Rules that the import graph cannot check, read from the syntax tree of each file. */
interface SourceRule {
  name: string;
  comment: string;
  appliesTo: (path: string) => boolean;
  isBreach: (node: SyntaxNode) => boolean;
}

interface SyntaxNode {
  type: string;
  [field: string]: unknown;
}

interface Breach {
  rule: string;
  path: string;
}

const TEST_FILE = /\.test\.tsx?$|\/(test|testing|test-support)\//;
const SQL_BELONGS_HERE = /\.queries\.ts$|^apps\/(server|embedded)\/src\/db\/|^apps\/server\/src\/(writes\/|queue\/queue\.ts$)/;
const WRITES_MODULE = 'apps/server/src/writes/';
const BRAND_WRITES = 'variants|certificates|variant_certificates|variant_counts|variant_search|variant_search_waiting|deliveries';
const WRITES_BRAND_DATA = new RegExp(`\\b(insert into|update|delete from|truncate)\\s+"?(${BRAND_WRITES})"?\\b`, 'i');
const BRAND_TABLE = new RegExp(`^(${BRAND_WRITES})( |$)`);
const RAW_HTML = new Set(['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc']);
const WRITING_BUILDERS = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto']);
const QUERY_BUILDERS = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto']);

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function isNamed(value: unknown, name: string): boolean {
  return isNode(value) && value.type === 'Identifier' && value.value === name;
}

/** Whether an import declaration imports `name` from `module`, under any local name. */
function importsName(node: SyntaxNode, module: string, name: string): boolean {
  if (node.type !== 'ImportDeclaration' || !isNode(node.source) || node.source.value !== module) return false;
  return (node.specifiers as SyntaxNode[]).some((specifier) =>
    isNode(specifier.imported) ? isNamed(specifier.imported, name) : isNamed(specifier.local, name),
  );
}

const isProductOfServer = (path: string) => /^apps\/(server|embedded)\/src\//.test(path) && !TEST_FILE.test(path);

export const SOURCE_RULES: SourceRule[] = [
  {
    name: 'environment-only-in-config',
    comment: 'config.ts is the only reader of process.env: one place names, checks and documents every setting.',
    // The API examples are shown in the documentation as programs of others.
    appliesTo: (path) =>
      isProductOfServer(path) && path !== 'apps/server/src/lib/config.ts' && !path.startsWith('apps/server/src/http/examples/'),
    isBreach: (node) =>
      (node.type === 'MemberExpression' && isNamed(node.object, 'process') && isNamed(node.property, 'env')) ||
      (node.type === 'VariableDeclarator' &&
        isNamed(node.init, 'process') &&
        isNode(node.id) &&
        node.id.type === 'ObjectPattern' &&
        (node.id.properties as SyntaxNode[]).some(({ key }) => isNamed(key, 'env'))) ||
      importsName(node, 'node:process', 'env') ||
      importsName(node, 'process', 'env'),
  },
  {
    name: 'sql-only-in-queries',
    comment: 'SQL, as text or through the query builder, lives in *.queries.ts, db/ and migrations.',
    appliesTo: (path) => isProductOfServer(path) && !SQL_BELONGS_HERE.test(path),
    isBreach: (node) =>
      importsName(node, 'kysely', 'sql') ||
      (node.type === 'MemberExpression' &&
        isNode(node.property) &&
        node.property.type === 'Identifier' &&
        QUERY_BUILDERS.has(String(node.property.value))),
  },
  {
    name: 'brand-data-written-in-one-room',
    comment:
      'Variants, certificates, links and what follows from them (counts, search rows, deliveries) are written by the functions of writes/ and nowhere else: each does all that follows from its write.',
    appliesTo: (path) => isProductOfServer(path) && !path.startsWith(WRITES_MODULE),
    isBreach: (node) =>
      (node.type === 'TemplateElement' && WRITES_BRAND_DATA.test(String(node.raw))) ||
      (node.type === 'StringLiteral' && WRITES_BRAND_DATA.test(String(node.value))) ||
      (node.type === 'CallExpression' &&
        isNode(node.callee) &&
        isNode(node.callee.property) &&
        WRITING_BUILDERS.has(String(node.callee.property.value)) &&
        (node.arguments as { expression: SyntaxNode }[]).some(({ expression }) => BRAND_TABLE.test(String(expression.value)))),
  },
  {
    name: 'no-raw-html',
    comment: 'What people wrote reaches a page as text, which React escapes; markup made of strings would run it.',
    appliesTo: (path) => path.startsWith('apps/web/src/') && !TEST_FILE.test(path),
    isBreach: (node) =>
      (node.type === 'JSXAttribute' && isNamed(node.name, 'dangerouslySetInnerHTML')) ||
      (node.type === 'MemberExpression' &&
        isNode(node.property) &&
        node.property.type === 'Identifier' &&
        RAW_HTML.has(String(node.property.value))),
  },
  {
    name: 'no-inline-type-imports',
    comment: "`import('…').Name` in a type is an import that the import rules do not see: write `import type`.",
    appliesTo: () => true,
    isBreach: (node) => node.type === 'TsImportType',
  },
];

function* allNodes(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) {
    for (const item of value) yield* allNodes(item);
  } else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) yield value;
    for (const field of Object.values(value)) yield* allNodes(field);
  }
}

/** All violations in the sources below `root`. */
export function findViolations(root: string): Breach[] {
  const files = globSync('{apps,packages,e2e,bench,scripts}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (name) => /(^|[\\/])(node_modules|dist|coverage)$/.test(String(name)),
  });
  return files.sort().flatMap((file) => {
    const path = file.split(sep).join('/');
    const rules = SOURCE_RULES.filter((rule) => rule.appliesTo(path));
    const nodes = [...allNodes(parseSync(readFileSync(join(root, file), 'utf8'), { syntax: 'typescript', tsx: file.endsWith('.tsx') }))];
    return rules.filter((rule) => nodes.some(rule.isBreach)).map((rule) => ({ rule: rule.name, path }));
  });
}

if (import.meta.main) {
  const breaches = findViolations(join(import.meta.dirname, '..'));
  for (const { rule, path } of breaches) {
    console.log(`error ${rule}: ${path}\n      ${SOURCE_RULES.find(({ name }) => name === rule)?.comment}`);
  }
  process.exitCode = breaches.length === 0 ? 0 : 1;
}
