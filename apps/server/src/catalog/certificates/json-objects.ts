import { AppError } from '../../lib/errors.ts';

const BETWEEN = /[\s,[\]]/;

/** Streams the objects of a JSON array, or of a file with one object per line. */
export async function* readJsonObjects(chunks: AsyncIterable<string>): AsyncGenerator<unknown> {
  let begun = '';
  let count = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at] as string;
      if (inString) {
        if (escaped) escaped = false;
        else if (character === '\\') escaped = true;
        else if (character === '"') inString = false;
      } else if (depth === 0 && character !== '{') {
        if (!BETWEEN.test(character) && character !== '\uFEFF') throw notAnObject(count + 1);
      } else if (character === '"') {
        inString = true;
      } else if (character === '{') {
        if (depth === 0) from = at;
        depth += 1;
      } else if (character === '}') {
        depth -= 1;
        if (depth > 0) continue;
        count += 1;
        yield parse(begun + chunk.slice(from, at + 1), count);
        begun = '';
      }
    }
    if (depth > 0) begun += chunk.slice(from);
  }
  if (depth > 0) throw new AppError('validation_failed', `Entry ${count + 1} is cut off: the file ends inside it.`);
}

function parse(text: string, position: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notAnObject(position);
  }
}

function notAnObject(position: number): AppError {
  return new AppError('validation_failed', `Entry ${position} is not a JSON object such as {"certificate_id": "A-1"}.`);
}
