import { type ReactNode, useId } from 'react';

interface StepSectionProps {
  number: number;
  title: string;
  description: string;
  action?: ReactNode;
  children: ReactNode;
}

export function StepSection({ number, title, description, action, children }: StepSectionProps) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      tabIndex={-1}
      className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-3 outline-none sm:grid-cols-[1.5rem_minmax(0,1fr)_auto]"
    >
      <span
        aria-hidden="true"
        className="mt-px grid size-6 place-items-center rounded-full bg-primary-bg font-semibold text-caption text-primary"
      >
        {number}
      </span>
      <div>
        <h3 id={titleId} className="pt-0.5 font-semibold">
          {title}
        </h3>
        <p className="mt-0.5 text-pretty text-small text-text-secondary">{description}</p>
      </div>
      {action && <div className="col-span-full grid sm:col-span-1 sm:items-start">{action}</div>}
      <div className="col-span-full flex min-w-0 flex-col gap-3 sm:col-start-2">{children}</div>
    </section>
  );
}
