import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { type ToastHandle, toast } from '../../ui/toast-store.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { followImport } from './import-queries.ts';
import { forgetImport, type RunningImport, rememberImport } from './running-imports-store.ts';
import { useToldOutcome, useToldProgress } from './told-outcome.ts';
import { endOf, type UploadEnd } from './upload-state.ts';

/** Shows toasts about imports that were started before the page was reloaded. */
export function LeftImports({ imports }: { imports: readonly RunningImport[] }) {
  return imports.map((left) => <LeftImport key={left.importId} {...left} />);
}

function LeftImport({ brandId, importId }: RunningImport) {
  const queryClient = useQueryClient();
  const tellOutcome = useToldOutcome(brandId);
  const tellProgress = useToldProgress(brandId);
  const follow = useEffectEvent(async () => {
    let told: ToastHandle | undefined;
    let end: UploadEnd;
    rememberImport({ brandId, importId });
    try {
      const ended = await followImport({
        ...{ brandId, importId, cancelling: new AbortController().signal },
        onProgress: (progress) => {
          const content = tellProgress(importId, progress);
          if (told) told.update(content);
          else told = toast(content);
        },
      });
      end = endOf(ended);
    } catch (error) {
      end = { step: 'error', error };
    }
    forgetImport(importId);
    told?.dismiss();
    // Another user may have signed in since: the import is not theirs.
    const isRefused =
      end.step === 'error' && end.error instanceof ApiError && [401, 403, 404].includes(end.error.status ?? 0);
    if (isRefused) return;
    tellOutcome(end, importId);
    void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
  });
  useEffect(() => void follow(), []);
  return null;
}
