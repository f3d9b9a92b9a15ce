import { homedir } from 'node:os';
import { openFile, sweepLinkPages, writeLinkPage } from '../adapters/open-url.ts';
import { nodePaths } from '../adapters/paths.ts';
import { inFrontLanguage } from '../language/front-language.ts';
import { sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import type { Clock, Paths } from '../ports.ts';
import { newDashboardLink, silentOwner } from '../server/running-proxy.ts';
import { CommandFailure } from './failure.ts';
import { aborted } from './interrupts.ts';
import type { Surroundings } from './surroundings.ts';
import type { Terminal } from './terminal.ts';

/** How long a browser may take before the person is informed; it may have to start first. */
const patienceMs = 30_000;
/** How long the page stays there for a slow browser. */
const pageLifeMs = 5 * 60_000;

export interface OpenDashboard {
  link: string;
  /** Resolves when the link let a browser in. */
  used: Promise<void>;
  terminal: Pick<Terminal, 'err'>;
  clock: Clock;
  paths: Pick<Paths, 'home'>;
  /** The end of the program: the page is taken away. */
  signal: AbortSignal;
  open?: (path: string) => Promise<boolean>;
}

/**
 * Opens the dashboard in the browser. The link is no argument of the browser's: another user who reads it there would
 * come in first. The browser gets the path of a page that only this user can read. Resolves when nothing is left of it,
 * and never rejects.
 */
export async function openDashboard(parts: OpenDashboard): Promise<void> {
  const { link, used, terminal, clock, paths, signal, open = openFile } = parts;
  // The process is the app’s, which speaks English.
  const say = (make: () => string): void =>
    terminal.err(inFrontLanguage(() => sentences(make(), t('Open this address yourself: {link}', { link }))));
  const folder = pageFolder(process.platform, homedir(), paths.home);
  await sweepLinkPages(folder);
  let page: Awaited<ReturnType<typeof writeLinkPage>>;
  try {
    page = await writeLinkPage(link, folder);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    say(() => t('The dashboard wasn’t opened: no file could be written in {folder} ({why}).', { folder, why }));
    return;
  }
  const over = new AbortController();
  const both = AbortSignal.any([over.signal, signal]);
  const entered = used.then(() => true);
  const within = (ms: number): Promise<boolean> =>
    Promise.race([
      entered,
      clock.sleep(ms, both).then(
        () => false,
        () => true,
      ),
    ]);
  try {
    if (!(await Promise.race([open(page.path), aborted(signal).then(() => true)]))) {
      say(() => t('The dashboard wasn’t opened: no browser could be started.'));
      return;
    }
    if (await within(patienceMs)) return;
    say(() => t('The browser hasn’t opened the dashboard; some may not read the file that leads there.'));
    await within(pageLifeMs - patienceMs);
  } finally {
    over.abort();
    await page.remove();
  }
}

/**
 * On Linux a browser may be a snap, which reads neither /tmp nor hidden folders: a plain folder in the person's own,
 * for as long as it takes. Elsewhere the app's own folder.
 */
export function pageFolder(platform: NodeJS.Platform, userHome: string, home: string): string {
  return platform === 'linux' ? userHome : home;
}

/** `jumpseat dashboard`: another link for a browser, while the Jumpseat that runs goes on. */
export async function dashboard(surroundings: Surroundings): Promise<number> {
  const { home, lock } = nodePaths(surroundings.env);
  const link = await newDashboardLink(lock);
  const silent = link === 'none' ? silentOwner(lock) : null;
  if (silent !== null) throw new CommandFailure(silent.text, silent.remedy);
  if (link === 'none')
    throw new CommandFailure(
      surroundings.env.JUMPSEAT_HOME ? t('No Jumpseat runs in {home}.', { home }) : t('No Jumpseat is running.'),
      t('Turn the proxy on in the tray app, or run "jumpseat serve", which prints a link.'),
    );
  if (link === 'refused')
    throw new CommandFailure(
      t('The running Jumpseat returned no link: it is ending, or of an earlier version.'),
      t('Try again, or restart it.'),
    );
  surroundings.terminal.out(link.url);
  return 0;
}
