import { PAGES } from '@brand-portal/contract/pages';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { dropUnsavedChanges } from '../../lib/unsaved-changes.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useAuthStore } from './auth-store.ts';

/** Covers a page whose session has expired: nothing of it can be seen until the same member signs in again. */
export function SessionEnded() {
  const { t } = useTranslation();
  const discard = () => {
    dropUnsavedChanges();
    useAuthStore.setState({ keptFor: null });
  };
  return (
    <>
      {/* In the body, above all of the page. */}
      {createPortal(<div className="fixed inset-0 z-60 bg-background" />, document.body)}
      <Dialog
        open
        isLocked
        isOnTop
        title={t('session_ended.title')}
        description={t('session_ended.description')}
        footer={
          <>
            <Button onClick={discard}>{t('unsaved.typed.discard')}</Button>
            {/* The provider's page would replace this one. */}
            <Button asChild variant="primary">
              <a href={PAGES.login} target="_blank" rel="noopener">
                {t('session_ended.sign_in')}
              </a>
            </Button>
          </>
        }
      />
    </>
  );
}
