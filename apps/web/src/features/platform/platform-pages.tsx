import type { FailedDelivery, FailingJob, JobKind, Registry } from '@brand-portal/contract/platform';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PlatformFrame } from './platform-frame.exported.tsx';
import { DeleteJobDialog, JobRow } from './platform-jobs.tsx';
import { PlatformList, PlatformRow, RetryRowButton, useResultToast } from './platform-list.tsx';
import {
  failedDeliveriesQuery,
  failedImportsQuery,
  jobsQuery,
  registriesQuery,
  rollBackPreviewQuery,
  useRetryDelivery,
  useRollBack,
} from './platform-queries.ts';

interface PageProps {
  notFound: ReactNode;
}

/** Failures at Google and in imports, of all brands. */
export function FailuresPage({ notFound }: PageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const deliveries = useQuery(failedDeliveriesQuery());
  const imports = useQuery(failedImportsQuery(useLanguage()));
  return (
    <PlatformFrame
      title={t('shell.platform_pages.failures')}
      subtitle={t('platform.failures.subtitle')}
      error={deliveries.error ?? imports.error}
      notFound={notFound}
    >
      <PlatformList
        title={t('platform.failures.deliveries')}
        empty={t('platform.failures.no_deliveries')}
        query={deliveries}
        rowsOf={({ results }) => results}
        count={deliveries.data?.count}
      >
        {(delivery) => <DeliveryRow key={`${delivery.brand_id}-${delivery.variant_id}`} delivery={delivery} />}
      </PlatformList>
      <PlatformList
        title={t('platform.failures.imports')}
        empty={t('platform.failures.no_imports')}
        query={imports}
        rowsOf={({ results }) => results}
        count={imports.data?.count}
        isNewestFirst
      >
        {({ brand_id, id, brand_name, file_name, reason, created_at }) => (
          <PlatformRow key={`${brand_id}-${id}`} name={`${brand_name} · ${file_name}`} lines={[reason, format.time(created_at)]} />
        )}
      </PlatformList>
    </PlatformFrame>
  );
}

function DeliveryRow({ delivery }: { delivery: FailedDelivery }) {
  const { t } = useTranslation();
  const format = useFormat();
  const resultToast = useResultToast();
  const { mutate, isPending } = useRetryDelivery(resultToast(t('platform.failures.retried')));
  const { brand_id, variant_id, gtin, state, attempts, reason, since, next_attempt_at } = delivery;
  const name = `${delivery.brand_name || t('platform.deleted_brand', { id: brand_id })} · ${gtin ?? t('platform.failures.deleted')}`;
  const facts = [
    state === 'refused' ? t('platform.failures.refused') : t('platform.attempts', { count: attempts }),
    format.time(since),
    next_attempt_at && t('platform.next', { time: format.time(next_attempt_at) }),
  ];
  return (
    <PlatformRow
      name={name}
      lines={[reason, facts.filter(Boolean).join(' · ')]}
      actions={<RetryRowButton name={name} isPending={isPending} onRetry={() => mutate({ brand_id, variant_id })} />}
    />
  );
}

/** Registries are loaded by a command, not here: their files are too large for a browser. */
export function RegistriesPage({ notFound }: PageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const registries = useQuery(registriesQuery());
  const [target, setTarget] = useState<Registry>();
  const [isConfirming, setConfirming] = useState(false);
  return (
    <PlatformFrame
      title={t('shell.platform_pages.registries')}
      subtitle={t('platform.registries.subtitle')}
      error={registries.error}
      notFound={notFound}
    >
      <PlatformList
        title={t('platform.registries.loaded')}
        empty={t('platform.registries.none')}
        isEmptyNeutral
        query={registries}
        rowsOf={({ results }) => results}
      >
        {(registry) => (
          <PlatformRow
            key={registry.certification_name}
            name={registry.certification_name}
            lines={[
              t('platform.registries.entries', { count: registry.entries, number: format.number(registry.entries) }),
              t('platform.registries.loaded_at', { time: format.time(registry.loaded_at) }),
            ]}
            actions={
              registry.can_roll_back && (
                <Button
                  size="dense"
                  aria-label={t('platform.registries.roll_back_label', { name: registry.certification_name })}
                  onClick={() => {
                    setTarget(registry);
                    setConfirming(true);
                  }}
                >
                  {t('platform.registries.roll_back')}
                </Button>
              )
            }
          />
        )}
      </PlatformList>
      {target && <RollBackDialog registry={target} open={isConfirming} onClose={() => setConfirming(false)} />}
    </PlatformFrame>
  );
}

