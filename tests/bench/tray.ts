import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '../../app/simulator/simulator.ts';
import { Desktop } from '../e2e/desktop.ts';
import { processesOf, residentMiB, residentTogetherMiB, stillRunning, withDescendants } from '../e2e/processes.ts';
import { until } from '../soon.ts';
import { type Figure, median, shown } from './figures.ts';
import type { Measure } from './measures/measure.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Started {
  /** From the spawn until the desktop had the icon. */
  iconMs: number;
  /** All processes: as each says, added up, and with what they share counted once. */
  added: number;
  together: number;
}

/**
 * The tray app in Electron, without a window: how soon its icon is there, and what all of its processes hold when
 * nothing goes on.
 */
export const tray: Measure = {
  title: 'Tray app',
  async run({ quick }) {
    const screen = await prepare();
    if ('reason' in screen) {
      return [
        { name: `not measured: ${screen.reason}`, value: 0, unit: '', limit: null, beside: '', repeats: 'least' },
      ];
    }
    const bare = bareApp();
    const simulator = await startSimulator();
    const env = {
      JUMPSEAT_GITHUB_URL: simulator.webUrl,
      JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
      JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
      JUMPSEAT_SECRETS: 'memory',
      JUMPSEAT_PORT: '0',
    };
    try {
      const start = (app: string, settleMs: number) => startOnce(screen.electron, app, env, settleMs);
      const [first] = [await start(project, 0)];
      const times: number[] = [];
      for (let count = 0; count < (quick ? 3 : 5); count++) times.push((await start(project, 0)).iconMs);
      const idle = await start(project, quick ? 3000 : 8000);
      const alone = await start(bare, quick ? 1000 : 3000);
      return [
        {
          name: 'process start to icon in the tray',
          value: median(times),
          unit: 'ms',
          limit: 1500,
          beside:
            `the very first ${shown(first.iconMs, 'ms')}; an Electron that shows nothing but an icon ` +
            `${shown(alone.iconMs, 'ms')}`,
          repeats: 'least',
        },
        {
          // Chromium is one large file that five processes map: added up as each sees it, an empty Electron is over the
          // limit.
          name: 'resident, idle, all processes, shared pages once',
          value: idle.together,
          unit: 'MiB',
          limit: 260,
          beside:
            `added up ${shown(idle.added, 'MiB')}; an Electron that shows nothing but an icon ` +
            `${shown(alone.together, 'MiB')}, added up ${shown(alone.added, 'MiB')}`,
          repeats: 'least',
        },
      ] satisfies Figure[];
    } finally {
      await simulator.close();
      rmSync(bare, { recursive: true, force: true });
      await screen.close();
    }
  },
};

async function startOnce(
  electron: string,
  app: string,
  env: Record<string, string>,
  settleMs: number,
): Promise<Started> {
  const desktop = await Desktop.start();
  const home = join(desktop.home, 'jumpseat');
  const began = performance.now();
  const child = spawn(electron, ['--no-sandbox', app, '--hidden'], {
    env: { ...desktop.env, ...env, JUMPSEAT_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const processes = (): number[] => [...new Set([...withDescendants(child.pid ?? 0), ...processesOf(home)])];
  try {
    const icon = await desktop.tray.icon({ explain: () => said });
    // What "idle" means: signed in, the proxy on, the start long done.
    if (app === project) await icon.shows(/^\(Proxy on/);
    await pause(settleMs);
    const all = processes();
    const added = all.reduce((total, pid) => total + residentMiB(pid), 0);
    return { iconMs: icon.registeredAt - began, added, together: residentTogetherMiB(all, dirname(electron)) };
  } finally {
    const all = processes();
    child.kill('SIGTERM');
    await until(() => stillRunning(all).length === 0).catch(() => {
      for (const pid of stillRunning(all)) process.kill(pid, 'SIGKILL');
    });
    await desktop.close();
  }
}

/** The least that Electron can be: an icon and a menu. */
function bareApp(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jumpseat-bare-'));
  const icon = join(project, 'resources', 'tray', 'tray-on-white-24.png');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bare', main: 'main.cjs' }));
  writeFileSync(
    join(folder, 'main.cjs'),
    `const { app, Tray, Menu } = require('electron');
app.setPath('userData', process.env.JUMPSEAT_HOME);
app.on('window-all-closed', () => {});
app.whenReady().then(() => {
  globalThis.tray = new Tray(${JSON.stringify(icon)});
  globalThis.tray.setContextMenu(Menu.buildFromTemplate([{ role: 'quit' }]));
});
process.on('SIGTERM', () => app.exit(0));
`,
  );
  return folder;
}

interface Scripts {
  electronForTests(): Promise<{ path: string } | { reason: string }>;
  ensureSystemPackages(): Promise<string | null>;
  virtualScreen(): Promise<null | 'none' | { display: string; close(): Promise<unknown> }>;
}

/** An Electron and a screen for it. */
async function prepare(): Promise<{ electron: string; close(): Promise<unknown> } | { reason: string }> {
  if (process.platform !== 'linux') return { reason: 'this system has no bus to see the icon on' };
  const load = <Module>(name: string): Promise<Module> => import(join(project, 'scripts', 'lib', `${name}.mjs`));
  const { electronForTests } = await load<Scripts>('electron');
  const { ensureSystemPackages } = await load<Scripts>('system-packages');
  const { virtualScreen } = await load<Scripts>('virtual-screen');
  const remedy = await ensureSystemPackages();
  if (remedy !== null) return { reason: `system packages are missing. ${remedy}` };
  const electron = await electronForTests();
  if ('reason' in electron) return electron;
  if (!existsSync('/proc/self/smaps')) return { reason: 'this kernel does not say what processes share' };
  const screen = await virtualScreen();
  if (screen === 'none') return { reason: 'there is no display and no Xvfb' };
  if (screen !== null) process.env.DISPLAY = screen.display;
  return {
    electron: electron.path,
    close: async () => {
      if (screen === null) return;
      delete process.env.DISPLAY;
      await screen.close();
    },
  };
}
