import type { ReactNode } from 'react';
import { useFormat } from '../lib/format.ts';

/** The scrolling part between the panel's title and its actions. */
export function PanelBody({ children }: { children: ReactNode }) {
  return <div className="scroll-hairline min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>;
}

/** The panel's buttons. `note`: shown above them. */
export function PanelFooter({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <footer className="flex flex-col gap-3 border-t px-5 py-3.5">
      {note}
      <div className="flex flex-wrap-reverse gap-2 max-sm:*:flex-1 sm:justify-end">{children}</div>
    </footer>
  );
}

interface PanelSectionProps {
  title: string;
  children: ReactNode;
}

export function PanelSection({ title, children }: PanelSectionProps) {
  return (
    <section aria-label={title} className="border-t py-4 first:border-t-0 first:pt-0">
      <h3 className="mb-2 font-semibold text-small">{title}</h3>
      {children}
    </section>
  );
}

interface PanelTimelineProps<Event> {
  title: string;
  events: readonly Event[];
  /** What happened, without the time. */
  describe: (event: Event) => ReactNode;
}

export function PanelTimeline<Event extends { at: string }>({ title, events, describe }: PanelTimelineProps<Event>) {
  const format = useFormat();
  return (
    <PanelSection title={title}>
      <ol className="flex flex-col gap-3 border-l pl-4">
        {events.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two events may have the same time, and the list is always replaced as a whole
          <li key={`${event.at} ${index}`} className="wrap-anywhere text-small">
            {describe(event)}
            <time dateTime={event.at} className="text-caption text-text-tertiary">
              {format.time(event.at)}
            </time>
          </li>
        ))}
      </ol>
    </PanelSection>
  );
}
