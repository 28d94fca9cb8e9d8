import { type ChannelFeed, createChannelFeed, type NewChannelFeed, revokeChannelFeed } from '@brand-portal/contract/channel';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { feedQuery, useCreateFeed, useRevokeFeed } from './channel-queries.ts';
import { SettingsSection } from './settings-section.exported.tsx';

const tones = { none: 'neutral', active: 'success', revoked: 'neutral' } as const;

/** A feed of certificates for brands that send their products to Google in another way: a URL that Google fetches. */
export function FeedSection({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(feedQuery(brandId));
  return (
    <SettingsSection
      title={t('settings.feed.title')}
      data={data}
      error={error}
      errorTitle={t('settings.feed.error')}
      onRetry={() => void refetch()}
      status={data && <Badge tone={tones[data.state]}>{t(`settings.feed.state.${data.state}`)}</Badge>}
    >
      {(feed) => <Feed brandId={brandId} feed={feed} />}
    </SettingsSection>
  );
}

function Feed({ brandId, feed }: { brandId: number; feed: ChannelFeed }) {
  const { t } = useTranslation();
  const [action, setAction] = useState<'renew' | 'revoke'>('renew');
  const [isAsking, setAsking] = useState(false);
  const create = useCreateFeed(brandId);
  const revoke = useRevokeFeed(brandId);
  const deniedReason = useDeniedReason(brandId);
  const isActive = feed.state === 'active';
  const { mutate, isPending, error } = action === 'renew' ? create : revoke;

  const ask = (what: 'renew' | 'revoke') => {
    create.reset();
    revoke.reset();
    setAction(what);
    setAsking(true);
  };
  const confirm = () => {
    mutate(undefined, {
      onSuccess: () => {
        setAsking(false);
        if (action === 'revoke') toast({ variant: 'success', title: t('settings.feed.revoke.done') });
      },
    });
  };

  return (
    <div className="flex flex-col items-start gap-3">
      <p className="max-w-prose text-pretty text-text-secondary">{t('settings.feed.description')}</p>
      <FeedTimes feed={feed} />
      {isActive && feed.maker_left && <Alert tone="warning">{t('settings.feed.maker_left')}</Alert>}
      {create.data && isActive && <Addresses feed={create.data} />}
      {create.error && !isAsking && <Alert tone="error">{errorMessage(create.error, t)}</Alert>}
      <div className="flex flex-wrap gap-2">
        {isActive ? (
          <>
            <ExplainedButton hint={deniedReason(createChannelFeed)} onClick={() => ask('renew')}>
              {t('settings.feed.renew.action')}
            </ExplainedButton>
            <ExplainedButton hint={deniedReason(revokeChannelFeed)} onClick={() => ask('revoke')}>
              {t('settings.feed.revoke.action')}
            </ExplainedButton>
          </>
        ) : (
          <ExplainedButton
            variant="primary"
            busy={create.isPending}
            busyLabel={t('settings.feed.creating')}
            hint={deniedReason(createChannelFeed)}
            onClick={() => create.mutate()}
          >
            {t('settings.feed.create')}
          </ExplainedButton>
        )}
      </div>
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t(`settings.feed.${action}.title`)}
        description={t(`settings.feed.${action}.description`)}
        isLocked={isPending}
        footer={
          <>
            <Button disabled={isPending} onClick={() => setAsking(false)}>
              {t('settings.feed.cancel')}
            </Button>
            <Button
              variant={action === 'revoke' ? 'danger' : 'primary'}
              busy={isPending}
              busyLabel={t(`settings.feed.${action}.busy`)}
              onClick={confirm}
            >
              {t(`settings.feed.${action}.confirm`)}
            </Button>
          </>
        }
      >
        {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
      </Dialog>
    </div>
  );
}

function FeedTimes({ feed: { state, created_at, revoked_at, last_fetched_at } }: { feed: ChannelFeed }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (state === 'none') return null;
  const times = [
    created_at && t('settings.feed.created', { time: format.time(created_at) }),
    last_fetched_at
      ? t('settings.feed.fetched', { time: format.time(last_fetched_at) })
      : state === 'active' && t('settings.feed.never_fetched'),
    revoked_at && t('settings.feed.revoked', { time: format.time(revoked_at) }),
  ];
  return <p className="text-small">{times.filter(Boolean).join(' ')}</p>;
}

function Addresses({ feed }: { feed: NewChannelFeed }) {
  const { t } = useTranslation();
  const addresses = [
    { label: t('settings.feed.tsv'), value: feed.tsv_url },
    { label: t('settings.feed.xml'), value: feed.xml_url },
  ];
  return (
    <div className="flex w-full flex-col gap-3">
      <Alert tone="info">{t('settings.feed.once')}</Alert>
      {addresses.map(({ label, value }) => (
        <CopyField
          key={label}
          label={label}
          value={value}
          copyLabel={t('settings.feed.copy', { label })}
          copiedText={t('settings.feed.copied')}
        />
      ))}
      <p className="max-w-prose text-pretty text-small text-text-secondary">{t('settings.feed.ids')}</p>
    </div>
  );
}
