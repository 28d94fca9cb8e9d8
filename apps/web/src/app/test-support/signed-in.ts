import type { RuntimeConfig } from '@brand-portal/contract/identity';
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
