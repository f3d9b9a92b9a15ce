import type { IpcMain } from 'electron';
import { type Answering, answerCall, type CallAnswer, type Problem, type Words } from '../../app/api/call.ts';
import type { WindowEvent } from '../../app/api/events.ts';
import { english, inLanguage, type Language } from '../../app/language/language.ts';
import { languageOfPage } from '../../app/language/languages.ts';
import { sentenceIn } from '../../app/language/remembered.ts';
import { t } from '../../app/language/translate.ts';
import type { Log } from '../../app/ports.ts';
import { eventInWords } from '../../app/server/event-words.ts';
import { callChannel } from '../../preload/calls.ts';
import { isOurs } from './pages.ts';

interface Frame {
  readonly url: string;
}

/** What of Electron's event says who asks. */
export interface CallEvent {
  readonly senderFrame: Frame | null;
  readonly sender: { readonly mainFrame: Frame };
}

/**
 * Whether a call came from our own page in the main frame of its window. The frame is null when it was navigated away
 * or destroyed since it asked; a frame inside the page may not ask.
 */
export function mayAsk({ senderFrame, sender }: CallEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOurs(senderFrame.url);
}

/** Answers the window's calls from now on. Call once. */
export function answerWindow(ipc: Pick<IpcMain, 'handle'>, answering: Answering, log: Log): void {
  for (const [name, { from }] of Object.entries(answering.table)) {
    if (from === 'dashboard') continue;
    ipc.handle(callChannel(name), (event: CallEvent, given: unknown, tag: unknown) =>
      answer(answering, name, event, { given, tag }, log),
    );
  }
}

/** What each window's page shows, as its last call said. */
const languages = new WeakMap<object, Language>();

/** An event with its sentences in the language that this window's page shows. */
export function eventFor(window: object, event: WindowEvent): WindowEvent {
  const words = wordsOf(languages.get(window) ?? english);
  return words === null ? event : eventInWords(event, words);
}

function wordsOf(language: Language): Words | null {
  return language === english ? null : (sentence) => sentenceIn(language, sentence);
}

/**
 * One call from a page: who asks is looked at first, then what it holds, then what goes back. Never rejects, so that no
 * stack and no text that was not meant for a person crosses.
 * @param asked the arguments, and the language that the page shows
 */
async function answer(
  answering: Answering,
  name: string,
  event: CallEvent,
  { given, tag }: { given: unknown; tag: unknown },
  log: Log,
): Promise<CallAnswer<unknown>> {
  if (!mayAsk(event)) {
    log.write('error', 'ipc.stranger', { call: name, from: event.senderFrame?.url ?? null });
    return refused({
      code: 'not-our-window',
      text: t('Only Jumpseat’s own window may ask that.'),
      remedy: t('Open Jumpseat.'),
    });
  }
  const language = await languageOfPage(tag);
  languages.set(event.sender, language);
  const words = wordsOf(language);
  try {
    const answered = await answerCall(words === null ? answering : { ...answering, words }, name, given);
    if (answered.ok || answered.problem !== 'bad-call') return answered;
    log.write('warn', 'ipc.bad-call', { call: name });
    return inLanguage(language, () =>
      refused({
        code: 'bad-call',
        text: t('The window asked for “{name}” wrongly.', { name }),
        remedy: t('Start Jumpseat again.'),
      }),
    );
  } catch (error) {
    log.write('error', 'ipc.call-failed', { call: name, error });
    return inLanguage(language, () =>
      refused({
        code: 'fault',
        text: t('That failed because of a fault in Jumpseat.'),
        remedy: t('Try again. The log file has the details.'),
      }),
    );
  }
}

function refused(problem: Problem): CallAnswer<never> {
  return { ok: false, problem };
}
