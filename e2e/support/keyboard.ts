import { expect, type Locator, type Page } from '@playwright/test';

interface TabStop {
  /** The name of the element that has the focus now. */
  name: string;
  /** The HTML of the previously focused element, if it looks the same with and without focus. */
  unseen: string | null;
}

/** Presses Tab once. Checks that the previously focused element had a visible focus ring. */
async function pressTab(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<TabStop> {
  await page.evaluate(() => {
    const looksOf = (element: Element | null) => {
      const looks = [];
      // The ring may be on the parent element.
      for (let part = element; part && looks.length < 2; part = part.parentElement) {
        const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(part);
        looks.push(outlineStyle === 'none' ? 'none' : `${outlineStyle} ${outlineWidth} ${outlineColor}`, boxShadow);
      }
      return looks.join();
    };
    const focused = document.activeElement;
    // Elements that only scripts focus, such as the page's content, have no ring on purpose.
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

const isFocused = (target: Locator) => target.evaluateAll((elements) => elements.some((element) => element === document.activeElement));

const MAX_TAB_STOPS = 150;

/** Presses Tab until the target has the focus. Fails if it is never reached, or if a focused element has no focus ring. */
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

/** Tab must stay inside the element and return to the start. */
export async function expectFocusTrapped(inside: Locator): Promise<void> {
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

/** Tab must lead from the skip link through every control and out of the page at its end. */
export async function expectNoFocusTrap(page: Page): Promise<void> {
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
