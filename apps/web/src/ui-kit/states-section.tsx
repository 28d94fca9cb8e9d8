import { Inbox } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FullScreenSpinner, Spinner } from '../ui/spinner.tsx';
import { Section } from './section.tsx';

function Breakable() {
  const [broken, setBroken] = useState(false);
  if (broken) throw new Error('Broken on purpose');
  return <Button onClick={() => setBroken(true)}>Break this part</Button>;
}

export function StatesSection() {
  return (
    <Section title="States">
      <div className="grid gap-5 md:grid-cols-2">
        <Card className="flex flex-col gap-3">
          <Skeleton className="h-5 w-1/3" />
          <Skeleton className="h-3.5 w-full" />
          <Skeleton className="h-3.5 w-4/5" />
          <div className="mt-auto flex items-center gap-3 text-text-secondary">
            <Spinner label="Loading" /> A spinner beside words
          </div>
        </Card>
        <div className="h-48 overflow-hidden rounded-card border *:min-h-full">
          <FullScreenSpinner label="Completing…" isWholePage={false} />
        </div>
        <Card>
          <EmptyState icon={Inbox} title="Nothing here yet" description="What you add appears here." />
        </Card>
        <Card>
          <ErrorState
            title="The list could not be loaded"
            description="Network error. Please check your connection."
            onRetry={() => undefined}
          />
        </Card>
        <Card className="grid place-items-center md:col-span-2">
          <ErrorBoundary>
            <Breakable />
          </ErrorBoundary>
        </Card>
      </div>
    </Section>
  );
}
