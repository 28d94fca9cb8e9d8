import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ClampedText } from '../ui/clamped-text.tsx';
import { ExplainedButton } from '../ui/explained-button.tsx';
import { OverflowList } from '../ui/overflow-list.tsx';
import { Section } from './section.tsx';

const fruit = ['Apples', 'Pears', 'Plums', 'Cherries', 'Quinces'];
const variants = ['primary', 'secondary', 'ghost', 'danger'] as const;

export function ActionsSection() {
  const [busy, setBusy] = useState(false);
  const work = () => {
    setBusy(true);
    setTimeout(() => setBusy(false), 2_000);
  };
  return (
    <Section title="Actions and statuses">
      <Card className="flex flex-col gap-5">
        <div className="flex flex-wrap items-center gap-3">
          {variants.map((variant) => (
            <Button key={variant} variant={variant}>
              {variant}
            </Button>
          ))}
          <Button variant="primary" icon={<Plus className="size-4" />}>
            With icon
          </Button>
          <Button variant="primary" busy={busy} busyLabel="Saving…" onClick={work}>
            Save
          </Button>
          <Button variant="primary" busy busyLabel="Saving…">
            Save
          </Button>
          <Button disabled>Disabled</Button>
          <ExplainedButton disabledReason="Choose something first">Disabled, and says why</ExplainedButton>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          {variants.map((variant) => (
            <Button key={variant} variant={variant} size="dense">
              {variant}
            </Button>
          ))}
          <Button size="icon" aria-label="Delete" icon={<Trash2 className="size-4" />} />
          <Button size="icon-dense" variant="ghost" aria-label="Delete" icon={<Trash2 className="size-4" />} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Badge>Inactive</Badge>
          <Badge tone="success">Validated</Badge>
          <Badge tone="warning">Pending Review</Badge>
          <Badge tone="error">Invalid</Badge>
          <Badge tone="info">Free trial active</Badge>
        </div>
        <OverflowList
          label="Fruit"
          items={fruit}
          itemKey={(name) => name}
          limit={2}
          renderItem={(name) => <Badge tone="success">{name}</Badge>}
          renderHidden={(name) => name}
          hiddenLabel={(count) => `${count} more fruits`}
        />
        <p className="w-48">
          <ClampedText text="A text that does not fit in here, and shows all of itself on hover and focus" />
        </p>
      </Card>
    </Section>
  );
}
