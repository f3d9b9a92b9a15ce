import { realpath } from 'node:fs/promises';
import { t } from '../../language/translate.ts';
import { isWithin } from '../../settings/files.ts';
import { SessionError } from '../session/error.ts';
import type { HostedSession } from './hosted-session.ts';

const resting: ReadonlySet<string> = new Set(['provisional', 'idle', 'unloaded']);

/** Which sessions use a folder, and folders that are being removed, in which none starts. */
export class FolderUsers {
  readonly #sessions: () => Iterable<HostedSession>;
  readonly #leaving = new Set<string>();

  constructor(sessions: () => Iterable<HostedSession>) {
    this.#sessions = sessions;
  }

  /** Those that work in a folder or below it now, or have it as an additional one. @param folder real path */
  async workingIn(folder: string): Promise<HostedSession[]> {
    return (await this.#in(folder)).filter((session) => {
      const { state, tasks } = session.view();
      return !resting.has(state) || tasks.length > 0;
    });
  }

  /** Nothing starts in a folder while it is removed, and what rests there is unloaded first. */
  async leave<Made>(folder: string, work: () => Promise<Made>): Promise<Made> {
    this.#leaving.add(folder);
    try {
      for (const session of await this.#in(folder)) {
        const { state, tasks } = session.view();
        if (state === 'idle' && tasks.length === 0) await session.unload();
      }
      return await work();
    } finally {
      this.#leaving.delete(folder);
    }
  }

  /** Rejects for a folder that is being removed. */
  async refuseLeaving(folder: string): Promise<void> {
    const path = await realOrSame(folder);
    if (![...this.#leaving].some((leaving) => isWithin(path, leaving))) return;
    throw new SessionError('folder-gone', t('{folder} is being removed.', { folder }), t('Choose another folder.'));
  }

  async #in(folder: string): Promise<HostedSession[]> {
    const found: HostedSession[] = [];
    for (const session of [...this.#sessions()]) {
      const { cwd, choices } = session.kept;
      const paths = await Promise.all([cwd, ...choices.directories].map(realOrSame));
      if (!session.isDisposed && paths.some((path) => isWithin(path, folder))) found.push(session);
    }
    return found;
  }
}

function realOrSame(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
