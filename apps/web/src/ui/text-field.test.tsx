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

  it.each([TextField, TextAreaField])('announces an error that appears while it has the focus', async (Field) => {
    const { rerender } = render(<Field label="Name" hint="Optional" />);
    const field = screen.getByRole('textbox', { name: 'Name' });
    field.focus();
    rerender(<Field label="Name" hint="Optional" error="Too long" />);
    expect(screen.getByRole('alert')).toHaveTextContent('Too long');
    expect(field).toHaveAccessibleDescription('Too long');
    rerender(<Field label="Name" hint="Optional" />);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('does not announce an error that is read because the field gets the focus afterwards', async () => {
    const { rerender } = render(<TextField label="Name" />);
    rerender(<TextField label="Name" error="Too long" />);
    const field = screen.getByRole('textbox', { name: 'Name' });
    field.focus();
    rerender(<TextField label="Name" error="Too long" value="x" readOnly />);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
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
