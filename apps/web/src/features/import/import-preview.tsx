import { confirmImport, type ImportPreview } from '@brand-portal/contract/import';
import { Upload } from 'lucide-react';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { useWhyWaiting } from '../settings/channel-queries.ts';
import { ScrollRegion } from './dialog-parts.tsx';
import { ChangedDetails } from './import-changes.tsx';
import { LikelyIds } from './likely-ids.tsx';
import { RowErrors, Warnings } from './partial-result.tsx';

interface PreviewPanelProps {
  brandId: number;
  preview: ImportPreview;
  /** The preview after a correction. */
  onPreview: (preview: ImportPreview) => void;
  /** The brand has changed since the last preview. */
  isChanged: boolean;
  onChangeColumns?: () => void;
}

/** What the file would change. Nothing has been imported yet. */
export function PreviewPanel({ brandId, preview, onPreview, isChanged, onChangeColumns }: PreviewPanelProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { created, updated, errors, warnings, same_as, channel, needs_trial } = preview;
  const number = (count: number) => ({ count, number: format.number(count) });
  const nothingChanges = changesNothing(preview);
  const urgent = warnings.filter(({ code }) => URGENT.includes(code));
  const others = warnings.filter(({ code }) => !URGENT.includes(code) && code !== 'mistyped_certificates');
  const isPublishing = channel.published + channel.sent_again > 0;
  const waiting = useWhyWaiting(brandId, isPublishing);
  const heading = (kind: 'created' | 'updated') =>
    t(`import.preview.${preview[kind].length < preview[`variants_${kind}`] ? 'sample' : 'all'}_${kind}`);
  const time = format.time(preview.valid_until);
  const outcome = preview.total_rows === preview.rejected ? 'all_rejected' : nothingChanges ? 'nothing_changes' : undefined;
  return (
    <div className="flex flex-col gap-3">
      {isChanged && <Alert tone="warning">{t('import.preview.changed')}</Alert>}
      {urgent.map(({ code, message }) => (
        <Alert key={code} tone="warning">
          {message}
        </Alert>
      ))}
      <LikelyIds brandId={brandId} preview={preview} onPreview={onPreview} />
      <Alert tone="info">
        <p className="font-medium">{t(`import.preview.${outcome ?? 'title'}`)}</p>
        <p>{t(`import.preview.${outcome ? (`${outcome}_description` as const) : 'description'}`, { time })}</p>
      </Alert>
      {same_as && (
        <p className="text-pretty text-small">
          {t(nothingChanges ? 'import.preview.same_nothing' : 'import.preview.same', {
            day: format.day(same_as.created_at),
          })}
        </p>
      )}
      <dl className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        <Count label={t('import.preview.created')} value={preview.variants_created} />
        <Count label={t('import.preview.updated')} value={preview.variants_updated} />
        <Count label={t('import.preview.unchanged')} value={preview.variants_unchanged} />
        <Count label={t('import.preview.rejected')} value={preview.rejected} />
      </dl>
      <ul className="flex flex-col gap-1 text-pretty text-small text-text-secondary empty:hidden">
        {channel.published > 0 && <li>{t('import.preview.published', number(channel.published))}</li>}
        {channel.sent_again > 0 && !waiting && <li>{t('import.preview.sent_again', number(channel.sent_again))}</li>}
        {isPublishing && waiting && <li>{t(`variants.connection.${waiting}`)}</li>}
        {needs_trial && <li>{t('import.preview.needs_trial')}</li>}
      </ul>
      {updated.length > 0 && <Sample title={heading('updated')} variants={updated} />}
      {created.length > 0 && <Sample title={heading('created')} variants={created} />}
      {errors.length > 0 && (
        <div className="flex flex-col gap-1">
          <p className="font-medium text-small">{t('import.preview.rejected')}</p>
          <RowErrors errors={errors} />
        </div>
      )}
      <Warnings warnings={others} onChangeColumns={onChangeColumns} />
    </div>
  );
}

