import clsx from 'clsx';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { localDay, useFormat } from '../lib/format.ts';
import { useLanguage } from '../lib/i18n.ts';
import { Button } from './button.tsx';
import { addDays, addMonths, weeksOf } from './days.ts';

interface MonthGridProps {
  /** Empty: none is chosen. */
  value: string;
  min: string | undefined;
  max: string | undefined;
  onPick: (day: string) => void;
}

/** The days of a month. One of them has the focus: arrow keys, Page Up and Page Down move it. */
export function MonthGrid({ value, min, max, onPick }: MonthGridProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const language = useLanguage();
  const today = localDay(Date.now());
  const grid = useRef<HTMLTableElement>(null);
  const [current, setCurrent] = useState(value || today);
  const isMoved = useRef(true);
  useLayoutEffect(() => {
    if (isMoved.current) grid.current?.querySelector<HTMLElement>(`[data-day="${current}"]`)?.focus();
    isMoved.current = false;
  }, [current]);

  const weeks = weeksOf(current, language);
  const weekday = weeks.map((week) => week.indexOf(current)).find((index) => index >= 0) ?? 0;
  const moves: Readonly<Record<string, string>> = {
    ArrowLeft: addDays(current, -1),
    ArrowRight: addDays(current, 1),
    ArrowUp: addDays(current, -7),
    ArrowDown: addDays(current, 7),
    Home: addDays(current, -weekday),
    End: addDays(current, 6 - weekday),
    PageUp: addMonths(current, -1),
    PageDown: addMonths(current, 1),
  };
  const press = (event: KeyboardEvent) => {
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    isMoved.current = true;
    setCurrent(next);
  };
  const isOut = (day: string) => (min !== undefined && day < min) || (max !== undefined && day > max);
  const nameOf = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(new Date(day));
  const month = nameOf(current, { month: 'long', year: 'numeric' });
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center justify-between">
        {([-1, 1] as const).map((step) => (
          <Button
            key={step}
            variant="ghost"
            size="icon-dense"
            aria-label={t(step < 0 ? 'day_field.previous_month' : 'day_field.next_month')}
            icon={step < 0 ? <ChevronLeft className="size-4" /> : <ChevronRight className="size-4" />}
            onClick={() => setCurrent(addMonths(current, step))}
            className={step < 0 ? undefined : 'order-last'}
          />
        ))}
        <p aria-live="polite" className="font-medium text-small first-letter:uppercase">
          {month}
        </p>
      </div>
      <table ref={grid} aria-label={month}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th
                key={day}
                scope="col"
                abbr={nameOf(day, { weekday: 'long' })}
                className="pb-1 font-normal text-caption text-text-secondary"
              >
                {nameOf(day, { weekday: 'narrow' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} className="p-0">
                  <button
                    type="button"
                    data-day={day}
                    tabIndex={day === current ? 0 : -1}
                    onKeyDown={press}
                    aria-label={format.day(day)}
                    aria-current={day === today ? 'date' : undefined}
                    aria-pressed={day === value}
                    aria-disabled={isOut(day) || undefined}
                    onClick={() => !isOut(day) && onPick(day)}
                    className={clsx(
                      'size-9 rounded-control text-small tabular-nums aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
                      day === value
                        ? 'bg-primary font-medium text-surface'
                        : day.slice(0, 7) === current.slice(0, 7)
                          ? 'text-text hover:bg-surface-hover'
                          : 'text-text-tertiary hover:bg-surface-hover',
                      day === today && day !== value && 'font-semibold underline underline-offset-4',
                    )}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
