/** Why a file as a whole is refused, with what its text needs to say. */
export interface RefusalParams {
  readonly empty_file: undefined;
  readonly header_only: undefined;
  readonly not_text: undefined;
  readonly workbook: undefined;
  readonly missing_columns: { readonly columns: string; readonly found: string };
  readonly duplicate_column: { readonly column: string };
  readonly too_many_rows: { readonly limit: number };
  readonly too_many_columns: { readonly row: number; readonly limit: number };
  readonly row_too_long: { readonly row: number; readonly limit: number };
  readonly open_quote: { readonly row: number };
}

export type RefusalCode = keyof RefusalParams;

/** Thrown wherever it is found out; put into words where the reader's language is known. */
export class FileRefusal<C extends RefusalCode = RefusalCode> extends Error {
  readonly reason: C;
  readonly params: RefusalParams[C];

  constructor(reason: C, ...[params]: RefusalParams[C] extends undefined ? [] : [RefusalParams[C]]) {
    super(reason);
    this.reason = reason;
    this.params = params as RefusalParams[C];
  }
}
