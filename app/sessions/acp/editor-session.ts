import { type PromptResponse, RequestError } from '@agentclientprotocol/sdk/unstable';
import { z } from 'zod';
import { endedTurnSchema, type Session, type SessionEvent } from '../../api/sessions.ts';
import type { Log } from '../../ports.ts';
import { retryWords } from '../../words/sessions.ts';
import type { HostedSession } from '../host/hosted-session.ts';
import type { Answer } from '../questions/questions.ts';
import { isCancelled } from '../session/error.ts';
import type { Prompt } from '../session/messages.ts';
import type { RecordEntry } from '../store/session-record.ts';
import type { TranscriptTurn } from '../transcripts/transcript-turns.ts';
import type { EditorOptions } from './editor-options.ts';
import { ReportedWords, replayOf, replayOfRecord, saidIn, turnsBefore, withoutVoid } from './replay.ts';

const updateSchema = z.object({ child: z.string().nullable(), update: z.looseObject({ sessionUpdate: z.string() }) });
const startedSchema = z.object({ prompt: z.array(z.looseObject({ type: z.string() })).nullable() });
const questionSchema = z.object({
  id: z.string(),
  kind: z.enum(['permission', 'form']),
  child: z.string().nullable(),
  request: z.looseObject({
    options: z.array(z.looseObject({ optionId: z.string(), kind: z.string() })).exactOptional(),
  }),
});
type Question = z.infer<typeof questionSchema>;
const permissionSchema = z.object({
  outcome: z.discriminatedUnion('outcome', [
    z.looseObject({ outcome: z.literal('selected'), optionId: z.string() }),
    z.looseObject({ outcome: z.literal('cancelled') }),
  ]),
});
const fieldSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const formSchema = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), fieldSchema).nullish(),
});
const answeredSchema = z.object({ id: z.string().nullable() });

/** Waits while the past is read. */
const ofPast: ReadonlySet<string> = new Set(['update', 'void', 'turn-started', 'question']);
const ofChoices: ReadonlySet<string> = new Set(['config_option_update', 'current_mode_update']);
/** A credit is 0.01 USD. */
const nanoAiuPerDollar = 100e9;

const stopReasons = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'] as const;

/** The other end of the connection. What passes through us unknown stays as it is, so nothing here is typed further. */
export interface Editor {
  request(method: string, params: unknown, options?: { cancellationSignal?: AbortSignal }): Promise<unknown>;
  notify(method: string, params: unknown): Promise<void>;
}

/** What an editor said that it can do. */
export interface EditorAbilities {
  forms: boolean;
  subagents: boolean;
  /** Short words to a person, beside the conversation. */
  notices: boolean;
}

interface EditorSessionDependencies {
  editor: Editor;
  session: HostedSession;
  abilities: EditorAbilities;
  options(): Promise<EditorOptions>;
  log: Log;
}

/** What was said in a session before an editor opened it. */
export interface PastOfSession {
  /** Turns in its transcript; null if there is none. */
  history(id: string): Promise<readonly TranscriptTurn[] | null>;
  /** What our own record has of it. */
  recorded(id: string): readonly RecordEntry[];
  /** The same of one turn. */
  recordedTurn(id: string, turnId: string): readonly RecordEntry[];
}

/** One session for one editor: reports what happens, and asks what a person has to answer. */
export class EditorSession {
  readonly session: HostedSession;
  readonly #given: EditorSessionDependencies;
  /** Turns that this editor began: their prompts are not sent back to it. */
  readonly #own = new Map<string, PromiseWithResolvers<PromptResponse>>();
  readonly #questions = new Map<string, AbortController>();
  #last: Promise<unknown> = Promise.resolve();
  /** Events during the reading of the past, reported afterwards. Null if no past is read. */
  #held: SessionEvent[] | null = null;
  #isEnded = false;
  readonly #words = new ReportedWords();
  #reportedRetry: number | null = null;
  /** A choice is put on record when it is asked for and again when it is in force. */
  readonly #reportedChoices = new Map<string, string>();

  constructor(given: EditorSessionDependencies) {
    this.#given = given;
    this.session = given.session;
  }

  /** Settles when the turn is over. */
  async prompt(prompt: Prompt, turnId: string): Promise<PromptResponse> {
    const ended = Promise.withResolvers<PromptResponse>();
    // It may fail before it is awaited.
    ended.promise.catch(() => undefined);
    this.#own.set(turnId, ended);
    try {
      await this.session.send(prompt, turnId);
      return await ended.promise;
    } catch (error) {
      // Stopped while its first message was still starting it.
      if (!isCancelled(error)) throw error;
      return { stopReason: 'cancelled' };
    } finally {
      this.#own.delete(turnId);
    }
  }

  /** Sends an update to the editor after all earlier ones. */
  tell(update: unknown, sessionId = this.session.id): void {
    this.#inTurn(() => this.#given.editor.notify('session/update', { sessionId, update }));
  }

