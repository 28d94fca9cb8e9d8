import { SaxesParser } from 'saxes';
import { FileRefusal } from '../csv/file-refusal.ts';

export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** A cell has at most 32,767 characters, and parts of a workbook nest at most a dozen levels. */
const MAX_TOKEN_BYTES = 2 * 1024 * 1024;
const MAX_DEPTH = 64;

/**
 * A streaming XML parser that yields after each chunk. Memory is bounded: an endless text, tag or comment is refused. A DOCTYPE is refused
 * too: no workbook has one, and it allows entity attacks. Names are without their prefix.
 */
export async function* parseXml(chunks: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  let depth = 0;
  let bytesSinceTag = 0;
  parser.on('doctype', () => {
    throw new FileRefusal('workbook_entities');
  });
  parser.on('opentag', ({ name, attributes }) => {
    bytesSinceTag = 0;
    depth += 1;
    if (depth > MAX_DEPTH) throw new FileRefusal('broken_workbook');
    handlers.open?.(withoutPrefix(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    bytesSinceTag = 0;
    depth -= 1;
    handlers.close?.(withoutPrefix(name));
  });
  const onText = (text: string) => handlers.text?.(text);
  parser.on('text', onText);
  parser.on('cdata', onText);

  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of chunks) {
      bytesSinceTag += chunk.length;
      parser.write(decoder.decode(chunk, { stream: true }));
      if (bytesSinceTag > MAX_TOKEN_BYTES) throw new FileRefusal('broken_workbook');
      yield;
    }
    parser.write(decoder.decode());
    parser.close();
  } catch (error) {
    throw toRefusal(error);
  }
  yield;
}

/** An error of the zip reader or the parser means that the file is damaged. A disk error does not. */
export function toRefusal(error: unknown): unknown {
  const isOurs = error instanceof FileRefusal || (error instanceof Error && 'syscall' in error);
  return isOurs ? error : new FileRefusal('broken_workbook');
}

function withoutPrefix(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}
