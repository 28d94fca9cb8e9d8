import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { changeLanguage } from '../../lib/i18n.ts';
import { saveFile } from '../../lib/save-file.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { toast } from '../../ui/toast-store.ts';
import { manyVariants, openVariants, playVariants } from './test-support/variants.tsx';

vi.mock('../../lib/save-file.ts', () => ({ saveFile: vi.fn() }));
vi.mock('../../ui/toast-store.ts', async (original) => ({ ...(await original<object>()), toast: vi.fn() }));

const server = startMockServer();
const exportUrl = '*/api/v1/brands/1/variants/export/';

afterEach(() => {
  vi.mocked(saveFile).mockClear();
  return changeLanguage('en');
});

async function choose(action: string, format: string) {
  await userEvent.click(await screen.findByRole('button', { name: action }));
  await userEvent.click(await screen.findByRole('menuitem', { name: format }));
}

it('exports what the list shows, as an Excel workbook or as CSV', async () => {
  server.use(...playVariants(manyVariants(25)).handlers);
  const asked: string[] = [];
  server.use(
    http.get(exportUrl, ({ request }) => {
      asked.push(new URL(request.url).search);
      return new HttpResponse('file');
    }),
  );
  openVariants('?filter=published&search=wool%20%26&page=2&ordering=name');
  await choose('Export', 'Excel workbook (.xlsx)');
  await waitFor(() => expect(saveFile).toHaveBeenCalledExactlyOnceWith(expect.any(Blob), 'product-variants.xlsx'));
  await choose('Export', 'CSV file (.csv)');
  await waitFor(() => expect(saveFile).toHaveBeenLastCalledWith(expect.any(Blob), 'product-variants.csv'));
  expect(asked).toEqual([
    '?format=xlsx&ordering=name&search=wool+%26&published=true',
    '?format=csv&ordering=name&search=wool+%26&published=true',
  ]);
});

it('tells of an export that failed, in Spanish too', async () => {
  await changeLanguage('es');
  server.use(
    ...playVariants(manyVariants(1)).handlers,
    http.get(exportUrl, () => HttpResponse.error()),
  );
  openVariants();
  await choose('Exportar', 'Archivo CSV (.csv)');
  await waitFor(() =>
    expect(toast).toHaveBeenCalledWith(
      expect.objectContaining({ variant: 'error', title: 'No se pudo exportar la lista' }),
    ),
  );
  expect(saveFile).not.toHaveBeenCalled();
});
