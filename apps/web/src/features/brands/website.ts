/** The address to link to, or nothing: a `javascript:` address in a link would run as ours. */
export function parseWebsite(website: string): URL | undefined {
  if (!URL.canParse(website)) return undefined;
  const url = new URL(website);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

/** An address as people say it. */
export function websiteLabel({ host, pathname }: URL): string {
  return host.replace(/^www\./, '') + pathname.replace(/\/$/, '');
}
