import { publishVariant } from '@brand-portal/contract/publishing';
import type { VariantFilter } from '@brand-portal/contract/variant-actions';
import { updateVariant } from '@brand-portal/contract/variant-detail';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { useQuery } from '@tanstack/react-query';
import { Copy, EyeOff, PackageX, Pencil, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { PanelBody, PanelFooter } from '../../ui/panel.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';
import { PublishedBadge } from './published-badge.tsx';
import { variantDetailQuery } from './variant-detail-queries.ts';
import { VariantFacts } from './variant-facts.tsx';
import { VariantForm } from './variant-form.tsx';
import { VariantGtin } from './variant-gtin.tsx';
import { useVariantActions } from './variants-actions.tsx';

interface VariantContentProps {
  brandId: number;
  variantId: number | undefined;
  /** The list's entry for the variant, shown until its details are loaded. */
  known: VariantAnswer | undefined;
  /** The list's filter, if the variant is in the list. */
  filter: VariantFilter | undefined;
  onDelete: (variant: VariantAnswer) => void;
  onClose: () => void;
}

/** One variant, in view or edit mode. */
export function VariantContent(props: VariantContentProps) {
  const { brandId, variantId, known, filter, onDelete, onClose } = props;
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const query = useQuery({ ...variantDetailQuery(brandId, variantId ?? 0), enabled: variantId !== undefined });
  const { data: detail, error, refetch } = query;
  const { applyPending, deniedReason } = useVariantActions();
  const isUnknown = variantId === undefined || (error instanceof ApiError && error.status === 404);
  // Comes first: a failed refetch must not discard what was typed.
  if (isEditing && detail) {
    const stop = () => setEditing(false);
    return <VariantForm brandId={brandId} detail={detail} isGone={isUnknown} onCancel={stop} onSaved={stop} />;
  }
  if (isUnknown) {
    return (
      <EmptyState
        icon={PackageX}
        heading="h3"
        title={t('variant_panel.not_found.title')}
        description={t('variant_panel.not_found.description')}
        action={<Button onClick={onClose}>{t('ui.close')}</Button>}
      />
    );
  }
  const row = detail ?? known;
  const variant = row && applyPending(row, filter);
  const denied = detail?.may_edit === false ? (deniedReason(updateVariant) ?? t('denied.ask_admin')) : undefined;
  return (
    <>
      <PanelBody>
        {variant && (
          <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
            <GtinWithCopy gtin={variant.gtin} />
            <PublishedBadge variant={variant} />
          </div>
        )}
        {detail ? (
          <VariantFacts brandId={brandId} detail={detail} denied={denied} />
        ) : error ? (
          <QueryError title={t('variant_panel.error')} error={error} refetch={refetch} />
        ) : (
          <div role="status" className="flex flex-col gap-4">
            <span className="sr-only">{t('variant_panel.loading')}</span>
            {[1, 2, 3, 4].map((line) => (
              <Skeleton key={line} className="h-16 w-full" />
            ))}
          </div>
        )}
      </PanelBody>
      {variant && detail && (
        <Actions variant={variant} denied={denied} onEdit={() => setEditing(true)} onDelete={() => onDelete(variant)} />
      )}
    </>
  );
}

function GtinWithCopy({ gtin }: { gtin: string }) {
  const { t } = useTranslation();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(gtin);
      toast({ variant: 'success', title: t('variant_panel.copied') });
    } catch {
      // The browser may refuse access to the clipboard. One click on the number selects it, to be copied by hand.
    }
  };
  return (
    <span className="flex items-center gap-1">
      <VariantGtin gtin={gtin} />
      <Button
        variant="ghost"
        size="icon-dense"
        aria-label={t('variant_panel.copy_gtin')}
        icon={<Copy className="size-4" />}
        onClick={() => void copy()}
      />
    </span>
  );
}

interface ActionsProps {
  variant: VariantAnswer;
  /** Why the member may not change it. */
  denied: string | undefined;
  onEdit: () => void;
  onDelete: () => void;
}

function Actions({ variant, denied, onEdit, onDelete }: ActionsProps) {
  const { t } = useTranslation();
  const { onPublish, onUnpublish, deniedReason } = useVariantActions();
  const { published } = variant;
  return (
    <PanelFooter>
      <ExplainedButton variant="ghost" className="sm:mr-auto" icon={<Trash2 className="size-4" />} hint={denied} onClick={onDelete}>
        {t('selection.delete')}
      </ExplainedButton>
      <ExplainedButton
        icon={published ? <EyeOff className="size-4" /> : <Send className="size-4" />}
        hint={denied ?? deniedReason(publishVariant, { published: !published })}
        onClick={() => (published ? onUnpublish(variant) : onPublish(variant))}
      >
        {t(published ? 'variants.unpublish' : 'variants.publish')}
      </ExplainedButton>
      <ExplainedButton variant="primary" icon={<Pencil className="size-4" />} hint={denied} onClick={onEdit}>
        {t('variant_panel.edit')}
      </ExplainedButton>
    </PanelFooter>
  );
}
