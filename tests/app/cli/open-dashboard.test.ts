import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OpenDashboard, openDashboard, pageFolder } from '../../../app/cli/open-dashboard.ts';
import { type Simulator, startSimulator } from '../../../app/simulator/simulator.ts';
import { soon } from '../../soon.ts';
import { HandClock } from '../account/hand-clock.ts';
import { sendTo } from '../stack.ts';
import { jumpseat, Spawned } from './spawn-jumpseat.ts';

/**
 * Another user of the machine reads every process's arguments: the dashboard's link, which gives the key, is in none of
 * them.
 */

let folder: string;
let user: string;
const pages = (): string[] => readdirSync(user).filter((name) => name.startsWith('jumpseat-open-'));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-opening-'));
  user = join(folder, 'user');
  mkdirSync(user);
  // The folder for the page is the person's own.
  vi.stubEnv('HOME', user);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe('jumpseat serve --open', () => {
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator();
  });
  afterEach(() => simulator.close());

  /** Stands in for the browser's launcher, and for the other user at the same moment. */
  const opener = `
    const { readdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
    const { dirname } = require('node:path');
    const lines = readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).flatMap((pid) => {
      try { return [readFileSync('/proc/' + pid + '/cmdline', 'utf8')]; } catch { return []; }
    });
    const page = process.argv[2];
    const mode = (path) => (statSync(path).mode & 0o777).toString(8);
    const modes = [mode(page), mode(dirname(page))];
    const seen = { args: process.argv.slice(2), lines, modes, html: readFileSync(page, 'utf8') };
    writeFileSync(process.env.SEEN + '.new', JSON.stringify(seen), { mode: 0o600 });
    renameSync(process.env.SEEN + '.new', process.env.SEEN);
  `;

  const start = (): Spawned => {
    const programs = join(folder, 'programs');
    mkdirSync(programs);
    writeFileSync(join(programs, 'xdg-open'), `#!${process.execPath}\n${opener}`);
    chmodSync(join(programs, 'xdg-open'), 0o755);
    return new Spawned(['serve', '--port', '0', '--json', '--open'], {
      PATH: programs,
      HOME: user,
      SEEN: join(folder, 'seen'),
      JUMPSEAT_HOME: join(folder, 'home'),
      JUMPSEAT_SECRETS: 'memory',
      JUMPSEAT_GITHUB_URL: simulator.webUrl,
      JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
      JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus',
    });
  };

  it.skipIf(process.platform !== 'linux')(
    'shows the link and the key in no argument of any process; a second redeem is refused',
    async () => {
      const spawned = start();
      try {
        const { baseUrl, key, dashboardUrl } = JSON.parse(await spawned.line());
        const seen = JSON.parse(await soon(() => readFileSync(join(folder, 'seen'), 'utf8')));
        const link = new URL(dashboardUrl).searchParams.get('link') ?? '';
        expect(link).toHaveLength(32);
        expect(seen.lines.length).toBeGreaterThan(1);
        for (const secret of [link, key, simulator.githubToken]) expect(seen.lines.join('\n')).not.toContain(secret);
        expect(seen.args).toHaveLength(1);
        expect(seen.modes).toEqual(['600', '700']);
        expect(seen.html).toContain(dashboardUrl);

        const path = dashboardUrl.slice(baseUrl.length);
        // What only looks at the address uses nothing up.
        expect((await sendTo(baseUrl, { method: 'HEAD', path })).status).toBe(401);
        const first = await sendTo(baseUrl, { path });
        expect(first.headers['set-cookie']).toHaveLength(1);
        const second = await sendTo(baseUrl, { path });
        expect([second.status, second.headers['set-cookie']]).toEqual([401, undefined]);
        // Used: nothing of it lies about any longer.
        await soon(() => expect(pages()).toEqual([]));
        expect(spawned.err).toBe('');
      } finally {
        spawned.child.kill('SIGTERM');
        await spawned.ended();
      }
    },
  );

  it.skipIf(process.platform !== 'linux')('takes the page away when it ends before a browser came', async () => {
    const spawned = start();
    await soon(() => readFileSync(join(folder, 'seen'), 'utf8'));
    expect(pages()).toHaveLength(1);
    spawned.child.kill('SIGTERM');
    await spawned.ended();
    expect(pages()).toEqual([]);
  });
});

