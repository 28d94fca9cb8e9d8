import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { type ToastHandle, toast } from '../../ui/toast-store.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { pollImport } from './import-queries.ts';
import { useActionToast, useOutcomeToast, useProgressToast } from './import-toasts.ts';
import { forgetImport, type RunningImport, rememberImport } from './running-imports-store.ts';
import { endOf, type UploadEnd } from './upload-state.ts';

/** Shows toasts about imports that were started before the page was reloaded. */
export function ResumedImports({ imports }: { imports: readonly RunningImport[] }) {
  return imports.map((unfinished) => <ResumedImport key={unfinished.importId} {...unfinished} />);
}

function ResumedImport({ brandId, importId }: RunningImport) {
  const queryClient = useQueryClient();
  const showOutcome = useOutcomeToast(brandId);
  const showAction = useActionToast();
  const progressContent = useProgressToast(brandId);
  const follow = useEffectEvent(async () => {
    let progressToast: ToastHandle | undefined;
    /** Undefined: its toast is shown. */
    let end: UploadEnd | undefined;
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
      if (!showAction(ended)) end = endOf(ended);
    } catch (error) {
      failure = error;
      end = { step: 'error', error };
    }
    forgetImport(importId, failure);
    progressToast?.dismiss();
    // Another user may have signed in since: the import is not theirs.
    if (failure instanceof ApiError && [401, 403, 404].includes(failure.status ?? 0)) return;
    if (end) showOutcome(end, importId);
    void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
  });
  useEffect(() => void follow(), []);
  return null;
}
