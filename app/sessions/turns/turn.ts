import { randomUUID } from 'node:crypto';
import type { PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import type { Session, TurnProblem, TurnState } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import type { AgentFact } from '../agents/agent-facts.ts';
import { CreditLimit, plain, SessionError, tokenLimit } from '../session/error.ts';

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
