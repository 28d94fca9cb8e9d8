import { LANGUAGES, type Language } from '@brand-portal/contract/constants';
import clsx from 'clsx';
import { ChevronDown, Languages } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { changeLanguage, useLanguage } from '../lib/i18n.ts';
import { toast } from './toast-store.ts';

interface LanguageSwitchProps {
  /** Shows only the icon; the list is the same. */
  compact?: boolean;
}

/** A native select: it is on the first page that loads, and adds no code to it. */
export function LanguageSwitch({ compact = false }: LanguageSwitchProps) {
  const { t } = useTranslation();
  const current = useLanguage();
  const choose = (language: Language) =>
    changeLanguage(language).catch(() => toast({ variant: 'error', title: t('language.failed'), description: t('errors.network_error') }));
  return (
    <span
      className={clsx(
        'relative inline-flex items-center rounded-control text-text-secondary',
        compact && 'control-height aspect-square justify-center transition-colors hover:bg-surface-hover',
        compact && 'has-focus-visible:outline-2 has-focus-visible:outline-border-focus',
      )}
    >
      <Languages className={clsx('pointer-events-none size-4', !compact && 'absolute left-2.5')} />
      <select
        aria-label={t('language.label')}
        title={compact ? t('language.label') : undefined}
        value={current}
        onChange={(event) => void choose(event.target.value as Language)}
        className={clsx(
          // Below 16 px iOS zooms the page when the select gets the focus.
          'cursor-pointer appearance-none max-md:text-base',
          compact
            ? 'absolute inset-0 size-full opacity-0'
            : 'control-height w-full rounded-control bg-transparent pr-8 pl-9 font-medium transition-colors hover:bg-surface-hover hover:text-text',
        )}
      >
        {LANGUAGES.map((language) => (
          <option key={language} value={language} lang={language} className="bg-surface text-text">
            {t(`language.${language}`)}
          </option>
        ))}
      </select>
      {!compact && <ChevronDown className="pointer-events-none absolute right-2.5 size-4 text-text-tertiary" />}
    </span>
  );
}
