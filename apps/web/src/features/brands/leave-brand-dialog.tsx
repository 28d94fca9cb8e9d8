import { PAGES } from '@brand-portal/contract/pages';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { errorMessage } from '../../lib/api-error.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useFormerKeys } from '../api-keys/former-keys.exported.tsx';
import { useAuthStore } from '../auth/auth-store.ts';
import { useLeaveBrand } from './brands-queries.ts';

interface LeaveBrandDialogProps {
  brandId: number;
  brand: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function LeaveBrandDialog({ brandId, brand, open, onOpenChange }: LeaveBrandDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const userId = useAuthStore(({ user }) => user?.id);
  const { keys, question, forget: forgetAnswer } = useFormerKeys(brandId, userId, open);
  const { mutate, isPending, error, reset, forget } = useLeaveBrand(brandId);
  const change = (next: boolean) => {
    reset();
    forgetAnswer();
    onOpenChange(next);
  };
  const leave = () => {
    mutate(keys, {
      onSuccess: () => {
        toast({ variant: 'success', title: t('brands.leave.done', { brand }) });
        // Replaces the history entry: Back must not lead into a brand that the member has left.
        void navigate(PAGES.brands, { replace: true });
        forget();
      },
    });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={t('brands.leave.title', { brand })}
      description={t('brands.leave.description')}
      isLocked={isPending}
      footer={
        <>
          <Button disabled={isPending} onClick={() => change(false)}>
            {t('brands.leave.cancel')}
          </Button>
          <Button variant="danger" busy={isPending} busyLabel={t('brands.leave.leaving')} onClick={leave}>
            {t('brands.leave.confirm')}
          </Button>
        </>
      }
    >
      {question}
      {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
    </Dialog>
  );
}
