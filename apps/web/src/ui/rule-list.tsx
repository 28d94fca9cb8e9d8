import clsx from 'clsx';
import { Circle, CircleAlert, CircleCheck } from 'lucide-react';
import { useId } from 'react';

interface Rule {
  id: string;
  text: string;
  /** What helps to meet it. */
  note?: string;
  isMet: boolean;
}

interface RuleListProps {
  /** For the `aria-describedby` of the field that the rules are about. */
  id: string;
  title: string;
  rules: readonly Rule[];
  metLabel: string;
  unmetLabel: string;
  /** Marks rules that are not met as errors, once somebody tried to go on. */
  showErrors?: boolean;
}

/** What a field asks for, rule by rule, and which of it is there already. */
export function RuleList({ id, title, rules, metLabel, unmetLabel, showErrors = false }: RuleListProps) {
  const titleId = useId();
  return (
    // A name on the described-by element would be read in place of the rules; hence the title beside the list.
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
              <Icon aria-hidden="true" className={clsx('mt-0.5 size-4 shrink-0', look)} />
              <span className="min-w-0 flex-1 text-text-secondary">
                {/* Read out, the two would be one word without the space. */}
                {note ? `${text} ` : text}
                {note && (
                  <span className="wrap-anywhere block text-caption text-text-tertiary tracking-wide">{note}</span>
                )}
              </span>{' '}
              <span
                // The wider of the two decides, so that the text beside it never wraps anew.
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
