import { type Static, Type } from 'typebox';

/** As what a list can be saved. */
export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export const ExportFormat = Type.Enum([...EXPORT_FORMATS]);
export type ExportFormat = Static<typeof ExportFormat>;

/** How many rows of the list an export will have, where that is known when it begins. */
export const TOTAL_ROWS_HEADER = 'x-total-rows';

/**
 * An export in pieces that tell how far it is, for callers that accept this type. Each piece is the number of rows so far and its own length in
 * bytes, both as 32 bits with the highest byte first, and then the bytes of the file. A piece without bytes is the end: a file without it is not whole.
 */
export const PIECES_TYPE = 'application/vnd.brand-portal.pieces';
export const PIECE_HEAD_BYTES = 8;

export const EXPORT_FILE_TYPES = [
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  PIECES_TYPE,
] as const;

/** So many rows of a list can be chosen one by one. */
export const MAX_CHOSEN_ROWS = 10_000;
