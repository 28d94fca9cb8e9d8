export const BASE_PATH = '/channel-emulator';

/**
 * Hidden from the API's documentation, free of the limit for people (the quota is the channel's own), and silent in the log:
 * publishing all variants would fill the newcomer's terminal.
 */
export const ROUTE_OPTIONS = {
  schema: { hide: true },
  config: { rateLimit: false as const },
  logLevel: 'warn' as const,
};
