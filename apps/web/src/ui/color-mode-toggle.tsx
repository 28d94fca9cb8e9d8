import { Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useColorMode } from '../lib/theme.ts';
import { Button } from './button.tsx';

export function ColorModeToggle() {
  const { t } = useTranslation();
  const { mode, toggleMode } = useColorMode();
  const label = mode === 'dark' ? t('color_mode.use_light') : t('color_mode.use_dark');
  const Icon = mode === 'dark' ? Sun : Moon;
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label={label}
      title={label}
      onClick={toggleMode}
      icon={<Icon aria-hidden="true" className="size-4" />}
    />
  );
}
