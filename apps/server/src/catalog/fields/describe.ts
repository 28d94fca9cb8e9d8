import type { Language } from '@brand-portal/contract/constants';
import type { CsvRowError } from '@brand-portal/contract/import';
import type { ColumnQuestion } from '@brand-portal/contract/import-mapping';
import type { ImportTexts } from './import-texts.ts';
import { en } from './import-texts-en.ts';
import { es } from './import-texts-es.ts';
import type { ImportFailure, ImportWarning, RowProblem } from './row-problem.ts';

const TEXTS: Readonly<Record<Language, ImportTexts>> = { en, es };

export function importTexts(language: Language): ImportTexts {
  return TEXTS[language];
}

export function describeProblem({ code, value, ...rest }: RowProblem, language: Language): string {
  const message = format(TEXTS[language].problems[code], 'params' in rest ? rest.params : undefined);
  return value === undefined || code === 'gtin_scientific' ? message : `${TEXTS[language].quote(value)}: ${message}`;
}

/** The warnings as the API returns them. */
export function toWarnings(warnings: readonly ImportWarning[], language: Language): { code: string; message: string }[] {
  return warnings.map(({ code, ...rest }) => ({
    code,
    message: format(TEXTS[language].warnings[code], 'params' in rest ? rest.params : undefined),
  }));
}

/** The questions to the member, if a file is refused because of them. */
export function questionsOf(failure: ImportFailure): {
  readonly sheets?: string[];
  readonly mapping?: ColumnQuestion;
} {
  const params = 'params' in failure ? failure.params : undefined;
  return {
    ...(params && 'sheets' in params && { sheets: [...params.sheets] }),
    ...(params && 'question' in params && params.question && { mapping: params.question }),
  };
}

export function describeFailure(failure: ImportFailure, language: Language): string {
  if (failure.code === 'refused') return failure.params.detail;
  const { code, ...rest } = failure;
  const { refusals, unfinished } = TEXTS[language];
  return format({ ...refusals, ...unfinished }[code], 'params' in rest ? rest.params : undefined);
}

/** The types above pair each code with its params. Once both are data, the compiler cannot check that. */
function format(text: unknown, params: unknown): string {
  return typeof text === 'function' ? text(params) : String(text);
}

/** The rows' errors as the API returns them. */
export function toRowErrors(
  rows: readonly { readonly row_number: number; readonly errors: readonly RowProblem[] }[],
  language: Language,
): CsvRowError[] {
  return rows.flatMap(({ row_number, errors }) =>
    errors.map((problem) => ({
      row: row_number,
      message: describeProblem(problem, language),
      ...(problem.field && { field: problem.field }),
      code: problem.code,
    })),
  );
}
