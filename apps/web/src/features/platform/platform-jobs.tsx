import type { FailingJob } from '@brand-portal/contract/platform';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PlatformRow, RetryRowButton, useResultToast } from './platform-list.tsx';
import { useDeleteJob, useRetryJob } from './platform-queries.ts';

const nameOfJob = ({ task, id }: FailingJob) => `${task} #${id}`;

export function JobRow({ job, onDelete }: { job: FailingJob; onDelete: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const resultToast = useResultToast();
  const name = nameOfJob(job);
  const { mutate, isPending } = useRetryJob(job.id, resultToast(t('platform.jobs.retry_done', { name })));
  const lines = [
    job.last_error,
    [
      t('platform.attempts', { count: job.attempts }),
      format.time(job.created_at),
      job.run_at ? t('platform.next', { time: format.time(job.run_at) }) : t('platform.jobs.given_up'),
    ].join(' · '),
  ];
  return (
    <PlatformRow
      name={name}
      lines={lines}
      actions={
        <>
          <RetryRowButton name={name} isPending={isPending} onRetry={() => mutate()} />
          <Button size="dense" aria-label={t('platform.delete_label', { name })} onClick={onDelete}>
            {t('platform.delete')}
          </Button>
        </>
      }
    />
  );
}

/** Deleting a job cannot be undone. */
export function DeleteJobDialog({ job, open, onClose }: { job: FailingJob; open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const resultToast = useResultToast();
  const name = nameOfJob(job);
  const { mutate, isPending } = useDeleteJob(job.id, resultToast(t('platform.jobs.delete_done', { name })));
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('platform.jobs.ask', { name })}
      description={t('platform.jobs.ask_hint')}
      isLocked={isPending}
      onConfirm={() => mutate(undefined, { onSettled: onClose })}
      footer={
        <>
          <Button disabled={isPending} onClick={onClose}>
            {t('platform.cancel')}
          </Button>
          <Button type="submit" variant="danger" busy={isPending} busyLabel={t('platform.working')}>
            {t('platform.delete')}
          </Button>
        </>
      }
    />
  );
}
