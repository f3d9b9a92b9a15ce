import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SessionStore } from '../store/session-store.ts';

/**
 * Writes the versions of edited files that are kept of a session into a new folder, with a list of what each is. False:
 * none is kept, and nothing was written.
 */
export async function writeVersions(store: SessionStore, sessionId: string, folder: string): Promise<boolean> {
  const edits = store.edits.of(sessionId).filter(({ before, after }) => before !== null || after !== null);
  if (edits.length === 0) return false;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const write = async (hash: string | null, name: string): Promise<string | null> => {
    const content = hash === null ? null : store.edits.content(hash);
    if (content === null) return null;
    await writeFile(join(folder, name), content, { mode: 0o600 });
    return name;
  };
  const list: object[] = [];
  for (const [index, { path, before, after, madeAt, state }] of edits.entries()) {
    const nth = String(index + 1).padStart(String(edits.length).length, '0');
    list.push({
      ...{ path, state, madeAt: new Date(madeAt).toISOString() },
      before: await write(before, `${nth} before ${basename(path)}`),
      after: await write(after, `${nth} after ${basename(path)}`),
    });
  }
  await writeFile(join(folder, 'edits.json'), `${JSON.stringify(list, null, 2)}\n`, { mode: 0o600 });
  return true;
}
