import type { VariantAnswer } from '@brand-portal/contract/variants';
import { useLocation, useNavigate } from 'react-router';
import { productVariantPath } from '../../lib/paths.ts';
import { useHandler } from '../../lib/use-handler.ts';

/** What the history remembers: that the list lies behind the panel, one step back. */
export interface PanelState {
  isFromList?: boolean;
}

/** Opens a variant beside the list, which keeps its address. */
export function useOpenVariant(brandId: number): (variant: VariantAnswer) => void {
  const navigate = useNavigate();
  const { search } = useLocation();
  // The rows are not rendered again because the address has changed.
  return useHandler(({ id }) => {
    const state: PanelState = { isFromList: true };
    void navigate(productVariantPath(brandId, id) + search, { state });
  });
}
