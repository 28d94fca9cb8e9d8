import type { ProductVariant } from '@brand-portal/contract/variants';
import { EllipsisVertical, EyeOff, Plus, Send } from 'lucide-react';
import { createContext, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { DropdownMenu, DropdownMenuItem } from '../../ui/dropdown-menu.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';

/**
 * What other features do with variants: whoever shows the page hands it in. The controls of an action that is not
 * there are shown disabled and say so.
 */
export interface VariantActions {
  onAdd?: () => void;
  onPublishAll?: () => void;
  onPublish?: (variant: ProductVariant) => void;
  onUnpublish?: (variant: ProductVariant) => void;
}

const ActionsContext = createContext<VariantActions>({});

interface VariantActionsProviderProps {
  actions: VariantActions;
  children: ReactNode;
}

/** By context, because the table's columns are made once and for all. */
export function VariantActionsProvider({ actions, children }: VariantActionsProviderProps) {
  return <ActionsContext value={actions}>{children}</ActionsContext>;
}

export function AddVariantButton({ isFirst = false }: { isFirst?: boolean }) {
  const { t } = useTranslation();
  const { onAdd } = useContext(ActionsContext);
  return (
    <ExplainedButton
      variant="primary"
      icon={<Plus aria-hidden="true" className="size-4" />}
      disabledReason={onAdd ? undefined : t('variants.unavailable.upload')}
      onClick={onAdd}
    >
      {t(isFirst ? 'variants.empty.action' : 'variants.add')}
    </ExplainedButton>
  );
}

export function PublishAllButton({ className }: { className?: string }) {
  const { t } = useTranslation();
  const { onPublishAll } = useContext(ActionsContext);
  return (
    <ExplainedButton
      icon={<Send aria-hidden="true" className="size-4" />}
      disabledReason={onPublishAll ? undefined : t('variants.unavailable.publish')}
      onClick={onPublishAll}
      className={className}
    >
      {t('variants.publish_all')}
    </ExplainedButton>
  );
}

export function VariantMenu({ variant }: { variant: ProductVariant }) {
  const { t } = useTranslation();
  const { onPublish, onUnpublish } = useContext(ActionsContext);
  const act = variant.published ? onUnpublish : onPublish;
  const Icon = variant.published ? EyeOff : Send;
  return (
    <DropdownMenu
      trigger={
        <Button
          variant="ghost"
          size="icon-dense"
          aria-label={t('variants.menu', { name: variant.name })}
          icon={<EllipsisVertical aria-hidden="true" className="size-4" />}
        />
      }
    >
      <DropdownMenuItem
        icon={<Icon aria-hidden="true" className="size-4 shrink-0" />}
        disabledReason={act ? undefined : t('variants.unavailable.publish')}
        onSelect={() => act?.(variant)}
      >
        {t(variant.published ? 'variants.unpublish' : 'variants.publish')}
      </DropdownMenuItem>
    </DropdownMenu>
  );
}
