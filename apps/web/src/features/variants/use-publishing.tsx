import { PUBLISH_AFTER_OPT_IN_DELAY_MS, UNDO_TOAST_MS } from '@brand-portal/contract/constants';
import type { VariantActionResult } from '@brand-portal/contract/variant-action-results';
import type { VariantFilter } from '@brand-portal/contract/variant-actions';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { withTexts } from '../../lib/lazy.ts';
import { useHandler } from '../../lib/use-handler.ts';
import { dialogFrom } from '../../ui/dialog-from.ts';
import { toast } from '../../ui/toast-store.ts';
import { TrialDialog } from '../brands/brand-dialogs.exported.tsx';
import { useBrand } from '../brands/brands-queries.ts';
import { connectionQuery, whyWaiting } from '../settings/channel-queries.ts';
import { applyPending, type PublishingChange } from './optimistic.ts';
import { type Answer, usePendingChanges, usePublishMutation } from './publishing-queries.ts';
import { isUnanswered, showRunning } from './unanswered.ts';
import { matchingNow } from './variant-actions-queries.ts';
import type { ChosenAction } from './variants-queries.ts';

/** Loaded after the list, like the panel. */
export const loadChannelDialog = withTexts(() => import('./channel-dialog.tsx'));
const ChannelDialog = dialogFrom(loadChannelDialog, 'ChannelDialog');
const UnpublishDialog = dialogFrom(
  withTexts(() => import('./unpublish-dialog.tsx')),
  'UnpublishDialog',
);

/** Above this number, unpublishing needs a confirmation. */
const MAX_UNPUBLISHED_UNCONFIRMED = 100;

/** It may take longer than a call. */
const isMany = ({ variant, selected }: PublishingChange) => !variant && (!selected || 'filter' in selected.chosen);

const textOf = ({ variant, selected, published }: PublishingChange) => {
  if (selected) return published ? 'publish_selected' : 'unpublish_selected';
  return variant === undefined ? 'publish_all' : published ? 'publish' : 'unpublish';
};

export type PublishingActions = ReturnType<typeof usePublishing>['actions'];

