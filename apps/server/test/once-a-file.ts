import { onTestFinished, TestRunner } from 'vitest';

/** The tag of tests that need a database in which nothing else is, or that break what they are given. */
const EMPTY_INSTALLATION = 'empty-installation';

/** What the tests of a file share, in the order in which it was made. */
const shared: { forget: () => void; close: () => Promise<unknown> }[] = [];

/** Makes something when the first test of a file asks for it. Later ones get the same, but for those with the tag. */
export function onceAFile<T>(make: () => Promise<T>, close: (made: T) => Promise<unknown> = async () => {}) {
  let made: Promise<T> | undefined;
  return async (): Promise<T> => {
    if (TestRunner.getCurrentTest()?.tags?.includes(EMPTY_INSTALLATION)) {
      const own = await make();
      onTestFinished(async () => {
        await close(own);
      });
      return own;
    }
    if (made === undefined) {
      const making = make();
      made = making;
      shared.push({
        forget: () => {
          made = undefined;
        },
        close: async () => close(await making),
      });
    }
    return made;
  };
}

/** The modules outlive the file, so it has to be said when a file ends. */
export async function endFile(): Promise<void> {
  for (const { forget, close } of shared.splice(0).reverse()) {
    forget();
    await close();
  }
}
