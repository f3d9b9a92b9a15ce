import { EventEmitter } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Guarded, guardEveryWindow, windowPreferences } from '../../main/windows/guards.ts';
import { mayAsk } from '../../main/windows/ipc.ts';
import { contentSecurityPolicy, fileFor, mayOpenOutside, origin, schemePrivileges } from '../../main/windows/pages.ts';

/**
 * Electron's own checklist (its "Security" tutorial), item by item, as far as it can be seen without Electron. What a
 * running one must show is in tests/e2e/security.test.ts under the same numbers.
 */
const project = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const directives = new Map(
  contentSecurityPolicy.split('; ').map((directive) => {
    const [name = '', ...sources] = directive.split(' ');
    return [name, sources.join(' ')];
  }),
);
const preferences = windowPreferences('/preload.cjs');

/** The product's own sources, as one text each. */
function sources(...folders: string[]): { path: string; text: string }[] {
  return folders.flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|html|css)$/.test(name))
      .map((name) => ({ path: join(folder, name), text: read(join(folder, name)) })),
  );
}
const using = (pattern: RegExp, ...folders: string[]): string[] =>
  sources(...folders)
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path);

/** Electron's `app` and session, which write down what is done to them. */
class FakeElectron {
  readonly done: string[] = [];
  readonly app = new EventEmitter();
  readonly session = new EventEmitter();
  readonly answers = new Map<string, unknown>();

  guarded({ noSandbox = false } = {}): Guarded {
    const { app, session, done, answers } = this;
    const defaultSession = Object.assign(session, {
      setPermissionRequestHandler: (handler: unknown) => answers.set('request', handler),
      setPermissionCheckHandler: (handler: unknown) => answers.set('check', handler),
      setDevicePermissionHandler: (handler: unknown) => answers.set('device', handler),
      setSpellCheckerEnabled: (on: boolean) => answers.set('spelling', on),
      setSpellCheckerLanguages: (languages: string[]) => answers.set('languages', languages),
    });
    return {
      app: Object.assign(app, {
        commandLine: { hasSwitch: (name: string) => noSandbox && name === 'no-sandbox' },
        enableSandbox: () => done.push('enableSandbox'),
      }),
      session: { defaultSession },
    };
  }

  /** A window as Electron makes it; returns what its guards said to an event: whether it may go on. */
  makeWindow(): { may: (event: string, url?: string) => boolean; mayOpen: () => unknown } {
    let open: () => unknown = () => 'allowed';
    const contents = Object.assign(new EventEmitter(), {
      setWindowOpenHandler: (handler: () => unknown) => {
        open = handler;
      },
    });
    this.app.emit('web-contents-created', {}, contents);
    return {
      may: (event, url = '') => {
        let prevented = false;
        contents.emit(event, { url, preventDefault: () => (prevented = true) });
        return !prevented;
      },
      mayOpen: () => open(),
    };
  }
}

function guarded(options?: { noSandbox?: boolean }): FakeElectron {
  const electron = new FakeElectron();
  guardEveryWindow(electron.guarded(options));
  electron.app.emit('ready');
  return electron;
}

