import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { ClampedText } from './clamped-text.tsx';

const text = 'A name that goes on and on';

/** jsdom has no layout: pretends that the text is this tall in a box of 20 px. */
function setTextHeight(height: number) {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(20);
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(height);
}

describe('a clamped text', () => {
  it('that is truncated can be focused by keyboard, and then shows the full text', async () => {
    setTextHeight(60);
    render(<ClampedText text={text} />);
    const clamped = screen.getByText(text);
    await userEvent.tab();
    expect(clamped).toHaveFocus();
    expect(await screen.findByRole('tooltip')).toHaveTextContent(text);
  });

  it('that is truncated shows the full text on hover', async () => {
    setTextHeight(60);
    render(<ClampedText text={text} />);
    await userEvent.hover(screen.getByText(text));
    expect(await screen.findByRole('tooltip')).toHaveTextContent(text);
  });

  it('that is truncated shows the full text when pressed, for touch screens', async () => {
    setTextHeight(60);
    render(<ClampedText text={text} />);
    await userEvent.pointer([
      { keys: '[TouchA>]', target: screen.getByText(text) },
      { keys: '[/TouchA]', target: screen.getByText(text) },
    ]);
    expect(await screen.findByRole('tooltip')).toHaveTextContent(text);
  });

  it('that fits is plain text', async () => {
    setTextHeight(20);
    render(<ClampedText text={text} />);
    await userEvent.tab();
    expect(screen.getByText(text)).not.toHaveFocus();
    await userEvent.hover(screen.getByText(text));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(screen.queryByRole('tooltip')).toBeNull();
  });
});
