import type { CallAnswer } from '../../app/api/call.ts';
import { callPlaces } from '../../app/api/call-places.ts';
import type { AppEvent } from '../../app/api/events.ts';
import { languageParameter, onLanguage, shownLanguage } from '../../app/language/language.ts';
import { t } from '../../app/language/translate.ts';
import { type Bridge, type BridgeCalls, BridgeError } from './bridge.ts';
import { bridgeCalls } from './bridge-calls.ts';
import { inTypedWords } from './typed-command.ts';

/** How long to wait before asking again after the server refused the event stream. */
const againMs = 5_000;

/** The dashboard's bridge: the server that the page came from. Addresses are relative to the page. */
export function httpBridge(places: Readonly<Record<string, string>> = callPlaces): Bridge {
  const calls = bridgeCalls(places, 'dashboard', carry) as BridgeCalls;
  const { lines, localKey, createKey, revokeKey } = calls;
  return {
    ...calls,
    copyLines:
      lines &&
      (async (shell, what) => copy(await lines(shell, what), `env${what === 'claude-code' ? '' : ` --for ${what}`}`)),
    copyKey: localKey && (async () => copy(await localKey(), 'env')),
    copyNewKey:
      createKey &&
      (async (wish) => {
        const key = await createKey(wish);
        // One that nobody has is of no use.
        await copy(key, `keys create ${wish.name}`).catch(async (error: unknown) => {
          await revokeKey(wish.name);
          throw error;
        });
      }),
    listen,
  };
}

/** @param instead the command that prints the same */
async function copy(text: string, instead: string): Promise<void> {
  await navigator.clipboard.writeText(text).catch(() => {
    throw new BridgeError({
      code: 'clipboard',
      text: t('The browser denies access to its clipboard.'),
      remedy: inTypedWords(t('Run "jumpseat {command}" in a terminal instead.', { command: instead })),
    });
  });
}

function listen(listener: (event: AppEvent) => void, connected?: (alive: boolean) => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const open = (): void => {
    source = new EventSource(inShownLanguage('api/events'));
    source.onmessage = (message: MessageEvent<string>) => {
      const event: AppEvent = JSON.parse(message.data);
      listener(event);
    };
    source.onopen = () => connected?.(true);
    source.onerror = () => {
      connected?.(false);
      // The browser tries again by itself unless it was refused.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, againMs);
    };
  };
  open();
  const close = (): void => {
    if (timer !== null) clearTimeout(timer);
    source.close();
  };
  // The new stream begins with all that is known, in the new language.
  const stop = onLanguage(() => {
    close();
    open();
  });
  return () => {
    stop();
    close();
  };
}

/** The app sends its sentences in the language that is shown here. */
function inShownLanguage(address: string): string {
  const { tag } = shownLanguage();
  return tag === 'en' ? address : `${address}?${languageParameter}=${tag}`;
}

/** A call of the table by its name: the list of its arguments there, its answer back. */
async function carry(name: string, given: unknown[]): Promise<CallAnswer<unknown>> {
  const response = await fetch(inShownLanguage(`api/call/${name}`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given),
  }).catch(() => null);
  if (response === null) {
    throw new BridgeError({ code: 'unreachable', text: t('Jumpseat doesn’t answer.'), remedy: t('Start it again.') });
  }
  if (response.ok) return response.json();
  throw new BridgeError({
    code: `http-${response.status}`,
    text: t('The server answered {status}.', { status: response.status }),
    remedy: inTypedWords(t('Run "jumpseat dashboard" in a terminal for a new link.')),
  });
}
