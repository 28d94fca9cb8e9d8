import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { TextField } from './text-field.tsx';

describe('a text field', () => {
  it('is described by its hint', () => {
    render(<TextField label="Name" hint="Optional" />);
    const field = screen.getByRole('textbox', { name: 'Name' });
    expect(field).toHaveAccessibleDescription('Optional');
    expect(field).not.toHaveAttribute('aria-invalid');
  });

  it('is described by what is wrong with it, in place of the hint', () => {
    render(<TextField label="Name" hint="Optional" error="Too long" />);
    const field = screen.getByRole('textbox', { name: 'Name' });
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription('Too long');
  });
});
