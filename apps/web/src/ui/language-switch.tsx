import { LANGUAGES, type Language } from '@brand-portal/contract/constants';
import clsx from 'clsx';
import { ChevronDown, Languages } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { changeLanguage } from '../lib/i18n.ts';

interface LanguageSwitchProps {
  /** Only the icon is seen; the list that opens is the same. */
  compact?: boolean;
  className?: string;
}

/** The browser's own select: it is on the first page anyone sees, and weighs nothing. */
export function LanguageSwitch({ compact = false, className }: LanguageSwitchProps) {
  const { t, i18n } = useTranslation();
  return (
    <span
      className={clsx(
        'relative inline-flex items-center rounded-control text-text-secondary',
        compact && 'control-height aspect-square justify-center transition-colors hover:bg-surface-hover',
        compact && 'has-focus-visible:outline-2 has-focus-visible:outline-border-focus',
        className,
      )}
    >
      <Languages aria-hidden="true" className={clsx('pointer-events-none size-4', !compact && 'absolute left-2.5')} />
      <select
        aria-label={t('language.label')}
        title={compact ? t('language.label') : undefined}
        value={i18n.resolvedLanguage}
        onChange={(event) => void changeLanguage(event.target.value as Language)}
        className={clsx(
          'cursor-pointer appearance-none',
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
      {!compact && <ChevronDown aria-hidden="true" className="pointer-events-none absolute right-2.5 size-3.5" />}
    </span>
  );
}
