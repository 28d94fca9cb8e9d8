import { MAX_CORRECTION_LENGTH, type RejectedRow } from '@brand-portal/contract/import-corrections';
import clsx from 'clsx';
import { Check, Pencil } from 'lucide-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsavedChanges } from '../../lib/unsaved-changes.ts';
import { Button } from '../../ui/button.tsx';

interface CorrectionCellProps {
  row: number;
  column: string;
  value: string;
  errors: RejectedRow['errors'];
  isCorrected: boolean;
  isEditable: boolean;
  /** Information about a valid value. */
  note?: string | undefined;
  /**
   * `from`: the value that the cell showed, which may itself be an edit that is still being saved. Rejects if the edit
   * could not be saved: the cell then keeps the text for another try.
   */
  onCorrect: (from: string, to: string) => Promise<unknown>;
}

/** A cell with its errors. Enter or F2 edits it, Tab saves and moves on, Escape cancels. */
export function CorrectionCell({ row, column, value, errors, isCorrected, isEditable, note, onCorrect }: CorrectionCellProps) {
  const { t } = useTranslation();
  const isWrong = errors.length > 0;
  const [draft, setDraft] = useState<string>();
  /** The value that is being saved. */
  const [saved, setSaved] = useState<string>();
  /** The last edit could not be saved; `elsewhere`: the user has meanwhile moved on to another cell. */
  const [unsaved, setUnsaved] = useState<'here' | 'elsewhere'>();
  const lastEdit = useRef<symbol>(undefined);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const takesFocus = useRef(false);
  /** Enter and blur both end the edit: the first one counts. */
  const isOpen = useRef(false);
  const notesId = useId();
  const noteId = useId();
  const unsavedId = useId();
  const describedBy = [unsaved && unsavedId, isWrong ? notesId : note && noteId].filter(Boolean).join(' ') || undefined;
  const shown = saved ?? value;
  // The field is a single line.
  const editable = shown.replaceAll(/\p{Cc}+/gu, ' ');

  useLayoutEffect(() => {
    if (draft !== undefined || !takesFocus.current) return;
    takesFocus.current = false;
    buttonRef.current?.focus();
  }, [draft]);

  const save = (to: string) => {
    if (to === shown) return;
    setSaved(to);
    const edit = Symbol();
    lastEdit.current = edit;
    const end = (isSaved: boolean) => {
      if (lastEdit.current !== edit) return;
      // From now on the server's value is shown.
      setSaved(undefined);
      if (isSaved) return;
      setUnsaved(isOpen.current || document.activeElement === buttonRef.current ? 'here' : 'elsewhere');
      isOpen.current = true;
      // The user may already be typing the next edit.
      setDraft((current) => current ?? to);
    };
    void onCorrect(shown, to).then(
      () => end(true),
      () => end(false),
    );
  };
  const open = () => {
    isOpen.current = true;
    setDraft(editable);
  };
  const close = (how: 'keep' | 'revert') => {
    if (!isOpen.current) return;
    isOpen.current = false;
    if (draft !== undefined && how === 'keep' && draft !== editable) save(draft);
    setDraft(undefined);
    setUnsaved(undefined);
  };
  // Back does not blur the field: it is saved here, and then the page changes. A failure is shown by a toast.
  const leaving = useUnsavedChanges(draft !== undefined && draft !== editable);
  const saveOnLeave = useEffectEvent(() => close('keep'));
  useEffect(() => {
    if (leaving) saveOnLeave();
  }, [leaving]);
  const onInputKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    takesFocus.current = true;
    close(event.key === 'Enter' ? 'keep' : 'revert');
  };

  const text = shown.replaceAll(/\p{Cc}+/gu, '␣');
  const edge = isWrong ? 'border-error' : isCorrected ? 'border-success' : 'border-transparent';
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {draft !== undefined ? (
        <input
          aria-label={t('imports.fix.cell', { column, row })}
          aria-describedby={describedBy}
          aria-invalid={isWrong || unsaved !== undefined || undefined}
          // biome-ignore lint/a11y/noAutofocus: the user has just chosen to edit this cell
          autoFocus={unsaved !== 'elsewhere'}
          value={draft}
          // More than any valid value: what is too long is marked as such.
          maxLength={MAX_CORRECTION_LENGTH}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => setDraft(currentTarget.value)}
          onKeyDown={onInputKey}
          onBlur={() => close('keep')}
          className="control-height-dense field-edge w-full min-w-0 rounded-control bg-surface px-2 text-text max-lg:text-base"
        />
      ) : isEditable ? (
        <button
          ref={buttonRef}
          type="button"
          aria-label={t('imports.fix.edit', { column, row, value: text || t('imports.changes.empty') })}
          aria-describedby={describedBy}
          onClick={open}
          onKeyDown={(event) => {
            if (event.key !== 'F2') return;
            event.preventDefault();
            event.currentTarget.click();
          }}
          className={clsx(
            // A click anywhere in the table's cell edits it.
            'group flex min-h-8 w-full min-w-0 cursor-text items-center gap-1 rounded-control border px-2 py-1 text-left transition-colors after:absolute after:inset-0 hover:bg-surface-hover max-lg:min-h-11',
            edge,
            saved !== undefined && 'opacity-60',
          )}
        >
          <span className="min-w-0 flex-1 wrap-anywhere">{text}</span>
          {isCorrected && !isWrong ? (
            <Check className="size-3.5 shrink-0 text-success" />
          ) : (
            <Pencil className="size-3.5 shrink-0 text-text-tertiary opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 @max-5xl:opacity-100" />
          )}
        </button>
      ) : (
        <span className="wrap-anywhere px-2 py-1.5">{text}</span>
      )}
      {unsaved && (
        <p id={unsavedId} className="text-pretty px-2 text-caption text-error">
          {t('imports.fix.unsaved')}
        </p>
      )}
      {isWrong && (
        <div id={notesId} className="flex flex-col gap-1 px-2 text-caption">
          {errors.map(({ code, message, hint }) => (
            <p key={code} className="text-pretty wrap-anywhere text-error">
              {message}
              {hint && <span className="block text-text-secondary">{hint}</span>}
            </p>
          ))}
        </div>
      )}
      {note && (
        <p id={noteId} className="text-pretty wrap-anywhere px-2 text-caption text-text-secondary">
          {note}
        </p>
      )}
      {isEditable && (
        <div className="relative z-1 flex w-fit flex-wrap gap-1 px-2 empty:hidden">
          {errors
            .flatMap(({ suggestions }) => suggestions)
            .map((suggestion) => (
              <Button
                key={suggestion}
                size="dense"
                className="max-w-full whitespace-normal! h-auto! min-h-7 py-0.5 text-left max-lg:min-h-11"
                aria-label={t('imports.fix.take_for', { suggestion, column, row })}
                onClick={() => {
                  // Of an edit that could not be saved, the field is still open.
                  takesFocus.current = isOpen.current;
                  close('revert');
                  save(suggestion);
                  // The suggestion's button disappears when it is used.
                  buttonRef.current?.focus();
                }}
              >
                {t('imports.fix.take', { suggestion })}
              </Button>
            ))}
        </div>
      )}
    </div>
  );
}
