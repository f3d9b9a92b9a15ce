import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { patienceMs, until } from '../soon.ts';

const run = promisify(execFile);

/** The terminal that tests can type into, where there is one. */
export const tmux = process.env.JUMPSEAT_TEST_TMUX ?? '';

/** What comes faster than a person types is taken for pasted text, in which Enter is a line end. */
const breathMs = 400;

/** Keys that have names. */
export type Key = 'Enter' | 'Escape' | 'Up' | 'Down' | 'Tab' | 'BTab';

/** A terminal of 140 × 45 that a program runs in, with a person's fingers and eyes: tmux, on a socket of its own. */
export class Terminal {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param env everything the program finds in its environment, but for what the terminal itself sets. */
  static async open(
    program: string,
    args: readonly string[],
    { cwd, env }: { cwd: string; env: Record<string, string> },
  ): Promise<Terminal> {
    const folder = mkdtempSync(join(tmpdir(), 'jumpseat-terminal-'));
    const terminal = new Terminal(folder);
    // Through a file: what is in an argv can be read by everybody on this machine.
    const started = { program, args, cwd, env };
    writeFileSync(
      join(folder, 'start.mjs'),
      `import { spawn } from 'node:child_process';
const { program, args, cwd, env } = ${JSON.stringify(started)};
const child = spawn(program, args, { cwd, env: { ...env, TERM: process.env.TERM }, stdio: 'inherit' });
child.on('close', (code) => process.exit(code ?? 1));
`,
      { mode: 0o600 },
    );
    await terminal.#tmux('new-session', '-d', '-x', '140', '-y', '45', process.execPath, join(folder, 'start.mjs'));
    return terminal;
  }

  /** What stands on it now. */
  async screen(): Promise<string> {
    const { stdout } = await this.#tmux('capture-pane', '-p');
    return stdout;
  }

  /** Waits until a text stands on it. */
  async see(text: string | RegExp): Promise<void> {
    let last = '';
    await until(
      async () => {
        last = await this.screen();
        return typeof text === 'string' ? last.includes(text) : text.test(last);
      },
      () => `No ${text} on the terminal:\n${last}`,
    );
  }

  /** Types a line, and sends it once it stands there. */
  async say(line: string): Promise<void> {
    await this.#tmux('send-keys', '-l', line);
    // A leading `!` becomes the prompt’s own sign.
    await this.see(line.replace(/^!/, ''));
    await new Promise((resolve) => setTimeout(resolve, breathMs));
    await this.press('Enter');
  }

  async press(key: Key): Promise<void> {
    await this.pressKeys(key);
  }

  /** Any keys, by tmux's names: `C-c`, `F1`, `a`. */
  async pressKeys(...keys: string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys);
  }

  /** Types without looking at what comes of it. */
  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-l', text);
  }

  /** Presses a key, again where a program was not ready for it, until a text stands there. */
  async pressUntil(key: Key, text: string | RegExp): Promise<void> {
    for (let times = 0; times < 10; times += 1) {
      await this.press(key);
      const deadline = performance.now() + 1_500;
      while (performance.now() < deadline) {
        if ((await this.screen()).search(text) !== -1) return;
      }
    }
    throw new Error(`${key} brings no ${text}:\n${await this.screen()}`);
  }

  async close(): Promise<void> {
    // Where the program has ended by itself there is no server any more.
    await this.#tmux('kill-server').catch(() => undefined);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #tmux(...args: string[]): Promise<{ stdout: string }> {
    return run(tmux, ['-S', join(this.#folder, 'socket'), '-f', '/dev/null', ...args], {
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: this.#folder },
      timeout: patienceMs,
    });
  }
}
