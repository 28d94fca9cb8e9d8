import type { Plugin } from 'vite';

const STAND_IN = '\0typebox-stand-in';
/** What a call is made of. The rest is for the server and the documentation. */
const USED = new Set(['method', 'path', 'access', 'inInactive', 'publishes', 'response', 'responseKind', 'fileTypes']);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const nameOf = (value: unknown) => (isNode(value) && value.type === 'Identifier' ? value.name : undefined);

/**
 * The browser uses the contract's types, paths and constants, and never checks a value against a schema. Without this, schemas and
 * descriptions of every endpoint come along: 20 kB gzipped before the list of variants. Schemas become empty objects, endpoints lose
 * what only the server reads, and those that nobody calls are left out. A screen that wants to check a value needs rules of its own.
 */
export function contractWithoutSchemas(): Plugin {
  return {
    name: 'contract-without-schemas',
    enforce: 'post',
    resolveId: (source) => (source === 'typebox' ? STAND_IN : undefined),
    load: (id) => (id === STAND_IN ? 'export const Type = {};' : undefined),
    transform(code, id) {
      if (!/packages\/contract\/src\/[\w-]+\.ts$/.test(id.replaceAll('\\', '/'))) return;
      return { code: rewrite(code, this.parse(code) as unknown as Node), map: null };
    },
  };
}

function rewrite(code: string, program: Node): string {
  let result = '';
  let done = 0;
  const replace = ({ start, end }: Node, text: string) => {
    result += code.slice(done, start) + text;
    done = end;
  };
  const visit = (node: Node): void => {
    const text = node.type === 'CallExpression' ? shorten(code, node) : undefined;
    if (text !== undefined) replace(node, text);
    else for (const part of Object.values(node).flat()) if (isNode(part)) visit(part);
  };
  visit(program);
  return result + code.slice(done);
}

/** A schema, or the definition of an endpoint. */
function shorten(code: string, { callee, arguments: [definition] = [] }: Node & { arguments?: Node[] }): string | undefined {
  if (isNode(callee) && callee.type === 'MemberExpression' && nameOf(callee.object) === 'Type') return '({})';
  if (nameOf(callee) !== 'endpoint' || definition?.type !== 'ObjectExpression') return undefined;
  return `/* @__PURE__ */ endpoint({ ${usedParts(code, definition)} })`;
}

function usedParts(code: string, definition: Node): string {
  const parts = (definition.properties as Node[]).filter(({ key }) => USED.has(String(nameOf(key))));
  // Of an answer only counts that there is one.
  return parts
    .map(({ key, value }) => {
      const { start, end } = value as Node;
      return nameOf(key) === 'response' ? 'response: {}' : `${nameOf(key)}: ${code.slice(start, end)}`;
    })
    .join(', ');
}
