/** The parts of a browser that signing in needs: cookies with paths, and redirects followed one by one. */
export class Browser {
  readonly #cookies = new Map<string, { value: string; path: string }>();
  readonly #headers: Record<string, string>;

  constructor(headers: Record<string, string> = {}) {
    this.#headers = headers;
  }

  /** One request, without following redirects. */
  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.#headers, cookie: this.#cookiesFor(url), ...(init.headers as Record<string, string>) };
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    return answer;
  }

  /** Follows redirects up to a page, or up to a URL that starts with `stopAt`, which is not requested. */
  async open(url: string, stopAt: string, init?: RequestInit): Promise<{ url: string; answer: Response }> {
    let answer = await this.send(url, init);
    let at = url;
    for (let hops = 0; answer.status >= 300 && answer.status < 400; hops++) {
      if (hops > 10) throw new Error('The redirects do not end');
      at = new URL(answer.headers.get('location') ?? '', at).href;
      if (at.startsWith(stopAt)) break;
      answer = await this.send(at);
    }
    return { url: at, answer };
  }

  cookie(name: string): string | undefined {
    return [...this.#cookies].find(([key]) => key.startsWith(`${name} `))?.[1].value;
  }

  cookieValues(): string[] {
    return [...this.#cookies.values()].map(({ value }) => value);
  }

  forgetCookies(): void {
    this.#cookies.clear();
  }

  #cookiesFor(url: string): string {
    const { pathname } = new URL(url);
    return [...this.#cookies]
      .filter(([, { path }]) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .map(([key, { value }]) => `${key.split(' ', 1)[0]}=${value}`)
      .join('; ');
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(/;\s*/);
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice('path='.length) ?? '/';
    if (attributes.some((attribute) => /^expires=Thu, 01 Jan 1970/i.test(attribute))) this.#cookies.delete(`${name} ${path}`);
    else this.#cookies.set(`${name} ${path}`, { value, path });
  }
}
