import type { WaitingCertificate } from '@brand-portal/contract/reviews';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type HttpHandler, HttpResponse, http } from 'msw';
import { afterEach, expect, it } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { refusal, renderAt } from '../brands/test-support/brands.tsx';
import { ReviewsPage } from './reviews-page.tsx';

const server = startMockServer();
const url = '*/api/v1/platform/reviews/';
const waiting: WaitingCertificate[] = ['CU-1', 'CU-2', 'CU-3'].map((certificate_id, index) => ({
  brand_id: index < 2 ? 1 : 2,
  brand_name: index < 2 ? 'Fjord & Forest' : 'Tiny',
  id: index + 11,
  certificate_id,
  certification_name: 'GOTS',
  certifying_body_name: 'Global Standard gGmbH',
  since: `2026-03-0${index + 1}`,
  variants: index,
}));

/** Decided certificates disappear from the mocked queue. */
function open(answers: { results: WaitingCertificate[]; count?: number } = { results: waiting }, ...handlers: HttpHandler[]) {
  let queue = answers.results;
  const bodies: unknown[] = [];
  server.use(
    ...handlers,
    http.get(url, () => HttpResponse.json({ results: queue, count: answers.count ?? queue.length })),
    http.post(url, async ({ request }) => {
      const body = (await request.json()) as { certificates: { id: number }[] };
      bodies.push(body);
      queue = queue.filter(({ id }) => !body.certificates.some((chosen) => chosen.id === id));
      return HttpResponse.json({ decided: body.certificates.length, skipped: 0 });
    }),
  );
  renderAt('/platform/reviews', <ReviewsPage notFound={<p>No such page</p>} />);
  return bodies;
}

const list = () => screen.findByRole('list', { name: 'Certificates that wait' });
const ids = async () =>
  within(await list())
    .getAllByRole('listitem')
    .map((item) => /CU-\d/.exec(item.textContent)?.[0]);
const dialog = () => screen.findByRole('dialog');

afterEach(() => {
  clearToasts();
  return changeLanguage('en');
});

it('waiting certificates are listed with since when and why, in the order of the server', async () => {
  open({ results: waiting, count: 2_345 });
  expect(await ids()).toEqual(['CU-1', 'CU-2', 'CU-3']);
  const [first] = within(await list()).getAllByRole('listitem');
  expect(first).toHaveTextContent('No registry of GOTS is loaded. Issuer: Global Standard gGmbH.');
  expect(first).toHaveTextContent(/Waiting since March\s1,\s2026 · 0 variants/);
  expect(screen.getByText('2,345 certificates wait. These are the first 3.')).toBeVisible();
});

it('a certificate is approved with a reason and an expiry date, which must not be over', async () => {
  const bodies = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Approve CU-2 (GOTS) of Fjord & Forest' }));
  expect(await dialog()).toHaveAccessibleDescription('CU-2 (GOTS, Fjord & Forest)');
  await userEvent.type(within(await dialog()).getByRole('textbox', { name: 'Reason' }), ' Seen on paper ');
  const lastDay = within(await dialog()).getByLabelText('Valid until (optional)');
  await userEvent.type(lastDay, '2020-01-01');
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Approve' }));
  expect(lastDay).toHaveAccessibleDescription(/^This day has passed, so/);
  expect(lastDay).toHaveFocus();
  await userEvent.clear(lastDay);
  await userEvent.type(lastDay, '2999-01-31');
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies).toEqual([
    {
      verdict: 'approved',
      note: 'Seen on paper',
      expires_on: '2999-01-31',
      certificates: [{ brand_id: 1, id: 12 }],
    },
  ]);
  await waitFor(async () => expect(await ids()).toEqual(['CU-1', 'CU-3']));
  expect(getToasts()).toMatchObject([{ title: '1 certificate approved' }]);
  await waitFor(() => expect(screen.getByRole('checkbox', { name: /^Select CU-3/ })).toHaveFocus());
});

it('a certificate is not approved without an end if its expiry date is incomplete', async () => {
  const bodies = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Approve CU-2 (GOTS) of Fjord & Forest' }));
  await userEvent.type(within(await dialog()).getByRole('textbox', { name: 'Reason' }), 'Seen on paper');
  const lastDay = within(await dialog()).getByLabelText('Valid until (optional)');
  await userEvent.type(lastDay, '11/31/2999');
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Approve' }));
  expect(lastDay).toHaveAccessibleDescription('This date is incomplete or does not exist.');
  expect(lastDay).toHaveFocus();
  expect(bodies).toEqual([]);
  await userEvent.clear(lastDay);
  await userEvent.type(lastDay, '1/31/2999');
  expect(lastDay).not.toBeInvalid();
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(bodies).toMatchObject([{ expires_on: '2999-01-31' }]));
});

