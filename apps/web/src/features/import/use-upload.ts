import type { CsvUploadAnswer, ImportDetail } from '@brand-portal/contract/import';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api-error.ts';
import { logError } from '../../lib/log.ts';
import { toast } from '../../ui/toast-store.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { type ChoiceProblem, problemOf } from './file-choice.ts';
import { followImport, type ImportProgress, sendCsv } from './import-queries.ts';
import { prepareCsv } from './prepare-csv.ts';
import { useToldOutcome } from './told-outcome.ts';
import { sheetsOf } from './upload-failure.ts';
import type { PendingUpload, UploadState } from './upload-state.ts';

/** An upload that is under way. */
interface Running {
  /** Ends the sending. */
  readonly sending: AbortController;
  /** Ends the import, once the file is there. */
  readonly importing: AbortController;
  sent: number;
  /** The page has been left; the import goes on. */
  isLeft: boolean;
}

/** One file on its way: chosen, sent, answered. */
export function useUpload(brandId: number) {
  const { t } = useTranslation();
  const tellOutcome = useToldOutcome();
  const queryClient = useQueryClient();
  const [state, setState] = useState<UploadState>({ step: 'idle' });
  const [problem, setProblem] = useState<ChoiceProblem>();
  const [isEmpty, setEmpty] = useState(false);
  const [chosenSheet, setSheet] = useState<string>();
  const sheets = state.step === 'error' ? sheetsOf(state.error) : [];
  const sheet = sheets.find((name) => name === chosenSheet) ?? sheets[0];
  // Known at once, where the state is known with the next paint: a second click may come before it.
  const running = useRef<Running>(undefined);

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

  const change = (changes: Partial<PendingUpload>) =>
    setState((state) => (state.step === 'pending' ? { ...state, ...changes } : state));

  const run = async (file: File, current: Running): Promise<UploadState> => {
    const onSent = (sent: number) => {
      current.sent = sent;
      change({ sent });
    };
    try {
      const prepared = await prepareCsv(file);
      if (prepared.isEmpty) {
        logError('Empty CSV file');
        setEmpty(true);
      }
      const { signal } = current.sending;
      const answer = await sendCsv({ brandId, file: prepared.file, sheet, signal, onProgress: onSent });
      if (!('state' in answer)) return toOutcome(file, answer);
      onSent(1);
      const { import_id: importId } = answer;
      const cancelling = current.importing.signal;
      const onProgress = (progress: ImportProgress) => change({ progress });
      const ended = await followImport({ brandId, importId, cancelling, onProgress });
      if (ended.state === 'cancelled') return { step: 'chosen', file, cancelled: 'importing' };
      return toOutcome(file, toResult(ended));
    } catch (error) {
      if (current.sending.signal.aborted) return { step: 'chosen', file, cancelled: 'sending' };
      return { step: 'error', file, error };
    }
  };

  const upload = async () => {
    if (!('file' in state) || running.current) return;
    const { file } = state;
    const current = { sending: new AbortController(), importing: new AbortController(), sent: 0, isLeft: false };
    running.current = current;
    start({ step: 'pending', file, sent: 0 });
    const outcome = await run(file, current);
    running.current = undefined;
    if (current.isLeft) tellOutcome(outcome);
    else setState(outcome);
    // Variants and certificates hang below their brand. After a failure as well: the answer may be all that was lost.
    void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
  };

  const cancel = () => {
    const { current } = running;
    if (!current) return;
    if (current.sent < 1) return current.sending.abort();
    change({ cancelling: true });
    current.importing.abort();
  };

  const leave = useEffectEvent(() => {
    const { current } = running;
    if (!current) return;
    current.isLeft = true;
    if (current.sent < 1) current.sending.abort();
    else toast({ title: t('import.left.goes_on.title'), description: t('import.left.goes_on.description') });
  });
  useEffect(() => () => leave(), []);

  const isSending = state.step === 'pending' && state.sent < 1;
  useEffect(() => {
    if (!isSending) return;
    // The browser asks whether to leave the page. Once the file is there, nothing is lost by it.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isSending]);

  return { state, problem, isEmpty, sheet, setSheet, choose, upload, cancel, reset: () => start({ step: 'idle' }) };
}

function toOutcome(file: File, result: CsvUploadAnswer): UploadState {
  return { step: result.errors.length === 0 ? 'success' : 'partial', file, result };
}

/** What the upload would have been answered with, had it been waited for. */
function toResult({ failure, id, errors, imported, total_rows, error_count, warnings }: ImportDetail): CsvUploadAnswer {
  // In the language that was asked for, as a refusal is.
  if (failure) {
    const fields = failure.sheets && { fields: { sheet: failure.sheets.join('\n') } };
    throw new ApiError({ code: 'csv_rejected', detail: failure.message, ...fields });
  }
  return { errors, imported, total_rows, error_count, warnings, import_id: id };
}
