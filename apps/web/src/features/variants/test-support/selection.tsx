import type { ProductVariant } from '@brand-portal/contract/variants';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { expect } from 'vitest';
import { refusal } from '../../brands/test-support/brands.tsx';
import { mockPublishing } from './publishing.tsx';

interface Sent {
  action: string;
  ids?: number[];
  filter?: object;
  except_ids?: number[];
  expected?: number;
}

/** Mocks the actions besides the list. */
export function mockActions(
  variants: ProductVariant[],
  { optedIn = true, status = 'active', ...member }: { role?: string | undefined; optedIn?: boolean; status?: string } = {},
) {
  const role = 'role' in member ? member.role : 'editor';
  const publishing = mockPublishing(variants, { optedIn });
  const sent: Sent[] = [];
  const deleted = new Map<number, ProductVariant[]>();
  const control = {
    fail: false,
    failRestore: false,
    hold: undefined as Promise<void> | undefined,
    restored: [] as number[],
  };
  const handlers = [
    http.get('*/api/v1/brands/1/', async () =>
      HttpResponse.json({
        id: 1,
        name: 'Fjord',
        logo: '',
        website: '',
        status,
        description: '',
        member_count: 1,
        opted_in_for_trial: optedIn,
        owner: { first_name: 'Ada', last_name: 'B' },
        role,
      }),
    ),
    http.post('*/api/v1/brands/1/variants/actions/', async ({ request }) => {
      const body = (await request.json()) as Sent;
      sent.push(body);
      await control.hold;
      if (control.fail) return refusal('internal_error');
      const chosen = variants.filter(({ id }) => (body.ids ? body.ids.includes(id) : !body.except_ids?.includes(id)));
      if (body.expected !== undefined && body.expected !== chosen.length) {
        const context = { count: String(chosen.length) };
        return HttpResponse.json({ detail: 'x', code: 'selection_changed', context, request_id: 'r' }, { status: 409 });
      }
      if (body.action === 'delete') {
        deleted.set(7, chosen);
        for (const variant of chosen) variants.splice(variants.indexOf(variant), 1);
        return HttpResponse.json({ changed: chosen.length, skipped: [], deletion_id: 7 });
      }
      const wanted = body.action === 'publish';
      const changed = chosen.filter((variant) => variant.published !== wanted);
      for (const variant of changed) variants[variants.indexOf(variant)] = { ...variant, published: wanted };
      const skipped = [{ reason: wanted ? 'already_published' : 'already_unpublished', count: chosen.length - changed.length }].filter(
        ({ count }) => count > 0,
      );
      const unpublished_ids = changed.map(({ id }) => id);
      const undoable = !wanted && changed.length > 0 && { unpublished_ids };
      return HttpResponse.json({ changed: changed.length, skipped, deletion_id: null, ...undoable });
    }),
    http.post('*/api/v1/brands/1/deletions/:id/restore/', ({ params }) => {
      control.restored.push(Number(params.id));
      if (control.failRestore) return refusal('internal_error');
      const back = deleted.get(Number(params.id)) ?? [];
      variants.push(...back);
      return HttpResponse.json({ restored: back.length, kept: 0 });
    }),
    ...publishing.handlers,
  ];
  return { sent, control, handlers };
}

export const box = (id: number) => screen.getByRole('checkbox', { name: `Select Wool socks ${id}` });
export const pageBox = () => screen.getByRole('checkbox', { name: 'Select all on this page' });
export const bar = () => screen.findByRole('region', { name: 'Selected variants' });
export const noBar = () => waitFor(() => expect(screen.queryByRole('region', { name: 'Selected variants' })).toBeNull());
export const press = async (name: string) => userEvent.click(within(await bar()).getByRole('button', { name }));
export const ticked = () => screen.getAllByRole('checkbox', { checked: true }).map((each) => each.getAttribute('aria-label'));
