import { isUtf8 } from 'node:buffer';
import { restoreFormulas, withoutApostrophe } from '../../files/csv/csv-writer.ts';
import { withoutInvisible } from '../../lib/invisible.ts';

/** Only descriptions may be longer, and are then kept as they are: normalising takes quadratic time on a hostile cell. */
const MAX_NORMALISED = 2_000;
/** ASCII and the Latin letters of Europe, which need no change. */
const PLAIN = /^[!-&(-<>-~À-ɏ]+(?: [!-~À-ɏ]+)*$/;
/** Line breaks and tabs are kept, so that the rules can refuse them. */
const SPACES = /[^\S\t\n\r\v\f]+/g;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** What this server wrote into a cell, so that it can be undone. */
export interface CellOrigin {
  /** Whether formulas are escaped: in rejected rows and CSV exports. */
  readonly isEscaped: boolean;
  /** Whether it is an export, or rejected rows of one: the cell has stored text, in which every other apostrophe is meant. */
  readonly isExport: boolean;
}

/**
 * The text of a cell as people see it: accents normalised, invisible characters removed, single spaces. Also removes what keeps a
 * spreadsheet from calculating: an apostrophe in front, or ="…" around it.
 */
export function readText(cell: string, origin?: CellOrigin): string {
  // Most cells of most files.
  if (cell === '') return '';
  if (!origin?.isEscaped && cell.length <= MAX_NORMALISED && PLAIN.test(cell)) return cell;
  const trimmed = cell.trim();
  const text = clean(origin?.isEscaped ? restoreFormulas(trimmed) : trimmed);
  if (origin?.isExport) return text;
  // Only now: an invisible character may have been in front of the apostrophe or after it.
  const bare = unwrap(withoutApostrophe(text).trim());
  return bare === text ? text : clean(bare);
}

function clean(text: string): string {
  if (text.length > MAX_NORMALISED) return text;
  const cleaned = withoutInvisible(text)
    .replaceAll(SPACES, ' ')
    .trim()
    // Last, because an accent may come after an invisible character.
    .normalize('NFC');
  return VISIBLE.test(cleaned) || /\p{Cc}/u.test(cleaned) ? cleaned : '';
}

/** Removes the ="0360…" that people write to make a spreadsheet keep text unchanged. */
function unwrap(text: string): string {
  const inner = /^="(.*)"$/s.exec(text)?.[1];
  return inner === undefined ? text : inner.replaceAll('""', '"').trim();
}

/** What Excel, LibreOffice and Google Sheets write if a formula failed, in the languages of Western Europe and Polish; or if a column was too narrow. */
const SPREADSHEET_ERROR = new RegExp(
  `^(?:${[
    '#N/[ABD]!?|#NV|#GETTING_DATA|#{2,}|Err ?:\\d{3}|Fehler:\\d{3}',
    '#[¡¿]?(?:REF|VALUE|VALOR|WERT|VALEUR|DIV/0|NULL|NULO|NUL|N[UÚ]M|ZAHL|NOMBRE|BEZUG|ERROR)!',
    '#(?:VALORE|RIF|NULLO|WAARDE|VERW|GETAL|LEEG|DEEL/0|ARG|ADR|LICZBA|ZERO|DZIEL/0)!',
    '#[¡¿]?(?:SPILL|DESBORDAMIENTO|ÜBERLAUF|PROPAGATION|CALC|KALK|FIELD|BLOCKED|CONNECT|UNKNOWN)!',
    '#[¡¿]?(?:NAME|NOMBRE|NOM|NOME|NAAM|NAZWA)\\?',
  ].join('|')})$`,
  'i',
);

export function isSpreadsheetError(text: string): boolean {
  return text.length <= 100 && SPREADSHEET_ERROR.test(text);
}

const MONTHS =
  'jan janv ene feb fev févr mar mars mär mrz apr abr avr may mai mag mei jun juin giu jul juil lug aug ago août sep sept set oct okt ott out nov dec déc dez dic';
const MONTH = `(?:${MONTHS.replaceAll(/(?<=^| )[a-z]/g, (first) => `[${first.toUpperCase()}${first}]`).replaceAll(' ', '|')})\\.?`;
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const YEAR = '(?:19|20)\\d{2}';
/** A date as spreadsheets write it: 3-May, May-24, 03. Mai, 01/05/2024, 2024-05-01. Not in capitals: MAY-24 may be an id. */
const SPREADSHEET_DATE = new RegExp(
  `^(?:${[
    `${DAY}(?:-|\\. ?)${MONTH}(?:[- ]\\d{2,4})?`,
    `${MONTH}[- ]\\d{2}`,
    `${DAY}/${DAY}/${YEAR}`,
    `${DAY}\\.${DAY}\\.${YEAR}`,
    `${YEAR}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])(?: 00:00:00)?`,
  ].join('|')})$`,
);

