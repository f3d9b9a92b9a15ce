import { setImmediate } from 'node:timers/promises';
import type { AnswersTo } from '../api/app.ts';
import type { sessionListCalls } from '../api/calls/sessions.ts';
import { sumOfCosts } from '../api/figures.ts';
import type { ListedSession, SessionCost, SessionEditSum, SessionHolder, TranscriptPage } from '../api/session-list.ts';
import type { TurnCost } from '../api/sessions.ts';
import { processMemory } from './agents/agent-processes.ts';
import { openSessions } from './agents/claude/open-sessions.ts';
import { asOneStep, byPath, countLines, stepsOf } from './edits/three-way.ts';
import { listedSessions, surroundingOf } from './listed-session.ts';
import type { SessionFiles } from './session-files.ts';
import type { SessionListWatch } from './session-list-watch.ts';
import type { FileEdit } from './store/file-edits.ts';
import { agentIdOf } from './store/session-rows.ts';
import type { SessionStore } from './store/session-store.ts';
import { type TranscriptTurn, underWay } from './transcripts/transcript-turns.ts';
import type { TranscriptEntry } from './transcripts/transcripts.ts';
import { readCost } from './turns/costs.ts';

/** Words are looked for letter by letter: the sessions are listed anew for them no oftener, in ms. */
const newMs = 3_000;

/** Answers from transcripts and stored rows; the running sessions' host reports what runs now. */
export function sessionListAnswers(
  files: SessionFiles,
  watch: Pick<SessionListWatch, 'follow' | 'open'>,
  given: {
    isSearchOn(): boolean;
    clientCosts(): Promise<ClientCost[]>;
    promptCosts(session: string): Promise<PromptCost[]>;
  },
): AnswersTo<typeof sessionListCalls> {
  let known: { sessions: ListedSession[]; entries: TranscriptEntry[]; at: number } | null = null;
  const sums = new EditSums(() => files.store);
  const list = async () => {
    await watch.follow();
    const [{ entries, problem }, open] = await Promise.all([files.transcripts.list(), watch.open()]);
    const rows = files.store.sessions.all();
    const around = await surroundingOf(
      files,
      open,
      [...entries, ...rows].map(({ cwd }) => cwd),
    );
    const sessions = listedSessions(entries, rows, around);
    known = { sessions, entries, at: performance.now() };
    if (given.isSearchOn()) void files.search.build(entries, files.ending);
    else files.search.forget();
    return { sessions, entries, problem };
  };
  const subagent = async (id: string, agentId: string) => {
    const entry = await files.transcriptOf(id);
    return entry === null ? null : files.history.ofSubagent(entry.path, agentId);
  };
  const holderOf = async (id: string) =>
    (await openSessions(files.claudeFolder)).get(agentIdOf(files.store.sessions.find(id)) ?? id);
  return {
    sessionList: async () => {
      const { sessions, problem } = await list();
      return { sessions, problem };
    },
    sessionCosts: async () => {
      const { sessions, turns, side } = files.store;
      const sent = await given.clientCosts();
      const beside = side.costs().map(({ session, cost }) => ({ session, cost: readCost(cost) }));
      return sessionCosts(sessions.names(), sent, [...(await turns.costs()), ...beside]);
    },
    editSums: (ids) => sums.of(ids),
    findSessions: async (words) => {
      // What was said since the list was asked for is to be found as well.
      const isNew = known !== null && performance.now() - known.at < newMs;
      const { sessions, entries } = known !== null && isNew ? known : await list();
      const { places, searched, isComplete } = files.search.search(words, entries);
      return {
        titles: sessions.filter((session) => has(session, words)).map(({ id }) => id),
        places,
        searched,
        isComplete,
      };
    },
    transcript: async ({ id, agentId, before, limit }) => {
      const read = agentId === null ? await files.historyOf(id) : await subagent(id, agentId);
      if (read === null) return null;
      const { turns, unreadable } = read;
      const end = Math.min(before ?? turns.length, turns.length);
      const from = Math.max(0, end - limit);
      const timed = await files.withTimes(turns.slice(from, end), id);
      const holder = agentId === null && end === turns.length ? await holderOf(id) : undefined;
      const { sessions } = files.store;
      // A conversation can be read where its costs can't.
      const sent = agentId === null ? given.promptCosts(agentIdOf(sessions.find(id)) ?? id).catch(() => []) : [];
      const isLed = (client: string): boolean => sessions.find(client)?.hosted === true;
      return {
        turns: goingOn(withPromptCosts(timed, await sent, isLed), holder),
        from,
        unreadable,
        undone: undoneEdits(files.store, id),
        answered: withOrigins(files.store, id).flatMap((at) => files.store.record.answers(at)),
      };
    },
    sessionProcess: async (id) => {
      const found = await holderOf(id);
      return found === undefined ? null : { pid: found.pid, memory: await processMemory(found.pid) };
    },
    subagents: async (id) => {
      const entry = await files.transcriptOf(id);
      return entry === null ? [] : files.history.subagents(entry.path);
    },
  };
}

