import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { editDistance } from './edit-distance.ts';
import { StartupError } from './errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Rule<T> {
  /** Completes "PORT must …". */
  readonly must: string;
  /** Undefined: the value breaks the rule. */
  readonly parse: (value: string) => T | undefined;
  /** The message does not repeat the value. */
  readonly isSecret?: boolean;
}

const like = (pattern: RegExp, must: string): Rule<string> => ({ must, parse: (value) => (pattern.test(value) ? value : undefined) });
const anything = like(/./, '');
const whole = (least: number, most: number): Rule<number> => ({
  must: `be a whole number from ${least} to ${most}`,
  parse: (value) => (Number.isInteger(Number(value)) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined),
});
const oneOf = <T extends string>(...choices: readonly T[]): Rule<T> => ({
  must: `be one of ${choices.join(', ')}`,
  parse: (value) => choices.find((choice) => choice === value),
});
/** The message does not repeat it: it may hold a password. */
const address = (must: string, isRight: (url: URL) => boolean): Rule<string> => ({
  must,
  parse: (value) => (URL.canParse(value) && isRight(new URL(value)) ? value : undefined),
  isSecret: true,
});
// A local socket has no host, as in postgres:///brands?host=/run/postgresql.
const database = address('look like postgres://user:password@host:5432/database', ({ protocol }) => /^postgres(ql)?:$/.test(protocol));
const mailServer = address(
  'look like smtp://user:password@host:587 or smtps://user:password@host:465',
  ({ protocol, hostname }) => /^smtps?:$/.test(protocol) && hostname !== '',
);
const webAddress: Rule<string> = {
  must: 'be an http or https address without a path',
  parse(value) {
    const url = URL.parse(value);
    return url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash ? url.origin : undefined;
  },
};

const isRange = (range: string) => {
  const [ip = '', bits, ...rest] = range.split('/');
  const most = isIP(ip) === 6 ? 128 : 32;
  return isIP(ip) > 0 && rest.length === 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most));
};
/**
 * Never trusts the whole header: a proxy appends the address it sees to `X-Forwarded-For`, after values that the caller may have forged.
 * `true` means one proxy in front.
 */
