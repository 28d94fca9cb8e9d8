/** Hands a file to the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has begun to read it by then; without this the page would keep it for as long as it lives.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
