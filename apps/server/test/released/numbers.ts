const STATES = ['code', 'kind', 'reason', 'role', 'state', 'status'];
const IS_WORD = /^[a-z]+(_[a-z]+)*$/;

/** An answer without its texts, which later versions may word differently: numbers, and words of the API such as a state. */
export function numbersOf(answer: unknown, name = ''): unknown {
  if (typeof answer === 'string') return STATES.includes(name) && IS_WORD.test(answer) ? answer : undefined;
  if (Array.isArray(answer)) return answer.map((item) => numbersOf(item) ?? null);
  if (answer === null || typeof answer !== 'object') return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, numbersOf(value, name)]));
}

/** What items of lists are told apart by. */
const KEYS = ['id', 'variant_id', 'brand_id', 'reason'];

/** Where a later answer differs. It may have more fields, and more items in lists. */
export function listDifferences(before: unknown, now: unknown, path = ''): string[] {
  if (Array.isArray(before) && Array.isArray(now)) {
    const key = KEYS.find((name) => {
      const values = before.map((item) => (isObject(item) ? item[name] : undefined));
      return !values.includes(undefined) && new Set(values).size === values.length;
    });
    const isSame = (item: unknown, other: unknown) => key && isObject(item) && isObject(other) && item[key] === other[key];
    return before.flatMap((item, place) => {
      const same = key ? now.find((other) => isSame(item, other)) : now[place];
      return listDifferences(item, same, `${path}[${key ? item[key] : place}]`);
    });
  }
  if (isObject(before) && isObject(now)) {
    return Object.entries(before).flatMap(([name, value]) => listDifferences(value, now[name], `${path}.${name}`));
  }
  return before === now ? [] : [`${path}: ${JSON.stringify(before)} → ${JSON.stringify(now)}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
