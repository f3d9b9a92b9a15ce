import { randomUUID } from 'node:crypto';
import type { PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { Exchange } from '../../api/exchange.ts';
import type { RestartReason, Session, TurnProblem, TurnState } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import { AgentError, type AgentExit } from '../agents/agent.ts';
import type { AgentFact } from '../agents/agent-facts.ts';
import type { SessionEdits } from '../edits/session-edits.ts';
import type { SessionDependencies } from '../running/dependencies.ts';
import type { LiveSession, Loader } from '../running/loader.ts';
import type { Control } from '../session/choices.ts';
import { CreditLimit, plain, SessionError, tokenLimit } from '../session/error.ts';
import type { KeptSession } from '../session/kept-session.ts';
import { type Prompt, textOf } from '../session/messages.ts';
import { isUnknownSession } from '../session/problem.ts';
import { SessionStoreError } from '../store/session-database.ts';
import type { Recorder } from '../store/session-record.ts';
import type { SessionStore } from '../store/session-store.ts';
import { countLeft, readCost, type TurnCosts } from './costs.ts';
import { countSideRow } from './side-questions.ts';

export interface TurnEnd {
  state: Exclude<TurnState, 'running'>;
  stopReason: string | null;
  problem: TurnProblem | null;
  usage: PromptResponse['usage'] | null;
}

type WholeMessage = Extract<AgentFact, { kind: 'message' }>;

/** One turn under way: what was shown of it, and how it is stopped. */
export class Turn {
  readonly id: string;
  readonly initiator: 'user' | 'agent';
  /** Settles once the turn is on record as ended. Never rejects. */
  readonly ended: Promise<TurnEnd>;
  readonly #ended = Promise.withResolvers<TurnEnd>();
  readonly #controller = new AbortController();
  readonly #stopped = Promise.withResolvers<never>();
  /** Messages of the conversation of which parts were shown, in their order. */
  readonly #shown = new Set<string>();
  readonly #whole = new Set<string>();
  readonly #void = new Set<string>();
  #last: WholeMessage | null = null;
  /** The agent's own ids of what was said in it. */
  readonly promptIds: string[] = [];
  /** How often a person said words in it: each is one request of theirs, and no more than these are. */
  said = 0;
  /** The agent waits to send a request again; null if it does not. */
  retry: NonNullable<Session['retry']> | null = null;
  /** Something of the agent's came: the prompt was not lost. */
  hasAnswer = false;

  constructor(initiator: 'user' | 'agent', id: string = randomUUID()) {
    this.#stopped.promise.catch(() => undefined);
    this.id = id;
    this.initiator = initiator;
    if (initiator === 'user') this.said = 1;
    this.ended = this.#ended.promise;
  }

  /** Aborted when a person stops the turn. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isStopped(): boolean {
    return this.signal.aborted;
  }

  stop(reason: Error): void {
    this.#controller.abort(reason);
    this.#stopped.reject(reason);
  }

  /** Waits for something shared, and no longer once the turn is stopped: rejects with the reason then. */
  unlessStopped<Made>(shared: Promise<Made>): Promise<Made> {
    return Promise.race([this.#stopped.promise, shared]);
  }

  end(end: TurnEnd): void {
    this.#ended.resolve(end);
  }

  /** The agent's last whole message: where a fork or a way back ends. */
  get lastMessage(): string | null {
    return this.#last?.transcriptId ?? null;
  }

  /** The same, as the updates name it. */
  get lastMessageId(): string | null {
    return this.#last?.messageId ?? null;
  }

  shows(update: SessionUpdate): void {
    this.hasAnswer = true;
    const isPart = update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk';
    if (isPart && typeof update.messageId === 'string') this.#shown.add(update.messageId);
  }

  /**
   * A message is whole. Returns the messages that are void by that: their stream was cut, and this one is the answer in
   * their place.
   */
  completes(message: WholeMessage): string[] {
    if (message.isSubagent) return [];
    this.#whole.add(message.messageId);
    this.#last = message;
    const cut = [...this.#shown].filter(
      (id) => id !== message.messageId && !this.#whole.has(id) && !this.#void.has(id),
    );
    for (const id of cut) this.#void.add(id);
    return cut;
  }
}

export interface Prompting {
  dependencies: Pick<SessionDependencies, 'clock'>;
  loader: Loader;
  control: Control;
  customizations: { readonly isUnused: boolean; reasonsToRestart(): Promise<RestartReason[]> };
  /** What a person took back of them is told the agent with a message, once. */
  edits: Pick<SessionEdits, 'hasUnreported' | 'unreported'>;
}

/** How long an agent may take to stop, in ms; then its process is ended. Copilot's connection is free by 2 s. */
const stopMs = 800;

/** The process of the agent ended in the middle of a turn. */
export class ProcessGone extends Error {
  override readonly name = 'ProcessGone';
  readonly exit: AgentExit;
  constructor(exit: AgentExit, options: { cause: unknown }) {
    super(t('The process of the agent ended.'), options);
    this.exit = exit;
  }
}

/**
 * Sends a turn's message to its agent, whose process it starts where none runs, and waits for the end of the turn.
 * Rejects with `ProcessGone`, with what the agent refused it with, or with the reason of a stop.
 */
export async function promptTurn(given: Prompting, turn: Turn, prompt: Prompt): Promise<PromptResponse> {
  const { loader, control, customizations, edits } = given;
  // Where a terminal has it open, the next load says so.
  const { needsRestart } = control;
  const reasons = needsRestart ? control.restartReasons() : [];
  const isStale = await turn.unlessStopped(loader.isStale());
  const forAdded = customizations.isUnused ? [] : await turn.unlessStopped(customizations.reasonsToRestart());
  if (needsRestart || isStale || forAdded.length > 0 || (await loader.isOpenInTerminal())) void loader.unload();
  control.restartsFor = [...new Set([...reasons, ...forAdded])];
  const { note, reported } = edits.hasUnreported ? undoneEditsNoteFor(prompt, edits) : nothing;
  const said = [...prompt, ...note];
  for (let attempt = 0; ; attempt++) {
    const live = await turn.unlessStopped(loader.load());
    turn.signal.throwIfAborted();
    try {
      const answer = await ask(given, turn, live, said);
      reported();
      return answer;
    } catch (error) {
      // Its process ended while it was idle, which no request reports: nothing was sent.
      if (attempt > 0 || !isUnknownSession(error) || turn.isStopped) throw error;
      void loader.unload();
    }
  }
}

/** Tells the agent to stop, and ends its process if it does not. */
async function ask(
  { dependencies, loader }: Prompting,
  turn: Turn,
  live: LiveSession,
  said: Prompt,
): Promise<PromptResponse> {
  const answered = new AbortController();
  const disobeyed = Promise.withResolvers<never>();
  const obey = async (): Promise<void> => {
    await live.cancel().catch(() => undefined);
    await dependencies.clock.sleep(stopMs, answered.signal);
    await loader.unload();
    disobeyed.reject(turn.signal.reason);
  };
  const stop = (): void => void obey().catch(() => undefined);
  turn.signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([live.prompt(said), disobeyed.promise]);
  } catch (error) {
    if (!(error instanceof AgentError) || error.kind !== 'ended') throw error;
    throw new ProcessGone(error.exit ?? (await live.connection.exited), { cause: error });
  } finally {
    answered.abort();
    turn.signal.removeEventListener('abort', stop);
  }
}

/** What an agent has to learn with the next message. `told` is called once the agent has answered to it. */
interface UndoneEditsNote {
  note: Prompt;
  reported(): void;
}

const nothing: UndoneEditsNote = { note: [], reported: () => undefined };

/**
 * What an agent is told beside a message, once: of which files a person took its edits back, so that it does not build
 * on what is no longer there. A reminder: transcripts keep it, and these are no words of the person's. A command of the
 * agent's own goes out as it is.
 */
export function undoneEditsNoteFor(prompt: Prompt, edits: Pick<SessionEdits, 'unreported'>): UndoneEditsNote {
  if (textOf(prompt).trimStart().startsWith('/')) return nothing;
  const { paths, parts, reported } = edits.unreported();
  const texts: string[] = [];
  if (paths.length > 0)
    texts.push(`The user undid your edits to these files; they are as they were before:${list(paths)}`);
  if (parts.length > 0)
    texts.push(`The user undid a part of your edits to these files; read them again:${list(parts)}`);
  if (texts.length === 0) return nothing;
  return { note: [{ type: 'text', text: `<system-reminder>\n${texts.join('\n')}\n</system-reminder>` }], reported };
}

function list(paths: readonly string[]): string {
  return paths.map((path) => `\n- ${path}`).join('');
}

/** What an agent's answer to a prompt means. */
export function endOf(turn: Turn, { stopReason, usage = null }: PromptResponse): TurnEnd {
  if (turn.isStopped) return stopped(turn, usage);
  if (stopReason === 'end_turn' || stopReason === 'cancelled') {
    // An agent ends a turn so when its plan was refused.
    return { state: 'done', stopReason, problem: null, usage };
  }
  return { state: 'failed', stopReason, problem: earlyEnd(stopReason), usage };
}

function earlyEnd(stopReason: string): TurnProblem {
  if (stopReason === 'refusal')
    return plain('declined', t('The model declined to answer.'), t('Change the message and send it again.'));
  if (stopReason === 'max_tokens') return tokenLimit();
  return plain('stopped-early', t('The turn stopped at a limit of the agent’s own.'), t('Send a message to go on.'));
}

/** A person, a limit of theirs, or the end of Jumpseat stopped it. */
export function stopped({ signal }: Turn, usage: TurnEnd['usage']): TurnEnd {
  const { reason } = signal;
  const why = reason instanceof SessionError ? reason.code : null;
  const stopReason = 'cancelled';
  if (why === 'closed') return { state: 'interrupted', stopReason, problem: null, usage };
  if (!(reason instanceof CreditLimit)) return { state: 'cancelled', stopReason, problem: null, usage };
  const problem = plain('limit', reason.message, reason.remedy, { credits: reason.credits });
  return { state: 'failed', stopReason, problem, usage };
}

interface Writing {
  sessionId: string;
  dependencies: Pick<SessionDependencies, 'store' | 'clock'>;
  kept: KeptSession;
}

/** The turn is on record and its message out of the queue, or neither. */
export function writeBeginning({ sessionId, dependencies, kept }: Writing, turn: Turn, prompt: Prompt | null): void {
  const { store, clock } = dependencies;
  const { id, initiator } = turn;
  store.atOnce(() => {
    // What a person went back before can't come back behind it.
    store.cut.letGo(sessionId);
    kept.keepPastCut(0);
    store.turns.begin({ id, sessionId, prompt, initiator });
    store.queue.remove(id);
    if (initiator === 'user') kept.keep({ sentAt: clock.now() });
  });
}

export function writeEnd(
  { dependencies, kept }: Writing,
  turn: Turn,
  { state, stopReason, problem }: Pick<TurnEnd, 'state' | 'stopReason' | 'problem'>,
): void {
  const { store, clock } = dependencies;
  const endedAt = clock.now();
  store.atOnce(() => {
    const lastMessage = turn.lastMessage === null ? undefined : { lastMessage: turn.lastMessage };
    const known = store.turns.find(turn.id)?.promptIds ?? [];
    const promptIds = [...new Set([...known, ...turn.promptIds])];
    store.turns.change(turn.id, { state, endedAt, stopReason, failure: problem, promptIds, ...lastMessage });
    kept.keep({ endedAt, outcome: state, ...(turn.hasAnswer ? { resumeAt: null } : undefined) });
  });
}

/** Each of a person's words in a turn is one request of theirs: more than that is noted. */
export function noteMoreRequests(given: { costs: TurnCosts; recorder: Recorder }, { id, said }: Turn): void {
  try {
    const { user } = given.costs.of(id);
    if (user > said) given.recorder.add('note', { code: 'more-user-requests', said, user }, id);
  } catch (error) {
    // What it cost can't be read now.
    if (!(error instanceof SessionStoreError)) throw error;
  }
}

/** A request of a subagent may have been begun so long before the process ended, in ms. */
const looksBackMs = 24 * 60 * 60_000;

/**
 * What was under way when the process before this one ended is on record as interrupted, with what it cost, and its
 * questions as denied: nothing goes on by itself, and no old answer is ever given.
 * @param rows of the log, of these sessions since then
 */
export function closeInterrupted(
  store: SessionStore,
  now: number,
  rows: (sessionIds: readonly string[], since: number) => readonly Exchange[],
): void {
  store.atOnce(() => {
    const lastSigns = new Map(
      store.turns.underWay().map(({ id, sessionId, startedAt }) => [id, lastSign(store, sessionId) ?? startedAt]),
    );
    const beside = store.side.underWay();
    const since = Math.min(now - looksBackMs, ...store.turns.underWay().map(({ startedAt }) => startedAt));
    const sessions = new Set([...store.turns.sessionsSince(since), ...beside.map(({ sessionId }) => sessionId)]);
    const left = rows([...sessions], since).filter((row) => countSideRow(store, row) === null);
    for (const { id } of beside) store.side.end(id, { state: 'interrupted', answer: null, problem: null });
    for (const { id, sessionId, cost } of countLeft(store, left)) {
      store.record.append({ sessionId, turnId: id, kind: 'cost', event: readCost(cost) });
    }
    for (const { id, sessionId, turnId, kind } of store.questions.open()) {
      const answer = kind === 'permission' ? { answer: 'deny' } : { answer: 'form', action: 'cancel' };
      store.questions.answer(id, answer);
      store.record.append({ sessionId, turnId, kind: 'answered', event: { id, by: 'stopped', rule: null, answer } });
    }
    for (const { id, sessionId, turnId, prompt } of store.steered.unread().toReversed()) {
      store.queue.add({ id, sessionId, prompt }, 'front');
      store.steered.remove(id);
      store.record.append({ sessionId, turnId, kind: 'steered', event: { id, prompt: null } });
    }
    for (const { id, sessionId } of store.turns.underWay()) {
      const endedAt = lastSigns.get(id) ?? now;
      store.turns.change(id, { state: 'interrupted', endedAt });
      store.sessions.decorate(sessionId, { outcome: 'interrupted', endedAt });
      const event = { state: 'interrupted', stopReason: null, problem: null, usage: null };
      store.record.append({ sessionId, turnId: id, kind: 'turn-ended', event });
    }
  });
}

/** Time of a session's last event: its end came after that. */
function lastSign(store: SessionStore, sessionId: string): number | null {
  return store.record.readLast(sessionId, null, 1).entries.at(-1)?.at ?? null;
}
