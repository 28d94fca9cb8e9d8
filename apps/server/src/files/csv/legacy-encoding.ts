import { analyse } from 'chardet';

/**
 * Detects the encoding of text that is not Unicode. chardet knows the letter pairs of languages, but needs a page of text, and a product
 * list may have a single name with an accent. So every encoding is tried: the right one gives words of one alphabet, the others give 'CafŽ'
 * or 'ВМІи'. chardet decides between those that score equally.
 */
export type LegacyEncoding = (typeof ENCODINGS)[number]['name'];

/** In order of preference, for ties. */
const ENCODINGS = [
  { name: 'windows-1252', script: 'western' },
  { name: 'macintosh', script: 'western' },
  { name: 'windows-1250', script: 'central' },
  { name: 'iso-8859-2', script: 'central' },
  { name: 'windows-1251', script: 'cyrillic' },
  { name: 'koi8-r', script: 'cyrillic' },
  { name: 'iso-8859-5', script: 'cyrillic' },
  { name: 'ibm866', script: 'cyrillic' },
  { name: 'windows-1253', script: 'greek' },
  { name: 'windows-1254', script: 'turkish' },
  { name: 'windows-1257', script: 'baltic' },
  { name: 'windows-1255', script: 'hebrew' },
  { name: 'windows-1256', script: 'arabic' },
  { name: 'shift_jis', script: 'japanese' },
  { name: 'gb18030', script: 'chinese' },
  { name: 'big5', script: 'chinese' },
  { name: 'euc-kr', script: 'korean' },
  { name: 'euc-jp', script: 'japanese' },
] as const;

/** chardet's names. It names the ISO standard if bytes that only Windows uses do not occur. */
const CHARDET_NAMES: Readonly<Record<string, LegacyEncoding>> = {
  'ISO-8859-1': 'windows-1252',
  'ISO-8859-7': 'windows-1253',
  'ISO-8859-8': 'windows-1255',
  'ISO-8859-6': 'windows-1256',
  'ISO-8859-9': 'windows-1254',
};

