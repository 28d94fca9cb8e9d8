import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { startMockServer } from '../../test/mock-server.ts';
import { clearToasts, getToasts } from '../../ui/toast-store.ts';
import { goBack, refusal } from '../brands/test-support/brands.tsx';
import { detailUrl, field, makeDetail, mockDetails, openVariants, panel, press } from './test-support/panel.tsx';

const server = startMockServer();

beforeEach(clearToasts);

function mockApi(...given: Parameters<typeof mockDetails>) {
  const { saved, handlers } = mockDetails(...given);
  server.use(...handlers);
  return saved;
}

describe('editing', () => {
  async function edit(address = '/1') {
    const page = await openVariants(address);
    await screen.findByText('Warm.');
    await press('Edit');
    return page;
  }
  const retype = async (name: string, text: string) => {
    await userEvent.clear(field(name));
    await userEvent.type(field(name), text);
  };

  test('sends the changed fields with the version, and shows them in the list at once', async () => {
    const saved = mockApi();
    await edit();
    expect(field('Name')).toHaveFocus();
    await retype('Name', 'Merino socks{Enter}');
    await panel('Merino socks');
    expect(saved).toEqual([{ version: 3, name: 'Merino socks' }]);
    expect(getToasts()[0]?.title).toBe('“Merino socks” was saved');
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible();
  });

  test('shows the server’s error beside its field', async () => {
    mockApi();
    server.use(
      http.patch(detailUrl, () =>
        HttpResponse.json(
          { detail: 'x', code: 'validation_failed', fields: { image_link: 'No web address.' }, request_id: 'r' },
          { status: 400 },
        ),
      ),
    );
    await edit();
    await retype('Image link', 'nonsense');
    await press('Save');
    expect(await screen.findByText('No web address.')).toBeVisible();
    await waitFor(() => expect(field('Image link')).toHaveFocus());
    expect(field('Image link')).toBeInvalid();
  });

  test.each([
    ['Escape', () => userEvent.keyboard('{Escape}'), '/brands/1/product-variants'],
    ['the next variant', () => userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}'), '/brands/1/product-variants/2'],
    ['Back to another page', goBack, '/brands'],
  ])('asks before typed text is lost by %s', async (_how, leave, destination) => {
    mockApi();
    const { path } = await edit();
    await retype('Name', 'Merino');
    await leave();
    await screen.findByRole('dialog', { name: 'Discard your changes?' });
    await press('Keep editing');
    await waitFor(() => expect(path()).toBe('/brands/1/product-variants/1'));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).toBeNull());
    expect(field('Name')).toHaveValue('Merino');
    await leave();
    await screen.findByRole('dialog', { name: 'Discard your changes?' });
    await press('Discard changes');
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull());
    expect(path()).toBe(destination);
  });

  test('of a certificate to add is not lost by Back without a question', async () => {
    mockApi();
    const { path } = await openVariants('/1');
    await userEvent.click(await screen.findByRole('button', { name: 'Add certificate' }));
    await userEvent.type(screen.getByLabelText('Certificate ID'), 'FSC-C1');
    await goBack();
    await screen.findByRole('dialog', { name: 'Discard your changes?' });
    await press('Keep editing');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).toBeNull());
    expect(path()).toBe('/brands/1/product-variants/1');
    expect(screen.getByLabelText('Certificate ID')).toHaveValue('FSC-C1');
  });

  test('cannot be continued while it is saved: the answer closes the form', async () => {
    mockApi();
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    server.use(
      http.patch(detailUrl, async () => {
        await isAnswered;
        return refusal('internal_error');
      }),
    );
    await edit();
    await retype('Name', 'Merino socks{Enter}');
    await userEvent.type(field('Description'), ' Soft.');
    expect(field('Description')).toHaveValue('Warm.');
    answer();
    await screen.findByText('The changes were not saved');
    await userEvent.type(field('Description'), ' Soft.');
    expect(field('Description')).toHaveValue('Warm. Soft.');
  });

  test('asks before typed text is lost by Cancel', async () => {
    mockApi();
    await edit();
    await press('Cancel');
    await press('Edit');
    await retype('Name', 'Merino');
    await press('Cancel');
    await screen.findByRole('dialog', { name: 'Discard your changes?' });
    await press('Keep editing');
    expect(field('Name')).toHaveValue('Merino');
    await press('Cancel');
    await press('Discard changes');
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible();
    const dialog = await panel('Wool socks 1');
    await waitFor(() => expect(dialog).toHaveFocus());
  });

  test('keeps typed text when the variant turns out to be deleted, and says so', async () => {
    const details = [makeDetail(1)];
    mockApi(details);
    const { queryClient, path } = await edit();
    await retype('Name', 'Merino');
    details.pop();
    await act(() => queryClient.invalidateQueries());
    expect(await screen.findByRole('alert')).toHaveTextContent('This variant does not exist any more.');
    expect(field('Name')).toHaveValue('Merino');
    await press('Cancel');
    await press('Discard changes');
    expect(await screen.findByText('Product variant not found')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(path()).toBe('/brands/1/product-variants'));
    expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).not.toBeInTheDocument();
  });

  test('asks nothing if nothing was typed', async () => {
    mockApi();
    const { path } = await edit();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(path()).toBe('/brands/1/product-variants'));
    expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).not.toBeInTheDocument();
  });

  test('of fields that somebody else has changed lets the member choose for each field', async () => {
    const saved = mockApi();
    await edit();
    const theirs = { description: 'Warm.', image_link: 'https://fjord.no/s.jpg', product_page_url: '' };
    const context = { ...theirs, name: 'Their socks', category: 'Their category', version: '4' };
    server.use(
      http.patch(detailUrl, () => HttpResponse.json({ detail: 'x', code: 'variant_changed', context, request_id: 'r' }, { status: 409 }), {
        once: true,
      }),
    );
    await retype('Name', 'My socks');
    await retype('Description', 'Mine.');
    await press('Save');
    expect(await screen.findByText('Somebody else has changed this variant meanwhile.')).toBeVisible();
    // Only I changed the description and only they the category: no conflict.
    expect(field('Category')).toHaveValue('Their category');
    expect(screen.getAllByRole('group')).toHaveLength(1);
    const choice = within(screen.getByRole('group', { name: 'Name: which value shall stay?' }));
    expect(choice.getByRole('radio', { name: 'Yours: My socks' })).toBeChecked();
    await userEvent.click(choice.getByRole('radio', { name: 'Theirs: Their socks' }));
    expect(field('Name')).toHaveValue('Their socks');
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    const hold = async () => {
      await isAnswered;
      return refusal('internal_error');
    };
    server.use(http.patch(detailUrl, hold, { once: true }));
    await press('Save');
    // What is being saved cannot be chosen any more.
    await userEvent.click(choice.getByRole('radio', { name: 'Yours: My socks' }));
    expect(field('Name')).toHaveValue('Their socks');
    answer();
    await screen.findByText('The changes were not saved');
    await press('Save');
    await waitFor(() => expect(saved).toEqual([{ version: 4, description: 'Mine.' }]));
  });

  test('does not blame somebody else if the answer to a save was lost', async () => {
    mockApi();
    await edit();
    const { description, category, image_link, product_page_url } = makeDetail(1);
    const context = { description, category, image_link, product_page_url, name: 'Merino socks', version: '4' };
    server.use(
      http.patch(detailUrl, () => HttpResponse.error(), { once: true }),
      http.patch(detailUrl, () => HttpResponse.json({ detail: 'x', code: 'variant_changed', context, request_id: 'r' }, { status: 409 })),
    );
    await retype('Name', 'Merino socks');
    await press('Save');
    await screen.findByText('Network error. Please check your connection.');
    await press('Save');
    expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible();
    expect(getToasts()[0]?.title).toBe('“Merino socks” was saved');
  });
});

