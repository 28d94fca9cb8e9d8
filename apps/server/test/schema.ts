import { readFileSync } from 'node:fs';
import { parseSync, type TsInterfaceDeclaration, type TsType } from '@swc/core';
import type { Pool } from 'pg';

/** A readable dump of the schema after all migrations. */
const dumpOf = (schema: string) => `
  select string_agg(part, E'\\n\\n' order by kind, name) as dump from (
    select 1 as kind, t.relname as name, concat_ws(E'\\n',
      case t.relpersistence when 'u' then 'unlogged ' else '' end || 'table ' || t.relname,
      (select string_agg(concat_ws(' ', ' ', a.attname, format_type(a.atttypid, a.atttypmod),
          case when a.attcollation <> y.typcollation then 'collate "' || o.collname || '"' end,
          case when a.attnotnull then 'not null' end,
          case when a.attidentity <> '' then 'identity' when a.attgenerated <> '' then 'generated as ' || pg_get_expr(d.adbin, d.adrelid)
            else 'default ' || pg_get_expr(d.adbin, d.adrelid) end), E'\\n' order by a.attnum)
        from pg_attribute a join pg_type y on y.oid = a.atttypid left join pg_collation o on o.oid = a.attcollation
        left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped),
      (select string_agg('  ' || c.conname || ' ' || replace(pg_get_constraintdef(c.oid), '${schema}.', ''), E'\\n' order by c.contype, c.conname)
        from pg_constraint c where c.conrelid = t.oid and c.contype <> 'n'),
      (select string_agg('  ' || replace(pg_get_indexdef(i.indexrelid), '${schema}.', ''), E'\\n' order by i.indexrelid::regclass::text)
        from pg_index i where i.indrelid = t.oid
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))),
      (select string_agg('  trigger ' || g.tgname, E'\\n' order by g.tgname) from pg_trigger g where g.tgrelid = t.oid and not g.tgisinternal)
    ) as part
    from pg_class t where t.relnamespace = '${schema}'::regnamespace and t.relkind = 'r' and t.relname not like 'kysely%'
    union all
    select 2, p.proname, 'function ' || p.oid::regprocedure
    from pg_proc p where p.pronamespace = '${schema}'::regnamespace
      and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')
  ) parts`;

export async function readDump(pool: Pool, schema: string): Promise<string> {
  const { rows } = await pool.query(dumpOf(schema));
  return `${rows[0].dump}\n`;
}

const KIND_OF: Readonly<Record<string, string>> = {
  ...{
    bigint: 'number',
    integer: 'number',
    'double precision': 'number',
    real: 'number',
    text: 'string',
    uuid: 'string',
  },
  ...{
    boolean: 'boolean',
    'timestamp with time zone': 'Date',
    date: 'Date',
    bytea: 'Buffer',
    jsonb: 'json',
    ARRAY: 'json',
  },
};

interface Column {
  readonly kind: string;
  readonly nullable: boolean;
}

/** The type that code reads from a column. Of a union, the first type that is not null. */
function readType(type: TsType): Column {
  if (type.type === 'TsTypeReference' && type.typeName.type === 'Identifier') {
    const name = type.typeName.value;
    const first = type.typeParams?.params[0];
    if ((name === 'Generated' || name === 'ColumnType') && first) return readType(first);
    if (name === 'Record') return { kind: 'json', nullable: false };
    if (name === 'CreatedAt') return { kind: 'Date', nullable: false };
    // Other names are unions of strings, such as a role.
    return { kind: ['Date', 'Buffer'].includes(name) ? name : 'string', nullable: false };
  }
  if (type.type === 'TsKeywordType') {
    const kind = ['number', 'string', 'boolean', 'null'].includes(type.kind) ? type.kind : 'json';
    return { kind, nullable: kind === 'null' };
  }
  if (type.type === 'TsUnionType') {
    const kinds = type.types.map(readType);
    return {
      kind: kinds.find(({ kind }) => kind !== 'null')?.kind ?? 'json',
      nullable: kinds.some(({ nullable }) => nullable),
    };
  }
  if (type.type === 'TsLiteralType') return { kind: 'string', nullable: false };
  return { kind: 'json', nullable: false };
}

type Tables = Record<string, Record<string, Column>>;

/** The tables and columns that the database interface `name` declares in `file`. */
export function readTypes(file: string, name: string): Tables {
  const { body } = parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript' });
  const interfaces = new Map<string, TsInterfaceDeclaration>();
  for (const item of body) {
    const declaration = item.type === 'ExportDeclaration' ? item.declaration : item;
    if (declaration.type === 'TsInterfaceDeclaration') interfaces.set(declaration.id.value, declaration);
  }
  const columnsOf = (name: string) =>
    (interfaces.get(name)?.body.body ?? []).flatMap((member) =>
      member.type === 'TsPropertySignature' && member.key.type === 'Identifier' && member.typeAnnotation
        ? [[member.key.value, member.typeAnnotation.typeAnnotation] as const]
        : [],
    );
  return Object.fromEntries(
    columnsOf(name).map(([table, type]) => {
      const name = type.type === 'TsTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.value : '';
      return [table, Object.fromEntries(columnsOf(name).map(([column, type]) => [column, readType(type)]))];
    }),
  );
}

/** The tables and columns of the database, in the same form. */
export async function readColumns(pool: Pool, schema: string, tables: readonly string[]): Promise<Tables> {
  const { rows } = await pool.query(
    `select table_name as table, column_name as column, data_type as type, is_nullable = 'YES' as nullable
     from information_schema.columns where table_schema = $1 and table_name = any ($2)`,
    [schema, tables],
  );
  const found: Tables = {};
  for (const { table, column, type, nullable } of rows) {
    found[table] = {
      ...found[table],
      [column]: { kind: KIND_OF[type] ?? type, nullable: nullable && type !== 'jsonb' },
    };
  }
  return found;
}
