import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeCertification } from './test-support/variants.tsx';
import { VariantCertifications } from './variant-certifications.tsx';

it('a badge says why the certificate has its status', async () => {
  const expired = makeCertification('FSC', { status: 'invalid', reason: 'expired:2026-03-01' });
  render(<VariantCertifications certifications={[expired]} />);
  fireEvent.focus(screen.getByText('Invalid').closest('[tabindex="0"]') as HTMLElement);
  expect(await screen.findByRole('tooltip')).toHaveTextContent(/Status: Invalid ?It expired on March 1, 2026\.$/);
});
