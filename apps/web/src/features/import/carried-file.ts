/**
 * A file that the upload dialog refused, on its way to the Imports page. Not in the history's state: Back would bring it
 * again.
 */
let carried: { brandId: number; file: File } | undefined;

export function carryFile(brandId: number, file: File): void {
  carried = { brandId, file };
}

export function takeCarriedFile(brandId: number): File | undefined {
  const file = carried?.brandId === brandId ? carried.file : undefined;
  carried = undefined;
  return file;
}
