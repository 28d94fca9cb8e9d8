declare global {
  // Read by get-nonce, through which Radix's scroll lock signs the <style> elements it inserts.
  var __webpack_nonce__: string | undefined;
}

/** The nonce of this response, from the meta element that Vite puts into the page. */
export function readCspNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined;
}

export function shareCspNonce(): void {
  globalThis.__webpack_nonce__ = readCspNonce();
}
