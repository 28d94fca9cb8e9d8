import { join, posix, win32 } from 'node:path';

interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  home: string;
}

const NAMES_ON_PATH = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];

const LINUX_PLACES = ['/usr/lib/chromium/chromium', '/opt/google/chrome/chrome', '/snap/bin/chromium'];

const MAC_APPLICATIONS = [
  'Chromium.app/Contents/MacOS/Chromium',
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

const WINDOWS_PROGRAMS = [
  'Chromium\\Application\\chrome.exe',
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** Possible paths of a Chromium-based browser, most likely first. Does not check them. */
export function systemBrowserPlaces({ platform, env, home }: Machine): string[] {
  const windows = platform === 'win32';
  const { join: joinThere, delimiter } = windows ? win32 : posix;
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => folder !== '');
  const suffix = windows ? '.exe' : '';
  const onPath = NAMES_ON_PATH.flatMap((name) => folders.map((folder) => joinThere(folder, name + suffix)));

  if (windows) {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((root) => root !== undefined);
    return [...WINDOWS_PROGRAMS.flatMap((program) => roots.map((root) => joinThere(root, program))), ...onPath];
  }
  if (platform === 'darwin') {
    const roots = ['/Applications', join(home, 'Applications')];
    return [...MAC_APPLICATIONS.flatMap((app) => roots.map((root) => joinThere(root, app))), ...onPath];
  }
  return [...onPath, ...LINUX_PLACES];
}
