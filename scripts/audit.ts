import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reports known vulnerabilities of the packages used in production. It never fails the build: a new advisory must not turn an unchanged
 * build red. Some registries do not support audits; then it reports what the lock file tells.
 */

const ROOT = join(import.meta.dirname, '..');
const TIMEOUT_MS = 60_000;
const SEVERITIES = ['critical', 'high', 'moderate', 'low', 'info'];

interface Vulnerability {
  readonly name: string;
  readonly severity: string;
  readonly range: string;
  /** An advisory, or the name of the package that depends on it. */
  readonly via: readonly (string | { readonly title: string; readonly url: string })[];
  readonly fixAvailable: boolean | { readonly name: string; readonly version: string };
}

/** Undefined if the registry did not answer. */
export function describeAudit(answer: unknown): string[] | undefined {
  const { vulnerabilities } = (answer ?? {}) as { vulnerabilities?: Record<string, Vulnerability> };
  if (!vulnerabilities) return undefined;
  const found = Object.values(vulnerabilities).sort(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.name.localeCompare(b.name),
  );
  if (found.length === 0) return ['No known vulnerabilities in what runs in production.'];
  return [`${found.length} known vulnerabilities in what runs in production:`, ...found.map(describeVulnerability)];
}

function describeVulnerability({ name, severity, range, via, fixAvailable }: Vulnerability): string {
  const reasons = via.map((cause) => (typeof cause === 'string' ? `through ${cause}` : `${cause.title} (${cause.url})`));
  const fix =
    typeof fixAvailable === 'object'
      ? `fixed in ${fixAvailable.name} ${fixAvailable.version}`
      : fixAvailable
        ? 'fixed by npm audit fix'
        : 'no fix yet';
  return `  ${severity.padEnd(9)} ${name} ${range}: ${reasons.join(', ')}; ${fix}`;
}

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly deprecated?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const INSTALLED = 'node_modules/';

/** What the lock file alone tells. */
export function describeLockfile({ packages }: { packages: Record<string, LockedPackage> }): string[] {
  const installed = Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes(INSTALLED) && !dev && !link)
    .map(([path, locked]) => ({ ...locked, name: path.slice(path.lastIndexOf(INSTALLED) + INSTALLED.length) }));
  return [
    `${installed.length} packages run in production, by package-lock.json.`,
    ...installed.flatMap(({ name, version, deprecated }) => (deprecated ? `  deprecated  ${name} ${version}: ${deprecated}` : [])),
    ...installed.flatMap(({ name, version, integrity }) => (integrity ? [] : `  no checksum ${name} ${version}`)),
  ];
}

interface Outdated {
  readonly current?: string;
  readonly latest: string;
}

/** `answer` is the output of `npm outdated`; undefined if the registry did not answer. */
export function describeOutdated(answer: Record<string, Outdated | readonly Outdated[]> | undefined): string[] {
  if (!answer) return ['The registry does not answer: what is out of date is not known either.'];
  const entries = Object.entries(answer).flatMap(([name, found]) => {
    const [first] = [found].flat() as Outdated[];
    return first ? [{ name, ...first }] : [];
  });
  if (entries.length === 0) return ['Every direct dependency is the latest version.'];
  const major = (version: string) => version.split('.', 1)[0];
  const behind = entries.filter(({ current, latest }) => current && major(current) !== major(latest));
  return [
    `${entries.length} direct dependencies have a newer version; a major version behind:${behind.length ? '' : ' none.'}`,
    ...behind.map(({ name, current, latest }) => `  ${name} ${current}, latest ${latest}`),
  ];
}

/** Returns the JSON with any exit code: both commands exit with 1 if they find something. */
function runNpm(args: string[]): Promise<unknown> {
  return new Promise((resolve) => {
    const options = {
      cwd: ROOT,
      timeout: TIMEOUT_MS,
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
    };
    execFile('npm', [...args, '--json'], options, (_error, stdout) => {
      try {
        resolve(JSON.parse(stdout));
      } catch {
        resolve(undefined);
      }
    });
  });
}

if (import.meta.main) {
  const audit = describeAudit(await runNpm(['audit', '--omit=dev']));
  if (audit) {
    console.log(audit.join('\n'));
  } else {
    const lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    const outdated = (await runNpm(['outdated'])) as Parameters<typeof describeOutdated>[0] | { error: unknown };
    const isAnswer = outdated !== undefined && !('error' in outdated);
    console.log(
      [
        "The registry does not answer npm's audit: whether a package has a known vulnerability was NOT checked.",
        'What can be said without it:',
        ...describeLockfile(lockfile),
        ...describeOutdated(isAnswer ? (outdated as Parameters<typeof describeOutdated>[0]) : undefined),
      ].join('\n'),
    );
  }
}
