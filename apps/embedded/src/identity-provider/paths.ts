/** The provider's path below the portal's URL. */
export const MOUNT_PATH = '/idp';

/** Auth0's paths, which its browser SDK expects. */
export const ROUTES = {
  authorization: '/authorize',
  token: '/oauth/token',
  userinfo: '/userinfo',
  jwks: '/.well-known/jwks.json',
} as const;
