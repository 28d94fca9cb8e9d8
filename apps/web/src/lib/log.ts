/** The one place that writes to the browser's console: failures that no page shows, or shows without their cause. */
export function logError(message: string, cause?: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the only trace of such a failure is here
  console.error(message, cause ?? '');
}
