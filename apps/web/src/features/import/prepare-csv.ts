/** A header is found within so many bytes, or not looked for: the file is never read as a whole. */
const HEAD_BYTES = 64 * 1024;

const [LINE_FEED, CARRIAGE_RETURN, SPACE, QUOTE, ASTERISK] = [10, 13, 32, 34, 42];
/** Those that the server knows: tab, comma, semicolon, caret, pipe. */
const SEPARATORS = [9, 44, 59, 94, 124];

interface PreparedCsv {
  file: File;
  isEmpty: boolean;
}

/**
 * Takes the asterisks of required columns out of the header. Works on bytes: in UTF-8 and in every encoding that
 * extends ASCII, asterisks, quotes and separators are the same ones. Anything else (UTF-16) goes up as it is.
 */
export async function prepareCsv(file: File): Promise<PreparedCsv> {
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  if (file.size === head.length && isBlank(head)) return { file, isEmpty: true };
  const end = headerEnd(head, file.size);
  const header = end === undefined ? undefined : withoutAsterisks(head.subarray(0, end));
  if (header === undefined || header.length === end) return { file, isEmpty: false };
  return { file: new File([header, file.slice(end)], file.name, { type: file.type }), isEmpty: false };
}

function isBlank(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  return text.trim() === '';
}

/** Where the first record with something in it ends; undefined where that cannot be told. */
function headerEnd(head: Uint8Array, fileSize: number): number | undefined {
  // A zero byte is no text, or text of two bytes per character; the marks of UTF-16 are no ASCII either.
  if (head.includes(0) || isUtf16Mark(head)) return undefined;
  let isQuoted = false;
  let hasBegun = false;
  for (const [at, byte] of head.entries()) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    const isLineEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN;
    if (isLineEnd && !isQuoted && hasBegun) return at;
    hasBegun ||= !isLineEnd;
  }
  return fileSize === head.length ? head.length : undefined;
}

function isUtf16Mark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function withoutAsterisks(header: Uint8Array): Uint8Array<ArrayBuffer> {
  let isQuoted = false;
  return header.filter((byte, at) => {
    if (byte === QUOTE) isQuoted = !isQuoted;
    return byte !== ASTERISK || !endsCell(header, at + 1, isQuoted);
  }) as Uint8Array<ArrayBuffer>;
}

/** Whether nothing but spaces and further asterisks follows in the cell. */
function endsCell(header: Uint8Array, from: number, isQuoted: boolean): boolean {
  let at = from;
  while (header[at] === SPACE || header[at] === ASTERISK) at += 1;
  if (isQuoted) {
    if (header[at] !== QUOTE) return false;
    at += 1;
    while (header[at] === SPACE) at += 1;
  }
  const next = header[at];
  const isLineEnd = next === LINE_FEED || next === CARRIAGE_RETURN;
  return next === undefined || isLineEnd || SEPARATORS.includes(next);
}
