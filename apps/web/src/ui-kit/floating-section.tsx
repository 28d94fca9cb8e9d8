import { EllipsisVertical, Eye, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DropdownMenu, DropdownMenuItem, DropdownMenuSeparator } from '../ui/dropdown-menu.tsx';
import { Popover } from '../ui/popover.tsx';
import { TextField } from '../ui/text-field.tsx';
import { toast } from '../ui/toast-store.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { Section } from './section.tsx';

const toastVariants = ['default', 'success', 'error', 'warning'] as const;

export function FloatingSection() {
  const [open, setOpen] = useState(false);
  return (
    <Section title="What floats">
      <Card className="flex flex-wrap items-center gap-3">
        <Button onClick={() => setOpen(true)}>Open dialog</Button>
        <DropdownMenu
          align="start"
          trigger={<Button size="icon" variant="ghost" aria-label="Row actions" icon={<EllipsisVertical className="size-4" />} />}
        >
          <DropdownMenuItem icon={<Eye className="size-4" />}>Show</DropdownMenuItem>
          <DropdownMenuItem disabled>Not possible</DropdownMenuItem>
          <DropdownMenuItem disabledReason="Choose something first">Not possible yet</DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem tone="danger" icon={<Trash2 className="size-4" />}>
            Delete
          </DropdownMenuItem>
        </DropdownMenu>
        <Tooltip content="What this does, in one sentence">
          <Button>Has a tooltip</Button>
        </Tooltip>
        <Popover label="More about this" trigger={<Button>Has a popover</Button>}>
          What this is, also for fingers.
        </Popover>
        {toastVariants.map((variant) => (
          <Button
            key={variant}
            onClick={() => toast({ variant, title: `The ${variant} toast`, description: 'What happened, and what comes next.' })}
          >
            {variant} toast
          </Button>
        ))}
      </Card>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Rename"
        description="The new name is seen by every member."
        onConfirm={() => setOpen(false)}
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" variant="primary">
              Rename
            </Button>
          </>
        }
      >
        <TextField label="Name" defaultValue="Northwind" />
      </Dialog>
    </Section>
  );
}
