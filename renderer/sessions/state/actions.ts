import type { CallArguments, CallResult } from '../../../app/api/calls.ts';
import type { FoundSessions } from '../../../app/api/session-list.ts';
import type { PutBack, Session } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { BridgeError } from '../../bridge/bridge.ts';
import type { SessionsParts } from './sessions-feed.ts';
import { failureOf, type OpenChanges } from './sessions-store.ts';

export type Prompt = CallArguments<'sendMessage'>[0]['prompt'];
type Choices = CallArguments<'chooseForSession'>[0]['choices'];
export type Answer = CallArguments<'answerQuestion'>[0]['answer'];

/**
 * What can be done with sessions. A failure is said with the window's toast; then the answer is null, or false. What
 * waits for an answer of its own place (a draft, a dialog) looks at that.
 */
export function sessionActionsOf({ bridge, tell, feed, store }: SessionsParts) {
  const tried = async <Result>(work: Promise<Result>): Promise<Result | null> => {
    try {
      return await work;
    } catch (error) {
      const { text, remedy } = failureOf(error);
      tell(remedy === '' ? text : `${text} ${remedy}`, 'failed');
      return null;
    }
  };
  /** What is read without being asked for: a session that was deleted meanwhile has nothing to show. */
  const shown = <Result>(work: Promise<Result>): Promise<Result | null> =>
    tried(work.catch((error) => (isCode(error, 'no-session') ? null : Promise.reject(error))));
  const done = async (work: Promise<unknown>): Promise<boolean> => (await tried(work.then(() => true))) ?? false;
  const { neverAsk, showInSession, openSessionWindow, chooseFolder, chooseFiles } = bridge;
  const sends = (id: string): void =>
    store.setState(({ sent }) => ({ sent: new Map(sent).set(id, (sent.get(id) ?? 0) + 1) }));
  return {
    /** Null if it was not begun. */
    create: (given: CallArguments<'newSession'>[0]): Promise<Session | null> => tried(bridge.newSession(given)),
    /** Queues it where a turn runs. The same id again is the same message. */
    send: (session: string, prompt: Prompt, id: string = crypto.randomUUID()) => {
      sends(session);
      return done(bridge.sendMessage({ session, prompt, id }));
    },
    steer: (session: string, prompt: Prompt, id: string = crypto.randomUUID()) => {
      sends(session);
      return done(bridge.steerSession({ session, prompt, id }));
    },
    /** What was steered, as it was written. Null if the agent has read it. */
    takeBackSteering: async (session: string, message: string): Promise<Prompt | null> => {
      const taken = await tried(bridge.takeBackSteering({ session, message }).then((prompt) => ({ prompt })));
      if (taken !== null && taken.prompt === null) tell(t('This message has been read already.'), 'info');
      return taken?.prompt ?? null;
    },
    continueLater: (session: string) => done(bridge.continueLater(session)),
    dontContinue: (session: string) => done(bridge.dontContinue(session)),
    stop: (session: string) => done(bridge.stopSession(session)),
    stopTask: (session: string, task: string) => done(bridge.stopTask({ session, task })),
    compact: (session: string) => done(bridge.compactSession(session)),
    /** Answers whether it is on its way. */
    askBeside: (session: string, question: string) =>
      done(bridge.askSideQuestion({ session, question, id: crypto.randomUUID() })),
    stopSideQuestion: (session: string) => done(bridge.stopSideQuestion(session)),
    /** Null for all of them. */
    closeSideQuestions: (session: string, questions: string[] | null) =>
      done(bridge.closeSideQuestions({ session, questions })),
    writeBeside: (session: string, words: string) =>
      store.setState(({ sideWords }) => ({ sideWords: new Map(sideWords).set(session, words) })),
    /** In the place of changes. */
    showBeside: (session: string) =>
      store.setState(({ beside }) => ({ changes: null, beside: { session, times: (beside?.times ?? 0) + 1 } })),
    hideBeside: () => store.setState({ beside: null }),
    unload: (session: string) => done(bridge.unloadSession(session)),
    changeQueued: (session: string, message: string, prompt: Prompt) =>
      done(bridge.changeQueued({ session, message, prompt })),
    removeQueued: (session: string, message: string) => done(bridge.removeQueued({ session, message })),
    orderQueue: (session: string, messages: string[]) => done(bridge.orderQueue({ session, messages })),
    sendQueued: (session: string) => done(bridge.sendQueued(session)),
    move: (session: string, folder: string) => done(bridge.moveSession({ session, folder })),
    choose: (session: string, choices: Choices) => done(bridge.chooseForSession({ session, choices })),
    /** Null in a browser. */
    neverAsk: neverAsk === null ? null : (session: string) => done(neverAsk(session)),
    /** `late`: the agent had gone on, and nothing was done. */
    answer: async (session: string, question: string, answer: Answer): Promise<'done' | 'late' | 'failed'> => {
      const isTaken = await tried(bridge.answerQuestion({ session, question, answer }));
      if (isTaken === null) return 'failed';
      return isTaken ? 'done' : 'late';
    },
    /** In a further window; from a browser in a further tab. */
    openBeside: (session: string): void => {
      if (openSessionWindow !== null) void done(openSessionWindow(session));
      else window.open(`#/sessions/${encodeURIComponent(session)}`, '_blank', 'noopener');
    },
    rules: (session: string) => tried(bridge.sessionRules(session)),
    takeBackRule: (session: string, rule: string) => done(bridge.takeBackRule({ session, rule })),
    changes: (session: string, turn: string | null) => shown(bridge.sessionChanges({ session, turn })),
    accept: (session: string, turn: string | null, paths: string[] | null, accepted: boolean) =>
      done(bridge.acceptChanges({ session, turn, paths, ...(!accepted && { accepted }) })),
    /** Null where there is nothing to compare with; `not-trusted` where git may not be asked for it. */
    branchChanges: (session: string) => shown(bridge.branchChanges(session)),
    acceptBranchFiles: (given: CallArguments<'acceptBranchFiles'>[0]) => done(bridge.acceptBranchFiles(given)),
    undo: (given: CallArguments<'undoChanges'>[0]): Promise<PutBack[] | null> => tried(bridge.undoChanges(given)),
    redo: (given: CallArguments<'redoChanges'>[0]): Promise<PutBack[] | null> => tried(bridge.redoChanges(given)),
    undoHunk: (given: CallArguments<'undoHunk'>[0]): Promise<PutBack | null> => tried(bridge.undoHunk(given)),
    filesNow: (session: string, turn: string | null) => shown(bridge.filesNow({ session, turn })),
    /** Everything that shows changes of a session asks for them, as after an edit. */
    lookAgain: (session: string) =>
      store.setState(({ edits }) => ({ edits: new Map(edits).set(session, (edits.get(session) ?? 0) + 1) })),
    fileVersions: (session: string, turn: string | null, path: string) =>
      tried(bridge.fileVersions({ session, turn, path })),
    bringBack: (given: CallArguments<'bringBack'>[0]): Promise<PutBack | null> => tried(bridge.bringBack(given)),
    fork: (session: string, turn: string): Promise<Session | null> => tried(bridge.forkSession({ session, turn })),
    /** Forks with everything. `no-answer`: there is nothing yet to fork from. */
    forkEnd: async (session: string): Promise<Session | 'no-answer' | null> => {
      const made = bridge.forkSession({ session, turn: null });
      return tried(
        made.catch((error) => (isCode(error, 'no-answer') ? ('no-answer' as const) : Promise.reject(error))),
      );
    },
    goBack: async (given: CallArguments<'goBack'>[0]): Promise<CallResult<'goBack'> | null> => {
      const back = await tried(bridge.goBack(given));
      if (back !== null) feed.conversations.readAgain(given.session);
      return back;
    },
    /** Brings back what going back cut off; null if it failed. */
    undoGoBack: async (session: string): Promise<CallResult<'undoGoBack'> | null> => {
      const done = await tried(bridge.undoGoBack(session));
      if (done !== null) feed.conversations.readAgain(session);
      return done;
    },
    /** Null for the agent's own name. */
    rename: (session: string, title: string | null) => done(bridge.renameSession({ session, title })),
    pin: (session: string, pinned: boolean) => done(bridge.pinSession({ session, pinned })),
    /** Moves it to the trash of this machine. */
    remove: (session: string) => done(bridge.deleteSession(session)),
    /** What ended until now was seen. */
    saw: (session: string) => done(bridge.sawSession(session)),
    /** Its row still says how its last turn failed, and is red no more. */
    dismissFailure: async (session: string): Promise<void> => {
      // What is made elsewhere has its end from the list.
      if (await done(bridge.dismissFailure(session))) void feed.readList();
    },
    switchCustomization: (session: string, customization: string, on: boolean) =>
      done(bridge.switchCustomization({ session, customization, on })),
    removeCustomization: (session: string, customization: string) =>
      done(bridge.removeCustomization({ session, customization })),
    trustFolder: (folder: string) => done(bridge.trustFolder(folder)),
    /** Trusts a folder that a session runs in, or no longer. Its next message starts it anew, with what counts then. */
    changeTrust: async ({ id, state, tasks }: Session, folder: string, to: 'trusted' | 'not-trusted') => {
      if (!(await done(to === 'trusted' ? bridge.trustFolder(folder) : bridge.distrustFolder(folder)))) return false;
      if (state === 'idle' && tasks.length === 0) await done(bridge.unloadSession(id));
      store.setState(({ trustChanges }) => ({ trustChanges: trustChanges + 1 }));
      return true;
    },
    /** Null in a browser. */
    showFile:
      showInSession === null ? null : (...given: CallArguments<'showInSession'>) => done(showInSession(...given)),
    /** Null in a browser. Answers null if none was chosen. */
    chooseFolder: chooseFolder === null ? null : () => tried(chooseFolder()),
    /** Begins in this folder. Null in a browser, whose own dialog chooses. */
    chooseFiles: chooseFiles === null ? null : (folder: string) => tried(chooseFiles(folder)),
    /** The turns before those that are shown. */
    loadOlder: (session: string) => done(feed.conversations.loadOlder(session)),
    /** What a subagent did; read when its step is opened. */
    loadLane: (session: string, step: string) => done(feed.conversations.loadLane(session, step)),
    /** All of a conversation anew: after a failure, or where another program wrote to it. */
    readAgain: feed.conversations.readAgain,
    showChanges: (session: string, turn: string | null) =>
      store.setState(({ changes }) => ({
        changes: { ...{ session, turn, times: (changes?.times ?? 0) + 1 }, scope: null, files: new Set() },
        beside: null,
      })),
    /** They open so again where another view was shown meanwhile. */
    leaveChanges: (as: Partial<Pick<OpenChanges, 'scope' | 'files'>>) =>
      store.setState(({ changes }) => (changes === null ? {} : { changes: { ...changes, ...as } })),
    hideChanges: () => store.setState({ changes: null }),
    /** Opens the field in which words are looked for in a conversation. */
    find: (sessionId: string) => store.setState({ finding: { sessionId, words: '', at: null } }),
    /** Shows the place of a conversation at which words were found, once it is open. */
    showPlace: (place: FoundSessions['places'][number], words: string) => {
      const { sessionId, at } = place;
      store.setState({ finding: { sessionId, words: wordsAt(place, words), at } });
    },
    stopFinding: (sessionId: string) =>
      store.setState(({ finding }) => (finding?.sessionId === sessionId ? { finding: null } : {})),
    readList: () => void feed.readList(),
    readCosts: () => readCosts({ bridge, store }),
    /** What was known stays where it fails. */
    readEditSums: async (ids: string[]): Promise<void> => {
      const found = await bridge.editSums(ids.slice(0, 200)).catch(() => null);
      if (found === null) return;
      store.setState(({ editSums }) => ({
        editSums: new Map([...editSums, ...found.map((one) => [one.id, one] as const)]),
      }));
    },
    readToday: (since: number) => readToday({ bridge, store }, since),
  };
}

