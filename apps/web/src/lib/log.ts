/** The one place that writes to the browser's console; what may be logged is named in the specification. */
export function logError(message: string, cause?: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the specification asks for these failures to be logged
  console.error(message, cause ?? '');
}
