import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { BrandCard } from './brand-card.tsx';
import { fjord, renderAt, tiny } from './test-support/brands.tsx';

describe('a brand card', () => {
  // spec: §2 brand card
  it('shows logo, name, owner, description, members and the trial', () => {
    const { container } = renderAt('/brands', <BrandCard brand={fjord} />);
    expect(container.querySelector('img')).toHaveAttribute('src', '/demo-logos/fjord.svg');
    expect(screen.getByRole('heading', { level: 3, name: 'Fjord & Forest' })).toBeVisible();
    expect(screen.getByText('Owner: Olivia Lindqvist')).toBeVisible();
    expect(screen.getByText('Outdoor clothing, made to be mended.')).toBeVisible();
    expect(screen.getByText('3 members')).toBeVisible();
    expect(screen.getByText('Free trial active')).toBeVisible();
  });

  // spec: §2 brand card manage
  it('links to the variants of its brand', async () => {
    renderAt('/brands', <BrandCard brand={fjord} />);
    const manage = screen.getByRole('link', { name: 'Manage Fjord & Forest' });
    expect(manage).toHaveAttribute('href', '/brands/1/product-variants');
    expect(manage).toHaveTextContent(/^Manage$/);
    await userEvent.click(manage);
    expect(screen.getByRole('status', { name: 'address' })).toHaveTextContent('/brands/1/product-variants');
  });

  // spec: §2 brand card website
  it.each([/^fjord-forest\.example\s*\(opens in a new tab\)$/, 'Visit website of Fjord & Forest (opens in a new tab)'])(
    'opens the website in a new tab without opener and referrer: %s',
    (name) => {
      renderAt('/brands', <BrandCard brand={fjord} />);
      const link = screen.getByRole('link', { name });
      expect(link).toHaveAttribute('href', 'https://www.fjord-forest.example/');
      expect(link).toHaveAttribute('target', '_blank');
      expect(link).toHaveAttribute('rel', 'noopener noreferrer');
    },
  );

  // spec: §2 brand card trial badge, §2 brand card without website
  it('of a brand without details says so', () => {
    renderAt('/brands', <BrandCard brand={tiny} />);
    for (const text of ['Owner without a name yet', 'No description yet', 'No website yet', '1 member']) {
      expect(screen.getByText(text)).toBeVisible();
    }
    expect(screen.queryByText('Free trial active')).toBeNull();
    expect(screen.getAllByRole('link')).toHaveLength(1);
  });

  it('never links to an address that is not a website', () => {
    renderAt('/brands', <BrandCard brand={{ ...fjord, website: 'javascript:alert(1)' }} />);
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/brands/1/product-variants']);
  });
});
