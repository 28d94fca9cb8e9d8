import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { Button } from './button.tsx';
import { Popover } from './popover.tsx';

describe('a popover', () => {
  it('opens from its button, has a name, and Escape restores the focus', async () => {
    render(
      <Popover label="More about this" trigger={<Button>More</Button>}>
        All of it
      </Popover>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'More' }));
    expect(screen.getByRole('dialog', { name: 'More about this' })).toHaveTextContent('All of it');
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'More' })).toHaveFocus();
  });
});
