import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { TextAreaField, TextField } from './text-field.tsx';

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

  it.each([TextField, TextAreaField])('says that its text is too long, and cuts nothing', async (Field) => {
    render(<Field label="Name" hint="Optional" maxLength={3} value="ab👍" onChange={() => undefined} />);
    const field = screen.getByRole('textbox', { name: 'Name' });
    expect(field).toHaveAccessibleDescription('Optional');
    expect(field).not.toHaveAttribute('maxlength');
    render(<Field label="Brand" error="Refused" maxLength={2000} value={'a'.repeat(2001)} readOnly />);
    expect(screen.getByRole('textbox', { name: 'Brand' })).toBeInvalid();
    expect(screen.getByRole('textbox', { name: 'Brand' })).toHaveAccessibleDescription('Use at most 2,000 characters.');
  });
});
