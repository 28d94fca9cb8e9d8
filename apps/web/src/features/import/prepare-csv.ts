/** The header must end within this many bytes, or it is left as it is: the file is never read as a whole. */
const HEAD_BYTES = 64 * 1024;

const [LINE_FEED, CARRIAGE_RETURN, SPACE, QUOTE, ASTERISK] = [10, 13, 32, 34, 42];
/** The separators that the server knows: tab, comma, semicolon, caret, pipe. */
const SEPARATORS = [9, 44, 59, 94, 124];

interface PreparedCsv {
  file: File;
  isEmpty: boolean;
}

/**
 * Removes the asterisks of required columns from the header. Works on bytes: asterisks, quotes and separators are the
 * same in UTF-8 and in all encodings that extend ASCII. Other files (UTF-16) are uploaded unchanged.
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

/** Where the first non-empty record ends; undefined if that cannot be determined. */
function headerEnd(head: Uint8Array, fileSize: number): number | undefined {
  // A zero byte means binary data or two-byte characters; a UTF-16 byte order mark is not ASCII either.
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

/** Whether only spaces and further asterisks follow in the cell. */
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
