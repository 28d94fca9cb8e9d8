import type { ErrorCode } from '@brand-portal/contract/errors';
import type { DetailField } from '@brand-portal/contract/variant-fields';
import type { CellFlaw } from '../../files/csv/csv-file.ts';
import type { RefusalCode, RefusalParams } from '../../files/csv/file-refusal.ts';
import type { ColumnName } from './columns.ts';

/** An error of a row, as data. It is stored like this and translated when it is read. */
export type RowProblem = {
  readonly field?: ColumnName;
  /** The cell's text, unless the message contains it. */
  readonly value?: string;
} & (
  | { readonly code: 'missing_value' }
  | { readonly code: 'too_long'; readonly params: { readonly limit: number; readonly length: number } }
  | { readonly code: 'control_characters' }
  | { readonly code: 'damaged_characters' }
  | {
      readonly code: 'lost_letters';
      readonly params: {
        readonly value: string;
        /** The stored name, if that is the evidence. */
        readonly stored?: string;
      };
    }
  | { readonly code: 'double_encoded'; readonly params: { readonly value: string; readonly repaired: string } }
  | { readonly code: 'spreadsheet_error'; readonly params: { readonly value: string } }
  | { [F in CellFlaw]: { readonly code: `cell_${F}`; readonly params: { readonly value: string } } }[CellFlaw]
  | { readonly code: 'gtin_characters' }
  | { readonly code: 'gtin_length'; readonly params: { readonly digits: number } }
  | { readonly code: 'gtin_check_digit'; readonly params: { readonly expected: number; readonly found: number } }
  | { readonly code: 'gtin_scientific'; readonly params: { readonly value: string } }
  | { readonly code: 'gtin_lost_zero' }
  | { readonly code: 'gtin_zeros' }
  | { readonly code: 'gtin_restricted'; readonly params: GtinPrefix }
  | { readonly code: 'gtin_coupon'; readonly params: GtinPrefix }
  | { readonly code: 'unknown_certification'; readonly params: { readonly name: string; readonly suggestion: string } }
  | {
      readonly code: 'ambiguous_certification';
      readonly params: {
        readonly name: string;
        readonly choices: readonly { readonly name: string; readonly body: string }[];
      };
    }
  | { readonly code: 'several_certifications'; readonly params: { readonly name: string; readonly names: string } }
  | { readonly code: 'certificate_id_scientific'; readonly params: { readonly value: string } }
  | { readonly code: 'certificate_id_boolean'; readonly params: { readonly value: string } }
  | { readonly code: 'certificate_id_missing' }
  | { readonly code: 'certification_name_missing' }
  | { readonly code: 'certificate_link_alone' }
  | { readonly code: 'contradicting_names'; readonly params: Contradicted }
  | { readonly code: 'contradicting_categories'; readonly params: Contradicted }
  | { readonly code: 'contradicting_details'; readonly params: Contradicted }
  | { readonly code: 'not_a_web_address' }
  | { readonly code: 'contradicting_rows'; readonly params: { readonly row: number } }
  | { readonly code: 'stray_quote'; readonly params: { readonly lines: number } }
  | { readonly code: 'too_many_cells'; readonly params: { readonly cells: number; readonly columns: number } }
  | { readonly code: 'too_few_cells'; readonly params: { readonly cells: number; readonly columns: number } }
);

interface Contradicted {
  /** Another row of the file. */
  readonly row?: number;
  /** In place of a row: the value of the variant that the import has already written. */
  readonly stored?: string;
}

interface GtinPrefix {
  readonly prefix: string;
  /** The parsed number, if it is not written with that prefix. */
  readonly number?: string;
}

export type RowProblemCode = RowProblem['code'];

/** How many differences between an export that was edited and the brand an import leaves as they are. */
export interface IgnoredEdits extends Readonly<Record<DetailField, number>> {
  /** Variants that are published, or not, other than the file says. */
  readonly published: number;
  /** Certificates with another status than in the file. */
  readonly certificate_status: number;
  /** Certificates that end on another day than in the file. */
  readonly certificate_expires_on: number;
  /** Variants with a value where the file has none, as for each detail. */
  readonly publishing_channel: number;
  readonly category: number;
  /** Certificates with a link where the file has none. */
  readonly certificate_link: number;
  /** Certificates of the file's variants that are not in the file. */
  readonly removed_certificates: number;
}

/** Not an error of a row, but the member should know. */
export type ImportWarning =
  | { readonly code: 'legacy_encoding'; readonly params: { readonly encoding: string; readonly sample: string } }
  | { readonly code: 'chosen_sheet'; readonly params: { readonly sheet: string } }
  | {
      readonly code: 'mixed_encodings';
      readonly params: { readonly encoding: string; readonly sample: string; readonly lines: number };
    }
  | { readonly code: 'header_row'; readonly params: { readonly row: number } }
  | { readonly code: 'two_header_rows'; readonly params: { readonly first: number; readonly second: number } }
  | { readonly code: 'repeated_header'; readonly params: { readonly rows: string; readonly count: number } }
  | { readonly code: 'chosen_columns'; readonly params: { readonly columns: string } }
  | { readonly code: 'remembered_columns'; readonly params: { readonly columns: string } }
  | { readonly code: 'ignored_columns'; readonly params: { readonly columns: string } }
  | { readonly code: 'formulas'; readonly params: { readonly cells: number } }
  | { readonly code: 'hidden_rows'; readonly params: { readonly rows: number } }
  | { readonly code: 'merged_cells'; readonly params: { readonly range: string; readonly others: number } }
  | { readonly code: 'unknown_channels'; readonly params: { readonly channels: string } }
  | {
      readonly code: 'spreadsheet_names';
      readonly params: { readonly count: number; readonly row: number; readonly name: string };
    }
  | {
      readonly code: 'spreadsheet_categories';
      readonly params: { readonly count: number; readonly row: number; readonly category: string };
    }
  | {
      readonly code: 'nameless_columns';
      readonly params: {
        readonly columns: string;
        readonly count: number;
        readonly row: number;
        readonly value: string;
      };
    }
  | { readonly code: 'many_renamed'; readonly params: { readonly renamed: number; readonly known: number } }
  | { readonly code: 'ignored_edits'; readonly params: Partial<IgnoredEdits> }
  | { readonly code: 'mistyped_certificates'; readonly params: { readonly ids: string } }
  | { readonly code: 'malformed_certificates'; readonly params: { readonly ids: string; readonly count: number } }
  | { readonly code: 'published_rows'; readonly params: { readonly variants: number } }
  | { readonly code: 'publishing_needs_trial' }
  | { readonly code: 'publishing_needs_review' }
  | { readonly code: 'further_certificates'; readonly params: { readonly variants: number } };

/** Why an import failed: its file was refused, or it could not be finished. */
export type ImportFailure =
  | { readonly [C in RefusalCode]: { readonly code: C; readonly params?: RefusalParams[C] } }[RefusalCode]
  | { readonly code: Exclude<UnfinishedCode, 'refused'> }
  | { readonly code: 'refused'; readonly params: Refused };

/** An action on selected variants that the caller must change: the error of the API. */
export interface Refused {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly context?: Record<string, string> | undefined;
}

export type UnfinishedCode =
  | 'interrupted'
  | 'brand_inactive'
  | 'not_undoable'
  | 'nothing_corrected'
  | 'database_unavailable'
  | 'storage_full'
  | 'internal_error'
  | 'refused';

export const INTERRUPTED: ImportFailure = { code: 'interrupted' };
