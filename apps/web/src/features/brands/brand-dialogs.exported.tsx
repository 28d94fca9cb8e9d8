import { withTexts } from '../../lib/lazy.ts';
import { dialogFrom } from '../../ui/dialog-from.ts';

export const TrialDialog = dialogFrom(
  withTexts(() => import('./trial-dialog.tsx')),
  'TrialDialog',
);
export const LeaveBrandDialog = dialogFrom(
  withTexts(() => import('./leave-brand-dialog.tsx')),
  'LeaveBrandDialog',
);
