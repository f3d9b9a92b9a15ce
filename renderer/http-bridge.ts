import type { AppEvent } from '../app/api/app.ts';
import type { CallAnswer, CallArguments, CallName, CallResult } from '../app/api/calls.ts';
import { type Bridge, BridgeError } from './bridge.ts';

/** So long after the server has refused the stream of events it is asked again. */
const againMs = 5_000;

/** The dashboard's bridge: the server that the page came from. Addresses are relative to the page. */
export const httpBridge: Bridge = {
  state: () => get('api/state'),
  exchanges: ({ limit, before }) => {
    const asked = new URLSearchParams({ limit: String(limit), ...(before === undefined ? {} : { before }) });
    return get(`api/exchanges?${asked}`);
  },
  rows: ({ limit, before }) => get(`api/rows?${new URLSearchParams({ limit: String(limit), before })}`),
  exchange: (id) => get(`api/exchanges/${encodeURIComponent(id)}`),
  recorded: (...given) => call('recorded', given),
  recordedIds: (...given) => call('recordedIds', given),
  searchBodies: (...given) => call('searchBodies', given),
  recordedBody: (...given) => call('recordedBody', given),
  record: (...given) => call('record', given),
  forgetBodies: (...given) => call('forgetBodies', given),
  models: (...given) => call('models', given),
  totals: (...given) => call('totals', given),
  cacheSavings: (...given) => call('cacheSavings', given),
  conversations: (...given) => call('conversations', given),
  conversation: (...given) => call('conversation', given),
  setOverride: (...given) => call('setOverride', given),
  letThrough: (...given) => call('letThrough', given),
  learned: (...given) => call('learned', given),
  forgetLessons: (...given) => call('forgetLessons', given),
  checks: (...given) => call('checks', given),
  check: (...given) => call('check', given),
  preferences: (...given) => call('preferences', given),
  changePreferences: (...given) => call('changePreferences', given),
  planSetUp: (...given) => call('planSetUp', given),
  applySetUp: (...given) => call('applySetUp', given),
  replaceKey: null,
  deleteHistory: (...given) => call('deleteHistory', given),
  moveSecrets: (...given) => call('moveSecrets', given),
  openFolder: null,
  openFile: null,
  lines: (...given) => call('lines', given),
  shownLines: (...given) => call('shownLines', given),
  setProxy: null,
  useFreePort: null,
  signIn: (...given) => call('signIn', given),
  cancelSignIn: (...given) => call('cancelSignIn', given),
  copyCode: null,
  signOut: (...given) => call('signOut', given),
  refresh: (...given) => call('refresh', given),
  copyLines: async (shell, what) => {
    const text = await call('lines', [shell, what]);
    await navigator.clipboard.writeText(text).catch(() => {
      throw new BridgeError({
        code: 'clipboard',
        text: 'The browser keeps its clipboard closed.',
        mend: `Run "jumpseat env${what === 'claude-code' ? '' : ` --for ${what}`}" in a terminal instead.`,
      });
    });
  },
  openOutside: null,
  updateState: null,
  checkForUpdates: null,
  restartToUpdate: null,
  listen(listener, heard) {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const open = (): void => {
      source = new EventSource('api/events');
      source.onmessage = (message: MessageEvent<string>) => {
        const event: AppEvent = JSON.parse(message.data);
        listener(event);
      };
      source.onopen = () => heard?.(true);
      source.onerror = () => {
        heard?.(false);
        // The browser tries again by itself unless it was refused.
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, againMs);
      };
    };
    open();
    return () => {
      if (timer !== null) clearTimeout(timer);
      source.close();
    };
  },
};

/** A call of the contract by its name: the list of its arguments there, its answer back. */
async function call<Name extends CallName>(name: Name, given: CallArguments<Name>): Promise<CallResult<Name>> {
  const answer: CallAnswer<Name> = await get(`api/call/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given),
  });
  if (answer.ok) return answer.value;
  throw new BridgeError(answer.problem);
}

async function get<Answer>(path: string, options: RequestInit = {}): Promise<Answer> {
  const response = await fetch(path, options).catch(() => null);
  if (response === null) {
    throw new BridgeError({ code: 'unreachable', text: 'Jumpseat doesn’t answer.', mend: 'Start it again.' });
  }
  if (response.ok) return response.json();
  throw new BridgeError({
    code: `http-${response.status}`,
    text: `The server answered ${response.status}.`,
    mend: 'Open this page again from the tray, or run "jumpseat serve --open".',
  });
}
