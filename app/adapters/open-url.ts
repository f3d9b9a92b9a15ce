import { spawn } from 'node:child_process';
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
  // The dashboard's link lets its reader in: it goes through a file (`link-page.ts`).
  return protocol === 'http:' && loopback && !searchParams.has('link') ? href : null;
}
