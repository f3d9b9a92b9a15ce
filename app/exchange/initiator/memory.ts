import { createHmac } from 'node:crypto';
import { agentTools } from './claude-code-texts.ts';
import type { PromptReading } from './reading.ts';
import type { Verdict } from './verdict.ts';

/**
 * How an accepted attempt ended: not yet, delivered whole, ended early by Copilot or by us, broken off by the client.
 */
export type LedgerEnding = 'running' | 'whole' | 'cut' | 'left';

/** What the decision asks the record of accepted prompts. */
export interface LedgerView {
  /** Null if nothing with this key was accepted. */
  accepted(key: string): { ending: LedgerEnding } | null;
  /** Attempts with this key that were not accepted; `lastStatus` null if no answer came. */
  refusals(key: string): { count: number; lastStatus: number | null };
}

/** Everything that was seen of earlier requests. */
export interface Known extends LedgerView {
  /** Subagents that answers of this session called for and that have not begun. */
  agentCalls(session: string): number;
}

/** Where it is written down. */
export interface LedgerStore extends LedgerView {
  accept(key: string, exchangeId: string): void;
  settle(key: string, ending: LedgerEnding): void;
  refuse(key: string, status: number | null): void;
  /** Something was seen that is no attempt of a prompt. */
  note(key: string, ending: 'whole' | 'cut' | 'left'): void;
}

/** An exchange under way, as far as others need it. */
interface UnderWay {
  reading: PromptReading | null;
  facts: { blocks: readonly { name: string | null }[] };
}

/** How an exchange ended. */
interface Ended extends UnderWay {
  verdict: Verdict | null;
  accepted: boolean;
  /** How an accepted request ended. */
  ending: LedgerEnding;
  /** HTTP status of a refusal; null without an answer. */
  status: number | null;
}

const sessionsKept = 1000;

/** What earlier requests have shown: the ledger, and in this process alone the subagents that answers called for. */
export class PromptMemory implements Known {
  readonly #ledger: LedgerStore;
  readonly #underWay: () => Iterable<UnderWay>;
  /** Called for and not begun, of ended answers. The longest unused session first. */
  readonly #calls = new Map<string, number>();

  constructor(ledger: LedgerStore, underWay: () => Iterable<UnderWay>) {
    this.#ledger = ledger;
    this.#underWay = underWay;
  }

  accepted(key: string): { ending: LedgerEnding } | null {
    return this.#ledger.accepted(key);
  }

  refusals(key: string): { count: number; lastStatus: number | null } {
    return this.#ledger.refusals(key);
  }

  agentCalls(session: string): number {
    let calls = this.#calls.get(session) ?? 0;
    // A subagent begins while the answer that calls for it still runs.
    for (const { reading, facts } of this.#underWay()) {
      if (reading?.sessionKey === session) calls += agentCallsIn(facts.blocks);
    }
    return calls;
  }

  /** A request was decided. */
  seen({ requestClass, keys }: PromptReading): void {
    if (requestClass === 'main' && keys?.session) this.#ledger.note(keys.session, 'whole');
  }

  /** Copilot accepted it; its answer runs. */
  accept(reading: PromptReading, verdict: Verdict, exchangeId: string): void {
    const { keys, sessionKey, requestClass } = reading;
    if (verdict.ledgerKey !== null) this.#ledger.accept(verdict.ledgerKey, exchangeId);
    if (keys === null) return;
    if (requestClass === 'main' && keys.prompt !== null) this.#ledger.note(keys.prompt, 'whole');
    const here = verdict.ledgerKey === keys.words ? keys.wordsHere : null;
    if (here !== null && here !== verdict.ledgerKey) this.#ledger.note(here, 'whole');
    if (sessionKey === null) return;
    if (verdict.code === 'subagent' && isCalledSubagent(reading, this)) this.#add(sessionKey, -1);
    // What has not begun by the next prompt does not begin any more: the person refused it.
    else if (verdict.code === 'prompt') this.#calls.delete(sessionKey);
  }

  end({ reading, verdict, facts, accepted, ending, status }: Ended): void {
    const key = verdict?.ledgerKey ?? null;
    if (key !== null) {
      if (accepted) this.#ledger.settle(key, ending);
      else this.#ledger.refuse(key, status);
    }
    if (reading?.keys == null) return;
    if (accepted && (ending === 'cut' || ending === 'left')) this.#ledger.note(reading.keys.cutHere, ending);
    const calls = agentCallsIn(facts.blocks);
    if (calls > 0 && reading.sessionKey !== null) this.#add(reading.sessionKey, calls);
  }

  #add(session: string, calls: number): void {
    const sum = (this.#calls.get(session) ?? 0) + calls;
    this.#calls.delete(session);
    this.#calls.set(session, sum);
    if (this.#calls.size <= sessionsKept) return;
    const oldest = this.#calls.keys().next();
    if (!oldest.done) this.#calls.delete(oldest.value);
  }
}

/**
 * The salts of the ledger's keys: what one account has accepted is nothing to another one, which counts a prompt that
 * it sees for the first time as a person's.
 */
export class AccountSalts {
  readonly #ledger: { readonly salt: Buffer };
  readonly #first: string;
  readonly #made = new Map<string, Buffer>();
  #madeOf: Buffer | null = null;

  /**
   * @param ledger has another salt where another file was opened
   * @param first the id of the account whose keys are those of a time with one account
   */
  constructor(ledger: { readonly salt: Buffer }, first: string) {
    this.#ledger = ledger;
    this.#first = first;
  }

  /** The same object for the same account. */
  of(id: string): Buffer {
    const of = this.#ledger.salt;
    if (id === this.#first) return of;
    if (of !== this.#madeOf) this.#made.clear();
    this.#madeOf = of;
    let salt = this.#made.get(id);
    if (salt === undefined) {
      salt = createHmac('sha256', of).update(id).digest();
      this.#made.set(id, salt);
    }
    return salt;
  }
}

/** The first request of a subagent that an answer of this session called for. */
export function isCalledSubagent(reading: PromptReading, known: Known): boolean {
  const { requestClass, agentId, hasSubagentSystem, sessionKey, newContent } = reading;
  if (requestClass !== null || sessionKey === null || newContent.boundary >= 0) return false;
  return (agentId !== null || hasSubagentSystem) && known.agentCalls(sessionKey) > 0;
}

/** How many subagents an answer calls for. */
function agentCallsIn(blocks: readonly { name: string | null }[]): number {
  let count = 0;
  for (const { name } of blocks) if (name !== null && agentTools.has(name)) count += 1;
  return count;
}