type ReadTurn = TranscriptTurn & Pick<TranscriptPage['turns'][number], 'cost'>;

/** The last turn has no end where a terminal is at it: what it waits for was neither refused nor stopped. */
function goingOn(turns: readonly ReadTurn[], holder: SessionHolder | undefined): TranscriptPage['turns'] {
  const [last, state] = [turns.at(-1), holder?.state];
  if (last?.isOpen !== true || (state !== 'works' && state !== 'waits')) return [...turns];
  return [...turns.slice(0, -1), { ...underWay(last), state: state === 'waits' ? 'waiting' : 'running' }];
}

/** The session, and those that it was copied from: a copy has their steps, and neither edits nor answers of its own. */
function withOrigins({ sessions }: SessionFiles['store'], id: string): string[] {
  const found = new Set<string>();
  for (let at: string | null = id; at !== null && !found.has(at); at = sessions.find(at)?.parent ?? null) found.add(at);
  return [...found];
}

function undoneEdits(store: SessionFiles['store'], id: string): TranscriptPage['undone'] {
  return withOrigins(store, id)
    .flatMap((at) => store.edits.of(at))
    .flatMap(({ toolCallId, path, state }) =>
      state === 'undone' && toolCallId !== null ? [{ toolCallId, path }] : [],
    );
}

/** All words, each anywhere in what the list shows of a session. */
function has(session: ListedSession, words: string): boolean {
  const { id, title, agentTitle, firstPrompt, cwd, branch } = session;
  const shown = [id, title, agentTitle, firstPrompt, cwd, branch].join('\n').toLowerCase();
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return wanted.length > 0 && wanted.every((word) => shown.includes(word));
}

/** What one client's requests of one conversation cost, as the log has it. */
interface ClientCost {
  client: string;
  /** The client's name for its conversation. */
  session: string | null;
  cost: TurnCost;
}

/** What one client's requests of one prompt cost, those of each subagent by themselves. */
interface PromptCost {
  client: string;
  prompt: string;
  agentId: string | null;
  cost: TurnCost;
}

/**
 * Turns of a transcript with what their requests cost. Those of turns that are led here carry the key of their session:
 * their rows tell their cost.
 *
 * @param isLed whether a client is such a session
 */
function withPromptCosts<Turn extends { promptIds: readonly string[] }>(
  turns: readonly Turn[],
  sent: readonly PromptCost[],
  isLed: (client: string) => boolean,
): (Turn & Pick<TranscriptPage['turns'][number], 'cost'>)[] {
  const elsewhere = sent.filter(({ client }) => !isLed(client));
  return turns.map((turn) => ({
    ...turn,
    cost: costOfTurn(elsewhere.filter(({ prompt }) => turn.promptIds.includes(prompt))),
  }));
}

