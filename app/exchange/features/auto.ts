import type { Account } from '../../account/account.ts';
import type { AutoSession } from '../../account/sdk/endpoint.ts';
import type { CopilotFailure } from '../../copilot/failures.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import type { Clock } from '../../ports.ts';
import type { AutoChoices } from '../dependencies.ts';
import type { ChosenModel, Joining, Part } from '../feature.ts';
import { LruMap } from '../lru-map.ts';
import { autoUnknown, chosenBefore, chosenNow, noAuto } from '../model/absence.ts';
import { refuse, refuseInOwnWords, Stopped } from '../recover/error.ts';

interface AutoModelsDependencies {
  account: Pick<Account, 'chooseAuto'>;
  clock: Pick<Clock, 'now'>;
}

interface AutoModel {
  session: AutoSession;
  /** True if it was chosen just now, and not for an earlier request of the conversation. */
  isNew: boolean;
}

interface Conversation {
  asked: Promise<AutoSession | null>;
  /** Null while GitHub is asked. */
  session: AutoSession | null;
}

const conversationsKept = 1000;
/** A request may wait for so long before it is sent. */
const leastLeftMs = 60_000;
/** GitHub is not asked again so soon after it gave none. */
const pauseMs = 30_000;

/**
 * The models that GitHub has chosen for the conversations of one account (Auto), in this process: one choice for each
 * conversation, so that its prompt cache is of use.
 */
export class AutoModels implements AutoChoices {
  readonly #dependencies: AutoModelsDependencies;
  readonly #conversations = new LruMap<Conversation>(conversationsKept);
  #noneBefore = Number.NEGATIVE_INFINITY;

  constructor(dependencies: AutoModelsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Null if GitHub gave none, and is not asked again for a while. Rejects with `AccountError`. */
  async of(conversation: string): Promise<AutoModel | null> {
    const now = this.#dependencies.clock.now();
    const known = this.#conversations.takeOut(conversation);
    if (known !== null && (known.session === null || now < known.session.expiresAt - leastLeftMs)) {
      this.#conversations.keep(conversation, known);
      const session = await known.asked;
      return session && { session, isNew: false };
    }
    if (now < this.#noneBefore) return null;
    const asked = this.#dependencies.account.chooseAuto();
    const entry: Conversation = { asked, session: null };
    this.#conversations.keep(conversation, entry);
    try {
      entry.session = await asked;
      if (entry.session === null) this.#noneBefore = this.#dependencies.clock.now() + pauseMs;
    } finally {
      if (entry.session === null) this.#drop(conversation, entry);
    }
    return entry.session && { session: entry.session, isNew: true };
  }

  /** The next request of the conversation is to be chosen for anew. */
  end(conversation: string, session: AutoSession): void {
    const known = this.#conversations.takeOut(conversation);
    if (known === null || known.session === session) return;
    this.#conversations.keep(conversation, known);
  }

  /** Called when another person may be signed in. */
  forget(): void {
    this.#conversations.clear();
    this.#noneBefore = Number.NEGATIVE_INFINITY;
  }

  #drop(conversation: string, entry: Conversation): void {
    const known = this.#conversations.takeOut(conversation);
    if (known !== null && known !== entry) this.#conversations.keep(conversation, known);
  }
}

/**
 * GitHub chooses the model, once for a conversation, where a name asks for that and the account serves it. Requests of
 * a client that says no conversation are one.
 */
export function choosesModel({ row, reading, used: { auto, account } }: Joining): Part {
  const conversation = JSON.stringify(reading.sessionKey ?? { client: row.client });
  let session: AutoSession | null = null;
  const end = () => session !== null && auto.end(conversation, session);
  return {
    // Whether the account serves it is known with its models, not before.
    model: (models) => {
      if (!account.servesAuto()) return null;
      return chooseAuto(auto, conversation, models).then((chosen) => {
        session = chosen.auto;
        return chosen;
      });
    },
    refused: (failure) => {
      if (mayBeAutos(failure)) end();
    },
    end: ({ accepted, verdict }) => {
      // The conversation is another one from here on, and nothing of it is in the model's cache.
      if (accepted && verdict?.interactionType === 'conversation-compaction') end();
    },
  };
}

/** Rejects with `Stopped` where there is none, or `AccountError`. */
async function chooseAuto(
  auto: AutoChoices,
  conversation: string,
  models: readonly CatalogModel[],
): Promise<ChosenModel & { auto: AutoSession }> {
  const chosen = await auto.of(conversation);
  if (chosen === null) throw new Stopped(refuseInOwnWords(503, 'api_error', 'auto-none', noAuto, false));
  const { session, isNew } = chosen;
  const model = models.find(({ id, type }) => id === session.model && type === 'chat');
  if (model === undefined) {
    auto.end(conversation, session);
    throw new Stopped(refuse(502, 'api_error', 'auto-unknown', autoUnknown(session.model)));
  }
  return { model, auto: session, note: { code: 'model-auto', count: 1, text: isNew ? chosenNow : chosenBefore } };
}

/** Copilot may refuse what lets GitHub's choice in, rather than the request. */
function mayBeAutos({ status, code }: CopilotFailure): boolean {
  return status === 401 || status === 403 || code === 'model_not_supported';
}
