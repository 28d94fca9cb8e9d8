import type { ColumnQuestion } from '@brand-portal/contract/import-mapping';

/** Why a whole file is refused, with the parameters of its message. */
export interface RefusalParams {
  readonly empty_file: undefined;
  readonly header_only: undefined;
  readonly not_text: undefined;
  readonly workbook: undefined;
  readonly archive: undefined;
  readonly image: { readonly format: string };
  readonly pdf: undefined;
  readonly utf32: undefined;
  readonly document: undefined;
  readonly old_workbook: undefined;
  readonly binary_workbook: undefined;
  readonly encrypted_workbook: undefined;
  readonly workbook_macros: undefined;
  readonly workbook_bomb: undefined;
  readonly workbook_entities: undefined;
  readonly broken_workbook: undefined;
  readonly opendocument: undefined;
  readonly empty_workbook: undefined;
  readonly hidden_sheets: { readonly names: readonly string[] };
  readonly no_sheet: { readonly columns: string; readonly sheets: readonly string[] };
  readonly several_sheets: { readonly sheets: readonly string[] };
  readonly missing_columns: { readonly columns: string; readonly found: string; readonly question?: ColumnQuestion };
  readonly one_column: { readonly header: string };
  readonly unmapped_columns: { readonly columns: string; readonly question: ColumnQuestion };
  readonly no_header: { readonly row: number; readonly value: string };
  readonly no_such_column: { readonly column: number; readonly columns: number };
  readonly duplicate_column: { readonly column: string };
  readonly too_many_rows: { readonly limit: number };
  readonly too_many_variants: { readonly created: number; readonly used: number; readonly limit: number };
  readonly too_many_columns: { readonly row: number; readonly limit: number };
  readonly row_too_long: { readonly row: number; readonly limit: number };
  readonly too_complex: undefined;
  readonly open_quote: { readonly row: number };
}

export type RefusalCode = keyof RefusalParams;

/** Thrown where the problem is found. The message is created later, in the reader's language. */
export class FileRefusal<C extends RefusalCode = RefusalCode> extends Error {
  readonly reason: C;
  readonly params: RefusalParams[C];

  constructor(reason: C, ...[params]: RefusalParams[C] extends undefined ? [] : [RefusalParams[C]]) {
    super(reason);
    this.reason = reason;
    this.params = params as RefusalParams[C];
  }
}
