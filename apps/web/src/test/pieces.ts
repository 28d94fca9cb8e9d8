import { PIECES_TYPE, TOTAL_ROWS_HEADER } from '@brand-portal/contract/exports';

/** A piece of an export as the server sends it; without text it is the end marker. */
export function piece(rows: number, text = ''): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const whole = new Uint8Array(8 + bytes.length);
  const head = new DataView(whole.buffer);
  head.setUint32(0, rows);
  head.setUint32(4, bytes.length);
  whole.set(bytes, 8);
  return whole;
}

/** An export of a few rows, split in the middle of a piece. */
export function exportAnswer(text: string, rows: number): Response {
  const bytes = new Uint8Array([...piece(0, text), ...piece(rows)]);
  const body = new ReadableStream({
    start(controller) {
      for (const part of [bytes.slice(0, 3), bytes.slice(3, 11), bytes.slice(11)]) controller.enqueue(part);
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': PIECES_TYPE, [TOTAL_ROWS_HEADER]: String(rows) } });
}
