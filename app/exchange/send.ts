import { randomUUID } from 'node:crypto';
import type { AutoSession } from '../account/sdk/endpoint.ts';
import type { Path } from '../api/exchange.ts';
import type { CatalogModel } from '../copilot/model-entry.ts';
import type { Outgoing, ReplayBudget, Witness } from '../copilot/outgoing.ts';
import type { ClientCall } from './client-call.ts';
import type { PromptReading } from './initiator/reading.ts';
import type { Verdict } from './initiator/verdict.ts';
import { LruMap } from './lru-map.ts';
import type { Plan } from './plan.ts';

/** The initiator for Copilot. */
export type Sender = Pick<Verdict, 'initiator' | 'interactionType' | 'intent'>;

/** Everything of a plan that goes to Copilot. */
export type Sendable = Pick<Plan, 'body' | 'vision' | 'anthropicVersion' | 'anthropicBeta'> & { path: Path };

/** What a request belongs to, as far as it goes with it. */
interface Belonging {
  model: CatalogModel | null;
  auto: AutoSession | null;
  call: Pick<ClientCall, 'signal' | 'startedTicks'>;
  budget: ReplayBudget;
}

/** What goes with every request to Copilot that one of a client's needs. */
export interface Sending {
  sender: Sender;
  ids: InteractionIds;
  /** For all that is sent of it: after refusals, and behind its searches. */
  budget: ReplayBudget;
}

/** One try of a request, as the client of Copilot takes it. */
export function outgoing(
  plan: Sendable,
  sender: Sender,
  ids: InteractionIds,
  { model, auto, call, budget }: Belonging,
  witness: Witness,
): Outgoing {
  return {
    path: plan.path,
    ...(model === null ? undefined : { model: model.id }),
    body: plan.body,
    initiator: sender.initiator,
    interactionType: sender.interactionType,
    intent: sender.intent,
    ...ids,
    vision: plan.vision,
    anthropicVersion: plan.anthropicVersion,
    anthropicBeta: plan.anthropicBeta,
    auto,
    signal: call.signal,
    startedTicks: call.startedTicks,
    witness,
    budget,
  };
}

/** What one conversation is at. */
interface Current {
  id: string;
  /** Ledger key of the prompt that the id was made for; null if there is none. */
  ledgerKey: string | null;
}

/** Ids of the interaction that a request belongs to, for Copilot. */
export interface InteractionIds {
  /** `X-Interaction-Id`: one per prompt, the same for everything that it caused. */
  interactionId: string;
  /**
   * `X-Request-Id` and `X-Agent-Task-Id`: one per turn. The requests of a prompt are one turn with their tool results
   * and repeats, and so are those of one of its subagents; every other request is a turn of its own.
   */
  turnId: string;
}

/** For what belongs to no conversation. */
export function idsOfItsOwn(): InteractionIds {
  return { interactionId: randomUUID(), turnId: randomUUID() };
}

const conversationsKept = 1000;
const turnsKept = 4000;

/**
 * The ids of a request, as VS Code gives them. The interaction is the client's prompt id where it is a uuid, else a
 * random one that this process remembers for the conversation; a turn is always random. Nothing is derived from
 * content. Where a request does not say which conversation it belongs to, every request has its own.
 */
export class Interactions {
  readonly #current = new LruMap<Current>(conversationsKept);
  readonly #turns = new LruMap<string>(turnsKept);

  idsFor(reading: PromptReading | null, verdict: Verdict): InteractionIds {
    if (reading === null) return idsOfItsOwn();
    const interactionId = this.#interactionOf(reading, verdict);
    const worker = workerOf(reading, verdict);
    if (worker === null) return { interactionId, turnId: randomUUID() };
    const turn = JSON.stringify([reading.sessionKey, interactionId, worker]);
    const turnId = this.#turns.takeOut(turn) ?? randomUUID();
    this.#turns.keep(turn, turnId);
    return { interactionId, turnId };
  }

  #interactionOf({ sessionKey }: PromptReading, verdict: Verdict): string {
    if (sessionKey === null) return verdict.interactionId ?? randomUUID();
    // What runs beside the conversation neither takes its id nor ends it.
    if (beside.has(verdict.code)) return verdict.interactionId ?? randomUUID();
    const known = this.#current.takeOut(sessionKey);
    const id = verdict.interactionId ?? (known !== null && !beginsAnew(verdict, known) ? known.id : randomUUID());
    const ledgerKey = isPrompt(verdict) ? verdict.ledgerKey : (known?.ledgerKey ?? null);
    this.#current.keep(sessionKey, { id, ledgerKey });
    return id;
  }
}

/** Worker within an interaction, if its requests can be distinguished from others'; otherwise null. */
function workerOf({ sessionKey, agentId }: PromptReading, { interactionType, code }: Verdict): string | null {
  if (sessionKey === null) return null;
  if (interactionType === 'conversation-subagent') return agentId;
  return interactionType === 'conversation-agent' && code !== 'side-question' ? '' : null;
}

const beside: ReadonlySet<Verdict['code']> = new Set(['side-question', 'auxiliary', 'token-count']);

/** Decided by the code, not by the initiator: a setting may count everything as the person's. */
function isPrompt({ code }: Verdict): boolean {
  return code === 'prompt' || code === 'scheduled' || code === 'unclear';
}

/** A new prompt does; its second attempt and words typed in the middle of its work do not. */
function beginsAnew(verdict: Verdict, known: Current): boolean {
  return isPrompt(verdict) && !(verdict.rule === 'attempt' && verdict.ledgerKey === known.ledgerKey);
}
