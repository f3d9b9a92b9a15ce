import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whoAnswers } from '../app/server/who-answers.ts';
import { findWindow, type ServedWindow } from '../app/through-vscode/served-window.ts';

/**
 * The file in Jumpseat's folder that says which window of VS Code serves, so that one does for all windows, the others
 * can take over, and the app finds it. The window that wrote last serves: one that finds another one there stops.
 */
export class HandOver {
  readonly path: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, 'vscode.json');
  }

  /** Reads the file. Null if no window is left, or nothing trusted: then it is written again. */
  read(): ServedWindow | null {
    const found = findWindow(this.path);
    return found.kind === 'found' ? found.window : null;
  }

  /** For this person alone, and whole at every moment. Throws Node's error. */
  write(served: ServedWindow): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const fresh = `${this.path}.${served.pid}`;
    rmSync(fresh, { force: true });
    writeFileSync(fresh, `${JSON.stringify(served)}\n`, { mode: 0o600, flag: 'wx' });
    // The mode of a new file is what the umask leaves of it.
    chmodSync(fresh, 0o600);
    renameSync(fresh, this.path);
  }

  /** Takes the file away where it is this process's. */
  remove(pid: number): void {
    if (this.read()?.pid === pid) rmSync(this.path, { force: true });
  }
}

const answersWithinMs = 2_000;

/**
 * Whether the window that was found still serves. One that is busy may take its time; where the port is open and
 * nothing comes, one that is stopped or very busy still holds it.
 */
export async function isServing({ port, key }: ServedWindow): Promise<boolean> {
  const answer = await whoAnswers({ port, secret: key }, answersWithinMs);
  return answer === 'jumpseat' || answer === 'silence';
}
