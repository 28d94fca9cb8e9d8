import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { type ToastHandle, toast } from '../../ui/toast-store.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { pollImport } from './import-queries.ts';
import { useOutcomeToast, useProgressToast } from './import-toasts.ts';
import { forgetImport, type RunningImport, rememberImport } from './running-imports-store.ts';
import { endOf, type UploadEnd } from './upload-state.ts';

/** Shows toasts about imports that were started before the page was reloaded. */
export function ResumedImports({ imports }: { imports: readonly RunningImport[] }) {
  return imports.map((unfinished) => <ResumedImport key={unfinished.importId} {...unfinished} />);
}

function ResumedImport({ brandId, importId }: RunningImport) {
  const queryClient = useQueryClient();
  const showOutcome = useOutcomeToast(brandId);
  const progressContent = useProgressToast(brandId);
  const follow = useEffectEvent(async () => {
    let progressToast: ToastHandle | undefined;
    let end: UploadEnd;
    let failure: unknown;
    rememberImport({ brandId, importId });
    try {
      const ended = await pollImport({
        brandId,
        importId,
        onProgress: (progress) => {
          const content = progressContent(importId, progress);
          if (progressToast) progressToast.update(content);
          else progressToast = toast(content);
        },
      });
      end = endOf(ended);
    } catch (error) {
      failure = error;
      end = { step: 'error', error };
    }
    forgetImport(importId, failure);
    progressToast?.dismiss();
    // Another user may have signed in since: the import is not theirs.
    const isRefused = end.step === 'error' && end.error instanceof ApiError && [401, 403, 404].includes(end.error.status ?? 0);
    if (isRefused) return;
    showOutcome(end, importId);
    void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
  });
  useEffect(() => void follow(), []);
  return null;
}