export function isSpreadsheetDate(text: string): boolean {
  // Every form begins or ends with a digit; most cells do not, and testing that first is cheaper.
  return text.length <= 20 && (isDigit(text.charCodeAt(0)) || isDigit(text.charCodeAt(text.length - 1))) && SPREADSHEET_DATE.test(text);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

const BOOLEANS = new Set('TRUE FALSE VERDADERO FALSO WAHR FALSCH VRAI FAUX VERO VERDADEIRO WAAR ONWAAR PRAWDA FAŁSZ'.split(' '));

/** In capitals, as spreadsheets write it. */
export function isSpreadsheetBoolean(text: string): boolean {
  return text.length <= 10 && BOOLEANS.has(text);
}

const TRUE = new Set('TRUE VERDADERO WAHR VRAI VERO VERDADEIRO WAAR PRAWDA'.split(' '));

export function isTrue(text: string): boolean {
  return TRUE.has(text.toUpperCase());
}

/**
 * Question marks in place of letters: a program could not encode them. After a word they are a real question. Each alternative can only
 * begin where a run of question marks begins; otherwise a long run takes quadratic time.
 */
const LOST = /(?<![\p{L}\p{N}?!])\?{3,}|(?<!\?)\?{3,}[\p{L}\p{N}]|\p{L}\?+\p{Ll}/u;

/** The question mark of an address begins its query. */
const ADDRESS = /\/\/|www\.|\?[\w.~-]+=/i;

export function hasLostLetters(text: string): boolean {
  if (!text.includes('?') || !LOST.test(text)) return false;
  return LOST.test(
    text
      .split(/\s+/)
      .filter((word) => !ADDRESS.test(word))
      .join(' '),
  );
}

/**
 * Question marks where no question has them: at the beginning of a word (also in place of "¿"), between capitals, beside a digit, before a
 * comma. Descriptions are sentences, in which such typing errors are harmless.
 */
const LOST_IN_NAME = /(?<![\p{L}\p{N}?!])\?+\p{L}|\p{Lu}\?+\p{Lu}|\p{N}\?+\p{L}|\p{L}\?+\p{N}|[\p{L}\p{N}]\?+[,;]/u;
/** The name continues, where a sentence after a question would begin with a capital. */
const CONTINUED = /[\p{L}\p{N}]\?+ [\p{Ll}\p{N}]/u;

/**
 * The stricter rule for names: a question mark is in place of a letter wherever a question cannot end. At the end of a name ("Qué es esto?")
 * or before a capital ("Tea? Coffee!") it is a question, unless the stored name has a letter there (`lostLetters`). Where another
 * character beyond ASCII was saved, the program could save accents, so the name may continue after a question.
 */
export function hasLostLettersInName(text: string): boolean {
  if (!text.includes('?')) return false;
  if (hasLostLetters(text)) return true;
  const words = text.split(/\s+/).filter((word) => !ADDRESS.test(word));
  const name = words.join(' ');
  return LOST_IN_NAME.test(name) || (CONTINUED.test(name) && !/[^\p{ASCII}]/u.test(name));
}

/** The characters of Windows-1252 that are not those of Latin-1, by byte. */
const WINDOWS_1252 = new Map(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index))].map((character, index) => [
    character,
    0x80 + index,
  ]),
);
/** A character of UTF-8 whose bytes were each read as a character. */
const DOUBLE_ENCODED = /[ÂÃÄÅÎÏÐÑ][^\p{ASCII}]|[à-ï][^\p{ASCII}]{2}|ð[^\p{ASCII}]{3}/gu;
/** A word may really end in such a letter before a sign ("MENTÎ™"), so one match of these alone proves nothing. */
const COMMON_BEFORE_SIGNS = /^[ÄÅÎÏÐÑ]/;

/** Repairs UTF-8 text that was decoded as Windows-1252: 'CrÃ¨me' → 'Crème'. */
export function repairDoubleEncoding(text: string): string | undefined {
  if (!/[\u0080-\uFFFF]/.test(text)) return undefined;
  let proofs = 0;
  const repaired = text.replaceAll(DOUBLE_ENCODED, (run) => {
    const bytes = toWindows1252(run);
    if (!bytes || !isUtf8(bytes)) return run;
    proofs += COMMON_BEFORE_SIGNS.test(run) ? 0.5 : 1;
    return bytes.toString('utf8');
  });
  return proofs >= 1 ? repaired : undefined;
}

function toWindows1252(text: string): Buffer | undefined {
  const bytes = [...text].map((character) => WINDOWS_1252.get(character) ?? character.charCodeAt(0));
  return bytes.every((byte) => byte <= 0xff) ? Buffer.from(bytes) : undefined;
}
