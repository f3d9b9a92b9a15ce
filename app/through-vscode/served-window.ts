import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { parseObject } from '../formats/wire/json.ts';
import { isRunning } from '../settings/files.ts';

/** The window of VS Code that serves: where it listens, its key, and the process of its extensions. */
export interface ServedWindow {
  port: number;
  key: string;
  pid: number;
}

type FoundWindow =
  | { kind: 'found'; window: ServedWindow }
  | { kind: 'absent' }
  /** `why` ends a sentence. */
  | { kind: 'unsafe'; why: string };

const largestFile = 4096;

/**
 * Reads what the extension in VS Code wrote about the window that serves. Taken only where no other user can
 * have written or read it: the key would go to whatever listens at that port.
 */
export function findWindow(path: string): FoundWindow {
  let file: number;
  try {
    // On Windows there is no such flag, and files below the person's own folder are theirs.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') return { kind: 'absent' };
    return { kind: 'unsafe', why: code === 'ELOOP' ? 'vscode.json is a link' : 'vscode.json can’t be read' };
  }
  try {
    const { mode, uid, size } = fstatSync(file);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) return { kind: 'unsafe', why: 'vscode.json is no file' };
    const own = process.getuid?.();
    if (own !== undefined && uid !== own) return { kind: 'unsafe', why: 'vscode.json belongs to another user' };
    if (own !== undefined && (mode & 0o077) !== 0)
      return { kind: 'unsafe', why: 'other users may read or write vscode.json' };
    const window = size > largestFile ? null : readWindow(readFileSync(file, 'utf8'));
    if (window === null) return { kind: 'unsafe', why: 'vscode.json isn’t what the extension writes' };
    return isRunning(window.pid) ? { kind: 'found', window } : { kind: 'absent' };
  } catch {
    return { kind: 'unsafe', why: 'vscode.json can’t be read' };
  } finally {
    closeSync(file);
  }
}

function readWindow(text: string): ServedWindow | null {
  const { port, key, pid } = parseObject(text) ?? {};
  if (typeof port !== 'number' || !Number.isInteger(port) || port < 1 || port > 65_535) return null;
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 1) return null;
  return isWindowKey(key) ? { port, key, pid } : null;
}

/** True if the key can be sent in a header. */
export function isWindowKey(key: unknown): key is string {
  return typeof key === 'string' && /^[\x21-\x7e]{16,256}$/.test(key);
}
