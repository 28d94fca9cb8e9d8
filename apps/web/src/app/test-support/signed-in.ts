import type { RuntimeConfig } from '@brand-portal/contract/identity';
import { vi } from 'vitest';
import { useAuthStore } from '../../features/auth/auth-store.ts';
import { writeRuntimeConfig as writeBlock } from '../../test/runtime-config-block.ts';

/** Mocks the configuration that the server embeds in the page; without it there is only the configuration error. */
export function writeRuntimeConfig(change: Partial<RuntimeConfig> = {}): void {
  writeBlock({ domain: 'id.example', support_email: 'help@portal.example', ...change });
}

export const olivia = { id: 1, first_name: 'Olivia', last_name: 'Lindqvist', email: 'olivia.owner@demo.example' };

export function signInAs(user: typeof olivia = olivia): void {
  useAuthStore.setState({
    user,
    accessToken: 'access',
    refreshToken: 'refresh',
    isAuthenticated: true,
    isLoading: false,
    error: null,
  });
}

/** jsdom has no layout: answers the shell's media query. */
export function setWindowWidth(width: number): void {
  const original = window.matchMedia;
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const minimum = /min-width: (\d+)px/.exec(query)?.[1];
    const maximum = /max-width: ([\d.]+)px/.exec(query)?.[1];
    if (minimum === undefined && maximum === undefined) return original(query);
    return {
      media: query,
      matches: minimum === undefined ? width <= Number(maximum) : width >= Number(minimum),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    } as unknown as MediaQueryList;
  });
}
