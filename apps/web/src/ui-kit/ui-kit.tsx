import '../ui/styles.css';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '../lib/i18n.ts';
import { shareCspNonce } from '../lib/runtime-config.ts';
import { startTheme } from '../lib/theme.ts';
import { ColorModeToggle } from '../ui/color-mode-toggle.tsx';
import { LanguageSwitch } from '../ui/language-switch.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { PortalContainer } from '../ui/portal-container.ts';
import { Toaster } from '../ui/toaster.tsx';
import { ActionsSection } from './actions-section.tsx';
import { FieldsSection } from './fields-section.tsx';
import { FloatingSection } from './floating-section.tsx';
import { PaletteSection } from './palette-section.tsx';
import { StatesSection } from './states-section.tsx';
import { TablesSection } from './tables-section.tsx';

/** Every component in every state, for developers; the switches show the other mode and language. */
function UiKit() {
  const [main, setMain] = useState<HTMLElement | null>(null);
  return (
    <PortalContainer value={main}>
      <main ref={setMain} className="mx-auto flex max-w-7xl flex-col gap-10 px-4 py-6 md:px-8 md:py-8">
        <PageHeader
          title="UI kit"
          subtitle="Every component of the portal. Development only."
          actions={
            <>
              <LanguageSwitch />
              <ColorModeToggle />
            </>
          }
        />
        <ActionsSection />
        <FieldsSection />
        <FloatingSection />
        <TablesSection />
        <StatesSection />
        <PaletteSection />
        <Toaster />
      </main>
    </PortalContainer>
  );
}

shareCspNonce();
startTheme();
await startI18n();
const container = document.getElementById('root');
if (!container) throw new Error('ui-kit.html has no #root');
createRoot(container).render(
  <StrictMode>
    <UiKit />
  </StrictMode>,
);
