import { describe, expect, it } from 'vitest';
import { systemBrowserPlaces } from './browser-places.ts';

describe('the paths of a system browser', () => {
  it('on Linux are the folders of PATH first, Chromium before Chrome', () => {
    const places = systemBrowserPlaces({
      platform: 'linux',
      env: { PATH: '/usr/local/bin:/usr/bin' },
      home: '/home/ada',
    });
    expect(places.slice(0, 2)).toEqual(['/usr/local/bin/chromium', '/usr/bin/chromium']);
    expect(places.indexOf('/usr/bin/chromium')).toBeLessThan(places.indexOf('/usr/bin/google-chrome'));
  });

  it('on macOS are the applications of the machine and of the user', () => {
    const places = systemBrowserPlaces({ platform: 'darwin', env: {}, home: '/Users/ada' });
    expect(places).toContain('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
    expect(places).toContain('/Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
  });

  it('on Windows are the program folders, with any path separator of this machine', () => {
    const env = {
      PROGRAMFILES: 'C:\\Program Files',
      LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local',
      Path: 'D:\\tools',
    };
    const places = systemBrowserPlaces({ platform: 'win32', env, home: 'C:\\Users\\ada' });
    expect(places).toContain('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe');
    expect(places).toContain('C:\\Users\\ada\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe');
    expect(places).toContain('D:\\tools\\chrome.exe');
  });

  it('never include the current folder for an empty entry of PATH', () => {
    expect(systemBrowserPlaces({ platform: 'linux', env: { PATH: ':/usr/bin:' }, home: '/' })).not.toContain('chromium');
  });
});
