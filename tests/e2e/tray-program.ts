import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import type { Simulator } from '../../app/simulator/simulator.ts';
import { patienceMs, until } from '../soon.ts';
import type { Desktop } from './desktop.ts';
import { processesOf, stillRunning, withDescendants } from './processes.ts';
import type { TrayIcon } from './status-notifier.ts';

/** Why a test cannot be the desktop around the app; null where it can. */
const whyNot = ((): string | null => {
  if (process.platform !== 'linux') return 'only Linux has a bus on which a test can see the tray';
  const folders = (process.env.PATH ?? '').split(':');
  const missing = ['dbus-daemon', 'gnome-keyring-daemon'].filter(
    (program) => !folders.some((folder) => existsSync(join(folder, program))),
  );
  return missing.length === 0 ? null : `${missing.join(' and ')} cannot be found`;
})();
const given = process.env.JUMPSEAT_TEST_ELECTRON;
if (given !== undefined && whyNot !== null)
  process.stderr.write(`Not run on this machine: the tray app, because ${whyNot}.\n`);

/** The Electron to test with; undefined where there is none, or no desktop for it. */
export const electronPath = whyNot === null ? given : undefined;
export const hasDesktop = electronPath !== undefined;
const project = join(import.meta.dirname, '..', '..');

/** One of the program's own questions. */
export interface Asked {
  message: string;
  detail: string;
  buttons: string[];
}

export interface StartOptions {
  desktop: Desktop;
  simulator?: Simulator;
  /** A packed Jumpseat. Default: the Electron of the tests with the built product. */
  executable?: string;
  args?: string[];
  env?: Record<string, string>;
}

interface Command {
  executable: string;
  args: string[];
  env: Record<string, string>;
}

/** The running tray app, from all sides: its icon on the desktop's bus, its windows, its main process, its proxy. */
export class TrayProgram {
  readonly electron: ElectronApplication;
  readonly home: string;
  readonly pid: number;
  readonly #desktop: Desktop;
  readonly #command: Command;
  readonly #output: () => string;

  private constructor(parts: {
    electron: ElectronApplication;
    home: string;
    desktop: Desktop;
    command: Command;
    output: () => string;
  }) {
    this.electron = parts.electron;
    this.home = parts.home;
    this.pid = parts.electron.process().pid ?? 0;
    this.#desktop = parts.desktop;
    this.#command = parts.command;
    this.#output = parts.output;
  }

  static async start({ desktop, simulator, executable, args = [], env = {} }: StartOptions): Promise<TrayProgram> {
    const home = join(desktop.home, 'jumpseat');
    const command: Command = {
      executable: executable ?? electronPath ?? '',
      args: ['--disable-gpu', ...(executable === undefined ? [project] : [])],
      env: {
        ...desktop.env,
        JUMPSEAT_HOME: home,
        JUMPSEAT_PORT: '0',
        ...(simulator && { JUMPSEAT_GITHUB_URL: simulator.webUrl, JUMPSEAT_GITHUB_API_URL: simulator.apiUrl }),
        ...env,
      },
    };
    const electron = await _electron.launch({
      executablePath: command.executable,
      args: [...command.args, ...args],
      env: command.env,
      timeout: patienceMs,
    });
    electron.context().setDefaultTimeout(patienceMs);
    let output = '';
    for (const stream of [electron.process().stdout, electron.process().stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk;
      });
    return new TrayProgram({ electron, home, desktop, command, output: () => output });
  }

  /** Starts it once more while it runs, and waits for the end of that second one. */
  async startAgain(): Promise<number | null> {
    const { executable, args, env } = this.#command;
    const second = spawn(executable, ['--no-sandbox', ...args], { env, stdio: 'ignore' });
    const [code] = await once(second, 'exit');
    return code;
  }

  /** The end of its own log. */
  get log(): string {
    const folder = join(this.home, 'logs');
    const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.log')) : [];
    return files.map((file) => readFileSync(join(folder, file), 'utf8').slice(-3_000)).join('\n');
  }

  get output(): string {
    return this.#output();
  }

  tray(): Promise<TrayIcon> {
    return this.#desktop.tray.icon({ of: this.pid, explain: () => this.output });
  }

  /** Every process of it that runs. */
  processes(): number[] {
    return [...new Set([...withDescendants(this.pid), ...processesOf(this.home)])];
  }

  /** The port of the proxy; null when it is off. */
  get port(): number | null {
    const lock = join(this.home, 'lock');
    return existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8')).port : null;
  }

  clipboard(): Promise<string> {
    return this.electron.evaluate(({ clipboard }) => clipboard.readText());
  }

  /** From now on the program's questions are answered with these buttons, in this order. */
  async answer(...buttons: string[]): Promise<void> {
    await this.electron.evaluate(({ dialog }, answers) => {
      const asked: Asked[] = [];
      Reflect.set(globalThis, 'asked', asked);
      Reflect.set(dialog, 'showMessageBox', async (...given: Electron.MessageBoxOptions[]) => {
        const { message, detail = '', buttons: offered = [] } = given.at(-1) ?? { message: '' };
        asked.push({ message, detail, buttons: offered });
        return { response: offered.indexOf(answers.shift() ?? ''), checkboxChecked: false };
      });
    }, buttons);
  }

  /** What was asked since `answer`. */
  asked(): Promise<Asked[]> {
    return this.electron.evaluate(() => Reflect.get(globalThis, 'asked'));
  }

  /** The window, as soon as it is there and to be seen. While a sound plays, there is a hidden page beside it. */
  async window(): Promise<Page> {
    const page = await until(
      () => this.electron.windows().find((one) => one.url().startsWith('app://')),
      () => `There is no window. ${this.output}`,
    );
    await until(async () => (await this.visibleWindows()) === 1);
    return page;
  }

  /** Closes the window as its close button does, once the call has returned: it may be collected with the window. */
  async closeWindow(): Promise<void> {
    await this.electron.evaluate(({ BrowserWindow }) => {
      setTimeout(() =>
        BrowserWindow.getAllWindows()
          .find((one) => one.isVisible())
          ?.close(),
      );
    });
  }

  visibleWindows(): Promise<number> {
    return this.electron.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows().filter((window) => window.isVisible()).length,
    );
  }

  /** Waits until no process of it is left. */
  async gone(processes = this.processes()): Promise<void> {
    await until(
      () => stillRunning(processes).length === 0 && processesOf(this.home).length === 0,
      () =>
        `Still there: ${[...stillRunning(processes), ...processesOf(this.home)].join(', ')}\n${this.output}${this.log}`,
    );
  }

  /** Ends it, whatever it is doing. */
  async close(): Promise<void> {
    // Another one may have taken its folder over since it ended.
    if (stillRunning([this.pid]).length === 0) return;
    const processes = this.processes();
    process.kill(this.pid, 'SIGTERM');
    await this.gone(processes).catch((error: unknown) => {
      for (const pid of stillRunning(processes)) process.kill(pid, 'SIGKILL');
      throw error;
    });
  }
}
