import type { BrandDetail } from '@brand-portal/contract/brands';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Link, Route, Routes } from 'react-router';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppRouter } from '../../app/app-router.tsx';
import { changeLanguage } from '../../lib/i18n.ts';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { DeletedBrands } from '../brands/deleted-brands.tsx';
import { fjord, refusal, renderAt } from '../brands/test-support/brands.tsx';
import { BrandSection } from './brand-section.tsx';
import { DangerSection } from './danger-section.tsx';

const server = startMockServer();
const url = '*/api/v1/brands/1/';
const stored: BrandDetail = { ...fjord, role: 'owner', version: 3 };

function open(role: 'owner' | 'admin' | 'editor' = 'owner', router?: typeof AppRouter) {
  server.use(
    http.get(url, () => HttpResponse.json({ ...stored, role })),
    http.get('*/api/v1/brands/', () => HttpResponse.json({ results: [], member_count: 0 })),
  );
  return renderAt(
    '/brands/1/settings',
    <main tabIndex={-1}>
      <Routes>
        <Route
          path="/brands/:id/settings"
          element={
            <>
              <BrandSection brandId={1} />
              <DangerSection brandId={1} />
            </>
          }
        />
        <Route path="/brands" element={<DeletedBrands />} />
      </Routes>
      <Link to="/brands">To the brands</Link>
      <Link to="/brands/1/settings">To the settings</Link>
    </main>,
    router,
  );
}

const field = (name: string) => screen.findByRole('textbox', { name });
async function write(name: string, text: string) {
  const input = await field(name);
  await userEvent.clear(input);
  if (text) await userEvent.type(input, text);
}
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

afterEach(async () => {
  clearToasts();
  await changeLanguage('en');
});

