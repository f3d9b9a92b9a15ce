import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
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

  /** As the app reads it. Null: no window is left, or nothing that is trusted: then it is written anew. */
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

/** Whether a Jumpseat answers where the window that was found should serve. One that is busy may take its time. */
export function isServing({ port }: ServedWindow): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(
      { host: '127.0.0.1', port, path: '/healthz', timeout: answersWithinMs, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200 && response.headers['x-jumpseat'] !== undefined);
      },
    );
    asked.on('timeout', () => {
      // The port is open and nothing comes: a window that is stopped or very busy still holds it.
      resolve(true);
      asked.destroy();
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}
