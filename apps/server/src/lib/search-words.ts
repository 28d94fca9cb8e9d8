/** The words of a search text, which are found in any order. */
export function searchWords(search: string): string[] {
  return [...new Set(search.split(/\s+/))].filter((word) => word !== '');
}
