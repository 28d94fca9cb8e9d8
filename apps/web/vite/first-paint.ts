import { type Plugin, type Rolldown, runnerImport } from 'vite';
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
      async handler(html, { bundle = {} }) {
        const page = await renderPage(root);
        const code = html.match(CODE_TAGS)?.join('').trim() ?? '';
        if (!html.includes(PAGE) || !html.includes(CODE) || !code) throw new Error('index.html has no place for the first paint');
        return html
          .replaceAll(CODE_TAGS, '')
          .replace(
            CODE,
            () =>
              `<script type="application/json" id="page-files">${JSON.stringify(findPageFiles(bundle))}</script><template id="code">${code}</template>`,
          )
          .replace(PAGE, () => page);
      },
    },
  };
}

/** The modules that members' pages begin with, for the script of index.html. */
const PAGE_MODULES = {
  shell: ['app/main-shell.tsx'],
  brands: ['features/brands/brands-page.tsx'],
  brand: ['features/brands/brand-shell.tsx'],
  variants: ['app/variants-route.tsx'],
  en: ['locales/en/first-load.json', 'locales/en/portal.json'],
  es: ['locales/es/first-load.json', 'locales/es/portal.json'],
};

/** Their files, with all that these import, by the part of PAGE_MODULES. */
function findPageFiles(bundle: Rolldown.OutputBundle): Record<string, string[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const withImports = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name)) return found;
    found.add(name);
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) withImports(imported, found);
    return found;
  };
  const filesOf = (module: string) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${module}`));
    if (!chunk) throw new Error(`${module} has no file of its own`);
    return [...withImports(chunk.fileName)].map((name) => `/${name}`);
  };
  return Object.fromEntries(Object.entries(PAGE_MODULES).map(([part, modules]) => [part, [...new Set(modules.flatMap(filesOf))]]));
}

async function renderPage(root: string): Promise<string> {
  const file = `${root}/src/first-paint.tsx`;
  const { module } = await runnerImport<{ renderFirstPaint: typeof renderFirstPaint }>(file, {
    root,
    configFile: false,
  });
  return module.renderFirstPaint();
}
