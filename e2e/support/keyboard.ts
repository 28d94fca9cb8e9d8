import { expect, type Locator, type Page } from '@playwright/test';

interface Stop {
  /** What has the focus now. */
  name: string;
  /** What had it before and looked the same with and without it. */
  unseen: string | null;
}

/** One press of Tab, with a look at what it leaves: where the focus was must have been seen. */
async function pressTab(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<Stop> {
  await page.evaluate(() => {
    const looksOf = (element: Element | null) => {
      const looks = [];
      // The ring may be around what holds the control.
      for (let part = element; part && looks.length < 2; part = part.parentElement) {
        const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(part);
        looks.push(outlineStyle === 'none' ? 'none' : `${outlineStyle} ${outlineWidth} ${outlineColor}`, boxShadow);
      }
      return looks.join();
    };
    const focused = document.activeElement;
    // What only scripts put the focus on, such as the page's content, has no ring by intention.
    const isStop = focused instanceof HTMLElement && focused !== document.body && focused.tabIndex >= 0;
    const look = looksOf(focused);
    Object.assign(window, {
      looksSame: () => (isStop && focused.isConnected && look === looksOf(focused) ? focused.outerHTML : null),
    });
  });
  await page.keyboard.press(key);
  return page.evaluate(() => {
    const { looksSame } = window as unknown as { looksSame?: () => string | null };
    const focused = document.activeElement;
    const name = focused?.getAttribute('aria-label') || (focused as HTMLElement | null)?.innerText || focused?.tagName;
    return { name: name ?? '', unseen: looksSame?.() ?? null };
  });
}

const isFocused = (target: Locator) =>
  target.evaluateAll((elements) => elements.some((element) => element === document.activeElement));

const MAX_TAB_STOPS = 150;

/** Goes on with Tab until the target has the focus. Fails when it is never reached, or when the focus is lost to sight. */
export async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const page = target.page();
  await expect(target.first()).toBeAttached();
  const passed: string[] = [];
  while (!(await isFocused(target))) {
    const { name, unseen } = await pressTab(page, key);
    expect(unseen, 'had the focus, and did not show it').toBeNull();
    passed.push(name);
    if (passed.length > MAX_TAB_STOPS) expect(passed, `should lead to ${target}`).toEqual([]);
  }
}

export async function tabToAndPress(target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press(key);
}

/** All the way round: Tab stays inside, and comes back to where it began. */
export async function expectToKeepFocus(inside: Locator): Promise<void> {
  const page = inside.page();
  const begin = await page.evaluateHandle(() => document.activeElement);
  for (let stops = 1; ; stops += 1) {
    const { name, unseen } = await pressTab(page, 'Tab');
    expect(unseen, 'had the focus, and did not show it').toBeNull();
    const isInside = await inside.evaluate((element) => element.contains(document.activeElement));
    expect(isInside, `“${name}” should be inside`).toBe(true);
    if (await begin.evaluate((element) => element === document.activeElement)) break;
    expect(stops).toBeLessThan(MAX_TAB_STOPS);
  }
}

/** From the first link through the whole page and out at its end, past everything that can be used. */
export async function expectNoTrap(page: Page): Promise<void> {
  const skipLink = page.locator('a[href="#content"]');
  await skipLink.focus();
  const names = [await skipLink.innerText()];
  for (;;) {
    const { name, unseen } = await pressTab(page, 'Tab');
    expect(unseen, 'had the focus, and did not show it').toBeNull();
    if (await page.evaluate(() => document.activeElement === document.body)) break;
    names.push(name);
    expect(names.length, `a way out after ${names.slice(-5)}`).toBeLessThan(MAX_TAB_STOPS);
  }
  const usable = page.locator(
    ['a[href]', 'button:enabled', 'input:enabled', 'select:enabled', '[tabindex="0"]']
      .map((kind) => `${kind}:not([tabindex="-1"])`)
      .join(', '),
  );
  const count = await usable.filter({ visible: true }).count();
  expect(names.length, 'stops on the way').toBeGreaterThanOrEqual(count);
}
