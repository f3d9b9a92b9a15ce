import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../../app/api/calls.ts';
import { until } from '../soon.ts';
import { Desktop } from './desktop.ts';
import { holds } from './page-holds.ts';
import { electronPath, TrayProgram } from './tray-program.ts';

/**
 * What a running Electron must show of its own security checklist; the numbers are those of
 * tests/main/security-checklist.test.ts.
 */
describe.skipIf(electronPath === undefined)('the window of the tray app, as an attacker finds it', () => {
  let desktop: Desktop;
  let program: TrayProgram;
  let page: Page;

  beforeAll(async () => {
    desktop = await Desktop.start();
    program = await TrayProgram.start({ desktop, env: { JUMPSEAT_SECRETS: 'memory' } });
    page = await program.window();
    await holds(page, 'document.body.innerText.length > 0');
  });
  afterAll(async () => {
    await program?.close();
    await desktop?.close();
  });

  /** What an expression gives in the page's own world, where its policy holds. */
  const inPage = (expression: string): Promise<unknown> => page.evaluate(expression);
  const refused = (promise: string): Promise<unknown> =>
    inPage(`(${promise}).then((value) => 'allowed: ' + value, (error) => error.name)`);
  /**
   * The main process takes what a frame asks for in order: an answer says that it has seen all that was asked before.
   */
  const afterWhatWasAsked = (): Promise<unknown> => inPage('jumpseat.state()');
  const windows = (): Promise<number> =>
    program.electron.evaluate(({ webContents }) => webContents.getAllWebContents().length);

  it('1 18 comes from its own secure origin', async () => {
    expect(await inPage('[location.origin, isSecureContext]')).toEqual(['app://bundle', true]);
  });

  it('2 3 20 has no Node and nothing of Electron: the calls of the contract, listen, pathOf and speak', async () => {
    expect(await inPage('[typeof require, typeof process, typeof module, typeof Buffer, typeof global]')).toEqual(
      Array(5).fill('undefined'),
    );
    const ofTheWindow = Object.entries(calls).filter(([, { from }]) => from !== 'dashboard');
    expect(await inPage('Object.keys(jumpseat)')).toEqual([
      ...ofTheWindow.map(([name]) => name),
      'listen',
      'pathOf',
      'speak',
    ]);
    expect(await inPage('Object.values(jumpseat).every((value) => typeof value === "function")')).toBe(true);
    // The functions belong to the page's own world: nothing leads from them to the preload script's.
    expect(await inPage('jumpseat.state.constructor === Function')).toBe(true);
    expect(await inPage('(() => { try { jumpseat.state = null } catch {} return typeof jumpseat.state })()')).toBe(
      'function',
    );
  });

  it('4 6 8 9 12 is sandboxed and isolated, as Electron itself says', async () => {
    const preferences = await program.electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return contents === undefined
        ? null
        : Reflect.apply(Reflect.get(contents, 'getLastWebPreferences'), contents, []);
    });
    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
    });
  });

  it('5 is given no permission', async () => {
    expect(await inPage('Notification.requestPermission()')).toBe('denied');
    for (const name of ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read']) {
      expect(await inPage(`navigator.permissions.query({ name: '${name}' }).then(({ state }) => state)`)).toBe(
        'denied',
      );
    }
    expect(await refused('navigator.mediaDevices.getUserMedia({ audio: true })')).not.toMatch(/^allowed/);
    expect(await refused('navigator.clipboard.readText()')).toBe('NotAllowedError');
  });

  it('7 runs no code and takes no style that is not a file of ours', async () => {
    const policy = await inPage(`fetch('/index.html').then(({ headers }) => headers.get('content-security-policy'))`);
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    await inPage(
      `void document.head.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' }))`,
    );
    // The image fails, and its own handler would have been called before this one.
    await inPage(`new Promise((resolve) => {
      document.body.insertAdjacentHTML(
        'beforeend',
        '<img id="none" src="data:," onerror="window.ran = 2"><p id="styled" style="color: rgb(1, 2, 3)">x</p>',
      );
      document.getElementById('none').addEventListener('error', () => resolve());
    })`);
    expect(await inPage('window.ran')).toBeUndefined();
    expect(await inPage(`getComputedStyle(document.getElementById('styled')).color`)).not.toBe('rgb(1, 2, 3)');
    // Later, since what a debugger asks for itself is outside of the policy.
    expect(
      await refused(
        'new Promise((done, failed) => setTimeout(() => { try { done(eval("1")) } catch (error) { failed(error) } }))',
      ),
    ).toBe('EvalError');
    expect(await refused('fetch("https://example.com/")')).toBe('TypeError');
    expect(await refused('fetch("http://127.0.0.1:1/")')).toBe('TypeError');
    expect(await refused('import("https://example.com/x.js")')).toBe('TypeError');
  });

  it('11 12 holds no other page: neither a frame nor a webview', async () => {
    expect(
      await inPage(`new Promise((resolve) => {
        const frame = Object.assign(document.createElement('iframe'), { src: 'app://bundle/index.html' });
        const look = () => {
          let inside = 'closed';
          try { inside = typeof frame.contentWindow.jumpseat } catch {}
          resolve(inside);
        };
        frame.onload = look;
        document.body.append(frame);
      })`),
    ).not.toBe('object');
    const before = await windows();
    await inPage(
      `void document.body.append(Object.assign(document.createElement('webview'), { src: 'app://bundle/index.html' }))`,
    );
    expect(await inPage(`typeof document.querySelector('webview').executeJavaScript`)).toBe('undefined');
    expect(await windows()).toBe(before);
  });

  it('13 goes nowhere', async () => {
    await inPage('void (window.stays = true)');
    for (const way of [
      `location.href = 'https://example.com/'`,
      `location.href = 'file:///etc/passwd'`,
      `location.href = 'app://other/index.html'`,
      `location.href = 'data:text/html,x'`,
      `document.body.append(Object.assign(document.createElement('form'), { action: 'https://example.com/', ` +
        `id: 'away' })); document.getElementById('away').submit()`,
      `document.body.append(Object.assign(document.createElement('a'), { href: 'https://example.com/', id: ` +
        `'link' })); document.getElementById('link').click()`,
    ]) {
      await inPage(`void (() => { ${way} })()`);
      await afterWhatWasAsked();
    }
    expect(await inPage('[location.origin, window.stays]')).toEqual(['app://bundle', true]);
  });

  it('13 comes back from the empty page, for which no host is asked', async () => {
    for (const nowhere of ['about:blank', 'about:srcdoc']) {
      await inPage(`void (location.href = '${nowhere}')`).catch(() => undefined);
      await page.waitForURL('app://bundle/**');
      await holds(page, 'document.body.innerText.length > 0');
    }
  });

  it('14 opens no window', async () => {
    const before = await windows();
    expect(await inPage(`String(window.open('https://example.com/'))`)).toBe('null');
    expect(await inPage(`String(window.open('app://bundle/index.html'))`)).toBe('null');
    await inPage(`void (() => {
      const link = Object.assign(document.createElement('a'), { href: 'app://bundle/index.html', target: '_blank' });
      document.body.append(link);
      link.click();
    })()`);
    await afterWhatWasAsked();
    expect(await windows()).toBe(before);
  });

  it('15 has the browser opened for known addresses alone', async () => {
    for (const address of [
      'https://example.com/',
      'file:///etc/passwd',
      'https://github.com@example.com/',
      'http://github.com/',
    ]) {
      expect(await inPage(`jumpseat.openOutside(${JSON.stringify(address)})`)).toEqual({ ok: true, value: false });
    }
    expect(await inPage(`jumpseat.openOutside('https://github.com/login/device')`)).toEqual({ ok: true, value: true });
    expect(await until(() => desktop.opened[0])).toBe('https://github.com/login/device');
    expect(desktop.opened).toHaveLength(1);
  });

  it('17 another page with our preload script gets no answer', async () => {
    const preload = join(import.meta.dirname, '..', '..', 'dist', 'preload', 'preload.cjs');
    const answer = await program.electron.evaluate(async ({ BrowserWindow }, script) => {
      const stranger = new BrowserWindow({
        show: false,
        webPreferences: { preload: script, sandbox: true, contextIsolation: true },
      });
      await stranger.loadURL('data:text/html,<title>stranger</title>');
      const said = await stranger.webContents.executeJavaScript(
        'Promise.all([jumpseat.state(), jumpseat.setProxy(false), jumpseat.copyLines("bash")])',
      );
      stranger.destroy();
      return said;
    }, preload);
    expect(answer).toEqual(Array(3).fill({ ok: false, problem: expect.objectContaining({ code: 'not-our-window' }) }));
    expect(program.port).not.toBeNull();
  });

  it('17 calls that make no sense are refused', async () => {
    for (const call of [
      'setProxy("yes")',
      'exchanges({ limit: 1e9 })',
      'exchanges()',
      'openOutside("x".repeat(1e7))',
      'state(1)',
    ]) {
      expect(await inPage(`jumpseat.${call}`)).toMatchObject({ ok: false, problem: { code: 'bad-call' } });
    }
    expect(await inPage('jumpseat.exchanges({ limit: 5 })')).toEqual({ ok: true, value: [] });
  });

  it('18 reads no file but those of the page', async () => {
    const status = (address: string) => inPage(`fetch('${address}').then(({ status }) => status, () => 'refused')`);
    for (const way of [
      'app://bundle/..%2fmain%2fmain.js',
      'app://bundle/..%2f..%2fpackage.json',
      'app://bundle/%2e%2e/main/main.js',
      'app://bundle/..%5cmain%5cmain.js',
      'app://bundle/nothing.html',
    ]) {
      expect(await status(way)).toBe(404);
    }
    for (const way of ['app://other/index.html', 'file:///etc/passwd']) expect(await status(way)).toBe('refused');
    expect(await inPage(`fetch('/index.html').then(({ headers }) => headers.get('x-content-type-options'))`)).toBe(
      'nosniff',
    );
  });

  it('stops sending to a page that stopped listening', async () => {
    expect(
      await inPage(`(async () => {
        const heard = [];
        const stop = jumpseat.listen((event) => heard.push(event.event));
        await jumpseat.setProxy(false);
        while (heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
        stop();
        heard.length = 0;
        await jumpseat.setProxy(true);
        await jumpseat.state();
        return heard;
      })()`),
    ).toEqual([]);
  });

  it('a page that crashes is loaded again; the second time its window goes, and a new one can be opened', async () => {
    const crash = () =>
      program.electron.evaluate(({ BrowserWindow }) => {
        BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
      });
    const text = () =>
      program.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]
          ?.webContents.executeJavaScript('document.body.innerText')
          .catch(() => ''),
      );
    const logged = () => {
      const file = join(program.home, 'logs', 'jumpseat.log');
      return existsSync(file) ? readFileSync(file, 'utf8').split('window.page-crashed').length - 1 : 0;
    };
    await crash();
    await until(() => logged() === 1);
    await until(text);
    await crash();
    await until(async () => (await program.visibleWindows()) === 0);
    await until(() => logged() === 2);
    const dumps = join(program.home, 'logs', 'crashes');
    await until(() => readdirSync(dumps, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.dmp')));
    await program.electron.evaluate(({ app }) => app.emit('second-instance', {}, []));
    await until(text);
    expect(program.port).not.toBeNull();
  });

  it('an uncaught exception is logged without secrets, and the app ends in order', async () => {
    const processes = program.processes();
    await program.electron
      .evaluate(() => {
        setTimeout(() => {
          throw new Error('gho_0123456789abcdef');
        }, 50);
      })
      .catch(() => undefined);
    await program.gone(processes);
    expect(existsSync(join(program.home, 'lock'))).toBe(false);
    const log = readFileSync(join(program.home, 'logs', 'jumpseat.log'), 'utf8');
    expect(log).toContain('process.uncaught-exception');
    expect(log).not.toContain('gho_');
  });
});
