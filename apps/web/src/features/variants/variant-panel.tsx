import type { VariantFilter } from '@brand-portal/contract/variant-actions';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Copy, EyeOff, PackageX, Pencil, Send, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router';
import { ApiError, errorMessage } from '../../lib/api-error.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PanelBody, PanelFooter } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';
import { parseId, productVariantPath, productVariantsPath } from '../brands/brand-paths.exported.tsx';
import { PublishedBadge } from './published-badge.tsx';
import type { PanelState } from './use-open-variant.ts';
import type { VariantsToDelete } from './variant-actions-queries.ts';
import { findTable } from './variant-deletion.exported.tsx';
import { variantDetailQuery } from './variant-detail-queries.ts';
import { VariantFacts } from './variant-facts.tsx';
import { VariantForm } from './variant-form.tsx';
import { VariantGtin } from './variant-gtin.tsx';
import { useSelectionStore } from './variant-selection.tsx';
import { useVariantActions } from './variants-actions.tsx';
import type { VariantList } from './variants-queries.ts';
import { toFilter } from './variants-view.ts';

const noRows: readonly VariantAnswer[] = [];

interface VariantPanelProps {
  brandId: number;
  list: VariantList | undefined;
  onDelete: (variants: VariantsToDelete) => void;
}

/** The variant that the address names, beside the list. What is typed into it is not left without asking. */
export function VariantPanel({ brandId, list, onDelete }: VariantPanelProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const wanted = useParams().variantId;
  // Where something is not saved, the panel stays until the member has decided, whatever the address says.
  const [shown, setShown] = useState(wanted);
  const [isDirty, setDirty] = useState(false);
  if (wanted !== undefined && wanted !== shown && !isDirty) setShown(wanted);
  const isAsking = isDirty && wanted !== shown;

  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isDirty]);

  const variantId = parseId(shown);
  const { data: detail } = useQuery({
    ...variantDetailQuery(brandId, variantId ?? 0),
    enabled: variantId !== undefined && wanted !== undefined,
  });
  const rows = list?.results ?? noRows;
  const index = rows.findIndex(({ id }) => id === variantId);
  const known = rows[index];
  const previous = index > 0 ? rows[index - 1] : undefined;
  const next = index >= 0 ? rows[index + 1] : undefined;

  const close = useCallback(() => {
    const { isFromList } = (state ?? {}) as PanelState;
    void (isFromList ? navigate(-1) : navigate(productVariantsPath(brandId) + search, { replace: true }));
  }, [navigate, brandId, search, state]);
  const goTo = (variant: VariantAnswer | undefined) => {
    if (variant) void navigate(productVariantPath(brandId, variant.id) + search, { replace: true, state });
  };
  const selection = useSelectionStore();
  const [deletedId, setDeletedId] = useState<number>();
  const closeDeleted = useEffectEvent(() => {
    // The member may have gone on meanwhile.
    if (wanted !== undefined && variantId === deletedId) close();
  });
  useEffect(() => {
    if (deletedId !== undefined) closeDeleted();
  }, [deletedId]);
  const remove = ({ id, name, published }: VariantAnswer) =>
    onDelete({
      ...{ chosen: { ids: [id] }, count: 1, published: Number(published), name },
      onDeleted: () => {
        selection.forget(id);
        setDeletedId(id);
      },
    });
  const press = (event: KeyboardEvent<HTMLElement>) => {
    // What is pressed in a dialog above the panel is none of its business.
    if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return;
    // A toast would take the key for itself and leave the panel open.
    if (event.key === 'Escape' && !event.defaultPrevented) return close();
    const isTyping = event.target.closest('input, textarea, select') !== null;
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !isTyping;
    const isNext = (event.altKey && event.key === 'ArrowDown') || (isPlain && event.key.toLowerCase() === 'j');
    const isPrevious = (event.altKey && event.key === 'ArrowUp') || (isPlain && event.key.toLowerCase() === 'k');
    if (!isNext && !isPrevious) return;
    event.preventDefault();
    goTo(isNext ? next : previous);
  };

  const isNew = shown === 'new';
  const name = detail?.name ?? known?.name ?? '';
  return (
    <>
      <Dialog
        open={wanted !== undefined || isDirty}
        onOpenChange={(open) => !open && close()}
        size="side"
        title={isNew ? t('variant_panel.new_title') : name || t('variant_panel.loading')}
        onKeyDown={press}
        findOpener={() => {
          setDeletedId(undefined);
          // The row of a deleted variant may still be there, and would take the focus with it.
          if (variantId === deletedId) return findTable();
          return document.querySelector<HTMLElement>(`tr[data-row="${variantId}"]`);
        }}
        tools={
          known && (
            <>
              <span className="sr-only" role="status">
                {t('variant_panel.place', { place: index + 1, count: rows.length })}
              </span>
              <Button
                variant="ghost"
                size="icon-dense"
                aria-label={t('variant_panel.previous')}
                aria-keyshortcuts="Alt+ArrowUp k"
                aria-disabled={previous === undefined}
                icon={<ChevronUp aria-hidden="true" className="size-4" />}
                className="aria-disabled:opacity-50"
                onClick={() => goTo(previous)}
              />
              <Button
                variant="ghost"
                size="icon-dense"
                aria-label={t('variant_panel.next')}
                aria-keyshortcuts="Alt+ArrowDown j"
                aria-disabled={next === undefined}
                icon={<ChevronDown aria-hidden="true" className="size-4" />}
                className="aria-disabled:opacity-50"
                onClick={() => goTo(next)}
              />
            </>
          )
        }
      >
        {isNew ? (
          <VariantForm
            brandId={brandId}
            onDirtyChange={setDirty}
            onCancel={close}
            onSaved={({ id }) => void navigate(productVariantPath(brandId, id) + search, { replace: true, state })}
          />
        ) : (
          <VariantContent
            key={shown}
            brandId={brandId}
            variantId={variantId}
            known={known}
            filter={known && list && toFilter(list.view)}
            onDirtyChange={setDirty}
            onDelete={remove}
            onClose={close}
          />
        )}
      </Dialog>
      <Dialog
        open={isAsking}
        onOpenChange={(open) => !open && stay()}
        title={t('variant_panel.leave.title')}
        description={t('variant_panel.leave.description')}
        footer={
          <>
            <Button onClick={stay}>{t('variant_panel.leave.stay')}</Button>
            <Button variant="danger" onClick={() => setDirty(false)}>
              {t('variant_panel.leave.discard')}
            </Button>
          </>
        }
      />
    </>
  );

  function stay() {
    const isFromList: PanelState = { isFromList: wanted === undefined };
    const address = shown === 'new' ? 'new' : (variantId ?? 0);
    void navigate(productVariantPath(brandId, address) + search, {
      replace: wanted !== undefined,
      state: wanted === undefined ? isFromList : state,
    });
  }
}

