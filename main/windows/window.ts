import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BrowserWindow, app as electron, nativeTheme, protocol, screen, session } from 'electron';
import type { WindowEvent } from '../../app/api/events.ts';
import type { Preferences, Theme } from '../../app/api/settings.ts';
import type { Log } from '../../app/ports.ts';
import { chosenPage } from '../../app/words/text.ts';
import { eventChannel } from '../../preload/calls.ts';
import { windowPreferences } from './guards.ts';
import { eventFor } from './ipc.ts';
import { comeBack, reloadOnce } from './lost-page.ts';
import {
  contentSecurityPolicy,
  fileFor,
  origin,
  scheme,
  schemePrivileges,
  soundPrivileges,
  soundScheme,
} from './pages.ts';
import { leastSize, openingPlace, placeBeside, WindowPlaces } from './window-place.ts';

/** How long a page may take to close. */
const closeMs = 1_000;
/** The page stores its place once it has drawn it. */
const flushMs = 500;

/** Before the app is ready: the schemes of our pages are secure origins of their own. */
export function registerSchemes(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: schemePrivileges },
    { scheme: soundScheme, privileges: soundPrivileges },
  ]);
}

/** Once the app is ready: serves the built page in the chosen theme and language, and nothing else. */
export function servePages(folder: string, chosen: () => Pick<Preferences, 'theme' | 'language'>): void {
  protocol.handle(scheme, async (request) => {
    const file = fileFor(request.url, folder);
    const body = file === null ? null : await readFile(file.path).catch(() => null);
    if (file === null || body === null) return new Response('Not found', { status: 404 });
    const isPage = file.type.startsWith('text/html');
    // Electron's own languages are those that it was packed with.
    const page = () => chosenPage(body.toString('utf8'), chosen(), electron.getPreferredSystemLanguages());
    return new Response(isPage ? page() : new Uint8Array(body), {
      headers: {
        'content-type': file.type,
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
      },
    });
  });
}

/** The windows. The first is made when it is asked for; further ones are opened beside it, each at a session. */
export class AppWindows {
  readonly #preload: string;
  readonly #icon: string;
  readonly #log: Log;
  readonly #theme: () => Theme;
  /** The one that last had the focus comes last. */
  #open: BrowserWindow[] = [];

  constructor(dist: string, resources: string, log: Log, theme: () => Theme) {
    this.#log = log;
    this.#theme = theme;
    this.#preload = join(dist, 'preload', 'preload.cjs');
    this.#icon = join(resources, 'app', '256x256.png');
  }

  get count(): number {
    return this.#open.length;
  }

  /**
   * Brings the window that shows this place to the front, else the last one used.
   * @param place where in the page: `#/settings`; without it the window shows what it showed.
   */
  show(place = ''): void {
    const address = `${origin}/index.html${place}`;
    const last = this.#open.at(-1);
    const window = this.#open.findLast(({ webContents }) => webContents.getURL() === address) ?? last;
    if (window === undefined) this.#bring(this.#makeFirst(), place);
    else this.#bring(window, place === '' ? null : place);
  }

  /** Opens a place in a further window, beside the one used last. */
  openBeside(place: string): void {
    const last = this.#open.at(-1);
    if (last === undefined) {
      this.show(place);
      return;
    }
    const open = this.#open.map((window) => window.getNormalBounds());
    const { maximized: _, ...found } = placeBeside(last.getNormalBounds(), open, workAreas());
    this.#bring(this.#make(found), place);
  }

  /** Goes nowhere while there is no window. */
  send(event: WindowEvent): void {
    for (const { webContents } of this.#open) webContents.send(eventChannel, eventFor(webContents, event));
  }

  /** Only to the window used last: what a person did there is answered there. */
  sendToLast(event: WindowEvent): void {
    const last = this.#open.at(-1)?.webContents;
    last?.send(eventChannel, eventFor(last, event));
  }

  /** Resolves when all have gone; pages have said by then what they had to keep. None is waited for that hangs. */
  async close(): Promise<void> {
    await Promise.all(this.#open.map(closed));
  }

  /** @param place null: as it is */
  #bring(window: BrowserWindow, place: string | null): void {
    if (place !== null) void window.loadURL(`${origin}/index.html${place}`);
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** It opens where it was left, in the same size. */
  #makeFirst(): BrowserWindow {
    const places = new WindowPlaces(join(electron.getPath('userData'), 'place.json'), this.#log);
    const { maximized, ...place } = openingPlace(places.find(workAreas()), workAreas());
    const window = this.#make(place);
    if (maximized) window.maximize();
    const keepPlace = (): void =>
      places.keep(workAreas(), { ...window.getNormalBounds(), maximized: window.isMaximized() });
    // Not every end closes it first.
    window.on('blur', keepPlace);
    window.on('close', keepPlace);
    return window;
  }

  #make(place: { width: number; height: number; x?: number; y?: number }): BrowserWindow {
    const window = new BrowserWindow({
      ...place,
      minWidth: leastSize.width,
      minHeight: leastSize.height,
      title: 'Jumpseat',
      icon: this.#icon,
      // Shown before the page has painted: the page's own `--bg`, so that nothing flashes.
      backgroundColor: isDark(this.#theme()) ? '#0d1117' : '#ffffff',
      show: false,
      autoHideMenuBar: true,
      webPreferences: windowPreferences(this.#preload),
    });
    this.#open.push(window);
    const others = (): BrowserWindow[] => this.#open.filter((one) => one !== window);
    window.on('focus', () => {
      this.#open = [...others(), window];
    });
    window.once('closed', () => {
      this.#open = others();
    });
    // Chromium writes what a page stores minutes later: a killed Jumpseat would open where it was long before.
    let flushing: NodeJS.Timeout | undefined;
    window.webContents.on('did-navigate-in-page', () => {
      clearTimeout(flushing);
      flushing = setTimeout(() => session.defaultSession.flushStorageData(), flushMs);
    });
    reloadOnce(window, this.#log);
    comeBack(window, `${origin}/index.html`, this.#log);
    return window;
  }
}

async function closed(window: BrowserWindow): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMs);
    window.once('closed', resolve);
    window.close();
  });
  clearTimeout(timer);
}

function isDark(theme: Theme): boolean {
  return theme === 'system' ? nativeTheme.shouldUseDarkColors : theme === 'dark';
}

/** What programs may use of each display, the main one first. */
function workAreas(): Electron.Rectangle[] {
  const main = screen.getPrimaryDisplay();
  return [main, ...screen.getAllDisplays().filter(({ id }) => id !== main.id)].map(({ workArea }) => workArea);
}
