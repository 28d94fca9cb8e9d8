/** The name of a site before path and query: no user, no number, and not the machine itself. */
const SITE = /^https:\/\/(?:[\p{L}\p{N}_-]+\.)+(?!localhost(?![\p{L}\p{N}-]))(?:xn--[a-z0-9-]+|\p{L}{2,})\.?(?::\d+)?(?:[/?#]\S*)?$/iu;

/** Members' browsers load it: not from a machine in their own network, nor from an address of the portal, where it may do something. */
export function isLogoAddress(text: string): boolean {
  return SITE.test(text.normalize('NFKC'));
}
