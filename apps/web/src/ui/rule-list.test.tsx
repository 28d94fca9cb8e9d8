import { render, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { RuleList } from './rule-list.tsx';

const rules = [
  { id: 'length', text: 'Eight characters', isMet: true },
  { id: 'special', text: 'One sign', note: 'One of ! ?', isMet: false },
];

describe('a list of rules', () => {
  it('shows for each rule in words whether it is met', () => {
    render(<RuleList id="rules" title="Requirements" rules={rules} metLabel="Met" unmetLabel="Not met" />);
    const items = within(screen.getByRole('list', { name: 'Requirements' })).getAllByRole('listitem');
    expect(items.map((item) => item.textContent)).toEqual(['Eight characters Met', 'One sign One of ! ? Not met']);
  });

  it('describes the field it belongs to with every rule', () => {
    render(
      <>
        <input aria-label="Password" aria-describedby="rules" />
        <RuleList id="rules" title="Requirements" rules={rules} metLabel="Met" unmetLabel="Not met" showErrors />
      </>,
    );
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Requirements Eight characters Met One sign One of ! ? Not met');
  });
});
