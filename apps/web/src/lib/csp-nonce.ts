declare global {
  // Read by get-nonce: Radix's scroll lock sets this nonce on the <style> elements it inserts.
  var __webpack_nonce__: string | undefined;
}

/** The nonce of this response, from the meta element that Vite adds to the page. */
export function readCspNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined;
}

export function shareCspNonce(): void {
  globalThis.__webpack_nonce__ = readCspNonce();
}
