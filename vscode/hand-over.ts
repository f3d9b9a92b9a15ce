import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { isObject, parseObject } from '../app/formats/wire/json.ts';

/** The window of VS Code that serves: where it listens, its key, and the process of its extensions. */
export interface Served {
  port: number;
  key: string;
  pid: number;
}

/**
 * The file in Jumpseat's folder that says which window of VS Code serves, so that one does for all windows, the others
 * can take over, and the app finds it. Whoever wrote last serves: a window that finds another one there stops.
 */
export class HandOver {
  readonly path: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, 'vscode.json');
  }

  /** Null: none, or nothing that can be read. */
  read(): Served | null {
    try {
      const found = parseObject(readFileSync(this.path, 'utf8'));
      if (!isObject(found)) return null;
      const { port, key, pid } = found;
      const isPort = Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;
      if (!isPort || typeof key !== 'string' || key === '' || !Number.isInteger(pid)) return null;
      return { port: Number(port), key, pid: Number(pid) };
    } catch {
      return null;
    }
  }

  /** For this person alone, and whole at every moment. Throws Node's error. */
  write(served: Served): void {
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

/** Whether the window that is written there still serves. */
export async function isServing({ port, pid }: Served): Promise<boolean> {
  return isAlive(pid) && (await answers(port));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether a Jumpseat answers there. A window that is busy may take its time. */
function answers(port: number): Promise<boolean> {
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
