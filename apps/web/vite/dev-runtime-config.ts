import type { Plugin } from 'vite';

const PLACEHOLDER = '__RUNTIME_CONFIG__';

/** In development Vite serves index.html, so it fills in what our own server fills in elsewhere. */
export function devRuntimeConfig(serverOrigin: string): Plugin {
  return {
    name: 'dev-runtime-config',
    apply: 'serve',
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { server }) {
        if (!html.includes(PLACEHOLDER)) return html;
        try {
          const answer = await fetch(`${serverOrigin}/api/v1/auth0/config/`, { signal: AbortSignal.timeout(2_000) });
          if (!answer.ok) throw new Error(`it answered ${answer.status}`);
          const config = JSON.stringify(await answer.json());
          return html.replace(PLACEHOLDER, () => config.replaceAll('<', '\\u003c'));
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          server?.config.logger.warn(
            `No runtime configuration: the server at ${serverOrigin} is not up yet (${reason}). ` +
              'Start it, then reload the page; until then sign-in shows its configuration error.',
            { timestamp: true },
          );
          return html.replace(PLACEHOLDER, '{}');
        }
      },
    },
  };
}