  /** Resolves when everything was sent to the editor. */
  async reported(): Promise<void> {
    await this.#last;
  }

  /**
   * Tells what was said, also of the turn under way, whose transcript ends in the middle: that turn is told from the
   * record.
   */
  async tellPast({ history, recorded, recordedTurn }: PastOfSession): Promise<void> {
    const { id, turns } = this.session;
    const before = turns.current;
    const held = this.#held ?? [];
    this.#held = held;
    try {
      const reported = await history(id);
      // Nothing happens from here to the end of the record that is read.
      const during = [before?.id, ...held.map(({ turnId }) => turnId), turns.current?.id];
      const live = [...new Set(during)].flatMap((turnId) => (turnId == null ? [] : recordedTurn(id, turnId)));
      const ofLive = new Set(live.map(({ turnId }) => turnId));
      const earlier =
        reported === null
          ? replayOfRecord(recorded(id).filter(({ turnId }) => !ofLive.has(turnId)))
          : replayOf(turnsBefore(reported, live));
      held.length = 0;
      for (const update of earlier) this.tell(update);
      for (const entry of withoutVoid(live)) this.#again(entry);
    } finally {
      this.#held = null;
      for (const entry of held) this.event(entry);
    }
    await this.reported();
  }

  #again(entry: RecordEntry): void {
    if (entry.kind === 'update') this.#update(entry.event);
    else if (entry.kind === 'turn-started' || entry.kind === 'steered') {
      for (const update of saidIn(entry)) this.tell(update);
    }
  }

  /** Asks what was asked before this editor came, or what it failed to ask. */
  askOpen(): void {
    if (this.#isEnded) return;
    this.sees(this.session.view());
    for (const { id, kind, child, request, turnId } of this.session.questions.open.values()) {
      if (!this.#questions.has(id)) this.#question({ id, kind, child, request }, turnId);
    }
  }

  /** Tells the editor once of each wait for Copilot, where it has a place for that beside the conversation. */
  sees(session: Pick<Session, 'retry'>): void {
    const at = session.retry?.at ?? null;
    const title = at === this.#reportedRetry ? null : retryWords(session, true);
    this.#reportedRetry = at;
    if (title !== null && this.#given.abilities.notices && !this.#isEnded) {
      this.tell({ sessionUpdate: 'notice', severity: 'warning', title });
    }
  }

  event(entry: SessionEvent): void {
    if (this.#isEnded) return;
    const { kind, event, turnId } = entry;
    if (this.#held !== null && ofPast.has(kind)) this.#held.push(entry);
    else if (kind === 'update') this.#update(event);
    else if (kind === 'void') this.#words.voids(event);
    else if (kind === 'turn-started') this.#turnStarted(event, turnId);
    else if (kind === 'turn-ended') this.#turnEnded(event, turnId);
    else if (kind === 'question') this.#question(event, turnId);
    else if (kind === 'answered') this.#answered(event);
    else if (kind === 'applied') this.#applied();
  }

  /** A person began what is under way elsewhere. */
  get isLedElsewhere(): boolean {
    const turn = this.session.turns.current;
    if (turn !== null) return turn.initiator === 'user' && !this.#own.has(turn.id);
    return this.#own.size === 0 && this.session.view().state === 'starting';
  }

  /** True if this editor began what is under way. */
  get isOwnRunning(): boolean {
    const { current } = this.session.turns;
    return current !== null && this.#own.has(current.id);
  }

  /** Takes what this editor sent, and what still waits, out of the queue. False: nothing of it waits. */
  takeBack(): boolean {
    let isTaken = false;
    for (const [turnId, ended] of this.#own) {
      if (!this.session.turns.queue.remove(turnId)) continue;
      isTaken = true;
      ended.resolve({ stopReason: 'cancelled' });
    }
    return isTaken;
  }

  /** The editor has left, or closed it: nothing is answered by that. */
  end(): void {
    this.#isEnded = true;
    for (const asking of this.#questions.values()) asking.abort();
    for (const ended of this.#own.values()) ended.resolve({ stopReason: 'cancelled' });
  }

  #update(event: unknown): void {
    const { data } = updateSchema.safeParse(event);
    if (data === undefined) return;
    const { child, update } = data;
    // The agent has other lists than ours. What is in force is told from there.
    if (child === null && ofChoices.has(update.sessionUpdate)) return;
    // Unknown kinds pass as they are: what they mean is between agent and editor.
    const rest = child === null ? this.#words.rest(update) : null;
    if (rest !== null) this.tell(this.#asOurs(rest));
    else if (child !== null && this.#given.abilities.subagents) this.tell(update, child);
  }

  #asOurs(update: z.infer<typeof updateSchema>['update']): unknown {
    if (update.sessionUpdate === 'usage_update') return this.#withOurCost(update);
    // The agent has a name of its own for a copy.
    const title = this.session.kept.lastingTitle;
    return update.sessionUpdate === 'session_info_update' && 'title' in update && title !== null
      ? { ...update, title }
      : update;
  }

  /** What Copilot reported in place of the agent's estimate; nothing where that isn't known. */
  #withOurCost({ cost: _estimate, ...update }: Record<string, unknown>): Record<string, unknown> {
    const { nanoAiu, isPartlyUnknown, running } = this.session.costs.total();
    if (nanoAiu === 0 || isPartlyUnknown || running > 0) return update;
    return { ...update, cost: { amount: nanoAiu / nanoAiuPerDollar, currency: 'USD' } };
  }

  #turnStarted(event: unknown, turnId: string | null): void {
    if (turnId === null || this.#own.has(turnId)) return;
    for (const content of startedSchema.safeParse(event).data?.prompt ?? []) {
      this.tell({ sessionUpdate: 'user_message_chunk', content, messageId: turnId });
    }
  }

  #turnEnded(event: unknown, turnId: string | null): void {
    const ended = turnId === null ? undefined : this.#own.get(turnId);
    const { data } = endedTurnSchema.safeParse(event);
    if (ended === undefined || data === undefined) return;
    const { state, stopReason, problem } = data;
    this.#inTurn(async () => {
      if (state === 'cancelled') ended.resolve({ stopReason: 'cancelled' });
      else if (problem !== null) ended.reject(new RequestError(-32603, `${problem.text} ${problem.remedy}`, problem));
      else ended.resolve({ stopReason: stopReasons.find((reason) => reason === stopReason) ?? 'end_turn' });
    });
  }

  #question(event: unknown, turnId: string | null): void {
    const { data } = questionSchema.safeParse(event);
    if (data === undefined) return;
    const asking = new AbortController();
    this.#questions.set(data.id, asking);
    void this.#ask(data, turnId, asking.signal)
      .then(async (answer) => {
        if (answer !== null && !asking.signal.aborted) await this.session.answer(data.id, answer);
      })
      .catch((error) => {
        const why = error instanceof Error ? error.message : String(error);
        if (!asking.signal.aborted) this.#given.log.write('warn', 'editor-not-asked', { why });
      })
      .finally(() => this.#questions.delete(data.id));
  }

  /** Null if this editor can't ask; another front may. */
  async #ask(question: Question, turnId: string | null, cancellationSignal: AbortSignal): Promise<Answer | null> {
    const { kind, child, request } = question;
    const { editor, abilities } = this.#given;
    const asked = { ...request, sessionId: child !== null && abilities.subagents ? child : this.session.id };
    await this.reported();
    if (kind === 'permission') {
      const answer = await editor.request('session/request_permission', asked, { cancellationSignal });
      return permissionAnswer(question, permissionSchema.parse(answer));
    }
    if (!abilities.forms) {
      const isOwn = turnId !== null && this.#own.has(turnId);
      return isOwn ? { answer: 'form', action: 'decline' } : null;
    }
    const answer = await editor.request('elicitation/create', asked, { cancellationSignal });
    const { action, content } = formSchema.parse(answer);
    return action === 'accept' ? { answer: 'form', action, content: content ?? {} } : { answer: 'form', action };
  }

  /** Called when it was answered in another front, or withdrawn. */
  #answered(event: unknown): void {
    const id = answeredSchema.safeParse(event).data?.id ?? null;
    if (id !== null) this.#questions.get(id)?.abort();
  }

  #applied(): void {
    this.#inTurn(async () => {
      const { modes, configOptions } = await this.#given.options();
      const all = [
        { sessionUpdate: 'config_option_update', configOptions },
        ...(modes === null ? [] : [{ sessionUpdate: 'current_mode_update', currentModeId: modes.currentModeId }]),
      ];
      for (const update of all) {
        const reported = JSON.stringify(update);
        if (reported === this.#reportedChoices.get(update.sessionUpdate)) continue;
        this.#reportedChoices.set(update.sessionUpdate, reported);
        await this.#given.editor.notify('session/update', { sessionId: this.session.id, update });
      }
    });
  }

  #inTurn(work: () => Promise<void>): void {
    this.#last = this.#last.then(work).catch((error) => {
      const why = error instanceof Error ? error.message : String(error);
      if (!this.#isEnded) this.#given.log.write('debug', 'editor-not-informed', { why });
    });
  }
}

/** An editor that closed its question without an answer has not allowed anything. */
function permissionAnswer({ request }: Question, { outcome }: z.infer<typeof permissionSchema>): Answer {
  if (outcome.outcome !== 'selected') return { answer: 'deny' };
  const option = request.options?.find(({ optionId }) => optionId === outcome.optionId);
  if (option === undefined || option.kind.startsWith('reject')) return { answer: 'deny' };
  return { answer: 'allow', optionId: option.optionId };
}