function costOfTurn(sent: readonly PromptCost[]): TurnCost | null {
  const [first, ...others] = sent.map(({ cost }) => cost);
  if (first === undefined) return null;
  const agents: Record<string, number> = {};
  for (const { agentId, cost } of sent) {
    if (agentId !== null) agents[agentId] = (agents[agentId] ?? 0) + cost.nanoAiu;
  }
  return { ...others.reduce(sumOfCosts, first), ...(Object.keys(agents).length === 0 ? {} : { agents }) };
}

/**
 * What each session cost. A request belongs to the session whose key it came with, else to the one that its client
 * names.
 *
 * @param turns what the turns of sessions that are led here cost, also those that the log has forgotten
 */
export function sessionCosts(
  rows: readonly { id: string; hosted: boolean; agentSessionId: string }[],
  sent: readonly ClientCost[],
  turns: readonly { session: string; cost: TurnCost }[],
): SessionCost[] {
  const led = new Set(rows.flatMap(({ id, hosted }) => (hosted ? [id] : [])));
  const byAgent = new Map(rows.map(({ id, agentSessionId }) => [agentSessionId, id]));
  const sums = new Map<string, { cost: TurnCost; elsewhere: TurnCost | null }>();
  const add = (id: string, cost: TurnCost, isElsewhere: boolean): void => {
    const before = sums.get(id) ?? null;
    const elsewhere = before?.elsewhere ?? null;
    sums.set(id, {
      cost: before === null ? cost : sumOfCosts(before.cost, cost),
      elsewhere: !isElsewhere ? elsewhere : elsewhere === null ? cost : sumOfCosts(elsewhere, cost),
    });
  };
  for (const { client, session, cost } of sent) {
    if (!led.has(client) && session !== null) add(byAgent.get(session) ?? session, cost, true);
  }
  for (const { session, cost } of turns) add(session, cost, false);
  return [...sums].flatMap(([id, sum]) => (sum.cost.user + sum.cost.agent === 0 ? [] : [{ id, ...sum }]));
}

/** A longer comparison is left out of the sums, in ms: the list waits for it. */
const comparingMs = 200;
/** Sums of more sessions are forgotten, the longest unused first. */
const mostKept = 1_000;

/** How much the edits of sessions changed, for the list. Edits that were undone don't count. */
export class EditSums {
  readonly #store: () => Pick<SessionStore, 'edits'>;
  readonly #known = new Map<string, { of: string; sum: SessionEditSum }>();

  /** @param store opens the file of sessions; a command that asks for no session has none */
  constructor(store: () => Pick<SessionStore, 'edits'>) {
    this.#store = store;
  }

  async of(ids: readonly string[]): Promise<SessionEditSum[]> {
    const sums: SessionEditSum[] = [];
    for (const id of ids) sums.push(await this.#sum(id));
    return sums;
  }

  async #sum(id: string): Promise<SessionEditSum> {
    const edits = this.#store()
      .edits.of(id)
      .filter(({ state }) => state !== 'undone');
    const of = edits.map(({ id: edit, state }) => `${edit} ${state}`).join('\n');
    const known = this.#known.get(id);
    this.#known.delete(id);
    if (known?.of === of) {
      this.#known.set(id, known);
      return known.sum;
    }
    const sum = { id, files: 0, added: 0, removed: 0 };
    for (const ofFile of byPath(edits).values()) {
      const counts = this.#count(ofFile);
      sum.files += 1;
      sum.added += counts.added;
      sum.removed += counts.removed;
      // Requests go on between two files.
      await setImmediate();
    }
    this.#known.set(id, { of, sum });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= mostKept) break;
      this.#known.delete(oldest);
    }
    return sum;
  }

  #count(edits: readonly FileEdit[]): { added: number; removed: number } {
    const steps = stepsOf(this.#store(), edits);
    if (steps === null) return { added: 0, removed: 0 };
    const from = (asOneStep(steps) ?? steps[0])?.from ?? null;
    return countLines(from, steps.at(-1)?.to ?? null, comparingMs);
  }
}
