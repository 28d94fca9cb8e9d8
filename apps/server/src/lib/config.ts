import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { Quotas } from '@brand-portal/contract/quotas';
import { editDistance } from './edit-distance.ts';
import { StartupError } from './errors.ts';

export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** The URL of the portal for browsers, without a trailing slash. */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** Undefined: the embedded PostgreSQL is started in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly logLevel: string;
  readonly logFormat: 'pretty' | 'json';
  /** The number of proxies in front of the server, or their addresses. */
  readonly trustProxy: false | number | string;
  readonly supportEmail: string;
  readonly requestsPerMinute: number;
  /** How long a brand's history is kept. */
  readonly historyDays: number;
  /** The most that one brand may store. */
  readonly quotas: Quotas;
  /** The bearer token for `/metrics`. Undefined: there is no `/metrics`. */
  readonly metricsToken: string | undefined;
  /** Whether npm started this process through a shell. */
  readonly startedByNpm: boolean;
  /** The external identity provider. Unset parts are empty. */
  readonly identity: { readonly domain: string; readonly clientId: string; readonly audience: string | undefined };
  /** In production the embedded identity provider must be enabled explicitly. */
  readonly allowEmbeddedIdentity: boolean;
  /** The API to create accounts at the external identity provider. */
  readonly identityManagement: {
    /** Auth0's own domain of the tenant: its Management API does not work under a custom domain. */
    readonly domain: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly connection: string;
  };
  readonly mail: {
    /** Undefined: mail goes to the embedded mailbox, or waits in production. */
    readonly smtpUrl: string | undefined;
    readonly from: string;
  };
  /** Google's Manufacturer Center. */
  readonly channel: {
    /** A data partner's account. Undefined: the embedded emulator is used, or deliveries wait in production. */
    readonly account: { readonly id: string; readonly credentialsFile: string } | undefined;
    /** For the credentials of brands that have their own account. */
    readonly encryptionKey: Buffer | undefined;
    readonly apiUrl: string;
    readonly callsPer100Seconds: number;
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOG_FORMATS = ['pretty', 'json'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Never throws: it also decides how errors of the configuration are shown. */
export function readLogFormat(env: Environment = process.env): Config['logFormat'] {
  const format = LOG_FORMATS.find((known) => known === text(env, 'LOG_FORMAT'));
  return format ?? (env.NODE_ENV === 'production' ? 'json' : 'pretty');
}

/** Shorter names are too close to those of other programs. */
const LEAST_LENGTH = 8;
const MOST_TYPOS = 2;

/** Variables that are probably meant to be ours, with the right name. */
export function listMisspelledVariables(env: Environment = process.env): { name: string; meant: string }[] {
  const known = new Set<string>();
  readConfig(
    new Proxy(env, {
      get: (all, name: string) => {
        known.add(name);
        return all[name];
      },
    }),
  );
  return Object.keys(env).flatMap((name) => {
    if (known.has(name)) return [];
    const meant = [...known].find((other) => other.length >= LEAST_LENGTH && editDistance(name.toUpperCase(), other) <= MOST_TYPOS);
    return meant ? [{ name, meant }] : [];
  });
}

/** The only reader of the environment. Every error is one sentence that names the variable. */
export function readConfig(env: Environment = process.env): Config {
  const production = env.NODE_ENV === 'production';
  const port = integer(env, 'PORT', 3000, 1, 65_535);
  return {
    production,
    port,
    host: text(env, 'HOST') ?? 'localhost',
    publicUrl: webAddress(env, 'PUBLIC_URL') ?? `http://localhost:${port}`,
    dataDir: resolve(text(env, 'DATA_DIR') ?? '.data'),
    databaseUrl: databaseAddress(env, 'DATABASE_URL'),
    logLevel: choice(env, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
    logFormat: choice(env, 'LOG_FORMAT', LOG_FORMATS) ?? readLogFormat(env),
    trustProxy: trustedProxies(env, 'TRUST_PROXY'),
    supportEmail: text(env, 'SUPPORT_EMAIL') ?? 'support@brand-portal.example',
    startedByNpm: env.npm_lifecycle_event === 'start',
    requestsPerMinute: integer(env, 'REQUESTS_PER_MINUTE', 1200, 1, 1_000_000),
    historyDays: integer(env, 'HISTORY_DAYS', 730, 30, 36_500),
    quotas: {
      variants: integer(env, 'QUOTA_VARIANTS', 2_000_000, 1, 1_000_000_000),
      api_keys: integer(env, 'QUOTA_API_KEYS', 50, 1, 150),
      imports: integer(env, 'QUOTA_IMPORTS', 100_000, 1, 10_000_000),
      staged_bytes: integer(env, 'QUOTA_STAGED_MEGABYTES', 1024, 1, 1_048_576) * 1024 ** 2,
    },
    metricsToken: secret(env, 'METRICS_TOKEN'),
    identity: {
      domain: providerDomain(env, 'AUTH0_DOMAIN') ?? '',
      clientId: text(env, 'AUTH0_CLIENT_ID') ?? '',
      audience: text(env, 'AUTH0_AUDIENCE'),
    },
    allowEmbeddedIdentity: choice(env, 'ALLOW_EMBEDDED_IDENTITY', ['true', 'false']) === 'true',
    identityManagement: {
      domain: hostName(env, 'AUTH0_MANAGEMENT_DOMAIN') ?? text(env, 'AUTH0_DOMAIN')?.replace(/^https?:\/\/|\/.*$/g, '') ?? '',
      clientId: text(env, 'AUTH0_MANAGEMENT_CLIENT_ID') ?? '',
      clientSecret: text(env, 'AUTH0_MANAGEMENT_CLIENT_SECRET') ?? '',
      connection: text(env, 'AUTH0_CONNECTION') ?? 'Username-Password-Authentication',
    },
    mail: {
      smtpUrl: smtpAddress(env, 'SMTP_URL'),
      from: mailAddress(env, 'MAIL_FROM') ?? 'Brand Portal <no-reply@brand-portal.example>',
    },
    channel: {
      account: channelAccount(env),
      encryptionKey: encryptionKey(env, 'CHANNEL_ENCRYPTION_KEY'),
      apiUrl: webAddress(env, 'CHANNEL_API_URL') ?? 'https://manufacturers.googleapis.com',
      callsPer100Seconds: integer(env, 'CHANNEL_CALLS_PER_100_SECONDS', 18_000, 20, 10_000_000),
    },
  };
}

function text(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

function integer(env: Environment, name: string, fallback: number, least: number, most: number): number {
  const value = text(env, name);
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new StartupError(`${name} must be a whole number from ${least} to ${most}, but it is "${value}".`);
  }
  return number;
}

function secret(env: Environment, name: string): string | undefined {
  const value = text(env, name);
  if (value !== undefined && !/^[\w.~+/=-]{16,}$/.test(value)) {
    throw new StartupError(`${name} must have at least 16 characters, of letters, digits and . ~ + / = - _ only.`);
  }
  return value;
}

function choice<T extends string>(env: Environment, name: string, choices: readonly T[]): T | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const chosen = choices.find((candidate) => candidate === value);
  if (chosen === undefined) {
    throw new StartupError(`${name} must be one of ${choices.join(', ')}, but it is "${value}".`);
  }
  return chosen;
}

function matching(env: Environment, name: string, pattern: RegExp, meant: string): string | undefined {
  const value = text(env, name);
  if (value !== undefined && !pattern.test(value)) {
    throw new StartupError(`${name} must be ${meant}, but it is "${value}".`);
  }
  return value;
}

/**
 * Never trusts the whole header: a proxy appends the address it sees to `X-Forwarded-For`, after values that the caller may have forged.
 * `true` means one proxy in front.
 */
function trustedProxies(env: Environment, name: string): Config['trustProxy'] {
  const value = text(env, name);
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return 1;
  if (/^[1-9]$/.test(value)) return Number(value);
  const ranges = value.split(',').map((range) => range.trim());
  const isRange = (range: string) => {
    const [address = '', bits, ...rest] = range.split('/');
    const most = isIP(address) === 6 ? 128 : 32;
    return isIP(address) > 0 && rest.length === 0 && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most));
  };
  if (ranges.every((range) => ['loopback', 'linklocal', 'uniquelocal'].includes(range) || isRange(range))) return ranges.join(', ');
  throw new StartupError(
    `${name} must be false, the number of proxies in front (1 to 9), or their addresses such as 10.0.0.0/8, but it is "${value}".`,
  );
}

