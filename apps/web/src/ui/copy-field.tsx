import { Copy } from 'lucide-react';
import { useRef } from 'react';
import { Button } from './button.tsx';
import { TextField } from './text-field.tsx';
import { toast } from './toast-store.ts';

interface CopyFieldProps {
  label: string;
  value: string;
  /** Of the button, for screen readers. */
  copyLabel: string;
  /** Said once it is copied. */
  copiedText: string;
}

/** A text that is there to be copied. */
export function CopyField({ label, value, copyLabel, copiedText }: CopyFieldProps) {
  const row = useRef<HTMLDivElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      toast({ variant: 'success', title: copiedText });
    } catch {
      // Not everywhere may a page write there: the text is chosen, to be copied by hand.
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
      <Button
        aria-label={copyLabel}
        size="icon"
        icon={<Copy aria-hidden="true" className="size-4" />}
        onClick={() => void copy()}
      />
    </div>
  );
}
