/** Where a page of the onboarding is for the holder of this token. */
export function pageWithToken(page: string, token: string): string {
  return `${page}?${new URLSearchParams({ token })}`;
}
