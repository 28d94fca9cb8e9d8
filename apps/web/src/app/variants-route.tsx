import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { connectionQuery } from '../features/settings/channel-queries.ts';
import { VariantsPage } from '../features/variants/variants-page.tsx';
import { variantListQuery, variantStatesQuery } from '../features/variants/variants-queries.ts';
import { readView } from '../features/variants/variants-view.ts';
import { lazyFrom, withTexts } from '../lib/lazy.ts';
import { productVariantPath, useBrandId } from '../lib/paths.ts';
import { afterFirstAnswers, startQuery } from '../lib/query-client.ts';
import { toast } from '../ui/toast-store.ts';

const loadUploadDialog = withTexts(() => import('../features/import/upload-dialog.exported.tsx'), 'imports');
const UploadDialog = lazyFrom(loadUploadDialog, 'UploadDialog');

/** What the page waits for, started before it renders. */
export function prefetchVariants(queryClient: QueryClient, brandId: number, search: string): void {
  const view = readView(new URLSearchParams(search));
  startQuery(queryClient, variantListQuery(brandId, view));
  startQuery(queryClient, variantStatesQuery(brandId, view));
  // The table waits for it, because of a notice above it.
  startQuery(queryClient, { ...connectionQuery(brandId), retry: false });
}

/** The variants page, with the upload dialog of the import feature. */
export function VariantsRoute() {
  const brandId = useBrandId();
  const upload = useUploadDialog(brandId);
  return (
    <>
      <VariantsPage onAdd={upload.open} />
      {upload.dialog}
    </>
  );
}

/** Its code is loaded after the page's: most visits do not upload. */
function useUploadDialog(brandId: number) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const [isNeeded, setNeeded] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const queryClient = useQueryClient();
  useEffect(() => afterFirstAnswers(queryClient, () => loadUploadDialog().catch(() => undefined)), [queryClient]);
  const open = async () => {
    try {
      await loadUploadDialog();
      setNeeded(true);
      setOpen(true);
    } catch {
      // After a release its file may be gone: a reload fetches the new one.
      const [title, description] = [t('variants.upload_unavailable.title'), t('variants.upload_unavailable.description')];
      toast({ variant: 'error', title, description });
    }
  };
  const addByHand = () => {
    setOpen(false);
    void navigate(productVariantPath(brandId, 'new') + search, { state: { isFromList: true } });
  };
  const dialog = isNeeded && (
    <Suspense>
      <UploadDialog brandId={brandId} open={isOpen} onOpenChange={setOpen} onAddByHand={addByHand} />
    </Suspense>
  );
  return { open: () => void open(), dialog };
}
