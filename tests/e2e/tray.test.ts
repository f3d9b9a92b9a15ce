import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultModels } from '../../app/simulator/plans.ts';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { patienceMs, until } from '../soon.ts';
import { Desktop } from './desktop.ts';
import { iconName, showsIcon } from './icon-name.ts';
import { keychainEntries } from './keychain-entries.ts';
import { showsText } from './page-holds.ts';
import type { TrayIcon } from './status-notifier.ts';
import { hasDesktop, TrayProgram } from './tray-program.ts';

const model = 'claude-sonnet-4.6';

/** One person's day with the tray alone: every click goes over the desktop's bus, the keychain is a real one. */
describe.skipIf(!hasDesktop)('the tray, clicked for real', () => {
  let desktop: Desktop;
  let simulator: Simulator;
  let program: TrayProgram;
  let tray: TrayIcon;
  /** As pasted from the clipboard. */
  let lines: Record<string, string>;

  beforeAll(async () => {
    desktop = await Desktop.start({ keyring: true });
    simulator = await startSimulator({ deviceInterval: 1, user: { remaining: 2002.4 } });
    await start();
  });
  afterAll(async () => {
    try {
      await program?.close();
    } finally {
      await simulator?.close();
      await desktop?.close();
    }
  });

  async function start(): Promise<void> {
    program = await TrayProgram.start({ desktop, simulator, args: ['--hidden'] });
    tray = await program.tray();
  }
  const ticked = async (label: string) => (await tray.menu()).find((entry) => entry.label === label)?.checked;
  const titles = () => desktop.notifications.shown.map(({ title }) => title);
  const ask = (text: string): Promise<Response> =>
    fetch(`${lines.ANTHROPIC_BASE_URL}/v1/messages`, {
      method: 'POST',
      signal: AbortSignal.timeout(patienceMs),
      headers: { authorization: `Bearer ${lines.ANTHROPIC_AUTH_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content: text }] }),
    });

  it('C22.1 started hidden and signed out: a folded seat with a key, only a way in, and no window', async () => {
    // Its port is known once the proxy is on.
    const menu = await tray.shows('Turn proxy off');
    expect(menu).toEqual([
      `(Proxy on · 127.0.0.1:${program.port})`,
      '(Signed out)',
      '─',
      'Sign in to GitHub…',
      'Turn proxy off',
      '─',
      'Open Jumpseat',
      'Settings…',
      'Open at login',
      '─',
      'Quit Jumpseat',
    ]);
    expect(await tray.tooltip()).toBe('Jumpseat: sign-in needed');
    expect(await iconName(tray)).toBe('tray-signin');
    expect(await program.visibleWindows()).toBe(0);
  });

  it('signing in: the code is on the clipboard and in the menu, with the time that is left', async () => {
    await tray.click('Sign in to GitHub…');
    const menu = await tray.shows(/^\(Code/);
    const [, code] = /^\(Code ([A-Z0-9]{4}-[A-Z0-9]{4}) · (15|14) min left\)$/.exec(menu[1] ?? '') ?? [];
    expect(menu).toEqual([
      `(Proxy on · 127.0.0.1:${program.port})`,
      menu[1],
      '─',
      'Copy code and open GitHub',
      'Cancel sign-in',
      'Turn proxy off',
      '─',
      'Open Jumpseat',
      'Settings…',
      'Open at login',
      '─',
      'Quit Jumpseat',
    ]);
    expect(await program.clipboard()).toBe(code);
    expect(await tray.tooltip()).toBe(`Jumpseat: enter code ${code}`);
    await showsIcon(tray, 'tray-signin');
    await until(() => desktop.opened.includes(`${simulator.webUrl}/login/device`));
  });

  it('cancelled and begun again: another code', async () => {
    const first = await program.clipboard();
    await tray.click('Cancel sign-in');
    await tray.shows('Sign in to GitHub…');
    await tray.click('Sign in to GitHub…');
    await tray.shows(/^\(Code/);
    await until(async () => /^[A-Z0-9]{4}-/.test(await program.clipboard()) && (await program.clipboard()) !== first);
    expect(titles()).toEqual([]);
  });

  it('approved: a notification, the seat goes down, the token lies in the keychain', async () => {
    simulator.script.approve();
    const { body } = await desktop.notifications.titled('Signed in as octo-demo');
    expect(body).toBe(`Copilot Pro+. The proxy is on at 127.0.0.1:${program.port}.`);
    const menu = await tray.shows(/credits left/);
    expect(menu).toEqual([
      `(Proxy on · 127.0.0.1:${program.port})`,
      '(octo-demo · Copilot Pro+)',
      expect.stringMatching(/^Sent as vscode\/\S+ \(vscode-chat\)$/),
      expect.stringMatching(/^\(2,002 credits left · resets 1 [A-Z][a-z]{2}\)$/),
      '─',
      'Turn proxy off',
      '─',
      'Copy lines for Claude Code ▸ bash or zsh, fish, PowerShell, Command Prompt, settings.json',
      'Set up Claude Code…',
      'Copy lines for OpenAI clients ▸ bash or zsh, fish, PowerShell, Command Prompt, ─, Codex: ' +
        'config.toml, Codex: key for bash or zsh, VS Code: chatLanguageModels.json',
      'Copy MCP server ▸ Claude Code: command for bash or zsh, Codex: config.toml, Zed: settings.json',
      '─',
      'Open Jumpseat',
      'Settings…',
      'Open at login',
      '─',
      'Sign out…',
      'Quit Jumpseat',
    ]);
    expect(await tray.tooltip()).toBe(`Jumpseat: proxy on, 127.0.0.1:${program.port}`);
    await showsIcon(tray, 'tray-on');
    expect(Object.values(await keychainEntries(desktop)).join('\n')).toContain(simulator.githubToken);
  });

  it('the lines that it copies lead a program through the proxy', async () => {
    await tray.click('Copy lines for Claude Code', 'bash or zsh');
    expect(await desktop.notifications.titled('Lines for Claude Code copied')).toMatchObject({
      body: 'Paste them into bash or zsh. They hold your local key.',
    });
    lines = readLines(await program.clipboard());
    expect(lines.ANTHROPIC_BASE_URL).toBe(`http://127.0.0.1:${program.port}`);
    const answer = await ask('hello there');
    expect(answer.status).toBe(200);
    expect(JSON.stringify(await answer.json())).toContain('hello there');
    expect(simulator.requests.filter(({ path }) => path === '/v1/messages')).toHaveLength(1);
  });

  it('so do those for OpenAI clients, under a name of their own; what Codex keeps in a file holds no key', async () => {
    await tray.click('Copy lines for OpenAI clients', 'bash or zsh');
    await desktop.notifications.titled('Lines for OpenAI clients copied');
    const openai = readLines(await program.clipboard());
    expect(openai.OPENAI_API_KEY).toBe(lines.ANTHROPIC_AUTH_TOKEN?.replace(/[^.]+$/, 'openai'));
    const answer = await fetch(`${openai.OPENAI_BASE_URL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${openai.OPENAI_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'hello there' }] }),
    });
    expect(answer.status).toBe(200);
    await tray.click('Copy lines for OpenAI clients', 'Codex: config.toml');
    await desktop.notifications.titled('Config for Codex copied');
    const config = await program.clipboard();
    expect(config).toContain(`base_url = "${openai.OPENAI_BASE_URL}"`);
    expect(config).not.toContain(openai.OPENAI_API_KEY?.split('.')[0]);
  });

  it('a request that runs shows a person on the seat of the icon, until it ends', async () => {
    const gate = Promise.withResolvers<void>();
    simulator.script.next({ kind: 'usual', gate: gate.promise });
    const answer = ask('a while');
    await tray.shows('(Proxy on · 1 request running)');
    await showsIcon(tray, 'tray-busy');
    expect(await tray.tooltip()).toBe('Jumpseat: 1 request running');
    gate.resolve();
    expect((await answer).status).toBe(200);
    await tray.shows(`(Proxy on · 127.0.0.1:${program.port})`);
    await showsIcon(tray, 'tray-on');
  });

  it('the window opens from the tray and shows the requests; closed, it leaves the rest running', async () => {
    await tray.click('Open Jumpseat');
    const page = await program.window();
    await showsText(page, model);
    expect(page.url()).toMatch(/^app:\/\/bundle\//);
    await program.closeWindow();
    await until(async () => (await program.visibleWindows()) === 0);
    expect(await desktop.notifications.titled('Jumpseat keeps running')).toMatchObject({
      body: 'Find it in the tray.',
    });
    expect((await ask('still there')).status).toBe(200);
    await tray.activate();
    await until(async () => (await program.visibleWindows()) === 1);
    await program.closeWindow();
    await until(async () => (await program.visibleWindows()) === 0);
  });

  it('C22.2 set up from the tray: Claude Code’s settings hold our keys, and undo takes them out', async () => {
    await program.answer('Add to settings', 'Undo setup');
    await tray.click('Set up Claude Code…');
    await tray.shows('Undo Claude Code setup…');
    await desktop.notifications.titled('Claude Code set up');
    expect(await desktop.read('.claude/settings.json')).toContain(`http://127.0.0.1:${program.port}`);
    await tray.click('Undo Claude Code setup…');
    await tray.shows('Set up Claude Code…');
    expect(await desktop.read('.claude/settings.json')).toBeNull();
    expect((await program.asked()).map(({ buttons }) => buttons)).toEqual([
      ['Cancel', 'Add to settings'],
      ['Cancel', 'Undo setup'],
    ]);
  });

  it('moved to a file by the window: the keychain is empty, and back again', async () => {
    await tray.click('Open Jumpseat');
    const page = await program.window();
    await page.evaluate('jumpseat.moveSecrets("file")');
    expect(await keychainEntries(desktop)).toEqual({});
    const file = await desktop.read('jumpseat/secrets.json');
    expect(file).toContain(simulator.githubToken);
    expect((await ask('from a file')).status).toBe(200);

    await page.evaluate('jumpseat.moveSecrets("keychain")');
    expect(Object.values(await keychainEntries(desktop)).join('\n')).toContain(simulator.githubToken);
    expect(await desktop.read('jumpseat/secrets.json')).not.toContain(simulator.githubToken);
    expect((await ask('from the keychain')).status).toBe(200);
    await program.closeWindow();
    await until(async () => (await program.visibleWindows()) === 0);
  });

  it('C22.1 started with the session from then on, hidden; and no longer', async () => {
    const entry = '.config/autostart/app.jumpseat.Jumpseat.desktop';
    await tray.click('Open at login');
    expect(await until(() => desktop.read(entry))).toMatch(/^Exec=".+" --hidden$/m);
    await until(async () => await ticked('Open at login'));
    await tray.click('Open at login');
    await until(async () => (await desktop.read(entry)) === null);
    await until(async () => !(await ticked('Open at login')));
  });

  it('turned off: the port is free, and stays so over a restart', async () => {
    const port = program.port ?? 0;
    await tray.click('Turn proxy off');
    expect((await tray.shows('(Proxy off)')).slice(0, 5)).toEqual([
      '(Proxy off)',
      '(octo-demo · Copilot Pro+)',
      expect.stringMatching(/^Sent as vscode\/\S+ \(vscode-chat\)$/),
      '─',
      'Turn proxy on',
    ]);
    await showsIcon(tray, 'tray-off');
    expect(await tray.tooltip()).toBe('Jumpseat: proxy off');
    expect(await listens(port)).toBe(false);
    expect(program.port).toBeNull();

    await quit();
    await start();
    await tray.shows('(Proxy off)');
    await showsIcon(tray, 'tray-off');
    await tray.click('Turn proxy on');
    await tray.shows(/^\(Proxy on · 127/);
    expect(await listens(program.port ?? 0)).toBe(true);
  });

  it('still signed in after a restart: the token came from the keychain', async () => {
    const polls = simulator.githubRequests.filter(({ path }) => path === '/login/device/code').length;
    await quit();
    await start();
    await tray.shows(/credits left/);
    await showsIcon(tray, 'tray-on');
    expect(simulator.githubRequests.filter(({ path }) => path === '/login/device/code')).toHaveLength(polls);
  });

  it(
    'a model in use that is gone is told at the next start, with what runs in its place, and a click shows ' +
      'the models',
    async () => {
      const models = defaultModels();
      simulator.script.setModels(models.filter((one) => !JSON.stringify(one).includes(`"id":"${model}"`)));
      await quit();
      await start();
      const reported = await desktop.notifications.titled(`${model} is no longer in your catalog`);
      expect(reported.body).toMatch(/^Claude Code’s "claude-sonnet-4\.6" now runs on claude-sonnet-\S+\.$/);
      desktop.notifications.click(reported);
      const page = await program.window();
      await until(async () => (await page.evaluate('location.hash')) === '#/models');
      simulator.script.setModels(models);
      await program.closeWindow();
      await until(async () => (await program.visibleWindows()) === 0);
    },
  );

  it('signing out asks first, empties the keychain of the token, and requests are refused at once', async () => {
    await program.answer('Cancel', 'Sign out');
    await tray.click('Sign out…');
    await until(async () => (await program.asked()).length === 1);
    expect(await program.asked()).toEqual([
      {
        message: 'Sign out of GitHub?',
        detail:
          'The token in use is deleted on this machine. A token stored for another way in stays. ' +
          'Claude Code stops working through Jumpseat. Your history stays.',
        buttons: ['Cancel', 'Sign out'],
      },
    ]);
    expect(await tray.lines()).toContain('Sign out…');

    await tray.click('Sign out…');
    await tray.shows('(Signed out)');
    await showsIcon(tray, 'tray-signin');
    expect(Object.values(await keychainEntries(desktop)).join('\n')).not.toContain(simulator.githubToken);
    lines.ANTHROPIC_BASE_URL = `http://127.0.0.1:${program.port}`;
    expect((await ask('anybody there')).status).toBe(401);
  });

  it('quit: no process, no port, no lock and no icon is left', async () => {
    const port = program.port ?? 0;
    await quit();
    expect(await listens(port)).toBe(false);
    expect(program.port).toBeNull();
    expect(await tray.isThere()).toBe(false);
  });

  /** From the menu, to the end of the last process. */
  async function quit(): Promise<void> {
    const processes = program.processes();
    await tray.click('Quit Jumpseat');
    await program.gone(processes);
  }
});

function readLines(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/^export (\w+)=(?:'([^']*)'|"([^"]*)"|(.*))$/gm)];
  return Object.fromEntries(pairs.map(([, name = '', single, double, bare]) => [name, single ?? double ?? bare ?? '']));
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
