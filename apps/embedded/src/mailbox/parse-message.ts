export interface ParsedMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const MAX_DEPTH = 5;

/**
 * The only mails that come here are our own, so this knows what nodemailer writes (MIME with multipart/alternative,
 * quoted-printable or base64, encoded words in headers) and leaves out the rest of thirty years of mail, for which a
 * whole parser library would have to be kept up to date in a product that never receives mail.
 */
export function parseMessage(raw: Buffer): ParsedMessage {
  // One character per byte until the character set of each part is known.
  const message = splitPart(raw.toString('latin1'));
  const leaves = flatten(message, MAX_DEPTH);
  const bodyOf = (type: string) => {
    const part = leaves.find(({ headers }) => mediaType(headers) === type);
    return part ? decodeBody(part) : '';
  };
  return {
    subject: decodeWords(message.headers.get('subject') ?? ''),
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
  };
}

function splitPart(source: string): Part {
  const end = /\r?\n\r?\n/.exec(source);
  const head = end ? source.slice(0, end.index) : source;
  const unfolded = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const headers = new Map(
    unfolded.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: end ? source.slice(end.index + end[0].length) : '' };
}

function flatten(part: Part, depth: number): Part[] {
  const boundary = parameter(part.headers, 'boundary');
  if (!mediaType(part.headers).startsWith('multipart/') || !boundary || depth === 0) return [part];
  const pieces = `\r\n${part.body}`.split(`\r\n--${boundary}`).slice(1);
  return pieces
    .filter((piece) => !piece.startsWith('--'))
    .flatMap((piece) => flatten(splitPart(piece.replace(/^[ \t]*\r\n/, '')), depth - 1));
}

function mediaType(headers: Part['headers']): string {
  return (headers.get('content-type') ?? 'text/plain').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function parameter(headers: Part['headers'], name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]+))`, 'i').exec(headers.get('content-type') ?? '');
  return match?.[1] ?? match?.[2];
}

function decodeBody({ headers, body }: Part): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? decodeQuoted(body.replace(/=[ \t]*\r?\n/g, '')) : body, 'latin1');
  return toText(bytes, parameter(headers, 'charset'));
}

function decodeWords(header: string): string {
  return header
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(/=\?([^?]+)\?([bq])\?([^?]*)\?=/gi, (_word, charset: string, kind: string, content: string) => {
      const quoted = () => Buffer.from(decodeQuoted(content.replaceAll('_', ' ')), 'latin1');
      return toText(kind.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : quoted(), charset);
    });
}

function decodeQuoted(text: string): string {
  return text.replace(/=([0-9A-F]{2})/gi, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function toText(bytes: Buffer, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
