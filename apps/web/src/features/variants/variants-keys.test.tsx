import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startMockServer } from '../../test/mock-server.ts';
import { bodyRows, makeCertification, makeVariant, mockVariants, openVariants, searchBox } from './test-support/variants.tsx';
import * as gtin from './variant-gtin.tsx';

const server = startMockServer();

const certifications = [
  makeCertification('A'),
  makeCertification('B', { status: 'pending' }),
  makeCertification('C'),
  makeCertification('D', { status: 'invalid' }),
  makeCertification('E', { status: 'pending' }),
];

beforeEach(() => {
  const variants = [makeVariant(1, { certifications, published: true }), makeVariant(2), makeVariant(3)];
  server.use(...mockVariants(variants).handlers);
});

const focused = () => document.activeElement as HTMLElement;
const press = (key: string) => userEvent.keyboard(`{${key}}`);

describe('the rows by keyboard', () => {
  it('are one tab stop each', async () => {
    openVariants();
    await screen.findByText('Wool socks 1');
    for (const row of bodyRows()) {
      expect(row).toHaveAttribute('tabindex', '0');
      expect(row.querySelector('[tabindex="0"], button:not([tabindex="-1"])')).toBeNull();
    }
  });

  it('are navigated with Up, Down, Home and End, their controls with Left and Right', async () => {
    openVariants();
    await screen.findByText('Wool socks 1');
    const [first, second, third] = bodyRows() as [HTMLElement, HTMLElement, HTMLElement];
    act(() => first.focus());
    await press('ArrowDown');
    expect(second).toHaveFocus();
    await press('End');
    expect(third).toHaveFocus();
    await press('ArrowDown');
    expect(third).toHaveFocus();
    await press('Home');
    expect(first).toHaveFocus();
    await press('ArrowRight');
    expect(within(first).getByRole('checkbox')).toHaveFocus();
    await press('ArrowRight');
    expect(focused()).toHaveTextContent('D Invalid');
    for (let step = 0; step < 4; step++) await press('ArrowRight');
    expect(within(first).getByRole('button', { name: 'Actions for Wool socks 1' })).toHaveFocus();
    await press('ArrowRight');
    expect(within(first).getByRole('button', { name: 'Actions for Wool socks 1' })).toHaveFocus();
    for (let step = 0; step < 6; step++) await press('ArrowLeft');
    expect(first).toHaveFocus();
    await press('ArrowUp');
    expect(first).toHaveFocus();
  });

  it('leave the keys to an open menu', async () => {
    openVariants();
    await screen.findByText('Wool socks 1');
    const menu = screen.getByRole('button', { name: 'Actions for Wool socks 2' });
    act(() => menu.focus());
    await press('Enter');
    await press('ArrowDown');
    expect(focused()).toHaveAttribute('role', 'menuitem');
  });
});

describe('certifications of a row', () => {
  it('begin with the worst status, and the number of the others has the colour of their worst', async () => {
    openVariants();
    await screen.findByText('Wool socks 1');
    const list = within(screen.getByRole('list', { name: 'Certifications' }));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['D Invalid', 'B Pending Review', '+3']);
    expect(list.getByRole('button', { name: '3 more certifications' })).toHaveClass('text-warning');
  });
});

it('typing in the search does not render the rows again', async () => {
  const rendered = vi.spyOn(gtin, 'VariantGtin');
  openVariants();
  await screen.findByText('Wool socks 1');
  expect(rendered).toHaveBeenCalled();
  rendered.mockClear();
  fireEvent.change(searchBox(), { target: { value: 'w' } });
  fireEvent.change(searchBox(), { target: { value: 'wo' } });
  expect(searchBox()).toHaveValue('wo');
  expect(rendered).not.toHaveBeenCalled();
});
