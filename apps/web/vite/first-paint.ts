import { type Plugin, runnerImport } from 'vite';
import type { renderFirstPaint } from '../src/first-paint.tsx';

const PLACEHOLDER = '<!-- first paint -->';

/** Writes the sign-in page's HTML into the built index.html. In development the code is there as soon as the page is. */
export function firstPaint(): Plugin {
  let root = '';
  return {
    name: 'first-paint',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        if (!html.includes(PLACEHOLDER)) throw new Error(`index.html has no ${PLACEHOLDER}`);
        const { module } = await runnerImport<{ renderFirstPaint: typeof renderFirstPaint }>(
          `${root}/src/first-paint.tsx`,
          {
            root,
            configFile: false,
          },
        );
        const page = await module.renderFirstPaint();
        return html.replace(PLACEHOLDER, () => page);
      },
    },
  };
}
