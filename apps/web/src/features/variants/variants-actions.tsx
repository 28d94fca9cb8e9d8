import { uploadCsv } from '@brand-portal/contract/import';
import { publishAllVariants, publishVariant } from '@brand-portal/contract/publishing';
import type { VariantAnswer } from '@brand-portal/contract/variants';
import { EllipsisVertical, EyeOff, Plus, Send } from 'lucide-react';
import { createContext, memo, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { useTabStop } from '../../ui/data-table-keys.ts';
import { DropdownMenu, DropdownMenuItem } from '../../ui/dropdown-menu.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';
import { type DeniedReason, useDeniedReason } from '../brands/brands-queries.ts';
import { type PublishingActions, usePublishing } from './use-publishing.tsx';

interface VariantActions extends PublishingActions {
  onAdd: () => void;
  /** Why the member may not call the endpoint. */
  deniedReason: DeniedReason;
}

const ActionsContext = createContext<VariantActions | null>(null);

export function useVariantActions(): VariantActions {
  const actions = useContext(ActionsContext);
  if (!actions) throw new Error('Outside VariantActionsProvider');
  return actions;
}

interface VariantActionsProviderProps {
  brandId: number;
  onAdd: () => void;
  children: ReactNode;
}

/** A context, because the table's columns are created once and get no props. */
export function VariantActionsProvider({ brandId, onAdd, children }: VariantActionsProviderProps) {
  const deniedReason = useDeniedReason(brandId);
  const { actions, dialogs } = usePublishing(brandId);
  return (
    <ActionsContext value={{ ...actions, onAdd, deniedReason }}>
      {children}
      {dialogs}
    </ActionsContext>
  );
}

export function AddVariantButton({ isFirst = false }: { isFirst?: boolean }) {
  const { t } = useTranslation();
  const { onAdd, deniedReason } = useVariantActions();
  return (
    <ExplainedButton variant="primary" icon={<Plus className="size-4" />} hint={deniedReason(uploadCsv)} onClick={onAdd}>
      {t(isFirst ? 'variants.empty.action' : 'variants.add')}
    </ExplainedButton>
  );
}

export function PublishAllButton({ shown, className }: { shown: number | undefined; className?: string }) {
  const { t } = useTranslation();
  const { onPublishAll, isPublishingAll, deniedReason } = useVariantActions();
  return (
    <ExplainedButton
      icon={<Send className="size-4" />}
      busy={isPublishingAll}
      busyLabel={t('variants.publishing_all')}
      hint={deniedReason(publishAllVariants)}
      onClick={() => onPublishAll(shown)}
      className={className}
    >
      {t('variants.publish_all')}
    </ExplainedButton>
  );
}

export function VariantMenu({ variant }: { variant: VariantAnswer }) {
  const { onPublish, onUnpublish, deniedReason } = useVariantActions();
  const act = variant.published ? onUnpublish : onPublish;
  return <PublishMenu variant={variant} act={act} hint={deniedReason(publishVariant, { published: !variant.published })} />;
}

interface PublishMenuProps {
  variant: VariantAnswer;
  act: (variant: VariantAnswer) => void;
  hint: string | undefined;
}

/** Memoised, because there is one in every row. */
const PublishMenu = memo(function PublishMenu({ variant, act, hint }: PublishMenuProps) {
  const { t } = useTranslation();
  const Icon = variant.published ? EyeOff : Send;
  // The row may no longer match the filter after publishing, and disappear.
  const buttonRef = useMoveFocusOnUnmount('section');
  const tabStop = useTabStop();
  return (
    <DropdownMenu
      trigger={
        <Button
          ref={buttonRef}
          tabIndex={tabStop}
          variant="ghost"
          size="icon-dense"
          aria-label={t('variants.menu', { name: variant.name })}
          icon={<EllipsisVertical className="size-4" />}
          className="data-[state=open]:bg-surface-hover"
        />
      }
    >
      <DropdownMenuItem icon={<Icon className="size-4 shrink-0" />} hint={hint} onSelect={() => act(variant)}>
        {t(variant.published ? 'variants.unpublish' : 'variants.publish')}
      </DropdownMenuItem>
    </DropdownMenu>
  );
});
