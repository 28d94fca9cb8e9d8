import type { CsvUploadAnswer } from '@brand-portal/contract/import';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { logError } from '../../lib/log.ts';
import { toast } from '../../ui/toast-store.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { type ChoiceProblem, problemOf } from './file-choice.ts';
import { sendCsv } from './import-queries.ts';
import { prepareCsv } from './prepare-csv.ts';

export type UploadState =
  | { step: 'idle' }
  /** `cancelled`: how far the upload of this file had come when the member stopped it. */
  | { step: 'chosen'; file: File; cancelled?: 'sending' | 'saving' }
  /** `sent`: how much has gone up, from 0 to 1; at 1 it is the server's turn. */
  | { step: 'pending'; file: File; sent: number }
  | { step: 'success' | 'partial'; file: File; result: CsvUploadAnswer }
  | { step: 'error'; file: File; error: unknown };

/** One file on its way: chosen, sent, answered. */
export function useUpload(brandId: number) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [state, setState] = useState<UploadState>({ step: 'idle' });
  const [problem, setProblem] = useState<ChoiceProblem>();
  const [isEmpty, setEmpty] = useState(false);
  // Known at once, where the state is known with the next paint: a second click may come before it.
  const running = useRef<AbortController>(undefined);

  const start = (next: UploadState) => {
    setProblem(undefined);
    setEmpty(false);
    setState(next);
  };

  const choose = (files: readonly File[], how: 'drop' | 'picker') => {
    const found = problemOf(files, how);
    const [file] = files;
    if (found) setProblem(found);
    else if (file) start({ step: 'chosen', file });
  };

  const upload = async () => {
    if (!('file' in state) || running.current) return;
    const { file } = state;
    const controller = new AbortController();
    running.current = controller;
    let sent = 0;
    const onProgress = (share: number) => {
      sent = share;
      setState({ step: 'pending', file, sent });
    };
    start({ step: 'pending', file, sent });
    try {
      const prepared = await prepareCsv(file);
      if (prepared.isEmpty) {
        logError('Empty CSV file');
        setEmpty(true);
      }
      const { signal } = controller;
      const result = await sendCsv({ brandId, file: prepared.file, signal, onProgress });
      setState({ step: result.errors.length === 0 ? 'success' : 'partial', file, result });
    } catch (error) {
      if (controller.signal.aborted) setState({ step: 'chosen', file, cancelled: sent < 1 ? 'sending' : 'saving' });
      else setState({ step: 'error', file, error });
    } finally {
      running.current = undefined;
      // Variants and certificates hang below their brand. After a failure as well: the answer may be all that was lost.
      void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
    }
  };

  const leave = useEffectEvent(() => {
    if (!running.current) return;
    running.current.abort();
    toast({ variant: 'warning', title: t('import.left.title'), description: t('import.left.description') });
  });
  useEffect(() => () => leave(), []);

  const isPending = state.step === 'pending';
  useEffect(() => {
    if (!isPending) return;
    // The browser asks whether to leave the page.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isPending]);

  return {
    state,
    problem,
    isEmpty,
    choose,
    upload,
    cancel: () => running.current?.abort(),
    reset: () => start({ step: 'idle' }),
  };
}
