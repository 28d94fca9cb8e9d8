import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { BrandGrid } from './brand-grid.tsx';
import { fjord, renderAt, tiny } from './test-support/brands.tsx';

describe('the grid of brands', () => {
  // spec: §2 dashboard placeholders, §9 skeleton cards
  it('shows six placeholders while the brands are loading', () => {
    render(<BrandGrid brands={undefined} />);
    expect(screen.getByRole('status', { name: 'Loading brands…' }).children).toHaveLength(6);
  });

  it('is a list of cards', () => {
    renderAt('/brands', <BrandGrid brands={[fjord, tiny]} />);
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(['Fjord & Forest', 'Tiny']);
  });

  it('without brands shows the empty state that it was given', () => {
    render(<BrandGrid brands={[]} empty={<p>Ask somebody</p>} />);
    expect(screen.getByText('Ask somebody')).toBeVisible();
    expect(screen.queryByText('No brands found')).toBeNull();
  });

  // spec: §2 dashboard nothing found
  it('without brands and without an empty state of its own says that there are none', () => {
    render(<BrandGrid brands={[]} />);
    expect(screen.getByText('No brands found')).toBeVisible();
  });
});
