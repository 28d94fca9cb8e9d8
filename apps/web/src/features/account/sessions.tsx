import type { Session } from '@brand-portal/contract/account';
import type { UseQueryResult } from '@tanstack/react-query';
import { Monitor } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';
import { SettingsSection } from '../settings/settings-section.exported.tsx';
import { useEndSessions } from './account-queries.ts';

/** The devices where the member is signed in, each with a button to end its session. */
export function Sessions({ query: { data, error, refetch } }: { query: UseQueryResult<{ results: Session[] }> }) {
  const { t } = useTranslation();
  const { mutate, isPending, variables } = useEndSessions();

  const end = (which: number | 'others') => {
    mutate(which, {
      onSuccess: () =>
        toast({
          variant: 'success',
          title: t(which === 'others' ? 'account.sessions.others_ended' : 'account.sessions.ended'),
        }),
      onError: (failure) => toast({ variant: 'error', title: t('account.sessions.failed'), description: errorMessage(failure, t) }),
    });
  };

  return (
    <SettingsSection
      title={t('account.sessions.title')}
      data={data}
      error={error}
      errorTitle={t('account.sessions.error')}
      onRetry={() => void refetch()}
    >
      {({ results }) => (
        <>
          <ul aria-label={t('account.sessions.list')} tabIndex={-1} className="max-w-2xl">
            {results.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                isEnding={isPending && variables === session.id}
                onEnd={() => end(session.id)}
              />
            ))}
          </ul>
          {results.some(({ is_current }) => !is_current) && (
            <EndButton focusTarget="main" className="mt-3" busy={isPending && variables === 'others'} onClick={() => end('others')}>
              {t('account.sessions.end_others')}
            </EndButton>
          )}
        </>
      )}
    </SettingsSection>
  );
}

interface SessionRowProps {
  session: Session;
  isEnding: boolean;
  onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { browser, system } = session.device;
  const device =
    browser && system ? t('account.sessions.device', { browser, system }) : (browser ?? system ?? t('account.sessions.unknown'));
  const time = format.time(session.last_used_at);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t py-3 first:border-t-0">
      <Monitor className="size-5 shrink-0 text-text-tertiary" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {device}
          {session.is_current && <Badge tone="success">{t('account.sessions.current')}</Badge>}
        </p>
        <p className="wrap-anywhere text-small text-text-secondary">
          {t('account.sessions.used', { time })}
          {session.address !== '' && ` ${t('account.sessions.from', { address: session.address })}`}
        </p>
      </div>
      {!session.is_current && (
        <EndButton
          focusTarget="ul"
          size="dense"
          className="max-sm:ml-8"
          busy={isEnding}
          aria-label={t('account.sessions.end_label', { device, time })}
          onClick={onEnd}
        >
          {t('account.sessions.end')}
        </EndButton>
      )}
    </li>
  );
}

/** The button disappears with its session: the focus moves to the element around it. */
function EndButton({ focusTarget, ...rest }: ComponentProps<typeof Button> & { focusTarget: string }) {
  const { t } = useTranslation();
  const ref = useMoveFocusOnUnmount(focusTarget);
  return <Button {...rest} ref={ref} busyLabel={t('account.sessions.ending')} />;
}