describe('adding by hand', () => {
  test('sends the fields and opens the new variant', async () => {
    mockApi([makeDetail(50, { name: 'Oil' })]);
    const saved: unknown[] = [];
    server.use(
      http.post('*/api/v1/brands/1/variants/', async ({ request }) => {
        saved.push(await request.json());
        return HttpResponse.json(makeDetail(50, { name: 'Oil' }), { status: 201 });
      }),
    );
    const { path } = await openVariants('/new');
    await panel('Add a product variant');
    await userEvent.type(field('GTIN'), '4006381333931');
    await userEvent.type(field('Name'), 'Oil');
    await press('Add variant');
    await panel('Oil');
    expect(path()).toBe('/brands/1/product-variants/50');
    expect(saved).toMatchObject([{ gtin: '4006381333931', name: 'Oil', category: '' }]);
  });

  test('with a GTIN that exists says so at the field, and links the variant that has it', async () => {
    mockApi();
    const body = {
      detail: 'x',
      code: 'gtin_exists',
      context: { variant_id: '2', name: 'Wool socks 2' },
      request_id: 'r',
    };
    server.use(http.post('*/api/v1/brands/1/variants/', () => HttpResponse.json(body, { status: 409 })));
    await openVariants('/new');
    await panel('Add a product variant');
    await userEvent.type(field('GTIN'), '4006381000002');
    await press('Add variant');
    const link = await screen.findByRole('link', { name: 'Wool socks 2' });
    expect(field('GTIN')).toBeInvalid();
    expect(field('GTIN')).toHaveAccessibleDescription('The brand has this GTIN already: Wool socks 2');
    expect(screen.queryByText('The changes were not saved')).not.toBeInTheDocument();
    await waitFor(() => expect(field('GTIN')).toHaveFocus());
    await userEvent.click(link);
    await panel('Wool socks 2');
  });
});
