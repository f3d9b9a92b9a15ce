import { randomUUID } from 'node:crypto';
import type { PutBack } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import { type CopyKind, copyTitle } from '../../words/sessions.ts';
import type { SessionEdits } from '../edits/session-edits.ts';
import { type AgentProcess, copyAt } from '../running/agent-process.ts';
import { cancelled, SessionError } from '../session/error.ts';
import type { KeptSession } from '../session/kept-session.ts';
import { type Prompt, readPrompt } from '../session/messages.ts';
import { agentIdOf, type ForkPoint, type SessionRow } from '../store/session-rows.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { TurnRow } from '../store/turn-rows.ts';
import type { HostedSession } from './hosted-session.ts';
import type { PastTurns, ReadPast } from './past-turns.ts';

export interface Rewind {
  /** The message that was cut off, for the person to change. */
  prompt: Prompt;
  files: PutBack[];
  /** The session as it was before. */
  copy: string;
}

/**
 * What stays when a session goes back to before a turn, and what goes: turns of ours, and how many others. Throws where
 * it can't: the first prompt has nothing before it.
 */
function cutOff(past: PastTurns, turnId: string) {
  const { resumeAt, ...cut } = cutBefore(past, turnId);
  if (resumeAt !== null) return { ...cut, resumeAt };
  throw new SessionError('not-possible', t('There is nothing before the first prompt.'), t('Start a new session.'));
}

function cutBefore(past: PastTurns, turnId: string) {
  const found = past.find(turnId);
  const { rows, turns } = past;
  if ('row' in found)
    return {
      turn: found.row,
      resumeAt: past.lastBefore(found.row),
      gone: rows.slice(rows.indexOf(found.row)),
      others: 0,
    };
  const { turn, at } = found;
  const began = turn.startedAt ?? 0;
  const gone = rows.filter(({ startedAt }) => startedAt >= began);
  const ours = gone[0]?.startedAt ?? Number.POSITIVE_INFINITY;
  const others = turns.slice(at).filter(({ startedAt }) => (startedAt ?? 0) < ours).length;
  const last = turns.slice(0, at).findLast(({ lastMessage }) => lastMessage !== null);
  return { turn, resumeAt: last?.lastMessage ?? null, gone, others };
}

/** Takes the edits of these turns back, the last turn first, as far as nothing else changed the files since. */
async function undoTurns(edits: SessionEdits, turns: readonly TurnRow[], outside: readonly string[]) {
  const results: { turn: string; file: PutBack; wasThere: boolean }[] = [];
  for (const { id: turn } of turns.toReversed()) {
    const there = new Set(edits.changes(turn).files.flatMap(({ state, path }) => (state === 'undone' ? [] : [path])));
    for (const file of await edits.putBack('undo', turn, null, { outside })) {
      results.push({ turn, file, wasThere: there.has(file.path) });
    }
  }
  return results;
}

interface GoingBack {
  turnId: string;
  withFiles: boolean;
  outside: readonly string[];
  process: AgentProcess;
  past(): Promise<PastTurns>;
}

/**
 * Cuts a session off before a turn: its record and turns are put aside until the next message, and with that the agent
 * goes on after what is kept. A copy of it as it is now stays in the list. `withFiles`: edits since then are taken back
 * as well, as far as they can.
 */
export async function goBack(
  session: HostedSession,
  store: SessionStore,
  { turnId, withFiles, outside, process, past }: GoingBack,
): Promise<Rewind> {
  const { id, kept, edits } = session;
  refuseUnlessResting(session);
  // A fork is cut off in its own conversation; where there is nothing to cut, none is made.
  cutOff(await past(), turnId);
  await session.copyFirst();
  const { turn, resumeAt, gone, others } = cutOff(await past(), turnId);
  const copied = await copyOf(session, store, process);
  refuseUnlessResting(session);
  await session.unload();
  refuseUnlessResting(session);
  const isBack = store.cut.count(id) + kept.pastCut > 0;
  const before = isBack ? kept.putBack : [];
  const copies = isBack ? kept.backCopies : [];
  const [first] = gone;
  store.atOnce(() => {
    kept.adopt();
    if (first !== undefined) {
      store.record.cutFrom(id, first.id);
      store.cut.add(id, first.number);
    }
    kept.keep({ resumeAt });
    kept.keepPastCut(kept.pastCut + others);
    kept.keepPutBack(before);
    kept.keepBackCopies([...copies, copied]);
  });
  session.changed();
  const undone = withFiles ? await undoTurns(edits, gone, outside) : [];
  const cut = undone
    .filter(({ file, wasThere }) => file.isDone && wasThere)
    .map(({ turn: of, file: { path } }) => ({ turn: of, path, isOutside: outside.includes(path) }));
  // It may have been deleted meanwhile.
  if (store.cut.count(id) + kept.pastCut > 0) kept.keepPutBack([...before, ...cut]);
  const prompt = 'number' in turn ? promptOf(store, turn.id) : readPrompt(turn.prompt);
  return { prompt, files: undone.map(({ file }) => file), copy: copied };
}

