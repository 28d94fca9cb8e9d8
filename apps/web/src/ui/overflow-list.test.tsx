import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { OverflowList } from './overflow-list.tsx';

function show(items: readonly string[]) {
  render(
    <OverflowList
      label="Fruit"
      items={items}
      itemKey={(item) => item}
      limit={2}
      renderItem={(item) => item}
      renderHidden={(item) => `all about ${item}`}
      hiddenLabel={(count) => `${count} more fruits`}
    />,
  );
}

const shown = () => screen.getAllByRole('listitem').map((item) => item.textContent);
const more = () => screen.getByRole('button', { name: '2 more fruits' });

describe('a list that collapses', () => {
  it('shows all items as long as they are few', () => {
    show(['apple', 'pear']);
    expect(screen.getByRole('list', { name: 'Fruit' })).toBeVisible();
    expect(shown()).toEqual(['apple', 'pear']);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('collapses the rest into a number', () => {
    show(['apple', 'pear', 'plum', 'cherry']);
    expect(shown()).toEqual(['apple', 'pear', '+2']);
    expect(more()).toBeVisible();
  });

  it.each(['hover', 'focus', 'press'])('shows the rest on %s', async (how) => {
    show(['apple', 'pear', 'plum', 'cherry']);
    if (how === 'hover') await userEvent.hover(more());
    else if (how === 'focus') await userEvent.tab();
    else fireEvent.click(more());
    expect(await screen.findByRole('tooltip')).toHaveTextContent('all about plumall about cherry');
  });
});
