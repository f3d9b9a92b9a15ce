import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BrowserWindow, app as electron, nativeTheme, protocol, screen, session } from 'electron';
import type { WindowEvent } from '../../app/api/events.ts';
import type { Theme } from '../../app/api/settings.ts';
import type { Log } from '../../app/ports.ts';
import { themedPage } from '../../app/words/text.ts';
import { eventChannel } from '../../preload/calls.ts';
import { windowPreferences } from './guards.ts';
import { comeBack, reloadOnce } from './lost-page.ts';
import { contentSecurityPolicy, fileFor, origin, scheme, schemePrivileges } from './pages.ts';
import { leastSize, openingPlace, WindowPlaces } from './window-place.ts';

/** How long a page may take to close. */
const closeMs = 1_000;
/** The page stores its place once it has drawn it. */
const flushMs = 500;

/** Before the app is ready: the scheme of our page is a secure origin of its own. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: schemePrivileges }]);
}

/** Once the app is ready: serves the built page in the chosen theme, and nothing else. */
export function servePages(folder: string, theme: () => Theme): void {
  protocol.handle(scheme, async (request) => {
    const file = fileFor(request.url, folder);
    const body = file === null ? null : await readFile(file.path).catch(() => null);
    if (file === null || body === null) return new Response('Not found', { status: 404 });
    const isPage = file.type.startsWith('text/html');
    return new Response(isPage ? themedPage(body.toString('utf8'), theme()) : new Uint8Array(body), {
      headers: {
        'content-type': file.type,
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
      },
    });
  });
}

/** The one window: made when it is asked for, brought to the front when it is there. */
export class MainWindow {
  readonly #preload: string;
  readonly #icon: string;
  readonly #log: Log;
  readonly #theme: () => Theme;
  #window: BrowserWindow | null = null;

  constructor(dist: string, resources: string, log: Log, theme: () => Theme) {
    this.#log = log;
    this.#theme = theme;
    this.#preload = join(dist, 'preload', 'preload.cjs');
    this.#icon = join(resources, 'app', '256x256.png');
  }

  /** @param place where in the page: `#/settings`; without it the window shows what it showed. */
  show(place = ''): void {
    const window = this.#window ?? this.#make();
    if (place !== '' || this.#window === null) void window.loadURL(`${origin}/index.html${place}`);
    this.#window = window;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Goes nowhere while there is no window. */
  send(event: WindowEvent): void {
    this.#window?.webContents.send(eventChannel, event);
  }

  /** Resolves when it has gone: its page has said by then what it had to keep. One that hangs is not waited for. */
  async close(): Promise<void> {
    const window = this.#window;
    if (window === null) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closeMs);
      window.once('closed', resolve);
      window.close();
    });
    clearTimeout(timer);
  }

  #make(): BrowserWindow {
    const places = new WindowPlaces(join(electron.getPath('userData'), 'place.json'), this.#log);
    const { maximized, ...place } = openingPlace(places.find(workAreas()), workAreas());
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
    if (maximized) window.maximize();
    const keepPlace = (): void =>
      places.keep(workAreas(), { ...window.getNormalBounds(), maximized: window.isMaximized() });
    // Not every end closes it first.
    window.on('blur', keepPlace);
    window.on('close', keepPlace);
    window.once('closed', () => {
      this.#window = null;
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

function isDark(theme: Theme): boolean {
  return theme === 'system' ? nativeTheme.shouldUseDarkColors : theme === 'dark';
}

/** What programs may use of each display, the main one first. */
function workAreas(): Electron.Rectangle[] {
  const main = screen.getPrimaryDisplay();
  return [main, ...screen.getAllDisplays().filter(({ id }) => id !== main.id)].map(({ workArea }) => workArea);
}