/** What came back. `copies`: those of before that hold nothing else, so that nobody needs them. */
export type WayForward = Pick<Rewind, 'prompt' | 'files'> & { copies: string[] };

/**
 * Brings back what was cut off, and makes the edits again that were taken back with it, as far as nothing else changed
 * the files since. Throws where nothing was cut off, or a message was sent since.
 */
export async function undoGoBack(
  session: HostedSession,
  store: SessionStore,
  past: () => Promise<PastTurns>,
  pastOf: ReadPast,
): Promise<WayForward> {
  const { id, kept, edits } = session;
  refuseUnlessResting(session);
  if (store.cut.count(id) + kept.pastCut === 0) {
    throw new SessionError(
      'not-possible',
      t('There is nothing to bring back.'),
      t('The copy in the list has the whole conversation.'),
    );
  }
  const others = kept.pastCut === 0 ? [] : await past().then(({ all, turns }) => all.slice(turns.length));
  const copies: string[] = [];
  for (const copy of kept.backCopies) if (await isUntouched(store, copy, pastOf)) copies.push(copy);
  // A process that was started meanwhile goes on from the cut.
  await session.unload();
  refuseUnlessResting(session);
  const cut = kept.putBack;
  const prompt = others[0] === undefined ? promptOf(store, store.cut.first(id)) : readPrompt(others[0].prompt);
  store.atOnce(() => {
    store.cut.putBack(id);
    kept.keep({ resumeAt: null });
    kept.keepPastCut(0);
    kept.keepPutBack([]);
    kept.keepBackCopies([]);
  });
  session.changed();
  const files: PutBack[] = [];
  for (const turn of new Set(cut.toReversed().map((edit) => edit.turn))) {
    const ofTurn = cut.filter((edit) => edit.turn === turn);
    // Who agreed to have them put back gets what they were before that.
    const outside = ofTurn.filter(({ isOutside }) => isOutside).map(({ path }) => path);
    const paths = ofTurn.map(({ path }) => path);
    files.push(...(await edits.putBack('redo', turn, paths, { outside })));
  }
  return { prompt, files, copies };
}

/** Nothing was sent in a copy since it was made, neither here nor by another program, and none was made of it. */
async function isUntouched(store: SessionStore, copy: string, pastOf: ReadPast): Promise<boolean> {
  const row = store.sessions.find(copy);
  if (row === null || row.sentAt !== null || store.turns.of(copy).length > 0) return false;
  if (store.sessions.all().some(({ parent }) => parent === copy)) return false;
  const turns = (await pastOf(agentIdOf(row) ?? copy)) ?? [];
  return turns.every(({ startedAt }) => (startedAt ?? 0) <= row.createdAt);
}

/** A session of its own with all that this one has now. Returns its id. */
async function copyOf({ id, kept }: HostedSession, store: SessionStore, process: AgentProcess): Promise<string> {
  const made = await copyAt(process, { agentSessionId: kept.agentSessionId ?? id, last: kept.resumeAt }, kept.cwd);
  return keepCopy(store, kept, made, 'before going back', { agentSessionId: made }).id;
}

/** Puts a copy of a session on disk, with what it was chosen to run with. */
export function keepCopy(
  store: SessionStore,
  kept: KeptSession,
  id: string,
  what: CopyKind,
  options: { forkOf: ForkPoint } | { agentSessionId: string },
): SessionRow {
  const { agent, cwd, lastingChoices, name } = kept;
  const { model, effort, mode, directories, pluginsOff } = lastingChoices;
  const taken = new Set(store.sessions.all().flatMap(({ title }) => title ?? []));
  store.customizations.copy(kept.id, id, randomUUID);
  return store.sessions.decorate(id, {
    ...{ agent, cwd, title: copyTitle(name ?? 'Session', what, taken), parent: kept.id, hosted: true },
    ...{ model, effort, mode, directories: [...directories] },
    options: { ...options, pluginsOff: [...pluginsOff] },
  });
}

/** Prompt of a hosted turn, for the person to edit, without images that are no longer stored. */
function promptOf(store: SessionStore, turnId: string | null): Prompt {
  const prompt = readPrompt(turnId === null ? null : store.turns.promptOf(turnId));
  return prompt.filter(({ type, data }) => type !== 'image' || data !== '');
}

function refuseUnlessResting({ turns, side, isDisposed }: HostedSession): void {
  if (isDisposed) throw cancelled(t('The session was closed.'));
  if (turns.current !== null)
    throw new SessionError('turn-running', t('A turn of this session runs.'), t('Stop it first.'));
  if (side.isRunning)
    throw new SessionError('turn-running', t('A side question is being answered.'), t('Stop it first.'));
}
