import { expect, test } from 'vitest';
import { renderFirstPaint } from './first-paint.tsx';

test('the sign-in page is there as HTML in every language, for the eye only', async () => {
  const page = new DOMParser().parseFromString(await renderFirstPaint(), 'text/html');
  const parts = [...page.querySelectorAll<HTMLElement>('[data-first-paint]')];
  expect(page.querySelector('[id]')).toBeNull();
  const shown = parts.map((part) => ({
    language: part.dataset.firstPaint,
    inert: part.hasAttribute('inert'),
    title: part.querySelector('h1')?.textContent,
    button: part.querySelector('main button')?.textContent,
  }));
  expect(shown).toEqual([
    { language: 'en', inert: true, title: 'Welcome to Brand Portal', button: 'Sign in' },
    { language: 'es', inert: true, title: 'Te damos la bienvenida a Brand Portal', button: 'Iniciar sesión' },
  ]);
});
