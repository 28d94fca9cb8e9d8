import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { refusal, renderAt } from '../brands/test-support/brands.tsx';
import { CertificateCoverage } from './certificate-coverage.tsx';

const server = startMockServer();
const url = '*/api/v1/brands/1/certificates/coverage/';
const GOTS = { certification_id: 1, certification_name: 'GOTS', variants: 1_214, siblings_without: 12 };
const FSC = { certification_id: 2, certification_name: 'FSC', variants: 1, siblings_without: 0 };

function open(results: unknown[]) {
  const requests = vi.fn();
  server.use(
    http.get(url, () => {
      requests();
      return HttpResponse.json({ results });
    }),
  );
  renderAt('/brands/1/certifications', <CertificateCoverage brandId={1} />);
  return requests;
}

const show = (name = 'Show coverage') => userEvent.click(screen.getByRole('button', { name }));

afterEach(() => changeLanguage('en'));

it('coverage is loaded when it is opened, and not before', async () => {
  const requests = open([GOTS, FSC]);
  expect(screen.getByRole('button', { name: 'Show coverage' })).toHaveAttribute('aria-expanded', 'false');
  expect(requests).not.toHaveBeenCalled();
  await show();
  const list = await screen.findByRole('list', { name: 'Coverage' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['GOTS1,214 variants · 12 related variants without it', 'FSC1 variant · all related variants have it']);
  expect(requests).toHaveBeenCalledOnce();
  await show('Hide coverage');
  expect(screen.queryByRole('list')).toBeNull();
});

it('coverage can be downloaded if related variants lack a certificate', async () => {
  open([GOTS]);
  const requests = vi.fn();
  server.use(
    http.get(`${url}export/`, ({ request }) => {
      requests(new URL(request.url).search);
      return refusal('database_unavailable');
    }),
  );
  await show();
  await userEvent.click(await screen.findByRole('button', { name: 'Export: related variants without it' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /CSV/ }));
  await waitFor(() => expect(requests).toHaveBeenCalledWith('?format=csv&apostrophe=true'));
});

it('coverage offers no download if nothing is missing', async () => {
  open([FSC]);
  await show();
  expect(await screen.findByText('FSC')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Export/ })).toBeNull();
});

it('coverage can be loaded again after an error, and says in Spanish that there is none', async () => {
  await changeLanguage('es');
  open([]);
  server.use(http.get(url, () => refusal('internal_error'), { once: true }));
  await show('Mostrar cobertura');
  expect(await screen.findByText('No se ha podido calcular la cobertura')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Intentar de nuevo' }));
  expect(await screen.findByText('Ninguna variante tiene todavía un certificado.')).toBeVisible();
});

it('coverage of a large brand says when it was counted, and that it is being counted for the first time', async () => {
  open([]);
  const answers = [
    { results: [], counted_at: null },
    { results: [GOTS], counted_at: '2026-11-19T09:30:00Z' },
  ];
  server.use(http.get(url, () => HttpResponse.json(answers.length > 1 ? answers.shift() : answers[0])));
  await show();
  expect(await screen.findByText(/being counted/)).toBeVisible();
  expect(await screen.findByText('GOTS')).toBeVisible();
  expect(screen.getByText(/^Counted .*2026.*Later changes are counted a few minutes after they are made\.$/)).toBeVisible();
});
