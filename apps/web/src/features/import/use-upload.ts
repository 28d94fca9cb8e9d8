import type { CsvUploadAnswer, ImportPreview } from '@brand-portal/contract/import';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { logError } from '../../lib/log.ts';
import { useAskBeforeUnload } from '../../lib/unsaved-changes.ts';
import { type ToastHandle, toast } from '../../ui/toast-store.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { useColumnChoice } from './column-mapping.tsx';
import { type AcceptedFiles, problemOf } from './file-choice.ts';
import { confirmChecked, discardChecked, fetchPreview, type ImportProgress, pollImport, sendCsv, sendForCheck } from './import-queries.ts';
import { useOutcomeToast, useProgressToast, useWarningsToast } from './import-toasts.ts';
import { prepareCsv } from './prepare-csv.ts';
import { forgetImport, isSessionOver, rememberImport } from './running-imports-store.ts';
import { sheetsOf } from './upload-failure.ts';
import { endOf, type PendingUpload, type RefusedChoice, toImported, type UploadState } from './upload-state.ts';

/** A running upload. */
interface Running {
  /** Aborts the upload. */
  readonly sending: AbortController;
  /** Cancels the import, after the upload. */
  readonly importing: AbortController;
  sent: number;
  importId?: number;
  progress?: ImportProgress;
  /** The page was left; the import continues. */
  isLeft: boolean;
  /** The toast about the import, after the dialog was closed. */
  progressToast?: ToastHandle;
}

export type Upload = ReturnType<typeof useUpload>;

