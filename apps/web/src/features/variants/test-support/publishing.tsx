import type { ProductVariant } from '@brand-portal/contract/variants';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { Toaster } from '../../../ui/toaster.tsx';
import { fjord, refusal } from '../../brands/test-support/brands.tsx';
import { VariantsPage } from '../variants-page.tsx';
import { mockVariants, table } from './variants.tsx';

type Code = Parameters<typeof refusal>[0];

/** The calls to the mock server, in order: an id with its new value, or 'all', or 'opt in'. */
export type Calls = (string | [number, boolean])[];

/** Mocks publishing besides the list, and keeps its state. `hold` delays calls, `fail` makes them fail. */
export function mockPublishing(variants: ProductVariant[], { optedIn = true } = {}) {
  const brand = { ...fjord, opted_in_for_trial: optedIn };
  const calls: Calls = [];
  const calledAt: number[] = [];
  const recordCall = (what: Calls[number]) => {
    calls.push(what);
    calledAt.push(performance.now());
  };
  const waiting: (() => void)[] = [];
  const control = {
    calls,
    calledAt,
    isHeld: false,
    failWith: undefined as Code | undefined,
    serverNeedsTrial: !optedIn,
  };

  const answer = async (work: () => Response) => {
    if (control.isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    if (control.failWith) return refusal(control.failWith);
    return control.serverNeedsTrial ? refusal('trial_required') : work();
  };
  const set = (index: number, published: boolean) => {
    const variant = variants[index] as ProductVariant;
    const channel = published ? { state: 'sent' as const, reason: '' } : null;
    variants[index] = { ...variant, published, channel };
    return HttpResponse.json(variants[index]);
  };
  const handlers = [
    ...mockVariants(variants, brand).handlers,
    http.patch('*/api/v1/variants/:id/publish/', async ({ params, request }) => {
      const id = Number(params.id);
      const { published } = (await request.json()) as { published: boolean };
      recordCall([id, published]);
      return answer(() =>
        set(
          variants.findIndex((variant) => variant.id === id),
          published,
        ),
      );
    }),
    http.post('*/api/v1/brands/1/variants/publish-all/', () => {
      recordCall('all');
      return answer(() => {
        for (const index of variants.keys()) set(index, true);
        return HttpResponse.json({ published: variants.length });
      });
    }),
    http.post('*/api/v1/brands/1/opt-in-trial/', () => {
      recordCall('opt in');
      control.serverNeedsTrial = false;
      brand.opted_in_for_trial = true;
      return HttpResponse.json(brand);
    }),
  ];
  return {
    handlers,
    control,
    /** Answers the oldest delayed call. */
    answerNext: () => act(async () => waiting.shift()?.()),
  };
}

function Page() {
  return (
    <main tabIndex={-1}>
      <VariantsPage onAdd={() => {}} />
      <Toaster />
    </main>
  );
}

/** Opens brand 1 and waits for its first row. */
export async function openPage(query = '') {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  const router = createMemoryRouter(
    [
      { path: '/brands', element: null },
      { path: '/brands/:id/product-variants/:variantId?', element: <Page /> },
    ],
    { initialEntries: [`/brands/1/product-variants${query}`] },
  );
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findByText(/^(Showing|Mostrando)/);
  return { ...view, router, queryClient };
}

/** Also finds it behind a dialog, which hides the page from role queries. Toasts have the name as well. */
export const published = (id: number) =>
  screen.getByText(`Wool socks ${id}`, { selector: 'tr *' }).closest('tr')?.querySelectorAll('td')[4]?.textContent;
export const menuButton = (id: number) => within(table()).getByRole('button', { name: `Actions for Wool socks ${id}` });

export async function choose(id: number, item: 'Publish' | 'Unpublish') {
  await userEvent.click(menuButton(id));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
}

export const channelDialog = () => screen.findByRole('dialog', { name: 'Publish to distribution channels' });
export const trialDialog = () => screen.findByRole('dialog', { name: 'Start Free Trial' });

/** Presses a button of the open dialog. */
export async function confirm(name = 'Publish') {
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }));
}
