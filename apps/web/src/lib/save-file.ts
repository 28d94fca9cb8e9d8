/** Saves a file through the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // By then the browser has started to read it. Without this the page would keep the blob in memory.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
