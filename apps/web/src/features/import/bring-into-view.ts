/** As the ref of a message: it may appear below what a small screen shows of the dialog. */
export function bringIntoView(message: HTMLElement | null): void {
  message?.scrollIntoView({ block: 'nearest' });
}
