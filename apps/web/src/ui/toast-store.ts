import { TOAST_REMOVAL_DELAY_MS, TOASTS_KEPT } from '@brand-portal/contract/constants';
import type { ReactNode } from 'react';

export type ToastVariant = 'default' | 'success' | 'error' | 'warning';

export interface Toast {
  readonly id: string;
  readonly title?: string;
  readonly description?: string;
  /** Several messages, one per line. */
  readonly list?: readonly string[];
  readonly variant: ToastVariant;
  /** Replaces the icon of the variant. */
  readonly icon?: ReactNode;
  /** Progress in percent, for a toast about a running task; null if it is unknown. */
  readonly progress?: number | null;
  readonly link?: { readonly to: string; readonly label: string };
  readonly action?: { readonly label: string; readonly onSelect: () => void };
  /** Absent: the default duration. */
  readonly durationMs?: number;
  /** Stays until dismissed. */
  readonly isLasting?: boolean;
  /** How often the same toast was shown while this one is open; absent: once. */
  readonly times?: number;
  readonly open: boolean;
}

export type ToastContent = Partial<Omit<Toast, 'id' | 'open' | 'times'>>;

export interface ToastHandle {
  readonly id: string;
  readonly update: (content: ToastContent) => void;
  readonly dismiss: () => void;
}

const listeners = new Set<() => void>();
const removals = new Map<string, ReturnType<typeof setTimeout>>();
let toasts: readonly Toast[] = [];
let created = 0;

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const notify of listeners) notify();
}

/** Toasts with an action, a link or progress are about one particular thing and are never merged. */
const isRepeat = (shown: Toast, { title, variant = 'default', action, link, progress, isLasting }: ToastContent) =>
  title !== undefined &&
  shown.open &&
  shown.title === title &&
  shown.variant === variant &&
  ![action, link, progress, isLasting].some((own) => own !== undefined) &&
  ![shown.action, shown.link, shown.progress, shown.isLasting].some((own) => own !== undefined);

/**
 * Newest first; toasts beyond the limit are dropped. A repeat replaces the open toast with the same text and increases
 * its counter.
 */
export function toast(content: ToastContent): ToastHandle {
  created += 1;
  const id = `toast-${created}`;
  const same = toasts.find((shown) => isRepeat(shown, content));
  const repeated = same ? { times: (same.times ?? 1) + 1 } : {};
  const newest: Toast = { ...content, ...repeated, variant: content.variant ?? 'default', id, open: true };
  replace([newest, ...toasts.filter((shown) => shown !== same)].slice(0, TOASTS_KEPT));
  return { id, update: (changes) => updateToast(id, changes), dismiss: () => dismissToast(id) };
}

function updateToast(id: string, content: ToastContent): void {
  replace(toasts.map((shown) => (shown.id === id ? { ...shown, ...content } : shown)));
}

/** Closes the toast and removes it after its exit animation. */
export function dismissToast(id: string): void {
  if (removals.has(id) || !toasts.some((shown) => shown.id === id)) return;
  replace(toasts.map((shown) => (shown.id === id ? { ...shown, open: false } : shown)));
  removals.set(
    id,
    setTimeout(() => {
      removals.delete(id);
      replace(toasts.filter((shown) => shown.id !== id));
    }, TOAST_REMOVAL_DELAY_MS),
  );
}

export function getToasts(): readonly Toast[] {
  return toasts;
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For tests: the store outlives each test's components. */
export function clearToasts(): void {
  for (const removal of removals.values()) clearTimeout(removal);
  removals.clear();
  replace([]);
}
