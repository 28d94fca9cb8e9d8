import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, useNavigate } from 'react-router';
import { describe, expect, it } from 'vitest';
import { useVariantsView } from './variants-view.ts';

function renderView(...addresses: string[]) {
  const wrapper = ({ children }: { children: ReactNode }) => <MemoryRouter initialEntries={addresses}>{children}</MemoryRouter>;
  return renderHook(() => ({ ...useVariantsView(), navigate: useNavigate() }), { wrapper }).result;
}

describe('the view of the variants', () => {
  it('keeps a filter that was chosen just before a search is sent', () => {
    const result = renderView('/?search=merino&page=3');
    act(() => {
      result.current.changeView({ filter: 'published' });
      result.current.changeSearch('');
    });
    expect(result.current.view).toMatchObject({ filter: 'published', search: '', page: 1 });
  });

  it('uses the URL after a step back in history', async () => {
    const result = renderView('/?filter=published', '/?filter=unpublished');
    await act(async () => result.current.navigate(-1));
    act(() => result.current.changeSearch('wool'));
    expect(result.current.view).toMatchObject({ filter: 'published', search: 'wool' });
  });
});
