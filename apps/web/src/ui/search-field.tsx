import clsx from 'clsx';
import { Search, X } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../lib/format.ts';
import { isTyping } from '../lib/is-typing.ts';
import { Button } from './button.tsx';
import { Input } from './field.tsx';
import { toast } from './toast-store.ts';

interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  maxLength?: number;
  /** To focus the input from outside. */
  inputRef?: RefObject<HTMLInputElement | null>;
  className?: string;
}

/** `/` focuses it from anywhere on the page, Escape clears it. */
export function SearchField(props: SearchFieldProps) {
  const { label, value, onChange, placeholder, maxLength, inputRef, className } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const ownRef = useRef<HTMLInputElement>(null);
  const input = inputRef ?? ownRef;

  useEffect(() => {
    const focusOnSlash = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target)) return;
      // A modal dialog hides the page behind it, this field included.
      if (input.current?.closest('[aria-hidden="true"]')) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focusOnSlash);
    return () => document.removeEventListener('keydown', focusOnSlash);
  }, [input]);

  const clear = () => {
    onChange('');
    input.current?.focus();
  };

  return (
    <div className={clsx('relative', className)}>
      <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-text-tertiary" />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts="/"
        value={value}
        placeholder={placeholder}
        maxLength={maxLength}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text').trim();
          const { selectionStart, selectionEnd } = event.currentTarget;
          const kept = value.length - ((selectionEnd ?? 0) - (selectionStart ?? 0));
          if (maxLength === undefined || kept + pasted.length <= maxLength) return;
          // The browser would cut it, and search for something else.
          event.preventDefault();
          toast({
            variant: 'error',
            title: t('ui.search_too_long', { max: maxLength, number: format.number(pasted.length) }),
          });
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          event.stopPropagation();
          onChange('');
        }}
        className={clsx('pl-9 [&::-webkit-search-cancel-button]:hidden', value !== '' && 'pr-9 max-md:pr-12')}
      />
      {value !== '' && (
        <Button
          variant="ghost"
          size="icon-dense"
          aria-label={t('ui.clear')}
          onClick={clear}
          icon={<X className="size-4" />}
          className="-translate-y-1/2 absolute top-1/2 right-0.5 border-2 border-transparent bg-clip-padding"
        />
      )}
    </div>
  );
}
