import { render } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { PageTitle } from './page-header.tsx';

describe('the title of a page', () => {
  it('goes from specific to general, updates with its parts, and is reset with the page', () => {
    const { rerender, unmount } = render(<PageTitle parts={['Files', 'North']} />);
    expect(document.title).toBe('Files · North · Brand Portal');
    rerender(<PageTitle parts={['People', 'North']} />);
    expect(document.title).toBe('People · North · Brand Portal');
    unmount();
    expect(document.title).toBe('Brand Portal');
  });
});
