import clsx from 'clsx';
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { FieldNote, Input, Label } from './field.tsx';

interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'id' | 'type'> {
  label: string;
  /** Label of the show button: two password fields on a page need different ones. */
  showLabel: string;
  hideLabel: string;
  hint?: string;
  error?: string;
  /** The error is announced elsewhere. */
  isQuiet?: boolean;
}

/** A password field with a show button. */
export function PasswordField(props: PasswordFieldProps) {
  const { label, showLabel, hideLabel, hint, error, isQuiet, className, ...rest } = props;
  const id = useId();
  const field = useRef<HTMLDivElement>(null);
  const [isShown, setShown] = useState(false);

  useEffect(() => {
    // Hidden before submit: browsers may store the value of a plain text field for autocompletion.
    const hide = () => setShown(false);
    const form = field.current?.closest('form');
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, []);

  return (
    <div ref={field} className={className}>
      <Label htmlFor={id} className="mb-1.5 block">
        {label}
      </Label>
      <div className="relative">
        <Input
          // Some browsers send plain text to a spelling service.
          spellCheck={false}
          autoCapitalize="none"
          autoCorrect="off"
          {...rest}
          id={id}
          type={isShown ? 'text' : 'password'}
          aria-invalid={error ? true : rest['aria-invalid']}
          aria-describedby={clsx((error || hint) && `${id}-note`, rest['aria-describedby']) || undefined}
          className="pr-9 max-md:pr-12 [&::-ms-reveal]:hidden"
        />
        <Button
          variant="ghost"
          size="icon-dense"
          aria-label={isShown ? hideLabel : showLabel}
          aria-controls={id}
          onClick={() => setShown(!isShown)}
          icon={isShown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
          className="-translate-y-1/2 absolute top-1/2 right-0.5 border-2 border-transparent bg-clip-padding"
        />
      </div>
      <FieldNote id={`${id}-note`} hint={hint} error={error} isQuiet={isQuiet} />
    </div>
  );
}
