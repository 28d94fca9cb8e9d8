/** The only place that logs to the browser's console: failures that no page shows, or shows without their cause. */
export function logError(message: string, cause?: unknown): void {
  // biome-ignore lint/suspicious/noConsole: logging is the purpose of this function
  console.error(message, cause ?? '');
}
