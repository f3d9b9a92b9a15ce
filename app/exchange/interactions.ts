import { randomUUID } from 'node:crypto';
import type { PromptReading } from './initiator/reading.ts';
import type { Verdict } from './initiator/verdict.ts';

/** What one conversation is at. */
interface Current {
  id: string;
  /** Of the prompt the id was made for; null where there is none. */
  ledgerKey: string | null;
}

const conversationsKept = 1000;

/**
 * The `X-Interaction-Id` of a request: one uuid per prompt, the same for all its tool turns. The client's prompt id
 * where it is a uuid, else a random one that this process remembers for the conversation. Nothing is derived from
 * content. Where nobody says which conversation a request belongs to, every request has its own.
 */
export class Interactions {
  /** In order of use, the longest unused first. */
  readonly #current = new Map<string, Current>();

  idFor(reading: PromptReading, verdict: Verdict): string {
    const { sessionKey } = reading;
    if (sessionKey === null) return verdict.interactionId ?? randomUUID();
    // What runs beside the conversation neither takes its id nor ends it.
    if (isBeside(verdict)) return verdict.interactionId ?? randomUUID();
    const known = this.#current.get(sessionKey);
    const id = verdict.interactionId ?? (known !== undefined && !beginsAnew(verdict, known) ? known.id : randomUUID());
    const ledgerKey = isPrompt(verdict) ? verdict.ledgerKey : (known?.ledgerKey ?? null);
    this.#remember(sessionKey, { id, ledgerKey });
    return id;
  }

  #remember(conversation: string, current: Current): void {
    this.#current.delete(conversation);
    this.#current.set(conversation, current);
    if (this.#current.size <= conversationsKept) return;
    const oldest = this.#current.keys().next();
    if (!oldest.done) this.#current.delete(oldest.value);
  }
}

function isBeside(verdict: Verdict): boolean {
  return verdict.code === 'side-question' || verdict.code === 'auxiliary' || verdict.code === 'token-count';
}

/** By its code, not by its initiator: a person may have set that everything counts as theirs. */
function isPrompt({ code }: Verdict): boolean {
  return code === 'prompt' || code === 'scheduled' || code === 'unclear';
}

/** A new prompt does; its second attempt and words typed in the middle of its work do not. */
function beginsAnew(verdict: Verdict, known: Current): boolean {
  return isPrompt(verdict) && !(verdict.rule === 'attempt' && verdict.ledgerKey === known.ledgerKey);
}
