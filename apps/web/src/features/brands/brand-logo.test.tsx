import { fireEvent, render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { BrandLogo } from './brand-logo.tsx';

describe('a logo', () => {
  it('is shown as decoration, without a referrer', () => {
    const { container } = render(<BrandLogo logo="https://cdn.example/logo.png" />);
    const image = container.querySelector('img');
    expect(image).toHaveAttribute('src', 'https://cdn.example/logo.png');
    expect(image).toHaveAttribute('alt', '');
    expect(image).toHaveAttribute('referrerpolicy', 'no-referrer');
    expect(container.querySelector('svg')).toBeNull();
  });

  it('that is missing is replaced by an icon', () => {
    const { container } = render(<BrandLogo logo="" />);
    expect(container.querySelector('img')).toBeNull();
    expect(container.querySelector('svg')).toBeInTheDocument();
  });

  it.each([
    ['Tiny', 'TI'],
    ['Fjord & Forest', 'FF'],
    ['maison d’été verveine', 'MD'],
    ['Ñandú', 'ÑA'],
    ['  7 Leaves', '7L'],
    ['…', '…'],
  ])('that is missing is replaced by the initials of %s if there is no room for the name', (name, initials) => {
    const { container } = render(<BrandLogo logo={null} initialsOf={name} />);
    expect(container.querySelector('svg')).toBeNull();
    // Visible, but not in the accessible text: the name is.
    expect(container.querySelector('[data-initials]')).toHaveAttribute('data-initials', initials);
    expect(container).toHaveTextContent('');
  });

  // spec: §2 brand card logo fallback
  it('that fails to load is replaced by an icon, and a new URL is tried', () => {
    const { container, rerender } = render(<BrandLogo logo="/broken.svg" />);
    fireEvent.error(container.querySelector('img') as HTMLImageElement);
    expect(container.querySelector('img')).toBeNull();
    expect(container.querySelector('svg')).toBeInTheDocument();
    rerender(<BrandLogo logo="/whole.svg" />);
    expect(container.querySelector('img')).toHaveAttribute('src', '/whole.svg');
  });
});
