const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escaped markup. Only `html` creates it. */
export interface Markup {
  readonly markup: string;
}

type Value = string | number | Markup | readonly Markup[] | false | undefined;

/** A template that escapes its values, except markup. Leaves out `false` and `undefined`. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return { markup: parts.reduce((page, part, index) => page + render(values[index - 1]) + part) };
}

function render(value: Value): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
  }
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}
