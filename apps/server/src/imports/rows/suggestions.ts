import type { Language } from '@brand-portal/contract/constants';
import { repairDoubleEncoding } from '../../catalog/fields/cell-text.ts';
import type { CertificationNames } from '../../catalog/fields/certification-names.ts';
import { importTexts } from '../../catalog/fields/describe.ts';
import { checkDigit, cleanDigits, readGtin } from '../../catalog/fields/gtin.ts';
import type { RowProblem } from '../../catalog/fields/row-problem.ts';

/** Longer than any valid value. */
const MAX_SUGGESTED = 200;

/** Values that the member can accept with one click. Derived from the cell and the stored name; lost digits are never guessed. */
export function suggestionsFor(problem: RowProblem, cell: string, names: CertificationNames): string[] {
  const value = cell.trim();
  return suggest(problem, value, names).filter(
    (suggestion) => suggestion !== '' && suggestion !== cell && suggestion.length <= MAX_SUGGESTED,
  );
}

function suggest(problem: RowProblem, value: string, names: CertificationNames): string[] {
  switch (problem.code) {
    case 'lost_letters':
      return [problem.params.stored ?? ''];
    case 'unknown_certification':
      return [names.suggest(value)];
    case 'ambiguous_certification':
      return listMeant(value, names)
        .filter(({ is_retired }) => !is_retired)
        .map(({ name }) => name);
    case 'gtin_length':
      return restoreZeros(value);
    case 'double_encoded':
      return [repairDoubleEncoding(value) ?? ''];
    case 'control_characters':
      return [value.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()];
    default:
      return [];
  }
}

function listMeant(value: string, names: CertificationNames) {
  const found = names.find(value);
  return found.length > 0 ? found : names.listBeginning(value);
}

/** A spreadsheet drops leading zeros. With two or three added, the number may be a 12-digit GTIN. */
function restoreZeros(value: string): string[] {
  const digits = value.length <= MAX_SUGGESTED ? cleanDigits(value) : '';
  if (!/^\d{9,10}$/.test(digits)) return [];
  const gtin = digits.padStart(12, '0');
  return 'code' in readGtin(gtin) ? [] : [gtin];
}

/** The number with the right check digit. Only a hint, never a suggestion, because any digit may be the wrong one. */
export function hintFor({ code }: RowProblem, cell: string, language: Language): string | undefined {
  if (code !== 'gtin_check_digit' || cell.length > MAX_SUGGESTED) return undefined;
  const digits = cleanDigits(cell.trim());
  if (!/^\d{8,14}$/.test(digits)) return undefined;
  const right = digits.slice(0, -1) + checkDigit(digits.padStart(14, '0'));
  return importTexts(language).checkDigitHint(right);
}
