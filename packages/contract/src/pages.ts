/** The routes of the web app: the router has a page for each, and the server sends index.html for each. */
export const PAGES = {
  home: '/',
  login: '/login',
  callback: '/callback',
  verifyEmail: '/verify-email',
  setupPassword: '/setup-password',
  brands: '/brands',
  brand: '/brands/:id',
  productVariants: '/brands/:id/product-variants',
  /** The list with one variant in a panel beside it; `new`: a form that adds one. */
  productVariant: '/brands/:id/product-variants/:variantId',
  certifications: '/brands/:id/certifications',
  /** The list with one certificate in a panel beside it. */
  certification: '/brands/:id/certifications/:certificateId',
  imports: '/brands/:id/imports',
  import: '/brands/:id/imports/:importId',
  attention: '/brands/:id/attention',
  team: '/brands/:id/team',
  settings: '/brands/:id/settings',
  apiKeys: '/brands/:id/api-keys',
  account: '/account',
  history: '/brands/:id/history',
  /** For platform staff. */
  reviews: '/platform/reviews',
  platform: '/platform',
  platformBrands: '/platform/brands',
  platformFailures: '/platform/failures',
  platformRegistries: '/platform/registries',
  platformJobs: '/platform/jobs',
} as const;

/** The sign-in page with a welcome message for somebody who has just set up their account. */
export const ACCOUNT_CREATED = `${PAGES.login}?message=account-created`;

export const PAGE_PATHS = Object.values(PAGES);
