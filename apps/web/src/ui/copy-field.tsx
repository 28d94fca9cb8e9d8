import { Copy } from 'lucide-react';
import { useRef } from 'react';
import { Button } from './button.tsx';
import { TextField } from './text-field.tsx';
import { toast } from './toast-store.ts';

interface CopyFieldProps {
  label: string;
  value: string;
  copyLabel: string;
  copiedText: string;
}

/** A read-only text with a copy button. */
export function CopyField({ label, value, copyLabel, copiedText }: CopyFieldProps) {
  const row = useRef<HTMLDivElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      toast({ variant: 'success', title: copiedText });
    } catch {
      // The browser may refuse access to the clipboard: select the text, to be copied by hand.
      row.current?.querySelector('input')?.select();
    }
  };
  return (
    <div ref={row} className="flex items-end gap-2">
      <TextField
        label={label}
        value={value}
        readOnly
        className="min-w-0 max-w-2xl flex-1"
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button aria-label={copyLabel} size="icon" icon={<Copy className="size-4" />} onClick={() => void copy()} />
    </div>
  );
}