/** Previews what the rollback would change. */
function RollBackDialog({ registry, open, onClose }: { registry: Registry; open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const resultToast = useResultToast();
  const certification = registry.certification_name;
  const preview = useQuery({ ...rollBackPreviewQuery(certification), enabled: open });
  const { mutate, isPending } = useRollBack(resultToast(t('platform.registries.rolled_back', { name: certification })));
  const { data, error } = preview;
  const confirm = () => {
    if (data) mutate(certification, { onSettled: onClose });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('platform.registries.ask', { name: certification })}
      description={
        data === undefined
          ? t('platform.registries.preview')
          : data.loaded_at
            ? t('platform.registries.back_to', { time: format.time(data.loaded_at) })
            : t('platform.registries.back_to_none')
      }
      isLocked={isPending}
      onConfirm={confirm}
      footer={
        <>
          <Button disabled={isPending} onClick={onClose}>
            {t('platform.cancel')}
          </Button>
          <Button type="submit" variant="danger" disabled={!data} busy={isPending} busyLabel={t('platform.working')}>
            {t('platform.registries.roll_back')}
          </Button>
        </>
      }
    >
      <div role="status" className="min-h-6">
        {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
        {data?.effects.length === 0 && t('platform.registries.no_effects')}
        <ul className="list-disc pl-5">
          {data?.effects.map(({ from, to, certificates, brands }) => (
            <li key={`${from}-${to}`}>
              {t('platform.registries.effect', {
                count: certificates,
                number: format.number(certificates),
                brands: format.number(brands),
                from: statusOf(from, t),
                to: statusOf(to, t),
              })}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

const STATUSES = ['validated', 'pending', 'invalid'] as const;

function statusOf(text: string, t: TFunction): string {
  const status = STATUSES.find((known) => known === text);
  return status ? t(`certificate_status.${status}`) : text;
}

const STATES = ['waiting', 'scheduled', 'running', 'retrying', 'failed'] as const;

export function JobsPage({ notFound }: PageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const jobs = useQuery(jobsQuery());
  const [target, setTarget] = useState<FailingJob>();
  const [isConfirming, setConfirming] = useState(false);
  const counted = (kind: JobKind) =>
    STATES.filter((state) => kind[state] > 0).map((state) =>
      t(`platform.jobs.${state}`, { count: kind[state], number: format.number(kind[state]) }),
    );
  return (
    <PlatformFrame title={t('shell.platform_pages.jobs')} subtitle={t('platform.jobs.subtitle')} error={jobs.error} notFound={notFound}>
      <PlatformList
        title={t('platform.jobs.failing')}
        empty={t('platform.jobs.none_failing')}
        query={jobs}
        rowsOf={({ failing }) => failing}
      >
        {(job) => (
          <JobRow
            key={job.id}
            job={job}
            onDelete={() => {
              setTarget(job);
              setConfirming(true);
            }}
          />
        )}
      </PlatformList>
      <PlatformList title={t('platform.jobs.kinds')} empty={t('platform.jobs.none')} query={jobs} rowsOf={({ kinds }) => kinds}>
        {(kind) => <PlatformRow key={kind.task} name={kind.task} lines={[counted(kind).join(' · ')]} />}
      </PlatformList>
      {target && <DeleteJobDialog job={target} open={isConfirming} onClose={() => setConfirming(false)} />}
    </PlatformFrame>
  );
}
