import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { Button } from './button.tsx';
import { Popover } from './popover.tsx';
import { loadFloating } from './use-opener.ts';

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

  it('whose code is not there yet opens when it comes', async () => {
    delete loadFloating.loaded;
    render(
      <Popover label="More about this" trigger={<Button>More</Button>}>
        All of it
      </Popover>,
    );
    const button = screen.getByRole('button', { name: 'More' });
    button.focus();
    fireEvent.click(button);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(button).toHaveFocus();
    expect(await screen.findByRole('dialog', { name: 'More about this' })).toHaveTextContent('All of it');
    await userEvent.click(button);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
