import { protocol, WebContentsView } from 'electron';
import { windowPreferences } from '../windows/guards.ts';
import { soundScheme } from '../windows/pages.ts';

/** Of a longer file the beginning is played. */
const mostMs = 20_000;

const page = `${soundScheme}://player/`;
const policy = "default-src 'none'; script-src 'self'; media-src data:";
// The type only opens the door: Chromium looks at the bytes.
const html = (bytes: Buffer): string =>
  `<!doctype html><meta charset="utf-8"><title>-</title><audio src="data:audio/wav;base64,${bytes.toString('base64')}"></audio><script src="player.js"></script>`;
/** Says in the page's title how it went. */
const script = `
const [sound] = document.getElementsByTagName('audio');
const say = (how) => () => { document.title = how; };
sound.addEventListener('ended', say('played'));
sound.play().catch(say('not played'));
`;

/** What is played now. The view has to be held: one that is collected takes its page along. */
let playing: { bytes: Buffer; view: WebContentsView } | null = null;

/** Once the app is ready. */
export function serveSounds(): void {
  protocol.handle(soundScheme, ({ url }) => {
    const headers = { 'content-security-policy': policy, 'x-content-type-options': 'nosniff' };
    if (playing !== null && url === page)
      return new Response(html(playing.bytes), { headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } });
    if (url === `${page}player.js`)
      return new Response(script, { headers: { ...headers, 'content-type': 'text/javascript; charset=utf-8' } });
    return new Response('Not found', { status: 404 });
  });
}

/**
 * Plays a sound in a page that nobody sees and that is there for it alone: Electron has no other way. One at a time.
 * Resolves at its end; false: it is no sound that Chromium knows.
 */
export async function playSound(bytes: Buffer): Promise<boolean> {
  const { preload: _none, ...preferences } = windowPreferences('');
  const view = new WebContentsView({
    webPreferences: { ...preferences, autoplayPolicy: 'no-user-gesture-required', backgroundThrottling: false },
  });
  const { webContents } = view;
  playing = { bytes, view };
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(resolve, mostMs, true);
      webContents.on('page-title-updated', (_event, title) => {
        if (title === 'played' || title === 'not played') resolve(title === 'played');
      });
      webContents.once('render-process-gone', () => resolve(false));
      webContents.loadURL(page).catch(() => resolve(false));
    });
  } finally {
    clearTimeout(timer);
    playing = null;
    webContents.close();
  }
}