describe('the brand', () => {
  it('keeps text that is typed while an earlier change is being saved', async () => {
    open();
    const { promise: typed, resolve: answer } = Promise.withResolvers<void>();
    server.use(
      http.patch(url, async () => {
        await typed;
        return HttpResponse.json({ ...stored, name: 'Fjord', version: 4 });
      }),
    );
    await write('Name', 'Fjord ');
    await press('Save');
    await write('Description', 'Wood');
    answer();
    await waitFor(() => expect(getToasts()).toHaveLength(1));
    expect(await field('Name')).toHaveValue('Fjord');
    expect(await field('Description')).toHaveValue('Wood');
  });

  it('is changed field by field, with the version that was loaded', async () => {
    open();
    const sent = vi.fn();
    server.use(
      http.patch(url, async ({ request }) => {
        const body = (await request.json()) as object;
        sent(body);
        return HttpResponse.json({ ...stored, ...body, version: 4 });
      }),
    );
    expect(await field('Name')).toHaveValue('Fjord & Forest');
    expect(screen.getByText('Active')).toBeVisible();
    await press('Save');
    expect(sent).not.toHaveBeenCalled();
    await write('Name', 'Fjord');
    await write('Logo', 'https://cdn.example/logo.png');
    expect(screen.getByRole('img', { name: 'Preview of the logo' })).toHaveAttribute('src', 'https://cdn.example/logo.png');
    await userEvent.dblClick(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'The brand is saved' }]));
    expect(sent.mock.calls).toEqual([[{ name: 'Fjord', logo: 'https://cdn.example/logo.png', version: 3 }]]);
    await write('Description', 'New');
    await press('Save');
    await waitFor(() => expect(sent).toHaveBeenLastCalledWith({ description: 'New', version: 4 }));
  });

  it('is saved without the spaces around a pasted address', async () => {
    open();
    const sent = vi.fn();
    server.use(
      http.patch(url, async ({ request }) => {
        const body = (await request.json()) as object;
        sent(body);
        return HttpResponse.json({ ...stored, ...body, version: 4 });
      }),
    );
    await write('Website', ' https://fjord.example/ ');
    await write('Logo', 'https://cdn.example/logo.png ');
    await press('Save');
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'The brand is saved' }]));
    const addresses = { website: 'https://fjord.example/', logo: 'https://cdn.example/logo.png' };
    expect(sent).toHaveBeenCalledExactlyOnceWith({ ...addresses, version: 3 });
    expect(await field('Website')).toHaveValue('https://fjord.example/');
  });

  it('says what is wrong with an address, and that a logo is not an image', async () => {
    open();
    await write('Name', '');
    await write('Website', 'javascript:alert(1)');
    await write('Logo', 'http://cdn.example/logo.png');
    await press('Save');
    expect(await field('Name')).toHaveAccessibleDescription('Enter a name');
    expect(await field('Name')).toHaveFocus();
    expect(await field('Website')).toHaveAccessibleDescription('Enter a web address that begins with https:// or http://');
    expect(await field('Logo')).toHaveAccessibleDescription('Enter an address such as https://example.com/logo.png');
    fireEvent.error(screen.getByRole('img', { name: 'Preview of the logo' }));
    expect(screen.getByText('No image at this address')).toBeVisible();
    await write('Logo', 'https://cdn.example/other.png');
    expect(screen.queryByText('No image at this address')).toBeNull();
  });

  it('that somebody else has changed shows both values, and either can be chosen', async () => {
    open();
    const context = {
      name: 'Theirs',
      description: stored.description,
      website: stored.website,
      logo: '',
      version: '7',
    };
    const sent = vi.fn();
    server.use(
      http.patch(url, async ({ request }) => {
        const body = (await request.json()) as { version: number };
        sent(body);
        if (body.version === 7) return HttpResponse.json({ ...stored, ...body, version: 8 });
        return HttpResponse.json({ detail: '', code: 'brand_changed', context, request_id: 'r' }, { status: 409 });
      }),
    );
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    onTestFinished(() => scrolled.mockRestore());
    await write('Name', 'Mine');
    await press('Save');
    const alert = await screen.findByRole('alert');
    // Below the visible part on a phone.
    expect(scrolled.mock.contexts.some((shown) => (shown as Element).contains(alert))).toBe(true);
    expect(alert).toHaveTextContent('Name: theirs “Theirs”, yours “Mine”');
    // A field that only the other member changed is not a conflict.
    expect(alert).not.toHaveTextContent('Logo');
    await press('Take theirs');
    expect(await field('Name')).toHaveValue('Theirs');
    expect(screen.queryByRole('alert')).toBeNull();
    // The pressed button is gone: Tab continues in the section.
    expect(screen.getByRole('region', { name: 'Brand' })).toHaveFocus();
    expect(await field('Logo')).toHaveValue('');
    await write('Name', 'Mine after all');
    await press('Save');
    await waitFor(() => expect(sent).toHaveBeenLastCalledWith({ name: 'Mine after all', version: 7 }));
  });

  it('that somebody else has changed can be overwritten, field by field', async () => {
    open();
    const sent = vi.fn();
    const context = { name: 'Theirs', description: '', website: '', logo: '', version: '7' };
    server.use(
      http.patch(url, async ({ request }) => {
        const body = (await request.json()) as { version: number };
        sent(body);
        if (body.version === 7) return HttpResponse.json({ ...stored, ...body, version: 8 });
        return HttpResponse.json({ detail: '', code: 'brand_changed', context, request_id: 'r' }, { status: 409 });
      }),
    );
    await write('Name', 'Mine');
    await press('Save');
    await screen.findByRole('alert');
    await press('Save mine');
    await waitFor(() => expect(sent).toHaveBeenLastCalledWith({ name: 'Mine', version: 7 }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(screen.getByRole('region', { name: 'Brand' })).toHaveFocus();
  });

  it('is saved on top of a change of somebody else to other fields, without a question', async () => {
    open();
    const sent = vi.fn();
    const { name, website } = stored;
    const context = { name, website, description: 'Theirs', logo: '', version: '7' };
    server.use(
      http.patch(url, async ({ request }) => {
        const body = (await request.json()) as { version: number };
        sent(body);
        if (body.version === 7) return HttpResponse.json({ ...stored, ...context, ...body, version: 8 });
        return HttpResponse.json({ detail: '', code: 'brand_changed', context, request_id: 'r' }, { status: 409 });
      }),
    );
    await write('Name', 'Mine');
    await press('Save');
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'The brand is saved' }]));
    expect(sent.mock.calls).toEqual([[{ name: 'Mine', version: 3 }], [{ name: 'Mine', version: 7 }]]);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(await field('Name')).toHaveValue('Mine');
    expect(await field('Description')).toHaveValue('Theirs');
  });

  it('that somebody else has changed lists the fields that both changed, and keeps the others', async () => {
    open();
    const { description, website } = stored;
    const context = { name: 'Theirs', description, website, logo: '', version: '7' };
    const sent = vi.fn();
    server.use(
      http.patch(url, async ({ request }) => {
        sent(await request.json());
        return HttpResponse.json({ detail: '', code: 'brand_changed', context, request_id: 'r' }, { status: 409 });
      }),
    );
    await write('Name', 'Mine');
    await write('Description', 'Mine too');
    await press('Save');
    const alert = await screen.findByRole('alert');
    expect(within(alert).getAllByRole('listitem')).toHaveLength(1);
    expect(alert).toHaveTextContent('Name: theirs “Theirs”, yours “Mine”');
    expect(sent).toHaveBeenCalledOnce();
    await press('Take theirs');
    expect(await field('Name')).toHaveValue('Theirs');
    expect(await field('Description')).toHaveValue('Mine too');
  });

  it('of an editor explains beforehand who may change it', async () => {
    open('editor');
    server.use(http.patch(url, () => refusal('permission_denied')));
    expect(await screen.findByText(/this takes at least the role Admin/)).toBeVisible();
    await write('Name', 'Mine');
    await press('Save');
    expect(await screen.findByRole('alert')).toHaveTextContent('Permission denied');
  });
});

