import type { Page, Route } from '@playwright/test';

/** Delays requests until the returned function is called. By default they then continue to the server. */
export async function holdRequests(
  page: Page,
  url: string | ((url: URL) => boolean),
  end: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => Promise<void>> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const ended: Promise<void>[] = [];
  await page.route(url, (route) => {
    const ending = held.then(() => end(route));
    ended.push(ending);
    return ending;
  });
  return async () => {
    release();
    // Requests of a page that was left in the meantime may fail.
    await Promise.allSettled(ended);
    await page.unroute(url);
  };
}