/** The key file alone does not enable the channel: other programs on the machine may have set that variable. */
function channelAccount(env: Environment): Config['channel']['account'] {
  const id = matching(env, 'CHANNEL_ACCOUNT', /^\d{1,20}$/, 'the number of a Manufacturer Center account');
  if (id === undefined) return undefined;
  const credentialsFile = text(env, 'GOOGLE_APPLICATION_CREDENTIALS');
  if (credentialsFile === undefined) {
    throw new StartupError("CHANNEL_ACCOUNT needs GOOGLE_APPLICATION_CREDENTIALS as well, the path of a service account's key file.");
  }
  return { id, credentialsFile };
}

/** The message does not contain the value: it is a secret. */
function encryptionKey(env: Environment, name: string): Buffer | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const key = Buffer.from(value, 'base64');
  if (key.length !== 32) {
    throw new StartupError(`${name} must be 32 random bytes in base64, as "openssl rand -base64 32" prints them.`);
  }
  return key;
}

function webAddress(env: Environment, name: string): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new StartupError(`${name} must be an http or https address without a path, but it is "${value}".`);
  }
  return url.origin;
}

function databaseAddress(env: Environment, name: string): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    // The value may contain a password, so the message does not repeat it.
    throw new StartupError(`${name} must look like postgres://user:password@host:5432/database.`);
  }
  return value;
}

/** A URL is accepted too, without the trailing slash, which the provider's SDK cannot take. */
function providerDomain(env: Environment, name: string): string | undefined {
  const pattern = /^(https?:\/\/)?[\w.-]+(:\d+)?(\/[\w./-]*)?$/;
  return matching(env, name, pattern, 'a host name such as tenant.eu.auth0.com')?.replace(/\/+$/, '');
}

function hostName(env: Environment, name: string): string | undefined {
  const value = text(env, name);
  if (value !== undefined && !/^[\w.-]+$/.test(value)) {
    throw new StartupError(`${name} must be a bare host name such as tenant.eu.auth0.com, but it is "${value}".`);
  }
  return value;
}

function smtpAddress(env: Environment, name: string): string | undefined {
  const value = text(env, name);
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url?.hostname || !['smtp:', 'smtps:'].includes(url.protocol)) {
    // The value may contain a password, so the message does not repeat it.
    throw new StartupError(`${name} must look like smtp://user:password@host:587 or smtps://user:password@host:465.`);
  }
  return value;
}

function mailAddress(env: Environment, name: string): string | undefined {
  const value = text(env, name);
  if (value !== undefined && !/^([^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value)) {
    throw new StartupError(`${name} must look like "Brand Portal <portal@example.com>", but it is "${value}".`);
  }
  return value;
}
