import type { Readable } from 'node:stream';
import type { SignInRequest, Way } from '../../api/account.ts';
import { waySchema } from '../../api/account.ts';
import type { App } from '../../api/app.ts';
import { t, translated } from '../../language/translate.ts';
import { copilotLoginFact, megabytes, runtimeWords } from '../../words/account.ts';
import { CommandFailure, wrongUsage } from '../failure.ts';
import type { Surroundings } from '../surroundings.ts';
import { saysYes } from '../terminal.ts';

export interface WayOptions {
  way?: string;
  tokenStdin?: boolean;
  copilotLogin?: boolean;
  fetchRuntime?: boolean;
}

/** Null for the way in use. Throws a failure with exit code 2 for what can't be meant. */
export function readWay({ way, tokenStdin, copilotLogin, fetchRuntime }: WayOptions): Way | null {
  if (way !== undefined && !waySchema.safeParse(way).success) {
    throw wrongUsage(
      t('--way must be vscode or copilot-sdk, not "{way}".', { way }),
      t('Run "{command}".', { command: 'jumpseat login --help' }),
    );
  }
  if (tokenStdin && copilotLogin) {
    throw wrongUsage(t('--token-stdin and --copilot-login are two ways to sign in.'), t('Pass one of them.'));
  }
  if ((tokenStdin || copilotLogin || fetchRuntime) && way !== 'copilot-sdk') {
    throw wrongUsage(
      t('This option works only with --way copilot-sdk.'),
      t('Run "{command}".', { command: 'jumpseat login --help' }),
    );
  }
  return way === undefined ? null : waySchema.parse(way);
}

const longestToken = 1000;

/** A token on standard input, so that it stands in no argument and no history. */
export async function readToken(input: Readable): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > longestToken) break;
  }
  const token = text.trim();
  if (token === '' || token.length > longestToken) {
    throw new CommandFailure(
      token === '' ? t('No token came on standard input.') : t('Standard input is too long for a token.'),
      t('Pass it like this: {command}', { command: 'jumpseat login --way copilot-sdk --token-stdin < FILE' }),
    );
  }
  return token;
}

export function requestFor(way: Way, { copilotLogin }: WayOptions, token: string | null): SignInRequest {
  if (way === 'vscode') return { kind: 'vscode' };
  if (token !== null) return { kind: 'token', token };
  return { kind: copilotLogin ? 'copilot-login' : 'own-app' };
}

/** Uses a stored sign-in of this way again. False if a sign-in is needed, or the way is in use. */
export async function goBack(app: App, way: Way, { tokenStdin, copilotLogin }: WayOptions): Promise<boolean> {
  if (app.state().admission.way === way || tokenStdin || copilotLogin) return false;
  if (way === 'vscode') return app.chooseCredential('vscode');
  return (await app.chooseCredential('own-app')) || app.chooseCredential('token');
}

/** GitHub's runtime, fetched after a yes. Rejects where there is none at the end. */
export async function requireRuntime(
  { terminal }: Surroundings,
  app: App,
  { copilotLogin, fetchRuntime }: WayOptions,
  signal: AbortSignal,
): Promise<void> {
  if (copilotLogin) terminal.out(translated(copilotLoginFact));
  const runtime = await app.runtime();
  if (runtime.kind === 'ready') return;
  if (runtime.kind === 'unavailable') throw new CommandFailure(runtime.text, runtime.remedy);
  terminal.out(runtimeWords(runtime));
  if (!fetchRuntime) {
    if (!terminal.canAsk || !(await saysYes(terminal, t('Fetch it now?')))) {
      throw new CommandFailure(
        t('Nothing was fetched and nothing was changed.'),
        t('Add --fetch-runtime to fetch it.'),
      );
    }
  }
  const stop = app.listen(() => {
    const now = app.state().admission.runtime;
    if (now.kind === 'fetching')
      terminal.progress(t('Fetching GitHub’s runtime: {received}.', { received: megabytes(now.received) }));
  });
  const cancel = (): void => app.cancelFetch();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    await app.fetchRuntime();
  } finally {
    stop();
    signal.removeEventListener('abort', cancel);
    terminal.progress(null);
  }
}