interface VariantContentProps {
  brandId: number;
  variantId: number | undefined;
  /** What the list has of it: shown at once. */
  known: VariantAnswer | undefined;
  /** Of the list, where the list has it. */
  filter: VariantFilter | undefined;
  onDirtyChange: (isDirty: boolean) => void;
  onDelete: (variant: VariantAnswer) => void;
  onClose: () => void;
}

function VariantContent(props: VariantContentProps) {
  const { brandId, variantId, known, filter, onDirtyChange, onDelete, onClose } = props;
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const query = useQuery({ ...variantDetailQuery(brandId, variantId ?? 0), enabled: variantId !== undefined });
  const { data: detail, error, refetch } = query;
  const { asWanted } = useVariantActions();
  const isUnknown = variantId === undefined || (error instanceof ApiError && error.status === 404);
  // Before anything else: what is typed is not lost to a failed refetch.
  if (isEditing && detail) {
    const stop = () => setEditing(false);
    return (
      <VariantForm
        brandId={brandId}
        detail={detail}
        isGone={isUnknown}
        onDirtyChange={onDirtyChange}
        onCancel={stop}
        onSaved={stop}
      />
    );
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
  const variant = row && asWanted(row, filter);
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
          <>
            {!detail.may_edit && (
              <Alert tone="info" className="mb-4">
                {t('variant_panel.view_only')}
              </Alert>
            )}
            <VariantFacts brandId={brandId} detail={detail} />
          </>
        ) : error ? (
          <ErrorState
            title={t('variant_panel.error')}
            description={errorMessage(error, t)}
            onRetry={() => void refetch()}
          />
        ) : (
          <div role="status" className="flex flex-col gap-4">
            <span className="sr-only">{t('variant_panel.loading')}</span>
            {[1, 2, 3, 4].map((line) => (
              <Skeleton key={line} className="h-16 w-full" />
            ))}
          </div>
        )}
      </PanelBody>
      {variant && detail?.may_edit && (
        <Actions variant={variant} onEdit={() => setEditing(true)} onDelete={() => onDelete(variant)} />
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
      // Not everywhere may a page write there. One click on the number selects it, to be copied by hand.
    }
  };
  return (
    <span className="flex items-center gap-1">
      <VariantGtin gtin={gtin} />
      <Button
        variant="ghost"
        size="icon-dense"
        aria-label={t('variant_panel.copy_gtin')}
        icon={<Copy aria-hidden="true" className="size-4" />}
        onClick={() => void copy()}
      />
    </span>
  );
}

interface ActionsProps {
  variant: VariantAnswer;
  onEdit: () => void;
  onDelete: () => void;
}

function Actions({ variant, onEdit, onDelete }: ActionsProps) {
  const { t } = useTranslation();
  const { onPublish, onUnpublish } = useVariantActions();
  const { published } = variant;
  return (
    <PanelFooter>
      <Button
        variant="ghost"
        className="sm:mr-auto"
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={onDelete}
      >
        {t('selection.delete')}
      </Button>
      <Button
        icon={
          published ? <EyeOff aria-hidden="true" className="size-4" /> : <Send aria-hidden="true" className="size-4" />
        }
        onClick={() => (published ? onUnpublish(variant) : onPublish(variant))}
      >
        {t(published ? 'variants.unpublish' : 'variants.publish')}
      </Button>
      <Button variant="primary" icon={<Pencil aria-hidden="true" className="size-4" />} onClick={onEdit}>
        {t('variant_panel.edit')}
      </Button>
    </PanelFooter>
  );
}
