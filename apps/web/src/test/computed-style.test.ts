import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';

const show = (html: string) => {
  document.body.innerHTML = html;
};
afterEach(() => show(''));

it.each([
  '<p hidden>x</p>',
  '<p style="display: none">x</p>',
  '<p style="visibility: hidden">x</p>',
  '<p style="opacity: 0">x</p>',
  '<div hidden><p>x</p></div>',
  '<div style="display: none"><p>x</p></div>',
  '<div style="visibility: hidden"><p>x</p></div>',
  '<dialog>x</dialog>',
  '<details><summary>y</summary><p>x</p></details>',
])('what is not visible: %s', (html) => {
  show(html);
  expect(screen.getByText('x')).not.toBeVisible();
});

it('what is visible is found by its role, and what is not is not', () => {
  show(`
    <button>a</button>
    <button style="display: none">b</button>
    <div style="visibility: hidden"><button>c</button><button style="visibility: visible">d</button></div>
    <dialog open aria-label="e"></dialog>
    <dialog aria-label="f"></dialog>`);
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['a', 'd']);
  expect(screen.getByRole('dialog')).toHaveAccessibleName('e');
});

it('blocks are words of their own in a name, and hidden parts are none', () => {
  show('<button><div>one</div><div>two</div><b>th</b><i>ree</i><span hidden>four</span></button>');
  expect(screen.getByRole('button')).toHaveAccessibleName('one two three');
});

it('an element without pointer events cannot be clicked, nor its parts', async () => {
  show('<div style="pointer-events: none"><button>x</button></div>');
  const click = vi.fn();
  screen.getByRole('button').addEventListener('click', click);
  await expect(userEvent.click(screen.getByRole('button'))).rejects.toThrow('pointer-events: none');
  expect(click).not.toHaveBeenCalled();
});
