import { LANGUAGES, type Language } from '@brand-portal/contract/constants';
import clsx from 'clsx';
import { ChevronDown, Languages } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { changeLanguage } from '../lib/i18n.ts';

/** The browser's own select: it is on the first page anyone sees, and weighs nothing. */
export function LanguageSwitch({ className }: { className?: string }) {
  const { t, i18n } = useTranslation();
  return (
    <span className={clsx('relative inline-flex items-center text-text-secondary', className)}>
      <Languages aria-hidden="true" className="pointer-events-none absolute left-2.5 size-4" />
      <select
        aria-label={t('language.label')}
        value={i18n.resolvedLanguage}
        onChange={(event) => void changeLanguage(event.target.value as Language)}
        className="control-height w-full cursor-pointer appearance-none rounded-control bg-transparent pr-8 pl-8 font-medium transition-colors hover:bg-surface-hover hover:text-text"
      >
        {LANGUAGES.map((language) => (
          <option key={language} value={language} lang={language} className="bg-surface text-text">
            {t(`language.${language}`)}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute right-2.5 size-3.5" />
    </span>
  );
}
