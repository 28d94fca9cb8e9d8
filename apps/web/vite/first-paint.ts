import { type Plugin, runnerImport } from 'vite';
import type { renderFirstPaint } from '../src/first-paint.tsx';

const PAGE = '<!-- first paint -->';
const CODE = '<!-- code -->';
const CODE_TAGS = /\s*<(?:script type="module"[^>]*><\/script>|link rel="modulepreload"[^>]*>)/g;

/**
 * Writes the HTML of the first paint into the built index.html, and puts the tags that fetch the app's code where its script lets them
 * wait until that HTML is painted. In development the code is there as soon as the page is.
 */
export function firstPaint(): Plugin {
  let root = '';
  return {
    name: 'first-paint',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html) {
        const page = await renderPage(root);
        const code = html.match(CODE_TAGS)?.join('').trim() ?? '';
        if (!html.includes(PAGE) || !html.includes(CODE) || !code)
          throw new Error('index.html has no place for the first paint');
        return html
          .replaceAll(CODE_TAGS, '')
          .replace(CODE, () => `<template id="code">${code}</template>`)
          .replace(PAGE, () => page);
      },
    },
  };
}

async function renderPage(root: string): Promise<string> {
  const file = `${root}/src/first-paint.tsx`;
  const { module } = await runnerImport<{ renderFirstPaint: typeof renderFirstPaint }>(file, {
    root,
    configFile: false,
  });
  return module.renderFirstPaint();
}
