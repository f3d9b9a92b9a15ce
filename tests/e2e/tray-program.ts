import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import type { Simulator } from '../../app/simulator/simulator.ts';
import type { Desktop } from './desktop.ts';
import { processesOf, stillRunning, withDescendants } from './processes.ts';
import type { TrayIcon } from './status-notifier.ts';
import { until } from './until.ts';

/** The Electron to test with; undefined where none can be had. */
export const electronPath = process.env.JUMPSEAT_TEST_ELECTRON;
/** Whether a test can be the desktop around it: Linux alone has a bus to see the tray on. */
export const hasDesktop = electronPath !== undefined && process.platform === 'linux';
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

/** The running tray app, from all sides: its icon on the desktop's bus, its windows, its main process, its proxy. */
export class TrayProgram {
  readonly electron: ElectronApplication;
  readonly home: string;
  readonly pid: number;
  readonly #desktop: Desktop;
  readonly #output: () => string;

  private constructor(electron: ElectronApplication, home: string, desktop: Desktop, output: () => string) {
    this.electron = electron;
    this.home = home;
    this.pid = electron.process().pid ?? 0;
    this.#desktop = desktop;
    this.#output = output;
  }

  static async start({ desktop, simulator, executable, args = [], env = {} }: StartOptions): Promise<TrayProgram> {
    const home = join(desktop.home, 'jumpseat');
    const packed = executable !== undefined;
    const electron = await _electron.launch({
      executablePath: executable ?? electronPath ?? '',
      args: ['--disable-gpu', ...(packed ? [] : [project]), ...args],
      env: {
        ...desktop.env,
        JUMPSEAT_HOME: home,
        JUMPSEAT_PORT: '0',
        ...(simulator && { JUMPSEAT_GITHUB_URL: simulator.webUrl, JUMPSEAT_GITHUB_API_URL: simulator.apiUrl }),
        ...env,
      },
      timeout: 60_000,
    });
    let output = '';
    for (const stream of [electron.process().stdout, electron.process().stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk;
      });
    return new TrayProgram(electron, home, desktop, () => output);
  }

  get output(): string {
    return this.#output();
  }

  tray(): Promise<TrayIcon> {
    return this.#desktop.tray.icon(() => this.output);
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

  /** The window, as soon as it is there and to be seen. */
  async window(): Promise<Page> {
    const page = await until(
      () => this.electron.windows()[0],
      () => `There is no window. ${this.output}`,
    );
    await until(async () => (await this.visibleWindows()) === 1);
    return page;
  }

  /** Closes the window as its close button does. */
  async closeWindow(): Promise<void> {
    await this.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
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
      () => `Still there: ${[...stillRunning(processes), ...processesOf(this.home)].join(', ')}\n${this.output}`,
    );
  }

  /** Ends it, whatever it is doing. */
  async close(): Promise<void> {
    const processes = this.processes();
    if (stillRunning([this.pid]).length > 0) process.kill(this.pid, 'SIGTERM');
    await this.gone(processes).catch((error: unknown) => {
      for (const pid of stillRunning(processes)) process.kill(pid, 'SIGKILL');
      throw error;
    });
  }
}