/** Non-ASCII letters by language. */
const ALPHABETS: Readonly<Record<Alphabetic, readonly string[]>> = {
  western: ['áéíóúüñ', 'àâæçéèêëîïôœùû', 'äöüß', 'áâãàçéêíóôõú', 'àèéìíòóù', 'åäöéü', 'åæøé', 'áðéíóúýþæö', 'àçèéíïòóúü', 'éëïöü'],
  central: ['ąćęłńóśźż', 'áčďéěíňóřšťúůýž', 'áäčďéíĺľňóôŕšťúýž', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž'],
  turkish: ['âçğıöşüi̇'],
  baltic: ['ąčęėįšųūž', 'āčēģīķļņšūž', 'äõöüšž'],
  cyrillic: ['абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ'],
  greek: ['αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ'],
  hebrew: ['אבגדהוזחטיךכלםמןנסעףפץצקרשת'],
  arabic: ['ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهويى'],
};
/** Rare letters, which often are frequent letters of another encoding read wrongly. */
const RARE_LETTERS = 'ðþýϊϋΐΰъщэфцжюхгЇґךףץזטגסצءآؤئإظضثذغى';
/** Other non-ASCII characters in use: quotes, dashes, amounts, marks. */
const SIGNS = /[’‘“”„‚«»‹›–—…•·€£©®™°º²½¼¾±§¡¿\u00A0]/u;

const VOWELS: Partial<Readonly<Record<Alphabetic, RegExp>>> = {
  cyrillic: /[аеёиоуыэюяіїє]/giu,
  greek: /[αεηιουωάέήίόύώ]/giu,
};

const MAX_SCORED_WORDS = 200;
/** The weight of chardet's confidence. */
const CHARDET_WEIGHT = 0.15;

/** The usual name. */
export function displayName(encoding: LegacyEncoding): string {
  if (encoding === 'macintosh') return 'Mac Roman';
  if (encoding === 'shift_jis') return 'Shift_JIS';
  return encoding.startsWith('windows') ? encoding.replace('w', 'W') : encoding.toUpperCase();
}

/** Encodings with two or more bytes per character. */
export function isEasternEncoding(encoding: LegacyEncoding): boolean {
  return ENCODINGS.some(({ name, script }) => name === encoding && isEastern(script));
}

/** Rarely used today, so they must score higher than similar encodings. */
const RARE_ENCODINGS: readonly LegacyEncoding[] = ['macintosh', 'iso-8859-2', 'iso-8859-5', 'ibm866', 'windows-1257'];
const RARITY = 0.12;

/** `bytes`: some kilobytes of lines that are not valid UTF-8. */
export function detectLegacyEncoding(bytes: Buffer): LegacyEncoding {
  const votes = new Map<string, number>();
  for (const { name, confidence } of analyse(bytes)) {
    const encoding = CHARDET_NAMES[name] ?? name.toLowerCase();
    votes.set(encoding, Math.max(votes.get(encoding) ?? 0, confidence));
  }
  let best: LegacyEncoding = 'windows-1252';
  let highest = Number.NEGATIVE_INFINITY;
  for (const { name, script } of ENCODINGS) {
    const vote = (CHARDET_WEIGHT * (votes.get(name) ?? 0)) / 100;
    const score = scoreText(decode(bytes, name), script) + vote - (RARE_ENCODINGS.includes(name) ? RARITY : 0);
    if (score <= highest) continue;
    best = name;
    highest = score;
  }
  // If the result is the same, return the common name.
  return decode(bytes, best) === decode(bytes, 'windows-1252') ? 'windows-1252' : best;
}

function decode(bytes: Buffer, encoding: LegacyEncoding): string {
  return new TextDecoder(encoding).decode(bytes);
}

type Script = (typeof ENCODINGS)[number]['script'];
type Eastern = 'chinese' | 'japanese' | 'korean';
type Alphabetic = Exclude<Script, Eastern>;

/** From 1, if every non-ASCII character fits the script, down to -1. */
function scoreText(text: string, script: Script): number {
  const words = text
    .split(/[\s,;|"]+/)
    .filter((word) => /[^\p{ASCII}]/u.test(word))
    .slice(0, MAX_SCORED_WORDS);
  const beyond = words.map((word) => [...word].filter((character) => character > '\x7f'));
  const count = beyond.reduce((sum, characters) => sum + characters.length, 0);
  const sumOf = (scoreWord: (word: string, characters: readonly string[]) => number) =>
    words.reduce((sum, word, index) => {
      const characters = beyond[index] ?? [];
      return sum + (/[\uFFFD\p{Cc}\p{Co}\p{Cn}]/u.test(word) ? -characters.length : scoreWord(word, characters));
    }, 0);
  if (count === 0) return 0;
  if (isEastern(script)) {
    return sumOf((word, characters) => characters.length * scoreEastern(word, characters, script)) / count;
  }
  // One file has product names in one language, except in the West.
  const alphabets = ALPHABETS[script];
  if (script !== 'western') {
    return Math.max(...alphabets.map((alphabet) => sumOf((word) => scoreWord(word, script, alphabet)))) / count;
  }
  return sumOf((word) => Math.max(...alphabets.map((alphabet) => scoreWord(word, script, alphabet)))) / count;
}

function isEastern(script: Script): script is Eastern {
  return script === 'chinese' || script === 'japanese' || script === 'korean';
}

/** The sum of the scores of its non-ASCII characters. */
function scoreWord(word: string, script: Alphabetic, alphabet: string): number {
  const isLatin = script === 'western' || script === 'central' || script === 'turkish' || script === 'baltic';
  // Not a word: many accents in a row, a Greek letter among Latin ones, or a capital after a small letter.
  if (isLatin && (script === 'western' ? /[^\P{L}\p{ASCII}]{3}/u : /[^\P{L}\p{ASCII}]{4}/u).test(word)) return 0;
  if (!isLatin && /[a-z][^\P{L}\p{ASCII}]|[^\P{L}\p{ASCII}][a-z]/iu.test(word)) return 0;
  if (/\p{Ll}\p{Lu}|\p{L}[^\P{Lu}\p{ASCII}]\p{Ll}|[^\p{L}\p{ASCII}]{3}/u.test(word)) return 0;
  let sum = 0;
  for (const character of word) {
    if (character <= '\x7f') continue;
    const small = character.toLowerCase();
    if (alphabet.includes(small)) sum += RARE_LETTERS.includes(small) ? 0.8 : 1;
    else if (SIGNS.test(character)) sum += 1;
  }
  const letters = word.match(/\p{L}/gu) ?? [];
  if (letters.length > 3 && VOWELS[script] && (word.match(VOWELS[script]) ?? []).length < letters.length / 5) sum *= 0.7;
  // Signs occur around words. Inside words only an apostrophe does.
  return sum - 0.7 * (word.match(/(?<=\p{L})[^\p{L}\p{ASCII}’·](?=\p{L})/gu) ?? []).length;
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** Random characters are not in the dictionary. Korean is not in it either, but has its own alphabet. */
function scoreEastern(word: string, characters: readonly string[], script: Eastern): number {
  const share = (pattern: RegExp) => characters.filter((character) => pattern.test(character)).length / characters.length;
  const hasHalfKana = /[\uFF61-\uFF9F]/.test(word);
  if (share(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303F\uFF00-\uFF60ー]/u) < 0.8 || hasHalfKana) return 0;
  const kana = share(/[\p{sc=Hira}\p{sc=Kana}ー]/u);
  const hangul = share(/\p{sc=Hang}/u);
  if (script === 'korean') return hangul === 1 ? 0.8 : hangul * 0.5;
  if (script === 'chinese' && kana > 0) return 0.3;
  const inWords = [...segmenter.segment(word)].filter(({ segment }) => [...segment].length > 1 && segment > '\x7f');
  const known = inWords.reduce((sum, { segment }) => sum + [...segment].length, 0) / characters.length;
  return 0.5 + 0.5 * Math.min(1, known + kana);
}
