import type { Page, Route } from '@playwright/test';

/** Keeps requests waiting. The answer is a function that ends them, by default with what the server says. */
export async function holdRequests(
  page: Page,
  url: string | ((url: URL) => boolean),
  end: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => Promise<void>> {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const ended: Promise<void>[] = [];
  await page.route(url, (route) => {
    const ending = held.then(() => end(route));
    ended.push(ending);
    return ending;
  });
  return async () => {
    letGo();
    // Of a page that was left meanwhile nobody waits for the answer any more.
    await Promise.allSettled(ended);
    await page.unroute(url);
  };
}
