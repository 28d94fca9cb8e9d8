const WIDTH = 140;
/** A query that is no longer than this stays on its line. */
const SHORT = 70;
const QUERY = /^(?:select|with|insert|update|delete)\b/;
const CLAUSE =
  /^(?:select|from|where|group by|having|window|order by|limit|offset|for update|for share|union|except|(?:left |full |cross )?join|set|values|on conflict|overriding|returning|using|update|with \w+ (?:\([^)]*\) )?as)\b/;
/** The next word continues it. */
const UNFINISHED = /(?:^|[ (])(?:distinct|delete|left|full|cross|do|for)$/;

/** SQL with one clause in each line, whatever the line breaks in the code are. */
export function formatStatement(text: string): string {
  const statement = text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')').trim();
  return formatQuery(statement, '').join('\n');
}

function formatQuery(query: string, indent: string): string[] {
  if (query.length <= SHORT) return [indent + query];
  return splitClauses(query).flatMap((clause) => wrap(indent + formatGroups(clause, indent), `${indent}    `));
}

/** Puts each query in parentheses on lines of its own. */
function formatGroups(text: string, indent: string): string {
  const start = text.indexOf('(');
  if (start < 0) return text;
  const end = findEnd(text, start);
  const group = text.slice(start + 1, end);
  const isLong = QUERY.test(group) && group.length > SHORT;
  const inner = isLong ? `\n${formatQuery(group, `${indent}  `).join('\n')}\n${indent}` : formatGroups(group, indent);
  return `${text.slice(0, start)}(${inner})${formatGroups(text.slice(end + 1), indent)}`;
}

function findEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if (text[i] === "'") i = text.indexOf("'", i + 1);
    else if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i;
  }
  throw new Error(`A parenthesis is not closed: ${text}`);
}

function splitClauses(query: string): string[] {
  const clauses: string[] = [];
  let start = 0;
  for (let i = 0; i < query.length; i++) {
    if (query[i] === "'") i = query.indexOf("'", i + 1);
    else if (query[i] === '(') i = findEnd(query, i);
    else if (query[i] === ' ' && CLAUSE.test(query.slice(i + 1)) && !UNFINISHED.test(query.slice(start, i))) {
      clauses.push(query.slice(start, i));
      start = i + 1;
    }
  }
  return [...clauses, query.slice(start)];
}

function wrap(text: string, indent: string): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let rest = line;
    while (rest.length > WIDTH) {
      const at = findBreak(rest.slice(0, WIDTH));
      if (at <= indent.length) break;
      lines.push(rest.slice(0, at));
      rest = indent + rest.slice(at + 1);
    }
    return [...lines, rest];
  });
}

function findBreak(line: string): number {
  const at = Math.max(line.lastIndexOf(', ') + 1, line.lastIndexOf(' and '), line.lastIndexOf(' when '));
  return at > WIDTH / 2 ? at : line.lastIndexOf(' ');
}
