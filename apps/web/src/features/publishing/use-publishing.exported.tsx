import { PUBLISH_AFTER_OPT_IN_DELAY_MS } from '@brand-portal/contract/constants';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { toast } from '../../ui/toast-store.ts';
import { useBrand } from '../brands/brands-queries.ts';
import { TrialDialog } from '../brands/trial-dialog.exported.tsx';
import { ChannelDialog } from './channel-dialog.tsx';
import { useChangesUnderWay, usePublishMutation } from './publishing-queries.ts';
import { asWanted, type PublishingChange } from './wanted.ts';

const textOf = ({ variant, published }: PublishingChange) =>
  variant === undefined ? 'publish_all' : published ? 'publish' : 'unpublish';

/** Publishing for a page of variants: what its controls do, and the dialogs to show beside it. */
export function usePublishing(brandId: number) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: brand } = useBrand(brandId);
  const [open, setOpen] = useState<'channel' | 'trial' | null>(null);
  const [change, setChange] = useState<PublishingChange>({ published: true });
  const isOnPage = useIsMounted();
  const startTimer = useTimer();
  // A closing dialog can be clicked until it has faded.
  const isAsked = useRef(false);

  const { mutate } = usePublishMutation(brandId, {
    onDone: (done, published) =>
      toast({
        variant: 'success',
        title: t(`publishing.done.${textOf(done)}`),
        ...describe(done, published),
      }),
    onFailed: (error, failed) => {
      // Of a brand that was not known yet when the dialog was confirmed.
      if (error instanceof ApiError && error.code === 'trial_required' && isOnPage()) return ask('trial', failed);
      toast({
        variant: 'error',
        title: t(`publishing.failed.${textOf(failed)}`),
        description: errorMessage(error, t),
      });
    },
  });

  /** Which one it was, or how many. */
  const describe = ({ variant, published }: PublishingChange, count: number | undefined) => {
    if (variant)
      return { description: t(published ? 'publishing.queued' : 'publishing.withdrawn', { name: variant.name }) };
    return count === undefined
      ? {}
      : { description: t('publishing.queued_many', { count, number: format.number(count) }) };
  };

  const ask = (dialog: 'channel' | 'trial', change: PublishingChange) => {
    isAsked.current = true;
    setChange(change);
    setOpen(dialog);
  };
  const confirmChannel = () => {
    if (!isAsked.current) return;
    isAsked.current = false;
    // Of a brand that is not known yet, the server knows.
    if (brand?.opted_in_for_trial === false) return setOpen('trial');
    setOpen(null);
    mutate(change);
  };
  const publishAfterOptIn = () => {
    if (isOnPage()) startTimer(() => mutate(change), PUBLISH_AFTER_OPT_IN_DELAY_MS);
  };

  const underWay = useChangesUnderWay(brandId);
  const actions = {
    onPublish: (variant: VariantAnswer) => ask('channel', { variant, published: true }),
    onUnpublish: (variant: VariantAnswer) => mutate({ variant, published: false }),
    onPublishAll: () => ask('channel', { published: true }),
    isPublishingAll: underWay.some(({ variant }) => variant === undefined),
    asWanted: useCallback((variant: VariantAnswer) => asWanted(variant, underWay), [underWay]),
  };
  const close = (next: boolean) => {
    if (next) return;
    isAsked.current = false;
    setOpen(null);
  };
  const dialogs = (
    <>
      <ChannelDialog
        brandId={brandId}
        variant={change.variant}
        open={open === 'channel'}
        onOpenChange={close}
        onConfirm={confirmChannel}
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

/** Starts what is to happen later; whoever leaves the page before takes it back. */
function useTimer(): (work: () => void, delay: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (work, delay) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(work, delay);
  };
}
