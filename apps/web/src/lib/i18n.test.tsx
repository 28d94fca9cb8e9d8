import { LANGUAGES } from '@brand-portal/contract/constants';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { afterEach, describe, expect, it } from 'vitest';
import { LanguageSwitch } from '../ui/language-switch.tsx';
import { formatDay, formatNumber } from './format.ts';
import { changeLanguage, TEXT_FILES } from './i18n.ts';

function flatten(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]): [string, string][] =>
    typeof inner === 'string' ? [[prefix + key, inner]] : flatten(inner, `${prefix}${key}.`),
  );
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\{\s*([\w.]+)/g)].map(([, name]) => name ?? '').sort();
}

const files = import.meta.glob<{ default: object }>('../locales/*/*.json', { eager: true });

function textsOf(language: string): Map<string, string> {
  const parts = Object.entries(files).filter(([path]) => path.startsWith(`../locales/${language}/`));
  return new Map(parts.flatMap(([path, { default: texts }]) => flatten(texts, `${path.split('/').at(-1)}:`)));
}

const sources = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });

/** Each source file that is loaded from `file` on, with the text files that are loaded by then. */
function* partsFrom(file: string, loaded: readonly string[], seen = new Set<string>()): Generator<[string, readonly string[]]> {
  const visit = `${file} ${[...loaded].sort()}`;
  const source = sources[file];
  if (source === undefined || seen.has(visit)) return;
  seen.add(visit);
  yield [file, loaded];
  const resolve = (path: string) => {
    const { pathname } = new URL(path, new URL(file, 'http://src/lib/'));
    return pathname.startsWith('/lib/') ? `./${pathname.slice(5)}` : `..${pathname}`;
  };
  for (const [, path = ''] of source.matchAll(/^(?:import|export) (?!type)[^;]*?from '(\.[^']+)'/gm))
    yield* partsFrom(resolve(path), loaded, seen);
  for (const [, path = '', texts = ''] of source.matchAll(/import\('(\.[^']+)'\)((?:,\s*'[\w-]+')*)/g)) {
    const added = [...texts.matchAll(/[\w-]+/g)].map(([name]) => name);
    // The pages in `MainShell` are rendered when its texts are loaded.
    const shell = file.endsWith('/routes.tsx') && !/onboarding|features\/auth/.test(path) ? ['portal'] : [];
    yield* partsFrom(resolve(path), [...new Set([...loaded, ...added, ...shell])], seen);
  }
}

it('each text is loaded with the code that shows it', () => {
  const fileOf = new Map(
    Object.entries(files)
      .filter(([path]) => path.includes('/en/'))
      .flatMap(([path, { default: texts }]) => Object.keys(texts).map((name) => [name, /([\w-]+)\.json$/.exec(path)?.[1] ?? ''])),
  );
  const parts = [...partsFrom('../main.tsx', ['first-load'])];
  expect(parts.length).toBeGreaterThan(150);
  const missing = parts.flatMap(([file, loaded]) =>
    [...(sources[file] ?? '').matchAll(/\bt\(\s*['"`](\w+)\./g)]
      .map(([, name = '']) => fileOf.get(name) ?? `unknown: ${name}`)
      .filter((texts) => !loaded.includes(texts))
      .map((texts) => `${file} uses ${texts}, and only ${loaded} are loaded`),
  );
  expect([...new Set(missing)]).toEqual([]);
});

describe('the translations', () => {
  const english = textsOf('en');
  const spanish = textsOf('es');

  it('are all loaded by some page', () => {
    expect(Object.keys(files).sort()).toEqual(
      LANGUAGES.flatMap((language) => TEXT_FILES.map((part) => `../locales/${language}/${part}.json`)).sort(),
    );
  });

  it('have no top-level key twice, in any file', () => {
    const names = Object.entries(files)
      .filter(([path]) => path.includes('/en/'))
      .flatMap(([, { default: texts }]) => Object.keys(texts));
    expect(names).toEqual([...new Set(names)]);
  });

  // spec: §1 languages
  it('have exactly the same keys in every language, with all its plural forms', () => {
    const named = [...english.keys()].filter((key) => !key.endsWith('_one'));
    for (const language of LANGUAGES) {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const wanted = named.flatMap((key) => (key.endsWith('_other') ? forms.map((form) => key.replace(/other$/, form)) : [key]));
      expect([...textsOf(language).keys()].sort()).toEqual(wanted.sort());
    }
  });

  it('have the same placeholders in both languages', () => {
    for (const [key, text] of spanish) {
      const original = english.get(key) ?? english.get(key.replace(/_many$/, '_other')) ?? '';
      expect({ key, names: placeholders(text) }).toEqual({ key, names: placeholders(original) });
    }
  });

  it('have no empty text', () => {
    for (const [key, text] of [...english, ...spanish]) expect({ key, text: text.trim() }).not.toEqual({ key, text: '' });
  });

  // spec: §8 general messages
  it('contain the general messages word for word', () => {
    expect([...english.values()]).toEqual(
      expect.arrayContaining([
        'Permission denied',
        'User not found',
        'User is already a member',
        'Network error. Please check your connection.',
        'Server error. Please try again later.',
        'Please check your input and try again.',
      ]),
    );
  });
});

function Sample() {
  const { t } = useTranslation();
  return <p>{t('ui.retry')}</p>;
}

describe('a number of things', () => {
  afterEach(() => changeLanguage('en'));

  it.each([
    [1, '1 fila importada correctamente'],
    [2, '2 filas importadas correctamente'],
    [1_000_000, '1.000.000 de filas importadas correctamente'],
  ])('has words in Spanish for %d', async (count, sentence) => {
    await changeLanguage('es');
    expect(i18next.t('import.success', { count, number: formatNumber(count, 'es') })).toBe(sentence);
  });
});

describe('the language switch', () => {
  afterEach(() => changeLanguage('en'));

  it('changes the page, stores the choice and sets the lang attribute', async () => {
    render(
      <>
        <LanguageSwitch />
        <Sample />
      </>,
    );
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Language' }), 'Español');
    expect(await screen.findByText('Intentar de nuevo')).toBeVisible();
    expect(screen.getByRole('combobox', { name: 'Idioma' })).toHaveValue('es');
    expect(localStorage.getItem('language')).toBe('es');
    await waitFor(() => expect(document.documentElement).toHaveAttribute('lang', 'es'));
  });

  it('follows a choice of language in another tab', async () => {
    render(<LanguageSwitch />);
    window.dispatchEvent(new StorageEvent('storage', { key: 'language', newValue: 'es' }));
    expect(await screen.findByRole('combobox', { name: 'Idioma' })).toHaveValue('es');
    window.dispatchEvent(new StorageEvent('storage', { key: 'language', newValue: 'no such language' }));
    expect(screen.getByRole('combobox', { name: 'Idioma' })).toHaveValue('es');
  });
});

describe('numbers and dates', () => {
  it('are written as the language writes them', () => {
    expect(formatNumber(1_234_567.5, 'en')).toBe('1,234,567.5');
    expect(formatNumber(1_234_567.5, 'es')).toBe('1.234.567,5');
    expect(formatDay('2026-01-01', 'en')).toBe('January\u00a01,\u00a02026');
    expect(formatDay('2026-01-01', 'es')).toBe('1\u00a0de\u00a0enero\u00a0de\u00a02026');
  });
});
