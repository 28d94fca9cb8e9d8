import { chownSync, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartupError } from '@brand-portal/server/lib/errors.ts';

/** How to run a program that refuses to run as root. */
export interface Runner {
  command(program: string, args: string[]): { file: string; args: string[]; options: { uid?: number; gid?: number } };
  /** Changes the owner of a file or folder to the user that the program runs as. */
  own(path: string): void;
}

const NOBODY = 65_534;
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'].find((path) => existsSync(path));

/**
 * PostgreSQL refuses to run as root, but containers often have no other user. As root it therefore runs as `nobody`. Folders that `nobody`
 * may not enter, such as /root, need the capability CAP_DAC_OVERRIDE, which setpriv grants; `no_setuid_fixup` makes access(2) respect it,
 * which PostgreSQL uses to find its own files.
 */
export function unprivilegedRunner(paths: string[]): Runner {
  if (process.getuid?.() !== 0) {
    return { command: (file, args) => ({ file, args, options: {} }), own: () => {} };
  }
  const own = (path: string) => chownSync(path, NOBODY, NOBODY);
  if (paths.every(isWorldAccessible)) {
    return { own, command: (file, args) => ({ file, args, options: { uid: NOBODY, gid: NOBODY } }) };
  }
  if (!SETPRIV) {
    throw new StartupError(
      `The embedded PostgreSQL cannot run as root, and the user nobody cannot access ${paths.find((path) => !isWorldAccessible(path))}: run as an ordinary user, move the folder, or set DATABASE_URL.`,
    );
  }
  const asNobody = [
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
  ];
  return { own, command: (program, args) => ({ file: SETPRIV, args: [...asNobody, program, ...args], options: {} }) };
}

/** Whether every folder of the path is accessible to all users. */
function isWorldAccessible(path: string): boolean {
  const parent = dirname(path);
  if (parent === path) return true;
  return (statSync(parent).mode & 0o001) !== 0 && isWorldAccessible(parent);
}
