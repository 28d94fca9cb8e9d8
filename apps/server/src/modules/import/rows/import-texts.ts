import type { Language } from '@brand-portal/contract/constants';
import type { RefusalCode, RefusalParams } from '../file/file-refusal.ts';
import { en } from './import-texts-en.ts';
import { es } from './import-texts-es.ts';
import type { ImportWarning, RowProblem, RowProblemCode } from './row-problem.ts';

type ParamsOf<T> = T extends { readonly params: infer P } ? P : undefined;
type TextOf<P> = P extends undefined ? string : (params: P) => string;

/** What a language must say. */
export interface ImportTexts {
  readonly problems: { readonly [C in RowProblemCode]: TextOf<ParamsOf<Extract<RowProblem, { code: C }>>> };
  readonly warnings: { readonly [C in ImportWarning['code']]: TextOf<ParamsOf<Extract<ImportWarning, { code: C }>>> };
  readonly refusals: { readonly [C in RefusalCode]: TextOf<RefusalParams[C]> };
  readonly uploads: {
    readonly too_large: (limitMegabytes: number) => string;
    readonly no_form: string;
    readonly no_file: string;
    readonly stalled: string;
    readonly crowded: string;
  };
  readonly rejectedRowsDeleted: string;
}

const TEXTS: Readonly<Record<Language, ImportTexts>> = { en, es };

export function importTexts(language: Language): ImportTexts {
  return TEXTS[language];
}

export function describeProblem({ code, ...rest }: RowProblem, language: Language): string {
  return say(TEXTS[language].problems[code], 'params' in rest ? rest.params : undefined);
}

export function describeWarning({ code, ...rest }: ImportWarning, language: Language): string {
  return say(TEXTS[language].warnings[code], 'params' in rest ? rest.params : undefined);
}

export function describeRefusal(code: RefusalCode, params: RefusalParams[RefusalCode], language: Language): string {
  return say(TEXTS[language].refusals[code], params);
}

/** Code and params belong together by their types above; once they are data, the compiler cannot see it any more. */
function say(text: unknown, params: unknown): string {
  return typeof text === 'function' ? text(params) : String(text);
}