/** Warnings of which one should read before importing. */
const URGENT = ['many_renamed', 'malformed_certificates'];

/** Whether the valid rows would change nothing. */
function changesNothing({ variants_created, variants_updated, total_rows, rejected, channel }: ImportPreview): boolean {
  const changes = variants_created + variants_updated + channel.published + channel.sent_again;
  return changes === 0 && total_rows > rejected;
}

interface PreviewActionsProps {
  brandId: number;
  preview: ImportPreview;
  isDiscarding?: boolean;
  isConfirming?: boolean;
  confirmRef?: Ref<HTMLButtonElement>;
  onDiscard: () => void;
  onConfirm: () => void;
}

/** Import is the primary action, unless it would change nothing. */
export function PreviewActions(props: PreviewActionsProps) {
  const { brandId, preview, isDiscarding, isConfirming, confirmRef, onDiscard, onConfirm } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const importable = preview.total_rows - preview.rejected;
  const nothingChanges = changesNothing(preview);
  const denied = useDeniedReason(brandId)(confirmImport);
  const discard = (
    <Button key="discard" variant={nothingChanges ? 'primary' : 'secondary'} busy={isDiscarding} onClick={onDiscard}>
      {t('import.preview.discard')}
    </Button>
  );
  const confirm = (
    <ExplainedButton
      key="confirm"
      ref={confirmRef}
      variant={nothingChanges ? 'secondary' : 'primary'}
      icon={<Upload className="size-4" />}
      busy={isConfirming}
      hint={denied}
      disabledReason={importable === 0 ? t('import.preview.all_rejected') : undefined}
      onClick={onConfirm}
    >
      {nothingChanges ? t('import.preview.anyway') : t('import.preview.confirm', { count: importable, number: format.number(importable) })}
    </ExplainedButton>
  );
  return nothingChanges ? [confirm, discard] : [discard, confirm];
}

function Count({ label, value }: { label: string; value: number }) {
  const format = useFormat();
  return (
    <div className="flex flex-col-reverse rounded-control border px-3 py-2">
      <dt className="text-caption text-text-secondary">{label}</dt>
      <dd className="font-medium tabular-nums">{format.number(value)}</dd>
    </div>
  );
}

function Sample({ title, variants }: { title: string; variants: ImportPreview['updated'] }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-1">
      <p className="font-medium text-small">{title}</p>
      <ScrollRegion label={title} className="max-h-40 rounded-control border">
        <ul className="divide-y text-small">
          {variants.map(({ gtin, name, category, old_name, old_category, certificates: added, old_certificates: had, ...rest }) => (
            <li key={gtin} className="px-3 py-2">
              <Change from={old_name} to={name} />
              {(category || old_category) && (
                <p className="text-caption text-text-secondary">
                  <Change from={old_category} to={category} />
                </p>
              )}
              <ChangedDetails before={rest.old_details} after={rest.details} />
              {added.length > 0 && (
                <p className="text-caption text-text-secondary">
                  {t('import.preview.certificates')}{' '}
                  <Change from={had.length > 0 ? had.join(', ') : null} to={[...had, ...added].join(', ')} />
                </p>
              )}
              <p className="text-caption text-text-tertiary tabular-nums">{gtin}</p>
            </li>
          ))}
        </ul>
      </ScrollRegion>
    </div>
  );
}

/** `from`: null if the value stays the same. */
function Change({ from, to }: { from: string | null; to: string }) {
  const { t } = useTranslation();
  if (from === null) return <span className="wrap-anywhere">{to}</span>;
  return (
    <span className="wrap-anywhere">
      <del className="text-text-tertiary">
        <span className="sr-only">{t('import.preview.before')}</span>
        {from || '–'}
      </del>{' '}
      <span aria-hidden="true">→</span>{' '}
      <ins className="no-underline">
        <span className="sr-only">{t('import.preview.after')}</span>
        {to || '–'}
      </ins>
    </span>
  );
}