/** State and actions of one upload: file chosen, uploading, result. */
export function useUpload(brandId: number, accepted: AcceptedFiles) {
  const showOutcome = useOutcomeToast(brandId);
  const showWarnings = useWarningsToast(brandId);
  const progressContent = useProgressToast(brandId);
  const queryClient = useQueryClient();
  const [state, setState] = useState<UploadState>({ step: 'idle' });
  const [refused, setRefused] = useState<RefusedChoice>();
  const [isEmpty, setEmpty] = useState(false);
  const [chosenSheet, setSheet] = useState<string>();
  const sheets = state.step === 'error' ? sheetsOf(state.error) : [];
  const sheet = sheets.find((name) => name === chosenSheet) ?? sheets[0];
  /** The user's choices for this file so far: neither the answer to another question nor a failed upload resets them. */
  const chosen = useRef<{ sheet?: string | undefined; mapping?: string | undefined }>({});
  const columns = useColumnChoice(state.step === 'error' ? state.error : undefined);
  // A ref, because state changes with the next render: the second click of a double click may come before.
  const running = useRef<Running>(undefined);
  const isLeft = useRef(false);

  const start = (next: UploadState) => {
    if (!('file' in state && 'file' in next && next.file === state.file)) chosen.current = {};
    setRefused(undefined);
    setEmpty(false);
    setState(next);
  };

  const choose = (files: readonly File[], how: 'drop' | 'picker') => {
    const problem = problemOf(files, how, accepted);
    const [file] = files;
    if (problem) setRefused({ problem, workbook: problem === 'workbook' ? file : undefined });
    else if (file) start({ step: 'chosen', file });
  };

  const change = (changes: Partial<PendingUpload>) => setState((state) => (state.step === 'pending' ? { ...state, ...changes } : state));

  /** Polls an import that continues after its upload was answered. */
  const follow = async (file: File, importId: number, current: Running): Promise<UploadState> => {
    const cancelling = current.importing.signal;
    const onProgress = (progress?: ImportProgress) => {
      change({ progress, isFollowed: true });
      current.progress = progress;
      current.progressToast?.update(progressContent(importId, progress));
    };
    current.importId = importId;
    onProgress();
    rememberImport({ brandId, importId });
    const ended = await pollImport({ brandId, importId, cancelling, onProgress }).catch((error: unknown) => {
      forgetImport(importId, error);
      throw error;
    });
    forgetImport(importId);
    const end = endOf(ended);
    return end.step === 'preview' ? toPreview(file, await fetchPreview(brandId, importId)) : { ...end, file };
  };

  const run = async (file: File, current: Running, isCheck: boolean): Promise<UploadState> => {
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
      if (columns.answer) chosen.current.mapping = columns.answer;
      chosen.current.sheet = columns.question?.sheet ?? sheet ?? chosen.current.sheet;
      const sending = {
        brandId,
        file: prepared.file,
        sheet: chosen.current.sheet,
        mapping: chosen.current.mapping,
        signal: current.sending.signal,
        onProgress: onSent,
      };
      const answer = await (isCheck ? sendForCheck(sending) : sendCsv(sending));
      if ('valid_until' in answer) return toPreview(file, answer);
      if (!('state' in answer)) return toOutcome(file, answer);
      onSent(1);
      return await follow(file, answer.import_id, current);
    } catch (error) {
      if (current.sending.signal.aborted) return { step: 'chosen', file, cancelled: 'sending' };
      return { step: 'error', file, error };
    }
  };

  const confirmPreview = async (file: File, seen: ImportPreview, current: Running): Promise<UploadState> => {
    const { import_id } = seen;
    current.importId = import_id;
    try {
      const answer = await confirmChecked(brandId, seen);
      if (!('state' in answer)) return toOutcome(file, answer);
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      const preview = code === 'import_plan_changed' ? await fetchPreview(brandId, import_id).catch(() => undefined) : undefined;
      if (preview) return { step: 'preview', file, preview, isChanged: true };
      if (code !== 'import_not_checked') return { ...toPreview(file, seen), error };
      // Perhaps the answer to an earlier try was lost, and the file has been imported.
      const ended = await follow(file, import_id, current).catch(() => undefined);
      return ended && 'result' in ended ? ended : { step: 'error', file, error };
    }
    try {
      const outcome = await follow(file, import_id, current);
      // Back to the preview: the server has computed other numbers.
      return outcome.step === 'preview' ? { ...outcome, isChanged: true } : outcome;
    } catch (error) {
      return { step: 'error', file, error };
    }
  };

  const begin = async (pending: Partial<PendingUpload>, work: (file: File, current: Running) => Promise<UploadState>) => {
    if (!('file' in state) || running.current) return;
    const { file } = state;
    const sent = pending.sent ?? 0;
    const current: Running = { sending: new AbortController(), importing: new AbortController(), sent, isLeft: false };
    running.current = current;
    start({ step: 'pending', file, ...pending, sent });
    const outcome = await work(file, current);
    running.current = undefined;
    current.progressToast?.dismiss();
    // After the end of the session the import goes on.
    const isOpen = 'error' in outcome && current.importId !== undefined && isSessionOver(outcome.error);
    if (!current.isLeft) setState(outcome);
    else if (!isOpen) showOutcome(outcome, 'result' in outcome ? outcome.result.import_id : current.importId);
    // The keys of variants and certificates are below the brand's. Also after a failure: perhaps only the answer was
    // lost.
    void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
  };

  const upload = () => begin({}, (file, current) => run(file, current, false));
  const check = () => begin({ isCheck: true }, (file, current) => run(file, current, true));
  const confirm = () => {
    if (state.step !== 'preview') return;
    const { preview } = state;
    return begin({ sent: 1 }, (file, current) => confirmPreview(file, preview, current));
  };
  /** After a correction of the checked file, unless it is already being imported. */
  const showPreview = (preview: ImportPreview) => setState((state) => (state.step === 'preview' ? toPreview(state.file, preview) : state));
  const endCheck = () => {
    if (state.step !== 'preview') return;
    // If this fails, the server drops the checked file after half an hour.
    void discardChecked(brandId, state.preview.import_id)
      .then(() => queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) }))
      .catch(() => undefined);
  };
  const discard = () => {
    endCheck();
    if (state.step === 'preview') start({ step: 'chosen', file: state.file });
  };
  /** Makes the server ask for the column mapping, even if it remembers one. */
  const changeColumns = () => {
    endCheck();
    return begin({ isCheck: true }, (file, current) => {
      chosen.current.mapping = 'choose';
      return run(file, current, true);
    });
  };

  const cancel = () => {
    const { current } = running;
    if (!current) return;
    if (current.sent < 1) return current.sending.abort();
    change({ cancelling: true });
    current.importing.abort();
  };

  const sayItStaysOpen = () => change({ triedToClose: true });

  /** Called whenever the dialog closes. Toasts then report a running import, a checked file, or warnings. */
  const leave = () => {
    const { current } = running;
    if (!current) {
      if (isLeft.current) return;
      isLeft.current = true;
      if (state.step === 'preview') showOutcome(state, state.preview.import_id);
      if (state.step === 'success') showWarnings(state.result);
      return;
    }
    if (current.isLeft) return;
    current.isLeft = true;
    if (current.sent < 1) current.sending.abort();
    else current.progressToast = toast(progressContent(current.importId, current.progress));
  };
  const leavePage = useEffectEvent(leave);
  useEffect(() => {
    // In development React's strict mode mounts everything twice.
    isLeft.current = false;
    return () => leavePage();
  }, []);

  // Not needed once the import's id is known: it continues on the server, and its result is announced after a reload.
  useAskBeforeUnload(state.step === 'pending' && !state.isFollowed);

  return {
    state,
    refused,
    isEmpty,
    sheet,
    setSheet,
    columns,
    choose,
    upload,
    check,
    confirm,
    showPreview,
    discard,
    changeColumns,
    cancel,
    sayItStaysOpen,
    leave,
    reset: () => start({ step: 'idle' }),
  };
}

function toPreview(file: File, preview: ImportPreview) {
  return { step: 'preview', file, preview, isChanged: false } as const;
}

function toOutcome(file: File, result: CsvUploadAnswer): UploadState {
  return { ...toImported(result), file };
}