const proxies: Rule<false | number | string> = {
  must: 'be false, the number of proxies in front (1 to 9), or their addresses such as 10.0.0.0/8',
  parse(value) {
    if (value === 'false') return false;
    if (value === 'true' || /^[1-9]$/.test(value)) return value === 'true' ? 1 : Number(value);
    const ranges = value.split(',').map((range) => range.trim());
    const areKnown = ranges.every((range) => ['loopback', 'linklocal', 'uniquelocal'].includes(range) || isRange(range));
    return areKnown ? ranges.join(', ') : undefined;
  },
};
const key: Rule<Buffer> = {
  must: 'be 32 random bytes in base64, as "openssl rand -base64 32" prints them',
  parse: (value) => (Buffer.from(value, 'base64').length === 32 ? Buffer.from(value, 'base64') : undefined),
  isSecret: true,
};
const token: Rule<string> = {
  ...like(/^[\w.~+/=-]{16,}$/, 'have at least 16 characters, of letters, digits and . ~ + / = - _ only'),
  isSecret: true,
};
const mailbox = like(/^([^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, 'look like "Brand Portal <portal@example.com>"');

const logFormat = oneOf('pretty', 'json');

export type Config = Readonly<ReturnType<typeof readConfig>>;

/** Never throws: it also decides how errors of the configuration are shown. */
export function readLogFormat(env: Environment = process.env): 'pretty' | 'json' {
  return logFormat.parse(env.LOG_FORMAT?.trim() ?? '') ?? (env.NODE_ENV === 'production' ? 'json' : 'pretty');
}

/** The only reader of the environment. Every error is one sentence that names the variable. Adds the variables that it reads to `names`. */
export function readConfig(env: Environment = process.env, names = new Set<string>()) {
  function get(name: string): string | undefined;
  function get<T>(name: string, rule: Rule<T>): T | undefined;
  function get(name: string, rule: Rule<unknown> = anything): unknown {
    names.add(name);
    const text = env[name]?.trim();
    const value = text ? rule.parse(text) : undefined;
    if (!text || value !== undefined) return value;
    throw new StartupError(`${name} must ${rule.must}${rule.isSecret ? '' : `, but it is "${text}"`}.`);
  }

  const port = get('PORT', whole(1, 65_535)) ?? 3000;
  const domain =
    get('AUTH0_DOMAIN', like(/^(https?:\/\/)?[\w.-]+(:\d+)?(\/[\w./-]*)?$/, 'be a host name such as tenant.eu.auth0.com')) ?? '';
  const id = get('CHANNEL_ACCOUNT', like(/^\d{1,20}$/, 'be the number of a Manufacturer Center account'));
  const credentialsFile = get('GOOGLE_APPLICATION_CREDENTIALS');
  if (id && !credentialsFile) {
    throw new StartupError("CHANNEL_ACCOUNT needs GOOGLE_APPLICATION_CREDENTIALS as well, the path of a service account's key file.");
  }
  return {
    production: get('NODE_ENV') === 'production',
    host: get('HOST') ?? 'localhost',
    port,
    /** The URL of the portal for browsers, without a trailing slash. */
    publicUrl: get('PUBLIC_URL', webAddress) ?? `http://localhost:${port}`,
    dataDir: resolve(get('DATA_DIR') ?? '.data'),
    /** Undefined: the embedded PostgreSQL is started in `dataDir`. */
    databaseUrl: get('DATABASE_URL', database),
    logLevel: get('LOG_LEVEL', oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')) ?? 'info',
    logFormat: get('LOG_FORMAT', logFormat) ?? readLogFormat(env),
    trustProxy: get('TRUST_PROXY', proxies) ?? false,
    supportEmail: get('SUPPORT_EMAIL') ?? 'support@brand-portal.example',
    requestsPerMinute: get('REQUESTS_PER_MINUTE', whole(1, 1_000_000)) ?? 1200,
    /** How long a brand's history is kept. */
    historyDays: get('HISTORY_DAYS', whole(30, 36_500)) ?? 730,
    /** The most that one brand may store. */
    quotas: {
      variants: get('QUOTA_VARIANTS', whole(1, 1_000_000_000)) ?? 2_000_000,
      api_keys: get('QUOTA_API_KEYS', whole(1, 150)) ?? 50,
      imports: get('QUOTA_IMPORTS', whole(1, 10_000_000)) ?? 100_000,
      staged_bytes: (get('QUOTA_STAGED_MEGABYTES', whole(1, 1_048_576)) ?? 1024) * 1024 ** 2,
    },
    /** The bearer token for `/metrics`. Undefined: there is no `/metrics`. */
    metricsToken: get('METRICS_TOKEN', token),
    startedByNpm: get('npm_lifecycle_event') === 'start',
    /** The external identity provider. Unset parts are empty. Its SDK cannot take a trailing slash. */
    identity: { domain: domain.replace(/\/+$/, ''), clientId: get('AUTH0_CLIENT_ID') ?? '', audience: get('AUTH0_AUDIENCE') },
    /** In production the embedded identity provider must be enabled explicitly. */
    allowEmbeddedIdentity: get('ALLOW_EMBEDDED_IDENTITY', oneOf('true', 'false')) === 'true',
    /** The API to create accounts at the external identity provider. */
    identityManagement: {
      domain:
        get('AUTH0_MANAGEMENT_DOMAIN', like(/^[\w.-]+$/, 'be a bare host name such as tenant.eu.auth0.com')) ??
        domain.replace(/^https?:\/\/|\/.*$/g, ''),
      clientId: get('AUTH0_MANAGEMENT_CLIENT_ID') ?? '',
      clientSecret: get('AUTH0_MANAGEMENT_CLIENT_SECRET') ?? '',
      connection: get('AUTH0_CONNECTION') ?? 'Username-Password-Authentication',
    },
    /** Without `smtpUrl` mail goes to the embedded mailbox, or waits in production. */
    mail: {
      smtpUrl: get('SMTP_URL', mailServer),
      from: get('MAIL_FROM', mailbox) ?? 'Brand Portal <no-reply@brand-portal.example>',
    },
    /** Google's Manufacturer Center. */
    channel: {
      /**
       * A data partner's account. Undefined: the embedded emulator is used, or deliveries wait in production. The key file alone does not enable
       * it: other programs on the machine may have set that variable.
       */
      account: id && credentialsFile ? { id, credentialsFile } : undefined,
      /** For the credentials of brands that have their own account. */
      encryptionKey: get('CHANNEL_ENCRYPTION_KEY', key),
      apiUrl: get('CHANNEL_API_URL', webAddress) ?? 'https://manufacturers.googleapis.com',
      callsPer100Seconds: get('CHANNEL_CALLS_PER_100_SECONDS', whole(20, 10_000_000)) ?? 18_000,
    },
  };
}

/** Shorter names are too close to those of other programs. */
const LEAST_LENGTH = 8;
const MOST_TYPOS = 2;

/** Variables that are probably meant to be ours, with the right name. */
export function listMisspelledVariables(env: Environment = process.env): { name: string; meant: string }[] {
  const names = new Set<string>();
  readConfig({}, names);
  const ours = [...names].filter((name) => name.length >= LEAST_LENGTH);
  return Object.keys(env).flatMap((name) => {
    if (names.has(name)) return [];
    const meant = ours.find((other) => editDistance(name.toUpperCase(), other) <= MOST_TYPOS);
    return meant ? [{ name, meant }] : [];
  });
}