/** Publishing for the variants page: its actions, and the dialogs to render. */
export function usePublishing(brandId: number) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: brand } = useBrand(brandId);
  const [open, setOpen] = useState<'channel' | 'trial' | null>(null);
  const [change, setChange] = useState<PublishingChange>({ published: true });
  const [unpublishing, setUnpublishing] = useState<ChosenAction>();
  /** Number of variants in the list, if it is filtered. */
  const [shown, setShown] = useState<number>();
  const queryClient = useQueryClient();
  /** By what the page shows of the connection. */
  const isWaiting = () => whyWaiting(brand?.status, queryClient.getQueryData(connectionQuery(brandId).queryKey)?.state) !== undefined;
  const isOnPage = useIsMounted();
  const startTimer = useTimer();
  // A closing dialog can still be clicked while it fades out.
  const isConfirming = useRef(false);

  const { mutate } = usePublishMutation(brandId, {
    onSlow: ({ published }) => showRunning(t, t(`publishing.slow.${published ? 'publish' : 'unpublish'}`)),
    onDone: (done, answer) => {
      const { result } = answer;
      done.selected?.onDone();
      toast({
        variant: result?.changed === 0 ? 'default' : 'success',
        title: result ? describeResult(done, result) : t(`publishing.done.${textOf(done)}`),
        ...(result ? undo(result) : describe(done, answer)),
      });
    },
    onFailed: (error, failed) => {
      // If the brand was not loaded yet when the user confirmed, the server reports the missing trial.
      if (error instanceof ApiError && error.code === 'trial_required' && isOnPage()) return ask('trial', failed);
      const count = matchingNow(error);
      if (isMany(failed) && isUnanswered(error)) {
        toast({
          variant: 'warning',
          title: t('publishing.unknown.title'),
          description: t('publishing.unknown.description'),
        });
        return;
      }
      toast({
        variant: 'error',
        title: t(`publishing.failed.${textOf(failed)}`),
        description: count === undefined ? errorMessage(error, t) : t('selection.changed', { count, number: format.number(count) }),
      });
    },
  });

  const toSend = (count: number) =>
    t(isWaiting() ? 'publishing.waiting_many' : 'publishing.queued_many', { count, number: format.number(count) });

  /** "12 queued for Google, 3 were already published" */
  const describeResult = (done: PublishingChange, { changed, skipped }: VariantActionResult) => {
    const numbers = (count: number) => ({ count, number: format.number(count) });
    const isNothingDone = changed === 0 && skipped.length > 0;
    const doneText = done.published ? toSend(changed) : t('publishing.unpublished_many', numbers(changed));
    return [
      ...(isNothingDone ? [] : [doneText]),
      ...skipped.map(({ reason, count }) => t(`publishing.skipped.${reason}`, numbers(count))),
    ].join(', ');
  };

  /** Publishes exactly the variants that were unpublished. The server sends no ids if there are too many to send back. */
  const undo = ({ unpublished_ids: ids }: VariantActionResult) =>
    ids && {
      durationMs: UNDO_TOAST_MS,
      action: {
        label: t('deletion.undo'),
        onSelect: () => mutate({ selected: { chosen: { ids }, count: ids.length, onDone: () => {} }, published: true }),
      },
    };

  /** The name of a single variant, or the number of variants. */
  const describe = ({ variant, published }: PublishingChange, { variant: changed, published: count }: Answer) => {
    if (variant) {
      const { name } = variant;
      if (published) return { description: t(isWaiting() ? 'publishing.waiting' : 'publishing.queued', { name }) };
      // Nothing is withdrawn of a variant that was never sent.
      const isWithdrawn = changed?.channel?.state === 'removing';
      return { description: isWithdrawn ? t('publishing.withdrawn', { name }) : name };
    }
    return count === undefined ? {} : { description: toSend(count) };
  };

  const ask = (dialog: 'channel' | 'trial', change: PublishingChange) => {
    isConfirming.current = true;
    setChange(change);
    setOpen(dialog);
  };
  const confirmChannel = () => {
    if (!isConfirming.current) return;
    isConfirming.current = false;
    // If the brand is not loaded yet, the server checks this.
    if (brand?.opted_in_for_trial === false) return setOpen('trial');
    setOpen(null);
    mutate(change);
  };
  const publishAfterOptIn = () => {
    if (isOnPage()) startTimer(() => mutate(change), PUBLISH_AFTER_OPT_IN_DELAY_MS);
  };

  const pending = usePendingChanges(brandId);
  const pendingSelected = pending.find(({ selected }) => selected);
  const actions = {
    onPublish: useHandler((variant: VariantAnswer) => ask('channel', { variant, published: true })),
    onUnpublish: useHandler((variant: VariantAnswer) => mutate({ variant, published: false })),
    /** `shown`: number of variants in the list, if a search or filter is set. */
    onPublishAll: (shown?: number) => {
      setShown(shown);
      ask('channel', { published: true });
    },
    isPublishingAll: pending.some(({ variant, selected }) => !variant && !selected),
    onPublishChosen: (selected: ChosenAction) => ask('channel', { selected, published: true }),
    onUnpublishChosen: (selected: ChosenAction) => {
      if (selected.count > MAX_UNPUBLISHED_UNCONFIRMED) setUnpublishing(selected);
      else mutate({ selected, published: false });
    },
    /** The action that is running on selected variants. */
    runningAction: pendingSelected && (pendingSelected.published ? ('publish' as const) : ('unpublish' as const)),
    /** A row with pending changes applied. `filter`: the filter of its list. */
    applyPending: useCallback(
      (variant: VariantAnswer, filter: VariantFilter | undefined) => applyPending(variant, filter, pending),
      [pending],
    ),
  };
  const close = (next: boolean) => {
    if (next) return;
    isConfirming.current = false;
    setOpen(null);
  };
  const dialogs = (
    <>
      <ChannelDialog
        brandId={brandId}
        variant={change.variant}
        selected={change.selected?.count}
        shown={shown}
        open={open === 'channel'}
        onOpenChange={close}
        onConfirm={confirmChannel}
      />
      <UnpublishDialog
        selected={unpublishing}
        open={unpublishing !== undefined}
        onOpenChange={(next) => !next && setUnpublishing(undefined)}
        onConfirm={(selected) => mutate({ selected, published: false })}
      />
      <TrialDialog brandId={brandId} open={open === 'trial'} onOpenChange={close} onStarted={publishAfterOptIn} />
    </>
  );
  return { actions, dialogs };
}

function useIsMounted(): () => boolean {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return () => isMounted.current;
}

/** Starts a timer, which is cleared on unmount. */
function useTimer(): (work: () => void, delay: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (work, delay) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(work, delay);
  };
}