describe('unsaved text of the brand', () => {
  const address = () => screen.getByLabelText('address').textContent;
  const question = () => screen.findByRole('dialog', { name: 'Discard your changes?' });
  const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  /** Opens the settings from the brands, in the router of the app. */
  async function visit() {
    window.history.replaceState(null, '', '/brands');
    server.use(http.get('*/api/v1/users/me/deleted-brands/', () => HttpResponse.json({ results: [] })));
    open('owner', AppRouter);
    await userEvent.click(screen.getByRole('link', { name: 'To the settings' }));
    await write('Name', 'Mine');
  }

  it.each([
    ['a link', () => userEvent.click(screen.getByRole('link', { name: 'To the brands' }))],
    ['Back', () => act(() => window.history.back())],
  ])('is not lost by %s without a question', async (_how, leave) => {
    await visit();
    await leave();
    await question();
    await press('Keep editing');
    await closed();
    await waitFor(() => expect(window.location.pathname).toBe('/brands/1/settings'));
    expect(await field('Name')).toHaveValue('Mine');
    await leave();
    await question();
    await press('Discard changes');
    await waitFor(() => expect(address()).toBe('/brands'));
    expect(window.location.pathname).toBe('/brands');
    await closed();
  });

  it('that is saved does not ask', async () => {
    server.use(http.patch(url, () => HttpResponse.json({ ...stored, name: 'Mine', version: 4 })));
    await visit();
    await press('Save');
    await waitFor(() => expect(getToasts()).toHaveLength(1));
    await userEvent.click(screen.getByRole('link', { name: 'To the brands' }));
    await waitFor(() => expect(address()).toBe('/brands'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('that is saved while the question is open does not stop the change of page', async () => {
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
    server.use(
      http.patch(url, async () => {
        await asked;
        return HttpResponse.json({ ...stored, name: 'Mine', version: 4 });
      }),
    );
    await visit();
    await press('Save');
    await userEvent.click(screen.getByRole('link', { name: 'To the brands' }));
    await question();
    answer();
    await waitFor(() => expect(address()).toBe('/brands'));
  });

  it('does not ask when the brand is deleted', async () => {
    server.use(
      http.get(`${url}contents/`, () => refusal('internal_error')),
      http.delete(url, () => new HttpResponse(null, { status: 204 })),
    );
    await visit();
    await press('Delete this brand');
    await userEvent.type(within(screen.getByRole('dialog')).getByRole('textbox'), 'Fjord & Forest');
    await press('Delete brand');
    await waitFor(() => expect(address()).toBe('/brands'));
    await closed();
  });
});

describe('deleting the brand', () => {
  const contents = { variants: 1_204, published: 800, certificates: 12, members: 3, imports: 1 };

  it('says what is deleted with it, needs its name, and offers to restore it', async () => {
    open();
    const deleted = vi.fn();
    server.use(
      http.get(`${url}contents/`, () => HttpResponse.json(contents)),
      http.delete(url, () => {
        deleted();
        return new HttpResponse(null, { status: 204 });
      }),
      http.get('*/api/v1/users/me/deleted-brands/', () =>
        HttpResponse.json({ results: [{ id: 1, name: fjord.name, restorable_until: '2026-11-23T10:00:00Z' }] }),
      ),
    );
    await field('Name');
    await press('Delete this brand');
    const dialog = screen.getByRole('dialog', { name: 'Delete Fjord & Forest?' });
    expect(await within(dialog).findByText('1,204 product variants')).toBeVisible();
    expect(dialog).toHaveTextContent('800 of them are published; those that Google already has are withdrawn at once');
    expect(dialog).toHaveTextContent('12 certificates3 members1 import');
    expect(dialog).toHaveTextContent('All members and API keys lose access at once');
    await press('Delete brand');
    expect(dialog).toHaveTextContent('This is not the name of the brand');
    await userEvent.type(within(dialog).getByRole('textbox'), 'fjord & forest');
    await press('Delete brand');
    expect(deleted).not.toHaveBeenCalled();
    await userEvent.clear(within(dialog).getByRole('textbox'));
    await userEvent.type(within(dialog).getByRole('textbox'), 'Fjord & Forest');
    await press('Delete brand');
    await waitFor(() => expect(getToasts()).toMatchObject([{ title: 'Fjord & Forest is deleted' }]));
    expect(screen.getByLabelText('address')).toHaveTextContent('/brands');

    const row = await screen.findByText(/^Deleted, restorable until/);
    expect(row).toBeVisible();
    server.use(
      http.post('*/api/v1/users/me/deleted-brands/1/restore/', () => new HttpResponse(null, { status: 204 })),
      http.get('*/api/v1/users/me/deleted-brands/', () => HttpResponse.json({ results: [] })),
    );
    await press('Restore Fjord & Forest');
    await waitFor(() => expect(screen.queryByText(/^Deleted, restorable/)).toBeNull());
    expect(getToasts()[0]).toMatchObject({ title: expect.stringContaining('Fjord & Forest is back.') });
  });

  it('whose answer is lost is seen on the dashboard', async () => {
    const { queryClient } = open();
    queryClient.setQueryData(brandKeys.deleted(), { results: [] });
    const results = [{ id: 1, name: fjord.name, restorable_until: '2026-11-23T10:00:00Z' }];
    server.use(
      http.get(`${url}contents/`, () => HttpResponse.json(contents)),
      http.delete(url, () => HttpResponse.error()),
      http.get('*/api/v1/users/me/deleted-brands/', () => HttpResponse.json({ results })),
    );
    await field('Name');
    await press('Delete this brand');
    const dialog = screen.getByRole('dialog', { name: 'Delete Fjord & Forest?' });
    await userEvent.type(within(dialog).getByRole('textbox'), 'Fjord & Forest');
    await press('Delete brand');
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Network error');
    await press('Cancel');
    await userEvent.click(screen.getByRole('link', { name: 'To the brands' }));
    expect(await screen.findByText(/^Deleted, restorable until/)).toBeVisible();
  });

  it('accepts a name with several spaces as it is shown', async () => {
    open();
    const deleted = vi.fn();
    server.use(
      http.get(url, () => HttpResponse.json({ ...fjord, name: 'Fjord  &  Forest', role: 'owner', version: 2 })),
      http.get(`${url}contents/`, () => HttpResponse.json(contents)),
      http.delete(url, () => {
        deleted();
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await field('Name');
    await press('Delete this brand');
    await userEvent.type(within(screen.getByRole('dialog')).getByRole('textbox'), 'Fjord & Forest');
    await press('Delete brand');
    await waitFor(() => expect(deleted).toHaveBeenCalledOnce());
  });

  it('is explained to an admin beforehand, and a refusal stays in the dialog', async () => {
    open('admin');
    server.use(http.delete(url, () => refusal('permission_denied')));
    await field('Name');
    await press('Delete this brand');
    const dialog = screen.getByRole('dialog');
    expect(within(dialog).getByRole('alert')).toHaveTextContent('this takes at least the role Owner');
    await userEvent.type(within(dialog).getByRole('textbox'), 'Fjord & Forest');
    await press('Delete brand');
    await waitFor(() => expect(within(dialog).getByRole('alert')).toHaveTextContent('Permission denied'));
    expect(screen.getByLabelText('address')).toHaveTextContent('/brands/1/settings');
  });

  it('is in Spanish', async () => {
    await changeLanguage('es');
    open();
    server.use(http.get(`${url}contents/`, () => HttpResponse.json({ ...contents, imports: 2 })));
    await field('Nombre');
    await press('Eliminar esta marca');
    expect(await screen.findByText('2 importaciones')).toBeVisible();
  });
});

it('a refused deletion keeps the focus in the field where Enter was pressed', async () => {
  open();
  server.use(
    http.get(`${url}contents/`, () => refusal('internal_error')),
    http.delete(url, () => refusal('database_unavailable')),
  );
  await field('Name');
  await press('Delete this brand');
  const dialog = screen.getByRole('dialog');
  await within(dialog).findByRole('alert');
  await userEvent.type(within(dialog).getByRole('textbox'), 'Fjord & Forest{Enter}');
  await waitFor(() => expect(within(dialog).getAllByRole('alert')).toHaveLength(2));
  expect(within(dialog).getByRole('textbox')).toHaveFocus();
});
