import clsx from 'clsx';
import { Circle, CircleAlert, CircleCheck } from 'lucide-react';
import { useId } from 'react';

interface Rule {
  id: string;
  text: string;
  /** Help for meeting the rule. */
  note?: string;
  isMet: boolean;
}

interface RuleListProps {
  /** For the `aria-describedby` of the field. */
  id: string;
  title: string;
  rules: readonly Rule[];
  metLabel: string;
  unmetLabel: string;
  /** Marks unmet rules as errors, after the user tried to submit. */
  showErrors?: boolean;
}

/** The rules for a field's value, each marked as met or unmet. */
export function RuleList({ id, title, rules, metLabel, unmetLabel, showErrors = false }: RuleListProps) {
  const titleId = useId();
  return (
    // Screen readers would read an aria-label on this element in place of the rules; hence the title is text.
    <div id={id} className="text-small">
      <p id={titleId} className="sr-only">
        {title}
      </p>
      <ul aria-labelledby={titleId} className="flex flex-col gap-1.5">
        {rules.map(({ id: ruleId, text, note, isMet }) => {
          const look = isMet ? 'text-success' : showErrors ? 'text-error' : 'text-text-tertiary';
          const Icon = isMet ? CircleCheck : showErrors ? CircleAlert : Circle;
          return (
            <li key={ruleId} className="flex items-start gap-2">
              <Icon className={clsx('mt-0.5 size-4 shrink-0', look)} />
              <span className="min-w-0 flex-1 text-text-secondary">
                {/* The space keeps screen readers from joining text and note into one word. */}
                {note ? `${text} ` : text}
                {note && <span className="wrap-anywhere block text-caption text-text-tertiary tracking-wide">{note}</span>}
              </span>{' '}
              <span
                // Reserves the width of the wider label, so that the text beside it does not wrap differently.
                data-hidden-label={isMet ? unmetLabel : metLabel}
                className={clsx('reserve-width shrink-0 text-right font-medium text-caption leading-5', look)}
              >
                {isMet ? metLabel : unmetLabel}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
