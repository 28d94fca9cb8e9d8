import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ExplainedButton } from './explained-button.tsx';

const onClick = vi.fn();
const button = () => screen.getByRole('button', { name: 'Publish' });

describe('a button that may have a reason not to work', () => {
  beforeEach(() => onClick.mockReset());

  it('works when it has none', async () => {
    render(<ExplainedButton onClick={onClick}>Publish</ExplainedButton>);
    await userEvent.click(button());
    expect(onClick).toHaveBeenCalledOnce();
    expect(button()).not.toHaveAttribute('aria-disabled');
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('does nothing when it has one', async () => {
    render(
      <ExplainedButton onClick={onClick} disabledReason="Nothing is chosen">
        Publish
      </ExplainedButton>,
    );
    expect(button()).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(button());
    button().focus();
    await userEvent.keyboard('{Enter}');
    expect(onClick).not.toHaveBeenCalled();
  });

  it.each([
    ['hover', false],
    ['focus', false],
    ['press', false],
    ['focus', true],
    ['press', true],
  ])('says it on %s, busy: %s', async (how, busy) => {
    render(
      <ExplainedButton busy={busy} disabledReason="Nothing is chosen">
        Publish
      </ExplainedButton>,
    );
    if (how === 'hover') await userEvent.hover(button());
    else if (how === 'focus') await userEvent.tab();
    else fireEvent.click(button());
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Nothing is chosen');
    expect(button()).toHaveAccessibleDescription('Nothing is chosen');
  });
});
