/** One line of COPY's text format; `undefined` is NULL. */
export function copyLine(values: readonly (string | number | boolean | undefined)[]): string {
  return `${values.map((value) => (value === undefined ? '\\N' : escapeCell(String(value)))).join('\t')}\n`;
}

function escapeCell(value: string): string {
  return /[\\\t\n\r]/.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '') : value;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
