import './ui/styles.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';

import { App } from './app/app.tsx';
import { AppRouter } from './app/app-router.tsx';
import { connectApiClient } from './app/connect-api-client.ts';
import { Providers } from './app/providers.tsx';
import { loadFirstPage } from './app/routes.tsx';
import { prepareFirstRender } from './features/auth/reconcile-session.ts';
import { followSession } from './features/auth/use-session.ts';
import { startI18n } from './lib/i18n.ts';
import { createQueryClient } from './lib/query-client.ts';
import { shareCspNonce } from './lib/runtime-config.ts';
import { startTheme } from './lib/theme.ts';

shareCspNonce();
startTheme();
connectApiClient();
prepareFirstRender();
await startI18n();

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root');
const root = createRoot(container);
const queryClient = createQueryClient();
followSession(queryClient);
const app = (
  <StrictMode>
    <AppRouter>
      <Providers queryClient={queryClient}>
        <App />
      </Providers>
    </AppRouter>
  </StrictMode>
);
// Not awaited: the code of pages imports from this module, and would wait for it. A transition renders in small slices, so that user
// input is not blocked.
void loadFirstPage(queryClient, location).then(() => startTransition(() => root.render(app)));
