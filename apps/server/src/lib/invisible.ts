/**
 * Invisible characters: zero-width characters, soft hyphens, direction marks, fillers. Emoji variation selectors are kept, and the tags that
 * turn a black flag into that of Scotland.
 */
const INVISIBLE = /(?![\uFE0E\uFE0F\u200C\u200D])\p{Default_Ignorable_Code_Point}(?<!\u{1F3F4}[\u{E0020}-\u{E007F}]{1,10})/gu;
/** Zero-width joiners have a meaning in emoji and in these scripts, and none elsewhere. */
const JOINING = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\p{scx=Arab}\p{scx=Syrc}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mong}`;
const STRAY_JOINERS = new RegExp(`(?<![${JOINING}])[\\u200C\\u200D]+|[\\u200C\\u200D]+(?![${JOINING}])`, 'gu');
/** Letters that are displayed as spaces. */
const BLANK_LETTERS = /[\u115F\u1160\u3164\uFFA0\u2800]/g;

/** Two texts that look the same must not differ in what is not seen. Long texts take quadratic time if they are hostile. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(BLANK_LETTERS, ' ').replaceAll(INVISIBLE, '').replaceAll(STRAY_JOINERS, '');
}
