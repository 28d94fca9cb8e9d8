import type { Language } from '@brand-portal/contract/constants';
import type { RefusalCode, RefusalParams } from '../../files/csv/file-refusal.ts';
import type { ColumnName } from './columns.ts';
import type { ImportWarning, RowProblem, RowProblemCode, UnfinishedCode } from './row-problem.ts';

type ParamsOf<T> = T extends { readonly params: infer P } ? P : undefined;
type TextOf<P> = P extends undefined ? string : (params: P) => string;

/** 'A, B or C'. */
export function anyOf(language: Language, choices: readonly string[]): string {
  return new Intl.ListFormat(language, { type: 'disjunction' }).format(choices);
}

/** The plural form for the number. */
export function count<T>(language: Language, number: number, forms: { readonly one: T; readonly other: T }): T {
  return new Intl.PluralRules(language).select(number) === 'one' ? forms.one : forms.other;
}

/** Whether the cell of a date has no day: 10:30. */
export function isTime(value: string): boolean {
  return /^\d{2}:\d{2}$/.test(value);
}

/** The texts that each language must have. */
export interface ImportTexts {
  readonly problems: { readonly [C in RowProblemCode]: TextOf<ParamsOf<Extract<RowProblem, { code: C }>>> };
  /** A short title of each kind, shown with a count. */
  readonly problemTitles: { readonly [C in RowProblemCode]: string };
  readonly warnings: { readonly [C in ImportWarning['code']]: TextOf<ParamsOf<Extract<ImportWarning, { code: C }>>> };
  readonly refusals: { readonly [C in RefusalCode]: TextOf<RefusalParams[C]> };
  readonly uploads: {
    readonly too_large: (limitMegabytes: number) => string;
    readonly no_form: string;
    readonly no_file: string;
    readonly two_files: string;
    readonly stalled: string;
    readonly crowded: (whose: 'member' | 'brand', imports: number) => string;
    readonly arriving: string;
    readonly no_room: string;
    readonly no_mapping: string;
    readonly field_twice: (field: string) => string;
  };
  /** The template workbook: the names of its sheets, and its notes. */
  readonly template: {
    readonly products: string;
    readonly certifications: string;
    readonly notes: string;
    readonly before: readonly string[];
    /** A note on several columns stands for each of them, and is written once. */
    readonly columns: Readonly<Record<ColumnName, string>>;
    readonly after: readonly string[];
  };
  readonly quote: (value: string) => string;
  /** Why an import failed for reasons other than its file. */
  readonly unfinished: { readonly [C in Exclude<UnfinishedCode, 'refused'>]: string };
  readonly cancelled: string;
  readonly ended: string;
  readonly noSuchImport: string;
  readonly noRejectedRows: string;
  readonly oneGtinForAll: string;
  /** Shown with a wrong check digit. */
  readonly checkDigitHint: (gtin: string) => string;
  readonly rejectedRowsDeleted: (keptDays: number) => string;
}
