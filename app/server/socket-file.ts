import { chmodSync, lstatSync, mkdirSync, type Stats, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, isAbsolute, join } from 'node:path';
import { t } from '../language/translate.ts';
import { RemedyError } from '../ports.ts';

/** The file of the Unix socket: where it may be, and what is in its way. */

/** It can't be made. `message` says what and why, `remedy` what to do. */
export class SocketFileError extends RemedyError {
  override readonly name = 'SocketFileError';
}

/** Nothing else is in its folder, so that a container can be given the folder: a socket alone is lost at a restart. */
export function usualSocket(home: string): string {
  return join(home, 'socket', 'jumpseat.sock');
}

/** What the system's address of a socket has room for, in bytes. */
const longestPath: Readonly<Partial<Record<NodeJS.Platform, number>>> = { linux: 107, darwin: 103 };

/**
 * Makes the folder, and takes away what a process that has ended left there. Rejects with `SocketFileError` where the
 * socket can't be made, or others could reach it.
 */
export async function prepareSocket(path: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  if (platform === 'win32')
    throw new SocketFileError(
      t('Node has no Unix sockets on Windows.'),
      t('WSL reaches this machine without it: run "jumpseat env --for wsl".'),
    );
  if (!isAbsolute(path))
    throw new SocketFileError(
      t('The path of the socket has to be absolute, and “{path}” isn’t.', { path }),
      t('Enter a whole path.'),
    );
  const { [platform]: longest = 103 } = longestPath;
  const length = Buffer.byteLength(path);
  if (length > longest)
    throw new SocketFileError(
      t('The path of the socket has {length} bytes, and the system allows {longest}: {path}.', {
        length,
        longest,
        path,
      }),
      t('Choose a shorter path, such as one in the folder that XDG_RUNTIME_DIR names.'),
    );
  const folder = dirname(path);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    refuseOpenFolder(folder, lstatSync(folder));
  } catch (error) {
    if (error instanceof SocketFileError) throw error;
    throw new SocketFileError(
      t('The folder {folder} of the socket can’t be made: {why}.', { folder, why: reasonOf(error) }),
      t('Choose another path.'),
    );
  }
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isSocket())
    throw new SocketFileError(
      t('{path} is there, and is no socket.', { path }),
      t('Move it away, or choose another path.'),
    );
  if (await isAnswered(path))
    throw new SocketFileError(
      t('Another program listens on the socket {path}.', { path }),
      t('End that program, or choose another path.'),
    );
  unlinkSync(path);
}

/** Connecting to a socket needs the right to write it. */
export function closeToOthers(path: string): void {
  chmodSync(path, 0o600);
}

function refuseOpenFolder(folder: string, stats: Stats): void {
  if (!stats.isDirectory())
    throw new SocketFileError(t('{folder} is a link or a file.', { folder }), t('Enter the path of a folder.'));
  const mine = process.getuid?.();
  if (mine !== undefined && stats.uid !== mine)
    throw new SocketFileError(
      t('The folder {folder} of the socket belongs to another user.', { folder }),
      t('Choose a path in a folder of yours.'),
    );
  if ((stats.mode & 0o077) !== 0)
    throw new SocketFileError(
      t('Other users can enter the folder {folder} of the socket.', { folder }),
      t('Run "chmod 700 {folder}", or choose a path in a folder of its own.', { folder }),
    );
}

/** Whether a process that lives listens there. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect({ path }, () => {
      probe.destroy();
      resolve(true);
    });
    // A queue that is full is one of a process that lives.
    probe.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