/** What sessions cost. A failure leaves what was known. */
async function readCosts({ bridge, store }: Pick<SessionsParts, 'bridge' | 'store'>): Promise<void> {
  const found = await bridge.sessionCosts().catch(() => null);
  if (found !== null) store.setState({ costs: new Map(found.map((one) => [one.id, one])) });
}

/** What all requests cost since a day began. A failure leaves what was known. */
export async function readToday(
  { bridge, store }: { bridge: Pick<SessionsParts['bridge'], 'totals'>; store: SessionsParts['store'] },
  since: number,
): Promise<void> {
  const at = Date.now();
  try {
    const [cost = null] = (await bridge.totals?.('day', since)) ?? [];
    store.setState({ costOfDay: { since, cost, at, isOld: false } });
  } catch {
    store.setState(({ costOfDay }) => (costOfDay?.since === since ? { costOfDay: { ...costOfDay, isOld: true } } : {}));
  }
}

/** The words in their original form: of several, the first one. */
function wordsAt({ excerpt, marks }: FoundSessions['places'][number], words: string): string {
  const [first] = marks;
  if (first === undefined || excerpt.toLowerCase().includes(words.toLowerCase())) return words;
  return excerpt.slice(...first);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof BridgeError && error.code === code;
}

export type SessionActions = ReturnType<typeof sessionActionsOf>;