it('several are rejected at once, by keyboard, and only with a reason', async () => {
  const user = userEvent.setup();
  const bodies = open();
  screen.getByRole('heading', { level: 1, name: 'Reviews' });
  const reject = async () => (await screen.findAllByRole('button', { name: 'Reject' }))[0] as HTMLElement;
  expect(await reject()).toBeDisabled();
  (await screen.findByRole('checkbox', { name: 'Select all' })).focus();
  await user.keyboard(' ');
  await user.click(screen.getByRole('checkbox', { name: 'Select CU-1 (GOTS) of Fjord & Forest' }));
  expect(screen.getByText('2 selected')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Select all' })).toBePartiallyChecked();
  (await reject()).focus();
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Reject 2 certificates?' })).toHaveTextContent(
    'CU-2 (GOTS, Fjord & Forest), CU-3 (GOTS, Tiny)',
  );
  const confirm = within(await dialog()).getByRole('button', { name: 'Reject' });
  await user.click(confirm);
  const reason = within(await dialog()).getByRole('textbox', { name: 'Reason' });
  expect(reason).toHaveAccessibleDescription('Please give a reason.');
  expect(bodies).toEqual([]);
  expect(within(await dialog()).queryByLabelText('Valid until (optional)')).toBeNull();
  await user.type(reason, 'Forged');
  await user.click(confirm);
  await waitFor(async () => expect(await ids()).toEqual(['CU-1']));
  expect(bodies).toEqual([
    {
      verdict: 'rejected',
      note: 'Forged',
      certificates: [
        { brand_id: 1, id: 12 },
        { brand_id: 2, id: 13 },
      ],
    },
  ]);
  expect(screen.getByText('0 selected')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('checkbox', { name: /^Select CU-1/ })).toHaveFocus());
});

it('the others stay selected when one is decided', async () => {
  open();
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select CU-1 (GOTS) of Fjord & Forest' }));
  await userEvent.click(screen.getByRole('button', { name: 'Approve CU-2 (GOTS) of Fjord & Forest' }));
  await userEvent.type(within(await dialog()).getByRole('textbox', { name: 'Reason' }), 'Seen');
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Approve' }));
  await waitFor(async () => expect(await ids()).toEqual(['CU-1', 'CU-3']));
  expect(screen.getByText('1 selected')).toBeVisible();
});

it('a decision that somebody else made in the meantime is shown', async () => {
  open();
  server.use(http.post(url, () => HttpResponse.json({ decided: 0, skipped: 1 })));
  await userEvent.click(await screen.findByRole('button', { name: 'Reject CU-1 (GOTS) of Fjord & Forest' }));
  await userEvent.type(within(await dialog()).getByRole('textbox', { name: 'Reason' }), 'Forged');
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Reject' }));
  await waitFor(() =>
    expect(getToasts()).toMatchObject([{ description: '1 no longer waited and was left as it is.', variant: 'warning' }]),
  );
});

it('the typed reason is kept if the decision fails', async () => {
  open();
  server.use(http.post(url, () => refusal('database_unavailable')));
  await userEvent.click(await screen.findByRole('button', { name: 'Reject CU-1 (GOTS) of Fjord & Forest' }));
  const reason = within(await dialog()).getByRole('textbox', { name: 'Reason' });
  await userEvent.type(reason, 'Forged');
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Reject' }));
  expect(await within(await dialog()).findByRole('alert')).toBeVisible();
  expect(reason).toHaveValue('Forged');
  expect(within(await dialog()).getByRole('button', { name: 'Reject' })).toHaveFocus();
});

it('the dialog and its error stay if the answer about the last certificate is lost', async () => {
  let queue = waiting.slice(0, 1);
  server.use(
    http.get(url, () => HttpResponse.json({ results: queue, count: queue.length })),
    http.post(url, () => {
      queue = [];
      return HttpResponse.error();
    }),
  );
  renderAt('/platform/reviews', <ReviewsPage notFound={<p>No such page</p>} />);
  await userEvent.click(await screen.findByRole('button', { name: /^Reject CU-1/ }));
  await userEvent.type(within(await dialog()).getByRole('textbox', { name: 'Reason' }), 'not listed');
  await userEvent.click(within(await dialog()).getByRole('button', { name: 'Reject' }));
  await screen.findByText('Nothing waits');
  expect(within(await dialog()).getByRole('alert')).toHaveTextContent('Network error');
  expect(within(await dialog()).getByRole('textbox', { name: 'Reason' })).toHaveValue('not listed');
});

it('a typed reason is not lost by Escape without a question, in Spanish too', async () => {
  await changeLanguage('es');
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Rechazar CU-1 (GOTS) de Fjord & Forest' }));
  const reason = within(await dialog()).getByRole('textbox', { name: 'Motivo' });
  await userEvent.type(reason, 'Falso{Escape}');
  const question = await screen.findByRole('dialog', { name: '¿Descartar tus cambios?' });
  await userEvent.click(within(question).getByRole('button', { name: 'Seguir editando' }));
  expect(reason).toHaveValue('Falso');
  await userEvent.keyboard('{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'Descartar cambios' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('the page is not found for anybody but staff', async () => {
  open(
    undefined,
    http.get(url, () => refusal('permission_denied')),
  );
  expect(await screen.findByText('No such page')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Reviews' })).toBeNull();
});

it('an empty queue says so, in Spanish too, and can be loaded again after an error', async () => {
  await changeLanguage('es');
  open(
    { results: [] },
    http.get(url, () => refusal('internal_error'), { once: true }),
  );
  expect(await screen.findByText('No se han podido cargar las revisiones')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Intentar de nuevo' }));
  expect(await screen.findByRole('heading', { name: 'No hay nada en espera' })).toBeVisible();
});
