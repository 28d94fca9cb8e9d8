import { Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useColorMode } from '../lib/theme.ts';
import { Button } from './button.tsx';

export function ColorModeToggle() {
  const { t } = useTranslation();
  const { mode, toggleMode } = useColorMode();
  const label = mode === 'dark' ? t('color_mode.use_light') : t('color_mode.use_dark');
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label={label}
      title={label}
      onClick={toggleMode}
      // CSS chooses the icon, so that the prerendered HTML is right in both modes before the app runs.
      icon={
        <>
          <Moon className="size-4 dark:hidden" />
          <Sun className="hidden size-4 dark:block" />
        </>
      }
    />
  );
}
