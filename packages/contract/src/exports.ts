import { type Static, Type } from 'typebox';

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export const ExportFormat = Type.Enum([...EXPORT_FORMATS]);
export type ExportFormat = Static<typeof ExportFormat>;

/** Of exports with GTINs or ids of certificates. */
export const DigitsExportQuery = Type.Object({
  format: ExportFormat,
  apostrophe: Type.Optional(
    Type.Boolean({
      description:
        'For a CSV file that is opened in a spreadsheet program: GTINs and ids of certificates that begin with a digit have an apostrophe in front, without which it drops leading zeros. An import ignores it. Default: false.',
    }),
  ),
});
export type DigitsExportQuery = Static<typeof DigitsExportQuery>;

/**
 * Header with the number of entries in an export, if it is known when the export begins. A variant is one entry, also with several
 * certificates, which have a row each.
 */
export const TOTAL_ROWS_HEADER = 'x-total-rows';

/**
 * Content type of an export in pieces that report progress, for callers that accept it. A piece is the number of entries
 * so far and its own length in bytes, both 32 bits big-endian, then the bytes of the file. A piece of length 0 marks
 * the end: without it the file is incomplete.
 */
export const PIECES_TYPE = 'application/vnd.brand-portal.pieces';
export const PIECE_HEAD_BYTES = 8;

export const EXPORT_FILE_TYPES = ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', PIECES_TYPE] as const;

/** At most this many rows of a list can be selected one by one. */
export const MAX_CHOSEN_ROWS = 10_000;
