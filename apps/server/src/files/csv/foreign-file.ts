import { FileRefusal } from './file-refusal.ts';

/** How images begin. */
const IMAGES = [
  { format: 'PNG', start: '\x89PNG' },
  { format: 'JPEG', start: '\xFF\xD8\xFF' },
  { format: 'GIF', start: 'GIF8' },
  { format: 'TIFF', start: 'II*\0' },
  { format: 'TIFF', start: 'MM\0*' },
] as const;
const UTF32_MARKS = ['\xFF\xFE\0\0', '\0\0\xFE\xFF'];

/** Refuses a file that is named like a table and is something else, by its first bytes. Otherwise it would be shown as columns. */
export function refuseForeignFile(bytes: Buffer): void {
  const start = bytes.subarray(0, 64).toString('latin1');
  const image = IMAGES.find((known) => start.startsWith(known.start));
  if (image) throw new FileRefusal('image', { format: image.format });
  if (/^RIFF.{4}WEBP/s.test(start)) throw new FileRefusal('image', { format: 'WebP' });
  if (/^.{4}ftyp(?:hei|mif|avi)/s.test(start)) throw new FileRefusal('image', { format: 'HEIF' });
  if (start.startsWith('%PDF-')) throw new FileRefusal('pdf');
  // Without a mark: three of the four bytes of a Western letter are zeros.
  if (UTF32_MARKS.some((mark) => start.startsWith(mark)) || /^(?:[^\0]\0{3}|\0{3}[^\0]){4}/.test(start)) throw new FileRefusal('utf32');
}
