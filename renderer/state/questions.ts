import type { CredentialKind, OwnAccount } from '../../app/api/account.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import { signOutWords } from '../../app/words/account.ts';
import { cutWords, type Work } from '../../app/words/quit.ts';
import { isAtWork } from '../../app/words/sessions.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { toast } from './notices.ts';
import type { Question, WindowState, WindowStore } from './window-state.ts';

/** Asks; `run` follows only where the person agrees. */
export function ask(store: WindowStore, question: Question): void {
  store.setState({ question });
}

export function signOutQuestion(credential: CredentialKind | null, run: () => void): Question {
  return {
    title: t('Sign out of GitHub?'),
    text: sentences(signOutWords(credential), t('Claude Code stops working through Jumpseat. Your history stays.')),
    safe: t('Cancel'),
    action: t('Sign out'),
    run,
  };
}

/** One of several accounts. */
export function signOutAccountQuestion(
  { name, admission, isInUse }: Pick<OwnAccount, 'name' | 'admission' | 'isInUse'>,
  run: () => void,
): Question {
  return {
    title: t('Sign out of {name}?', { name }),
    text: sentences(
      signOutWords(admission.credential, isInUse ? null : name),
      t('Your other accounts stay signed in, and don’t take over its requests.'),
    ),
    safe: t('Cancel'),
    action: t('Sign out'),
    run,
  };
}

export function removeAccountQuestion(
  { name, labels }: Pick<OwnAccount, 'name' | 'labels'>,
  run: () => void,
): Question {
  return {
    title: t('Remove {name}?', { name }),
    text: sentences(
      t('Its name and its stored tokens are deleted on this machine.'),
      labels.length === 0
        ? ''
        : t('Clients with the label {labels} use the account in use from then on.', { labels: labels.join(', ') }),
      t('Its requests stay in the log. This can’t be undone.'),
    ),
    safe: t('Cancel'),
    action: t('Remove account'),
    run,
  };
}

/** @param count null: it isn't known */
export function deleteHistoryQuestion(count: number | null, run: () => void): Question {
  return {
    title:
      count === null
        ? t('Delete all requests?')
        : t('Delete {count, plural, one {# request} other {# requests}}?', { count }),
    text: t(
      'Pinned requests, recorded bodies and the sums in Usage go too. Sessions stay, and a hash of each accepted prompt, by which repeats are known. This can’t be undone. Charges on GitHub don’t change.',
    ),
    safe: t('Cancel'),
    action: t('Delete history'),
    run,
  };
}

/** Before work is cut off; null if none is. */
export function cutQuestion(work: Work, deed: 'off' | 'port', run: () => void): Question | null {
  const words = cutWords(work, deed);
  return words === null ? null : { title: words.title, text: words.text, safe: t('Cancel'), action: words.now, run };
}

/** What the end of the proxy would cut off. Requests of sessions are among those that run: they are not said twice. */
export function workIn({ app, sessions }: Pick<WindowState, 'app' | 'sessions'>): Work {
  const atWork = [...sessions.values()].filter(isAtWork);
  return { sessions: atWork, requests: atWork.length > 0 ? 0 : (app?.health.running ?? 0) };
}

/** Bodies are recorded only after the person has agreed to it. */
export function askToRecord({ bridge, store }: { bridge: Bridge; store: WindowStore }): void {
  const megabytes = store.getState().preferences?.bodies.megabytes ?? 64;
  ask(store, {
    title: t('Record requests and answers?'),
    text: t(
      'Prompts, code, tool output and answers stay in this machine’s memory, at most {megabytes} MB, until you quit.',
      { megabytes },
    ),
    safe: t('Cancel'),
    action: t('Record bodies'),
    run: () => void switchRecording({ bridge, store }, true),
  });
}

export async function switchRecording(
  { bridge, store }: { bridge: Bridge; store: WindowStore },
  on: boolean,
): Promise<void> {
  try {
    await bridge.record(on);
  } catch (error) {
    toast(store, error instanceof Error ? error.message : String(error));
  }
}
