import { lstat, mkdtemp, open, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

const fileName = 'dashboard.html';
const prefix = 'jumpseat-open-';
/** What `mkdtemp` puts behind the prefix. */
const folderName = /^jumpseat-open-[A-Za-z0-9]{6}$/;
/** No page is needed for so long: an older one was left by a process that was killed. */
const leftOverMs = 10 * 60_000;

/** A page that leads on to a link and that no other user of the machine can read. */
export interface LinkPage {
  readonly path: string;
  /** Takes page and folder away. Never rejects. */
  remove(): Promise<void>;
}

/**
 * Writes the page (0600) into a new folder (0700) of `parent`, so that a browser is given its path instead of the link:
 * arguments of a process are for every user to read. Rejects where it can't be written; then nothing is left.
 */
export async function writeLinkPage(link: string, parent: string): Promise<LinkPage> {
  const folder = await mkdtemp(join(parent, prefix));
  const path = join(folder, fileName);
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(pageTo(link));
    } finally {
      await file.close();
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

/**
 * Takes away what a killed process left in `parent`: folders of this exact kind alone. Their links died with that
 * process. Never rejects.
 */
export async function sweepLinkPages(parent: string, now: number = Date.now()): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((candidate) => folderName.test(candidate))) {
    const folder = join(parent, name);
    const found = await lstat(folder).catch(() => null);
    if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    if (now - found.mtimeMs < leftOverMs) continue;
    await rm(join(folder, fileName), { force: true }).catch(() => undefined);
    // A folder that holds anything else isn't ours and stays.
    await rmdir(folder).catch(() => undefined);
  }
}

function pageTo(link: string): string {
  const address = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>Jumpseat</title>
<p><a href="${address}">Open Jumpseat’s dashboard</a></p>
`;
}
