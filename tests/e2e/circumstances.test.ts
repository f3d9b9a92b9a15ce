import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { patienceMs, until } from '../soon.ts';
import { Desktop, type DesktopOptions } from './desktop.ts';
import { showsIcon } from './icon-name.ts';
import { keychainEntries } from './keychain-entries.ts';
import { stillRunning } from './processes.ts';
import { StatusNotifierHost, type TrayIcon } from './status-notifier.ts';
import { electronPath, hasDesktop, type StartOptions, TrayProgram } from './tray-program.ts';

const samples = join(import.meta.dirname, '..', 'samples');
const quotaExceeded: unknown = JSON.parse(readFileSync(join(samples, 'error-402-quota_exceeded.json'), 'utf8'));

/** Whether a program can have another /etc: as root, because the desktop's bus knows who it is. */
const hasOwnEtc = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

/** What a desktop may lack, and what may go wrong: each with a desktop and a GitHub of its own. */
describe.skipIf(!hasDesktop)('the tray app where not all is well', () => {
  let desktop: Desktop;
  let simulator: Simulator;
  let programs: TrayProgram[];

  beforeEach(async () => {
    simulator = await startSimulator({ deviceInterval: 1 });
    programs = [];
  });
  afterEach(async () => {
    try {
      for (const program of programs) await program.close();
    } finally {
      await desktop?.close();
      await simulator.close();
    }
  });

  const login = async (options: DesktopOptions = {}): Promise<void> => {
    desktop = await Desktop.start(options);
  };
  const start = async (options: Partial<StartOptions> = {}): Promise<TrayProgram> => {
    const program = await TrayProgram.start({ desktop, simulator, args: ['--hidden'], ...options });
    programs.push(program);
    return program;
  };
  const inMemory = { JUMPSEAT_SECRETS: 'memory' };
  const signedIn = () => ({
    ...inMemory,
    JUMPSEAT_KEY: 'key-of-this-test-alone',
    JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
  });
  const beginSignIn = async (tray: TrayIcon): Promise<void> => {
    await tray.click('Sign in to GitHub…');
    await tray.shows(/^\(Code/);
  };
  const ask = (program: TrayProgram): Promise<Response> =>
    fetch(`http://127.0.0.1:${program.port}/v1/messages`, {
      method: 'POST',
      signal: AbortSignal.timeout(patienceMs),
      headers: { authorization: 'Bearer key-of-this-test-alone.test', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-sonnet-4.6',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'hello there' }],
      }),
    });
  /** A request that waits in the simulator until the gate opens. */
  const askAndWait = async (program: TrayProgram, tray: TrayIcon) => {
    const gate = Promise.withResolvers<void>();
    simulator.script.next({ kind: 'usual', gate: gate.promise });
    const answer = ask(program);
    await tray.shows('(Proxy on · 1 request running)');
    return { gate, answer };
  };

  it.runIf(hasOwnEtc)(
    'an organization’s policy: serves nothing while it is broken, and says so; what it fixes can’t be changed',
    async () => {
      await login();
      const etc = join(desktop.home, 'etc');
      cpSync('/etc', etc, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !/\/(ssl|alternatives)\//.test(path),
      });
      mkdirSync(join(etc, 'jumpseat'), { recursive: true });
      const decide = (policy: string): void => writeFileSync(join(etc, 'jumpseat', 'policy.json'), policy);
      const executable = join(desktop.home, 'on-this-machine');
      const script = `mount --bind '${etc}' /etc; exec '${electronPath}' "$@"`;
      writeFileSync(
        executable,
        `#!/bin/sh\nexec unshare --mount sh -euc '${script.replaceAll("'", "'\\''")}' on "$@"\n`,
        {
          mode: 0o755,
        },
      );
      decide('{"version":1,"settings":{"theme":{"value":"pink"}}}');
      const project = join(import.meta.dirname, '..', '..');
      const program = await start({ executable, args: [project, '--hidden'], env: signedIn() });
      const tray = await program.tray();
      await tray.shows('(Proxy stopped · your organization’s policy can’t be used)');
      expect(await tray.tooltip()).toContain('your organization’s policy can’t be used');
      expect((await tray.lines()).join('\n')).not.toMatch(/Start proxy|Turn proxy on/);
      expect(program.port).toBeNull();
      await tray.click('Open Jumpseat');
      const page = await program.window();
      await page
        .getByText(/settings\.theme\.value is no value that theme can have/)
        .first()
        .waitFor();
      await page.getByRole('navigation', { name: 'Places' }).getByText('Settings').click();
      const trouble = page.getByTestId('policy-trouble');
      await trouble.getByText('Settings can’t be changed until your organization’s policy is corrected.').waitFor();
      const theme = page.locator('.settings_setting').filter({ has: page.getByText('Appearance', { exact: true }) });
      const controls = () => theme.locator('button, input, select').all();
      const areOff = async () => Promise.all((await controls()).map((control) => control.isDisabled()));
      const change = (chosen: 'light' | 'dark') =>
        page.evaluate((theme) => window.jumpseat?.changePreferences({ theme }), chosen);
      expect(await change('light')).toMatchObject({ ok: false });

      // Corrected while it runs: it serves, and says what is fixed.
      decide('{"version":1,"organization":"Octo Inc.","settings":{"theme":{"value":"dark"}}}');
      await tray.shows(/^\(Proxy on · /);
      await trouble.waitFor({ state: 'detached' });
      await theme.getByText('Set by your organization').waitFor();
      expect(await areOff()).toContain(true);
      expect(await areOff()).not.toContain(false);
      expect(await change('light')).toMatchObject({
        ok: false,
        problem: { text: expect.stringContaining('organization') },
      });
      expect((await ask(program)).status).toBe(200);
      const sent = simulator.requests.length;

      // Broken again: the port is closed, and nothing is asked.
      decide('{"version":1,');
      await tray.shows('(Proxy stopped · your organization’s policy can’t be used)');
      await trouble.waitFor();
      await until(
        () => program.port === null,
        () => program.log,
      );
      expect(simulator.requests.slice(sent).filter(({ method }) => method === 'POST')).toEqual([]);

      // Without it the person's settings hold again.
      decide('{"version":1,"settings":{}}');
      await tray.shows(/^\(Proxy on · /);
      await until(
        async () => (await change('light'))?.ok === true,
        () => program.log,
      );
    },
  );

  it('no keychain: the sign-in asks where else to keep the token, and says how a keychain is had', async () => {
    await login({ keyring: false });
    const program = await start();
    const tray = await program.tray();
    await program.answer('Until I quit');
    await beginSignIn(tray);
    const [where] = await program.asked();
    expect(where).toMatchObject({
      message: 'There’s no keychain service in this session.',
      buttons: ['Until I quit', 'Store in a file', 'Cancel'],
    });
    expect(where?.detail).toContain('Programs that run as your user can read that file.');
    expect(where?.detail).toContain('sudo apt install gnome-keyring');
    expect(where?.detail).not.toContain('no keychain service');
    simulator.script.approve();
    await tray.shows('(Signed in until you quit)');
    expect(await program.asked()).toHaveLength(1);
    expect(await desktop.read('jumpseat/secrets.json')).toBeNull();
    await program.close();
    const again = await (await start()).tray();
    await again.shows('(Signed out)');
  });

  it('no keychain and a file agreed to: signed in from then on, with a file that only this user can read', async () => {
    await login({ keyring: false });
    const program = await start();
    const tray = await program.tray();
    await program.answer('Store in a file');
    await beginSignIn(tray);
    simulator.script.approve();
    await tray.shows(/credits left/);
    expect(await tray.lines()).not.toContain('(Signed in until you quit)');
    const file = join(program.home, 'secrets.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(simulator.githubToken);
    const polls = simulator.githubRequests.filter(({ path }) => path === '/login/device/code').length;
    await program.close();
    const again = await (await start()).tray();
    await again.shows(/credits left/);
    expect(simulator.githubRequests.filter(({ path }) => path === '/login/device/code')).toHaveLength(polls);
  });

  it('a locked keychain: said, and once it is unlocked no new sign-in is needed and old keys work', async () => {
    await login({ keyring: true });
    const first = await start();
    const tray = await first.tray();
    await beginSignIn(tray);
    simulator.script.approve();
    await tray.shows(/credits left/);
    const { 'local-key': key } = await keychainEntries(desktop);
    await first.close();
    const codes = () => simulator.githubRequests.filter(({ path }) => path === '/login/device/code').length;
    const before = codes();

    await desktop.lockKeyring();
    const second = await start();
    await second.answer('OK', 'OK');
    const again = await second.tray();
    await again.shows('(Signed out)');
    const models = async () => {
      const headers = { authorization: `Bearer ${key}.test` };
      return (
        await fetch(`http://127.0.0.1:${second.port}/v1/models`, { headers, signal: AbortSignal.timeout(patienceMs) })
      ).status;
    };
    await until(() => second.port !== null);
    expect(await models()).toBe(401);
    await again.click('Sign in to GitHub…');
    await until(async () => (await second.asked()).length === 1);
    expect((await second.asked())[0]).toMatchObject({ message: expect.stringMatching(/keychain.*(locked|in time)/) });

    await desktop.unlockKeyring();
    // While the first try is still ending a click does nothing: a person clicks again.
    let clickedAt = Number.NEGATIVE_INFINITY;
    await until(async () => {
      const lines = await again.lines();
      if (lines.some((line) => /credits left/.test(line))) return true;
      if (performance.now() - clickedAt > 2000 && lines.includes('Sign in to GitHub…')) {
        clickedAt = performance.now();
        await again.click('Sign in to GitHub…');
      }
      return false;
    });
    await until(async () => (await models()) === 200);
    expect([codes(), (await second.asked()).length]).toEqual([before, 1]);
  });

  it('no keychain and memory chosen: signed in until it quits, and the menu says so', async () => {
    await login({ keyring: false });
    const first = await start({ env: inMemory });
    const tray = await first.tray();
    await beginSignIn(tray);
    simulator.script.approve();
    expect((await tray.shows(/credits left/)).slice(0, 5)).toEqual([
      `(Proxy on · 127.0.0.1:${first.port})`,
      '(octo-demo · Copilot Pro+)',
      expect.stringMatching(/^Sent as vscode\/\S+ \(vscode-chat\)$/),
      expect.stringContaining('credits left'),
      '(Signed in until you quit)',
    ]);
    await showsIcon(tray, 'tray-on');
    await first.close();
    const again = await (await start({ env: inMemory })).tray();
    await again.shows('(Signed out)');
  });

  it('declined on GitHub, and a code that has expired: each ends in a notification', async () => {
    await login();
    const tray = await (await start({ env: inMemory })).tray();
    await beginSignIn(tray);
    simulator.script.deny();
    const declined = await desktop.notifications.titled('You declined the sign-in on GitHub.');
    expect(declined.body).toBe('Its code can’t be used again. Try again to get a new code.');
    await tray.shows('(Signed out)');
    await beginSignIn(tray);
    simulator.script.expireDeviceCodes();
    const expired = await desktop.notifications.titled('This code has expired.');
    expect(expired.body).toBe('Codes are good for 15 minutes.');
    await tray.shows('(Signed out)');
  });

  it('C22.4 no tray: the window comes by itself, closing it asks once, and starting again shows it', async () => {
    await login({ tray: false });
    const program = await start({ env: inMemory });
    await program.window();
    expect(await desktop.notifications.titled('This desktop shows no tray')).toMatchObject({
      body: 'Everything works from the window. Start Jumpseat again to see it.',
    });
    await program.answer('Keep running');
    for (const _time of ['asked', 'not asked again']) {
      await program.closeWindow();
      await until(async () => (await program.visibleWindows()) === 0);
      expect(await program.asked()).toMatchObject([
        { message: 'Quit Jumpseat, or keep it running without a window?', buttons: ['Keep running', 'Quit'] },
      ]);
      expect(await program.startAgain()).toBe(0);
      await program.window();
    }
    expect(desktop.notifications.shown).toHaveLength(1);
  });

  it('a tray that comes after the program gets its icon', async () => {
    await login({ tray: false });
    await start({ env: inMemory });
    const host = await StatusNotifierHost.start(desktop.bus);
    const tray = await host.icon();
    await tray.shows('Sign in to GitHub…');
  });

  it('the port is another program’s: said in menu, icon and notification, and fixed from the menu', async () => {
    await login();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
      const address = other.address();
      const port = typeof address === 'object' ? address?.port : null;
      const program = await start({ env: { ...signedIn(), JUMPSEAT_PORT: String(port) } });
      const tray = await program.tray();
      const menu = await tray.shows(`(Proxy stopped · port ${port} in use)`);
      expect(menu.slice(4, 6)).toEqual([`Try port ${port} again`, 'Use a free port']);
      await showsIcon(tray, 'tray-error');
      expect(await tray.tooltip()).toBe(`Jumpseat: port ${port} is in use`);
      const { body } = await desktop.notifications.titled('The proxy couldn’t start');
      expect(body).toMatch(new RegExp(`^Port ${port} is in use by .+ \\(pid ${process.pid}\\)\\.$`));
      await tray.click('Use a free port');
      await tray.shows(/^\(Proxy on · 127/);
      await showsIcon(tray, 'tray-on');
      expect(program.port).not.toBe(port);
      expect((await ask(program)).status).toBe(200);
    } finally {
      other.close();
    }
  });

  it(
    'out of credits: folded up with a cross, billing in the menu, and a notification that opens the ' + 'window',
    async () => {
      await login();
      const program = await start({ env: signedIn() });
      const tray = await program.tray();
      await tray.shows(/credits left/);
      simulator.script.next({ kind: 'answer', status: 402, body: quotaExceeded });
      expect((await ask(program)).status).toBeGreaterThanOrEqual(400);
      const menu = await tray.shows('Open billing on GitHub');
      expect(menu[3]).toMatch(/^\(Out of credits until 1 [A-Z][a-z]{2}, \d\d:\d\d\)$/);
      await showsIcon(tray, 'tray-error');
      expect(await tray.tooltip()).toBe('Jumpseat: out of credits');
      const notice = await desktop.notifications.titled('You’re out of credits');
      expect(notice.body).toMatch(/^Copilot refuses requests until /);
      expect(await program.visibleWindows()).toBe(0);
      desktop.notifications.click(notice);
      const page = await program.window();
      await until(() => page.url().endsWith('#/usage'), page.url);
    },
  );

  it('its keychain can be read while a program writes to it', async () => {
    await login({ keyring: true });
    const write = `
      const keychain = require(${JSON.stringify(createRequire(import.meta.url).resolve('keytar'))});
      const keep = (name) => keychain.setPassword('Jumpseat', name, 'value of ' + name);
      (async () => {
        await keep('local-key');
        console.log('writes');
        for (let count = 0; ; count += 1) {
          await keep('probe-' + count);
          await keychain.deletePassword('Jumpseat', 'probe-' + count);
        }
      })();`;
    const writer = spawn(process.execPath, ['-e', write], { env: desktop.env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(writer.stdout, 'data');
      for (let times = 0; times < 5; times += 1) {
        expect(await keychainEntries(desktop)).toEqual({ 'local-key': 'value of local-key' });
      }
      expect(writer.exitCode).toBeNull();
    } finally {
      writer.kill();
    }
  });

  it('quitting while a request runs asks; waiting gives it to its client whole', async () => {
    await login();
    const program = await start({ env: signedIn() });
    const tray = await program.tray();
    await tray.shows(/credits left/);
    const { gate, answer } = await askAndWait(program, tray);
    await program.answer('Quit when it’s done');
    const processes = program.processes();
    await tray.click('Quit Jumpseat');
    await until(async () => (await program.asked()).length === 1);
    expect(await program.asked()).toMatchObject([
      { message: '1 request is running', buttons: ['Quit when it’s done', 'Quit now', 'Cancel'] },
    ]);
    gate.resolve();
    expect(JSON.stringify(await (await answer).json())).toContain('hello there');
    await program.gone(processes);
  });

  it('told to end by the system it asks nothing, and is gone within 10 s although a request runs', async () => {
    await login();
    const program = await start({ env: signedIn() });
    const tray = await program.tray();
    await tray.shows(/credits left/);
    const { answer } = await askAndWait(program, tray);
    const ended = answer.then(
      ({ status }) => status,
      () => 'cut',
    );
    const began = performance.now();
    await program.close();
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await ended).not.toBe(200);
    expect(program.port).toBeNull();
  });

  it('the machine wakes up: token, account and models are looked at again at once', async () => {
    await login();
    const program = await start({ env: signedIn() });
    await (await program.tray()).shows(/credits left/);
    const asked = () => ({
      user: simulator.githubRequests.filter(({ path }) => path === '/copilot_internal/user').length,
      models: simulator.requests.filter(({ path }) => path === '/models').length,
    });
    const before = asked();
    await program.electron.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'));
    await until(() => asked().user > before.user && asked().models > before.models, asked);
  });

  it('killed in the middle: the next start takes the folder over, and its window opens at the last place', async () => {
    await login();
    const first = await start({ env: signedIn(), args: [] });
    await (await first.tray()).shows(/credits left/);
    const page = await first.window();
    const stored = join(
      await first.electron.evaluate(({ app }) => app.getPath('userData')),
      'Local Storage',
      'leveldb',
    );
    const storedPlace = (): string => {
      const logs = readdirSync(stored).filter((name) => name.endsWith('.log'));
      const text = logs.map((name) => readFileSync(join(stored, name), 'latin1')).join('');
      return /.*\d+ (#\/[a-z]+)/s.exec(text)?.[1] ?? '';
    };
    for (const title of ['Models', 'Usage', 'Health', 'Usage']) {
      await page.getByRole('navigation', { name: 'Places' }).getByText(title).click();
      await until(() => storedPlace() === `#/${title.toLowerCase()}`, storedPlace);
    }
    const processes = first.processes();
    process.kill(first.pid, 'SIGKILL');
    await until(() => stillRunning(processes).length === 0);
    expect(first.port).not.toBeNull();
    const second = await start({ env: signedIn(), args: [] });
    await (await second.tray()).shows(/credits left/);
    expect((await ask(second)).status).toBe(200);
    await (await second.window()).getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
  });
});
