import type { ClipboardEvent } from 'react';

/** One click selects the whole number, and copies digits only: a triple click would also copy a tab or a line break. */
export function VariantGtin({ gtin }: { gtin: string }) {
  const copyDigits = (event: ClipboardEvent<HTMLElement>) => {
    const selection = window.getSelection();
    if (!selection || !event.currentTarget.contains(selection.anchorNode)) return;
    if (!event.currentTarget.contains(selection.focusNode)) return;
    event.clipboardData.setData('text/plain', selection.toString().replace(/\D/g, ''));
    event.preventDefault();
  };
  return (
    <span onCopy={copyDigits} className="select-all whitespace-nowrap font-mono max-md:text-caption tight:text-caption">
      {gtin}
    </span>
  );
}
