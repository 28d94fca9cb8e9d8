import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { DropdownMenu, DropdownMenuItem } from './dropdown-menu.tsx';
import { TextField } from './text-field.tsx';
import { Tooltip } from './tooltip.tsx';
import { loadDialogWindow } from './use-opener.ts';

const onConfirm = vi.fn();

function DescribeDialog() {
  const [open, setOpen] = useState(false);
  const [isWrong, setWrong] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Describe…</Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Describe"
        onConfirm={() => setWrong(true)}
        footer={<Button type="submit">Save text</Button>}
      >
        <TextField label="Heading" />
        <TextField label="Text" error={isWrong ? 'Enter a text' : undefined} />
      </Dialog>
    </>
  );
}

function Page() {
  const [open, setOpen] = useState(false);
  const [isGone, setGone] = useState(false);
  const [isNextOpen, setNextOpen] = useState(false);
  return (
    <main tabIndex={-1}>
      {!isGone && <Button onClick={() => setOpen(true)}>Rename once…</Button>}
      <Button onClick={() => setOpen(true)}>Rename…</Button>
      <DescribeDialog />
      <DropdownMenu trigger={<Button>More</Button>}>
        <DropdownMenuItem onSelect={() => setOpen(true)}>Rename from here…</DropdownMenuItem>
      </DropdownMenu>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Rename"
        description="Everyone sees the new name."
        onConfirm={onConfirm}
        footer={
          <>
            <Tooltip content="Saved at once">
              <Button type="submit">Save</Button>
            </Tooltip>
            <Button
              onClick={() => {
                setGone(true);
                setOpen(false);
              }}
            >
              Save for good
            </Button>
            <Button
              onClick={() => {
                setOpen(false);
                setNextOpen(true);
              }}
            >
              Go on
            </Button>
          </>
        }
      >
        <TextField label="Name" />
      </Dialog>
      <Dialog open={isNextOpen} onOpenChange={setNextOpen} title="And then">
        <TextField label="Reason" />
      </Dialog>
    </main>
  );
}

describe('a dialog', () => {
  beforeEach(async () => {
    onConfirm.mockClear();
    render(<Page />);
    await userEvent.click(screen.getByRole('button', { name: 'Rename…' }));
  });

  it('that a menu opened returns the focus to the button of the menu', async () => {
    await userEvent.keyboard('{Escape}');
    await userEvent.click(screen.getByRole('button', { name: 'More' }));
    await userEvent.click(screen.getByRole('menuitem', { name: 'Rename from here…' }));
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'More' })).toHaveFocus());
  });

  it('contains the tooltips of its content, because everything outside is hidden', async () => {
    screen.getByRole('button', { name: 'Save' }).focus();
    expect(await within(screen.getByRole('dialog')).findByRole('tooltip')).toHaveTextContent('Saved at once');
  });

  it('has a name, a description and the focus in its first field', () => {
    expect(screen.getByRole('dialog', { name: 'Rename' })).toHaveAccessibleDescription('Everyone sees the new name.');
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  });

  it('whose button has disappeared moves the focus to the content of the page', async () => {
    await userEvent.keyboard('{Escape}');
    await userEvent.click(screen.getByRole('button', { name: 'Rename once…' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save for good' }));
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  });

  it('that follows another one returns the focus to what opened the first', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Go on' }));
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveFocus());
    // The first dialog is unmounted by now and must not have moved the focus.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(screen.getByRole('textbox', { name: 'Reason' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Rename…' })).toHaveFocus());
  });

  it('that is confirmed with an invalid field moves the focus there', async () => {
    await userEvent.keyboard('{Escape}');
    await userEvent.click(screen.getByRole('button', { name: 'Describe…' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save text' }));
    expect(screen.getByRole('textbox', { name: 'Text' })).toHaveAccessibleDescription('Enter a text');
    expect(screen.getByRole('textbox', { name: 'Text' })).toHaveFocus();
  });

  it('is confirmed by Enter', async () => {
    await userEvent.keyboard('North{Enter}');
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it.each(['{Escape}', 'the close button'])('is closed by %s, and the focus returns to what opened it', async (how) => {
    if (how === '{Escape}') await userEvent.keyboard(how);
    else await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Rename…' })).toHaveFocus());
    expect(onConfirm).not.toHaveBeenCalled();
  });
});

function NestedPage() {
  const [open, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  return (
    <main tabIndex={-1}>
      <Button onClick={() => setOpen(true)}>Edit…</Button>
      <Dialog open={open} onOpenChange={setOpen} title="Edit">
        <Button onClick={() => setAsking(true)}>Cancel…</Button>
      </Dialog>
      <Dialog open={isAsking} onOpenChange={setAsking} title="Discard?">
        <Button
          onClick={() => {
            setAsking(false);
            setOpen(false);
          }}
        >
          Discard
        </Button>
      </Dialog>
    </main>
  );
}

it('a dialog that closes together with the one below it returns the focus to what opened the lower one', async () => {
  render(<NestedPage />);
  const opener = screen.getByRole('button', { name: 'Edit…' });
  await userEvent.click(opener);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel…' }));
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // By then both dialogs have restored the focus.
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(opener).toHaveFocus();
});

it('a dialog whose code is not there yet opens when it comes, and returns the focus', async () => {
  delete loadDialogWindow.loaded;
  render(<NestedPage />);
  const opener = screen.getByRole('button', { name: 'Edit…' });
  opener.focus();
  fireEvent.click(opener);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(opener).toHaveFocus();
  expect(await screen.findByRole('dialog', { name: 'Edit' })).toContainElement(document.activeElement as HTMLElement);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(opener).toHaveFocus());
});
