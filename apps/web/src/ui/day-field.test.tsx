import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeLanguage } from '../lib/i18n.ts';
import { DayField } from './day-field.tsx';

const changed = vi.fn<(day: string | undefined) => void>();

function Page({ initial = '', min, max }: { initial?: string; min?: string; max?: string }) {
  const [day, setDay] = useState(initial);
  const change = (next: string | undefined) => {
    changed(next);
    if (next !== undefined) setDay(next);
  };
  return (
    <>
      <DayField label="Hasta" value={day} onChange={change} min={min} max={max} />
      <button type="button" onClick={() => setDay('2030-05-06')}>
        Another
      </button>
    </>
  );
}

afterEach(() => {
  changed.mockClear();
  return changeLanguage('en');
});

const field = () => screen.getByRole('textbox', { name: 'Hasta' });
const openCalendar = () => userEvent.click(screen.getByRole('button', { name: 'Hasta: elegir una fecha' }));

describe('a field for a day', () => {
  it('shows and reads it in the member’s language, whatever that of the browser is', async () => {
    expect(navigator.language).toBe('en-US');
    await changeLanguage('es');
    render(<Page initial="2027-02-01" />);
    expect(field()).toHaveValue('01/02/2027');
    expect(field()).toHaveAttribute('placeholder', 'dd/mm/aaaa');
    await userEvent.clear(field());
    expect(changed).toHaveBeenLastCalledWith('');
    await userEvent.type(field(), '3/4/2028');
    expect(changed).toHaveBeenLastCalledWith('2028-04-03');
    await userEvent.tab();
    expect(field()).toHaveValue('03/04/2028');
  });

  it('says once it is left that what was typed is no date, and keeps the text', async () => {
    await changeLanguage('es');
    render(<Page initial="2027-02-01" />);
    await userEvent.clear(field());
    await userEvent.type(field(), '31/11/2027');
    expect(field()).not.toBeInvalid();
    await userEvent.tab();
    expect(field()).toBeInvalid();
    expect(field()).toHaveAccessibleDescription('Esta fecha está incompleta o no existe.');
    expect(field()).toHaveValue('31/11/2027');
    expect(changed).toHaveBeenLastCalledWith(undefined);
    await userEvent.click(screen.getByRole('button', { name: 'Another' }));
    expect(field()).toHaveValue('06/05/2030');
    expect(field()).not.toBeInvalid();
  });

  it('offers a month in the member’s language, whose days are chosen by mouse', async () => {
    await changeLanguage('es');
    render(<Page initial="2027-02-10" max="2027-02-20" />);
    await openCalendar();
    const grid = within(screen.getByRole('table', { name: 'febrero de 2027' }));
    expect(grid.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['L', 'M', 'X', 'J', 'V', 'S', 'D']);
    const late = grid.getByRole('button', { name: /^21\sde\sfebrero\sde\s2027$/ });
    expect(late).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(late);
    expect(changed).not.toHaveBeenCalled();
    await userEvent.click(grid.getByRole('button', { name: /^20\sde\sfebrero\sde\s2027$/ }));
    expect(changed).toHaveBeenCalledExactlyOnceWith('2027-02-20');
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.getByRole('button', { name: 'Hasta: elegir una fecha' })).toHaveFocus();
    expect(field()).toHaveValue('20/02/2027');
  });

  it.each([
    ['{ArrowRight}', '11 de febrero de 2027'],
    ['{ArrowDown}', '17 de febrero de 2027'],
    ['{ArrowUp}{ArrowUp}', '27 de enero de 2027'],
    ['{Home}', '8 de febrero de 2027'],
    ['{End}', '14 de febrero de 2027'],
    ['{PageDown}{ArrowLeft}', '9 de marzo de 2027'],
  ])('moves in the month by the keys %s to %s', async (keys, day) => {
    await changeLanguage('es');
    render(<Page initial="2027-02-10" />);
    await openCalendar();
    expect(screen.getByRole('button', { pressed: true })).toHaveTextContent('10');
    await userEvent.keyboard(keys);
    expect(document.activeElement).toHaveAccessibleName(day.replaceAll(' ', '\u00a0'));
    await userEvent.keyboard('{Enter}');
    expect(changed).toHaveBeenCalledOnce();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('changes the month by its buttons, which keep the focus', async () => {
    await changeLanguage('es');
    render(<Page initial="2027-02-10" />);
    await openCalendar();
    const next = screen.getByRole('button', { name: 'Mes siguiente' });
    await userEvent.click(next);
    expect(screen.getByRole('table', { name: 'marzo de 2027' })).toBeVisible();
    expect(next).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Mes anterior' }));
    expect(screen.getByRole('table', { name: 'febrero de 2027' })).toBeVisible();
  });
});
