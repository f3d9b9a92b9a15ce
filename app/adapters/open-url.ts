import { spawn } from 'node:child_process';
import { lstat, mkdtemp, open, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenUrl } from '../ports.ts';

/** How long a launcher may take before it counts as done: some stay as long as the browser does. */
const patienceMs = 2_000;

/**
 * Opens addresses in the person's browser. Where that does not work nothing happens: the address stands on the screen
 * as well.
 */
export function nodeOpenUrl(): OpenUrl {
  return async (url) => {
    await openUrl(url);
  };
}

/** True when a browser was started. Only https, or http on this machine; anything else is false. Never throws. */
export async function openUrl(url: string, launcher: Launcher = launcherFor(process.platform)): Promise<boolean> {
  const address = safeAddress(url);
  return address !== null && launch(address, launcher);
}

/** The same for a file of this machine, by its path. */
export function openFile(path: string, launcher: Launcher = launcherFor(process.platform)): Promise<boolean> {
  return launch(path, launcher);
}

function launch(what: string, launcher: Launcher): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      // No shell: the address is one argument, whatever it holds. Every user of the machine can read it.
      const child = spawn(launcher.command, [...launcher.args, what], {
        detached: true,
        stdio: 'ignore',
        shell: false,
        windowsHide: true,
      });
      const timer = setTimeout(() => resolve(true), patienceMs);
      timer.unref();
      child.once('error', () => {
        clearTimeout(timer);
        resolve(false);
      });
      child.once('exit', (code) => {
        clearTimeout(timer);
        resolve(code === 0);
      });
      child.unref();
    } catch {
      resolve(false);
    }
  });
}

export interface Launcher {
  command: string;
  args: readonly string[];
}

export function launcherFor(platform: NodeJS.Platform): Launcher {
  if (platform === 'darwin') return { command: 'open', args: [] };
  // `start` is a word of the shell; this is what it calls.
  if (platform === 'win32') return { command: 'rundll32.exe', args: ['url.dll,FileProtocolHandler'] };
  return { command: 'xdg-open', args: [] };
}

/** The address in its normal spelling, or null when it is not one that may be opened. */
export function safeAddress(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, username, password, href, searchParams } = new URL(url);
  if (username !== '' || password !== '') return null;
  if (protocol === 'https:') return href;
  const loopback = hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]';
  // The dashboard's link lets its reader in: it goes through a file.
  return protocol === 'http:' && loopback && !searchParams.has('link') ? href : null;
}

const fileName = 'dashboard.html';
const prefix = 'jumpseat-open-';
/** What `mkdtemp` puts behind the prefix. */
const folderName = /^jumpseat-open-[A-Za-z0-9]{6}$/;
/** Pages older than this were left by a process that was killed. */
const leftOverMs = 10 * 60_000;

/** A page that leads on to a link and that no other user of the machine can read. */
interface LinkPage {
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
