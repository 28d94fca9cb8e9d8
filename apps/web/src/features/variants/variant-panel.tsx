import type { VariantAnswer } from '@brand-portal/contract/variants';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router';
import { errorMessage } from '../../lib/api-error.ts';
import { parseId, productVariantPath, productVariantsPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast-store.ts';
import type { VariantsToDelete } from './variant-actions-queries.ts';
import { VariantContent } from './variant-content.tsx';
import { findAfterDeletion } from './variant-deletion.exported.tsx';
import { variantDetailQuery } from './variant-detail-queries.ts';
import { VariantForm } from './variant-form.tsx';
import { useSelectionStore } from './variant-selection.tsx';
import { type VariantList, variantListQuery } from './variants-queries.ts';
import { type PanelState, toFilter, writeView } from './variants-view.ts';

const noRows: readonly VariantAnswer[] = [];

interface VariantPanelProps {
  brandId: number;
  list: VariantList | undefined;
  onDelete: (variants: VariantsToDelete) => void;
}

/** The variant in the URL, in a panel beside the list. */
export function VariantPanel({ brandId, list, onDelete }: VariantPanelProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const wanted = useParams().variantId;
  // The panel shows its variant until it has closed.
  const [shown, setShown] = useState(wanted);
  if (wanted !== undefined && wanted !== shown) setShown(wanted);

  const variantId = parseId(shown);
  const { data: detail, isLoading } = useQuery({
    ...variantDetailQuery(brandId, variantId ?? 0),
    enabled: variantId !== undefined && wanted !== undefined,
  });
  const rows = list?.results ?? noRows;
  const index = rows.findIndex(({ id }) => id === variantId);
  const known = rows[index];
  const pages = list ? Math.ceil(list.count / list.view.pageSize) : 0;
  const hasPrevious = index > 0 || (index === 0 && list !== undefined && list.view.page > 1);
  const hasNext = index >= 0 && (index < rows.length - 1 || (list !== undefined && list.view.page < pages));

  const close = useCallback(() => {
    const { isFromList } = (state ?? {}) as PanelState;
    void (isFromList ? navigate(-1) : navigate(productVariantsPath(brandId) + search, { replace: true }));
  }, [navigate, brandId, search, state]);
  const queryClient = useQueryClient();
  const [isTurning, setTurning] = useState(false);
  const open = useRef<string>(undefined);
  useLayoutEffect(() => {
    open.current = wanted;
    return () => {
      open.current = undefined;
    };
  }, [wanted]);
  /**
   * Moves to the row before or after; at the edge of the page to the neighbouring page of the list, which is then shown
   * behind the panel.
   */
  const move = async (step: 1 | -1) => {
    if (isTurning || !list || !(step === 1 ? hasNext : hasPrevious)) return;
    const neighbour = rows[index + step];
    if (neighbour) {
      return navigate(productVariantPath(brandId, neighbour.id) + search, { replace: true, state });
    }
    setTurning(true);
    try {
      const view = { ...list.view, page: list.view.page + step };
      const { results } = await queryClient.fetchQuery(variantListQuery(brandId, view));
      // The user has closed the panel, or left the page, while the list was loading.
      if (open.current !== wanted) return;
      const found = step === 1 ? results[0] : results.at(-1);
      // One step back in history is the former page: closing must go to this page instead.
      const turned: PanelState = { isFromList: false };
      const address = found && `${productVariantPath(brandId, found.id)}?${writeView(new URLSearchParams(search), view)}`;
      if (address) void navigate(address, { replace: true, state: turned });
    } catch (error) {
      toast({ variant: 'error', title: t('variants.error'), description: errorMessage(error, t) });
    } finally {
      setTurning(false);
    }
  };
  const selection = useSelectionStore();
  const [deletedId, setDeletedId] = useState<number>();
  /** The element to focus after a deletion, found while the row was still there. */
  const afterDeletion = useRef<HTMLElement>(null);
  const closeDeleted = useEffectEvent(() => {
    // The member may have moved on meanwhile.
    if (wanted !== undefined && variantId === deletedId) close();
  });
  useEffect(() => {
    if (deletedId !== undefined) closeDeleted();
  }, [deletedId]);
  const remove = ({ id, name, published }: VariantAnswer) =>
    onDelete({
      chosen: { ids: [id] },
      count: 1,
      published: Number(published),
      name,
      onDeleted: () => {
        selection.forget([id]);
        afterDeletion.current = findAfterDeletion(id);
        setDeletedId(id);
      },
    });
  const press = (event: KeyboardEvent<HTMLElement>) => {
    // Ignores keys pressed in a dialog above the panel.
    if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return;
    // A focused toast would handle Escape itself, and the panel would stay open.
    if (event.key === 'Escape' && !event.defaultPrevented) return close();
    const isTyping = event.target.closest('input, textarea, select') !== null;
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !isTyping;
    const isNext = (event.altKey && event.key === 'ArrowDown') || (isPlain && event.key.toLowerCase() === 'j');
    const isPrevious = (event.altKey && event.key === 'ArrowUp') || (isPlain && event.key.toLowerCase() === 'k');
    if (!isNext && !isPrevious) return;
    event.preventDefault();
    void move(isNext ? 1 : -1);
  };

  const isNew = shown === 'new';
  const name = detail?.name ?? known?.name ?? '';
  return (
    <Dialog
      open={wanted !== undefined}
      onOpenChange={(open) => !open && close()}
      size="side"
      title={isNew ? t('variant_panel.new_title') : name || t(isLoading ? 'variant_panel.loading' : 'variant_panel.title')}
      onKeyDown={press}
      findOpener={() => {
        setDeletedId(undefined);
        if (variantId === deletedId) return afterDeletion.current;
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
              aria-disabled={!hasPrevious}
              icon={<ChevronUp className="size-4" />}
              className="aria-disabled:opacity-50"
              onClick={() => void move(-1)}
            />
            <Button
              variant="ghost"
              size="icon-dense"
              aria-label={t('variant_panel.next')}
              aria-keyshortcuts="Alt+ArrowDown j"
              aria-disabled={!hasNext}
              icon={<ChevronDown className="size-4" />}
              className="aria-disabled:opacity-50"
              onClick={() => void move(1)}
            />
          </>
        )
      }
    >
      {isNew ? (
        <VariantForm
          brandId={brandId}
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
          onDelete={remove}
          onClose={close}
        />
      )}
    </Dialog>
  );
}