describe('jumpseat dashboard', () => {
  it('prints a link that works once, while the Jumpseat that runs goes on; the local key gives none', async () => {
    const simulator = await startSimulator();
    const env = {
      ...{ HOME: user, JUMPSEAT_HOME: join(folder, 'home'), JUMPSEAT_SECRETS: 'memory' },
      ...{ JUMPSEAT_GITHUB_URL: simulator.webUrl, JUMPSEAT_GITHUB_API_URL: simulator.apiUrl },
      ...{ JUMPSEAT_GITHUB_TOKEN: simulator.githubToken, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' },
    };
    expect(await jumpseat(['dashboard'], env)).toEqual({
      code: 1,
      out: '',
      err:
        `jumpseat: No Jumpseat runs in ${env.JUMPSEAT_HOME}. ` +
        'Turn the proxy on in the tray app, or run "jumpseat serve", which prints a link.\n',
    });
    const serving = new Spawned(['serve', '--port', '0', '--json'], env);
    try {
      const { baseUrl, key, dashboardUrl } = JSON.parse(await serving.line());
      const open = (url: string) => sendTo(baseUrl, { path: url.slice(baseUrl.length) });
      await open(dashboardUrl);
      const used = await open(dashboardUrl);
      expect([used.status, used.text]).toEqual([401, expect.stringContaining('<code>jumpseat dashboard</code>')]);
      const { code, out, err } = await jumpseat(['dashboard'], env);
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatch(new RegExp(`^${baseUrl}/ui/\\?link=[\\w-]{32}\\n$`));
      expect((await open(out.trim())).headers['set-cookie']).toHaveLength(1);
      expect((await open(out.trim())).status).toBe(401);
      const asked = await sendTo(baseUrl, {
        ...{ method: 'POST', path: '/ui/link' },
        headers: { authorization: `Bearer ${key}.x`, 'x-jumpseat-nonce': 'a', 'x-jumpseat-reader': 'b'.repeat(64) },
      });
      expect([asked.status, asked.text]).toEqual([401, '{}']);
      expect(serving.child.exitCode).toBeNull();
    } finally {
      serving.child.kill('SIGTERM');
      await serving.ended();
      await simulator.close();
    }
  });
});

describe('where the browser does not come', () => {
  const link = 'http://127.0.0.1:4181/ui/?link=abc';
  const opening = (more: Partial<OpenDashboard>): { said: string[]; done: Promise<void> } => {
    const said: string[] = [];
    const done = openDashboard({
      link,
      used: new Promise(() => undefined),
      terminal: { err: (text) => void said.push(text) },
      clock: new HandClock(),
      paths: { home: user },
      signal: new AbortController().signal,
      open: () => Promise.resolve(true),
      ...more,
    });
    return { said, done };
  };

  it('the person gets the address when no browser can be started', async () => {
    const { said, done } = opening({ open: () => Promise.resolve(false) });
    await done;
    expect(said).toEqual([
      `The dashboard wasn’t opened: no browser could be started. Open this address yourself: ${link}`,
    ]);
    expect(readdirSync(user)).toEqual([]);
  });

  it('and when the browser has not come after half a minute: it may not be allowed to read the file', async () => {
    const clock = new HandClock();
    const { said, done } = opening({ clock });
    await done;
    expect(said).toEqual([
      'The browser hasn’t opened the dashboard; some may not read the file that leads there. Open this ' +
        `address yourself: ${link}`,
    ]);
    expect(clock.slept).toEqual([30_000, 270_000]);
    expect(readdirSync(user)).toEqual([]);
  });

  it('and when the file can’t be written', async () => {
    vi.stubEnv('HOME', join(user, 'missing'));
    const { said, done } = opening({ paths: { home: join(user, 'missing') } });
    await done;
    expect(said).toEqual([
      `The dashboard wasn’t opened: no file could be written in ${join(user, 'missing')} (ENOENT). Open ` +
        `this address yourself: ${link}`,
    ]);
  });

  it('nothing is said when it came, and when the program ends', async () => {
    const came = opening({ used: Promise.resolve(), clock: Object.assign(new HandClock(), { held: true }) });
    await came.done;
    const end = new AbortController();
    end.abort();
    const ended = opening({ signal: end.signal, open: () => new Promise(() => undefined) });
    await ended.done;
    expect([came.said, ended.said, readdirSync(user)]).toEqual([[], [], []]);
  });
});

it('lies in a plain folder where a browser may be a snap, which reads neither /tmp nor hidden folders', () => {
  expect(pageFolder('linux', '/home/a', '/home/a/.local/share/jumpseat')).toBe('/home/a');
  expect(pageFolder('darwin', '/Users/a', '/Users/a/Library/Application Support/Jumpseat')).toBe(
    '/Users/a/Library/Application Support/Jumpseat',
  );
});
