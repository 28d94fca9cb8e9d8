import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderFirstPaint } from './first-paint.tsx';
import { FullScreenSpinner } from './ui/spinner.tsx';

const page = new DOMParser().parseFromString(await renderFirstPaint(), 'text/html');
const screens = (name: string) => [...page.querySelectorAll<HTMLElement>(`[data-first-paint="${name}"]`)];

// spec: §2 sign-in page
test('the sign-in page is prerendered in every language, and only its button can be used', () => {
  expect(page.querySelector('[id]')).toBeNull();
  const shown = screens('sign-in').map((screen) => ({
    language: screen.lang,
    title: screen.querySelector('h1')?.textContent,
    button: screen.querySelector('main button')?.textContent,
    isUsable: screen.querySelector('main button')?.closest('[inert]') === null,
    others: screen.querySelectorAll('button, a, select').length,
    inertOthers: screen.querySelectorAll('[inert] :is(button, a, select)').length,
  }));
  expect(shown).toEqual([
    { language: 'en', title: 'Welcome to Brand Portal', button: 'Sign in', isUsable: true, others: 3, inertOthers: 2 },
    {
      language: 'es',
      title: 'Te damos la bienvenida a Brand Portal',
      button: 'Iniciar sesión',
      isUsable: true,
      others: 3,
      inertOthers: 2,
    },
  ]);
});

test('the pressed state of the button is prerendered too', () => {
  const pressed = screens('sign-in').map((screen) => screen.querySelector('template')?.content.firstElementChild);
  expect(pressed.map((button) => button?.textContent)).toEqual(['Signing in...', 'Iniciando sesión...']);
  expect(pressed.map((button) => button?.hasAttribute('disabled'))).toEqual([true, true]);
});

test.each([
  ['loading', undefined, ['Loading…', 'Cargando…']],
  ['completing', 'Completing sign in...', ['Completing sign in...', 'Completando el inicio de sesión...']],
])('the prerendered screen “%s” has the same spinner as the app', (name, label, texts) => {
  expect(screens(name).map((screen) => screen.textContent)).toEqual(texts);
  const { container } = render(<FullScreenSpinner label={label} />);
  expect(screens(name)[0]?.innerHTML).toBe(container.innerHTML);
});