describe('Electron’s security checklist', () => {
  it('1 only secure content: the page names no other host and loads from its own scheme', () => {
    expect(origin).toBe('app://bundle');
    expect(read('renderer/index.html')).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\//);
    expect([...directives.values()].join(' ')).not.toMatch(/https?:|\*/);
  });

  it('2 no Node in the page', () => {
    expect(preferences).toMatchObject({
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
    });
  });

  it('3 context isolation', () => {
    expect(preferences.contextIsolation).toBe(true);
  });

  it('4 Chromium’s sandbox, for every process; only a test’s command line can leave it out', () => {
    expect(preferences.sandbox).toBe(true);
    expect(guarded().done).toEqual(['enableSandbox']);
    expect(guarded({ noSandbox: true }).done).toEqual([]);
    expect(using(/no-sandbox/, 'main', 'app')).toEqual(['main/windows/guards.ts']);
  });

  it('5 permissions: our page may copy; anything else asked for, looked at or for a device is refused', () => {
    const { answers } = guarded();
    const may = (permission: string, requestingUrl = `${origin}/index.html`, isMainFrame = true): unknown => {
      let said: unknown;
      const answer = (value: boolean) => {
        said = value;
      };
      const ask = answers.get('request') as () => void;
      Reflect.apply(ask, undefined, [{}, permission, answer, { requestingUrl, isMainFrame }]);
      return said;
    };
    expect(may('clipboard-sanitized-write')).toBe(true);
    expect(may('clipboard-sanitized-write', 'https://example.com/')).toBe(false);
    expect(may('clipboard-sanitized-write', `${origin}/index.html`, false)).toBe(false);
    for (const other of ['media', 'clipboard-read', 'deprecated-sync-clipboard-read', 'notifications', 'unknown'])
      expect(may(other)).toBe(false);
    expect(Reflect.apply(answers.get('check') as () => unknown, undefined, [{}, 'media'])).toBe(false);
    expect(Reflect.apply(answers.get('device') as () => unknown, undefined, [{}])).toBe(false);
  });

  it('6 webSecurity stays on', () => {
    expect(preferences.webSecurity).toBe(true);
    expect(using(/webSecurity: false|disable-web-security|bypassCSP/, 'main', 'preload')).toEqual([]);
  });

  it('7 a content security policy without inline code, inline styles, eval or other hosts', () => {
    expect(Object.fromEntries(directives)).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
    expect(read('renderer/index.html')).not.toMatch(/<script(?![^>]*\bsrc=)|<style| style="| on\w+="/);
  });

  it('8 no insecure content in secure pages', () => {
    expect(preferences.allowRunningInsecureContent).toBe(false);
  });

  it('9 no experimental features', () => {
    expect(preferences.experimentalFeatures).toBe(false);
  });

  it('10 no Blink features', () => {
    expect(preferences).not.toHaveProperty('enableBlinkFeatures');
    expect(using(/enable-blink-features|enableBlinkFeatures/, 'main')).toEqual([]);
  });

  it('11 12 no webview: off, and none can be attached', () => {
    expect(preferences.webviewTag).toBe(false);
    expect(guarded().makeWindow().may('will-attach-webview')).toBe(false);
  });

  it.each(['will-navigate', 'will-redirect', 'will-frame-navigate'])('13 %s leads nowhere but to our page', (event) => {
    const { may } = guarded().makeWindow();
    expect(may(event, 'app://bundle/index.html')).toBe(true);
    for (const url of [
      'https://example.com/',
      'app://bundle.example.com/',
      'app://other/',
      'file:///etc/passwd',
      'data:text/html,x',
      'javascript:alert(1)',
      'about:blank',
      '',
    ]) {
      expect(may(event, url)).toBe(false);
    }
  });

  it('14 no new windows, and none that is made later misses the guards', () => {
    const electron = guarded();
    expect(electron.makeWindow().mayOpen()).toEqual({ action: 'deny' });
    expect(electron.makeWindow().mayOpen()).toEqual({ action: 'deny' });
  });

  it('15 the browser is opened for known https hosts alone, and in one place', () => {
    const hosts = [
      'https://github.com/login/device',
      'https://docs.github.com/x',
      'https://tenant.ghe.com/login/device',
    ];
    expect(hosts.map((url) => mayOpenOutside(url, 'tenant.ghe.com'))).toEqual([true, true, true]);
    for (const url of [
      'http://github.com/',
      'https://github.com.example.com/',
      'https://github.com@example.com/',
      'https://me:pw@github.com/',
      'https://github.com:444/',
      'file:///etc/passwd',
      'smb://github.com/share',
      'ms-msdt:/id',
      'javascript:alert(1)',
      '\\\\github.com\\share',
      '',
    ]) {
      expect(mayOpenOutside(url, 'tenant.ghe.com')).toBe(false);
    }
    expect(using(/openExternal\(/, 'main', 'preload')).toHaveLength(1);
  });

  it('16 a current Electron, exact', () => {
    expect(manifest.devDependencies.electron).toMatch(/^4[3-9]\.\d+\.\d+$/);
  });

  it('17 who calls is looked at', () => {
    const page = { url: 'app://bundle/index.html' };
    expect(mayAsk({ senderFrame: page, sender: { mainFrame: page } })).toBe(true);
    expect(mayAsk({ senderFrame: null, sender: { mainFrame: page } })).toBe(false);
    expect(mayAsk({ senderFrame: { ...page }, sender: { mainFrame: page } })).toBe(false);
    // Every way in goes through the one loop that looks.
    expect(using(/ipcMain\.(?:on|once|handle|handleOnce)\(|\.ipc\.(?:on|handle)\(/, 'main')).toEqual([]);
    expect(using(/ipc\.handle\(/, 'main')).toEqual(['main/windows/ipc.ts']);
  });

  it('18 an own scheme instead of file:, secure, and no way out of its folder', () => {
    expect(schemePrivileges).toEqual({ standard: true, secure: true, supportFetchAPI: true });
    expect(using(/loadFile\(|file:\/\//, 'main', 'preload', 'renderer')).toEqual([]);
    for (const way of [
      '..%2fmain/main.js',
      '%2e%2e%2f%2e%2e%2fetc/passwd.html',
      '..%5c..%5cmain.js',
      'a%00.html',
      '%2fetc/x.html',
    ]) {
      const file = fileFor(`app://bundle/${way}`, '/dist/renderer');
      expect(file === null || file.path.startsWith('/dist/renderer/')).toBe(true);
    }
  });

  it('19 fuses, as they are released', () => {
    const builder = read('electron-builder.yml');
    for (const fuse of [
      'runAsNode: false',
      'enableCookieEncryption: true',
      'enableNodeOptionsEnvironmentVariable: false',
      'enableNodeCliInspectArguments: false',
      'enableEmbeddedAsarIntegrityValidation: true',
      'onlyLoadAppFromAsar: true',
      'loadBrowserProcessSpecificV8Snapshot: false',
      'grantFileProtocolExtraPrivileges: false',
    ]) {
      expect(builder).toContain(`  ${fuse}\n`);
    }
  });

  it('20 the page gets narrow functions: the preload script hands out neither ipcRenderer nor its events', () => {
    expect(using(/ipcRenderer/, 'main', 'preload', 'renderer')).toEqual(['preload/preload.ts']);
    const [exposed] = read('preload/preload.ts').match(/exposeInMainWorld\([^;]*;/) ?? [];
    expect(exposed).toBe("exposeInMainWorld('jumpseat', { ...calls, listen, pathOf, speak });");
    expect(read('preload/preload.ts').match(/webUtils\.\w+/g)).toEqual(['webUtils.getPathForFile']);
    expect(using(/from 'electron'/, 'renderer')).toEqual([]);
  });

  it(
    'and beyond it: nothing is saved but what the page made, no dictionary is fetched, dropped files lead ' +
      'nowhere, no code from text',
    () => {
      const { session, answers } = guarded();
      const isSaved = (address: string): boolean => {
        let prevented = false;
        session.emit('will-download', { preventDefault: () => (prevented = true) }, { getURL: () => address });
        return !prevented;
      };
      expect(isSaved('blob:app://bundle/2f3c5b1e-5a57-4c0e-9a7f-6b1f7d3c2a10')).toBe(true);
      for (const address of [
        'https://example.com/x.exe',
        'app://bundle/index.html',
        'data:text/plain,x',
        'blob:https://example.com/x',
        'blob:app://bundle.evil/x',
        'file:///etc/passwd',
      ]) {
        expect(isSaved(address), address).toBe(false);
      }
      expect([answers.get('spelling'), answers.get('languages')]).toEqual([false, []]);
      expect(preferences).toMatchObject({ spellcheck: false, navigateOnDragDrop: false });
      expect(
        using(
          /executeJavaScript\(|insertCSS\(|\beval\(|new Function\(|dangerouslySetInnerHTML/,
          'main',
          'preload',
          'renderer',
        ),
      ).toEqual([]);
      expect(existsSync(join(project, 'preload', 'preload.ts'))).toBe(true);
    },
  );
});
