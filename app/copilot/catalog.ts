import type { Way } from '../api/account.ts';
import type { Path } from '../api/exchange.ts';
import { t } from '../language/translate.ts';
import type { Clock, Log } from '../ports.ts';
import { withoutSpeaker } from '../words/text.ts';
import { type CopilotFailure, unusableAnswer, whoSaidWhat } from './failures.ts';
import {
  type AllowedModels,
  type CatalogModel,
  isOffered,
  MalformedCatalogError,
  readCatalog,
  withoutHidden,
} from './model-entry.ts';

export { readCatalog } from './model-entry.ts';

/** What the catalog needs of the client. */
interface ModelsSource {
  getModels(): Promise<{ ok: true; body: string } | { ok: false; failure: CopilotFailure }>;
}

/** Ids of the models that were offered on each way in: GitHub lists models by the program that asks. */
export interface ListedByWay {
  save(way: Way, ids: readonly string[]): void;
  /** Empty: none is known. */
  of(way: Way): readonly string[];
}

/** There is no list at all, not even an old one. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
  readonly code = 'catalog';
  readonly remedy: string;
  readonly failure: CopilotFailure;
  constructor(failure: CopilotFailure) {
    // The extension in VS Code, a missing window and a missing sign-in say what to do themselves.
    const isWhole = failure.source === 'vscode' || failure.signedOut;
    super(
      isWhole
        ? withoutSpeaker(failure.message)
        : t('Copilot’s list of models could not be read: {said}', { said: saidBy(failure) }),
    );
    this.failure = failure;
    this.remedy = isWhole ? '' : t('Try again.');
  }

  /** `Copilot answered 502: Bad Gateway`, for a place that says already what could not be read. */
  get said(): string {
    return saidBy(this.failure);
  }
}

function saidBy(failure: CopilotFailure): string {
  const { status, message } = failure;
  return status === null || status === 200 ? message : whoSaidWhat(failure);
}

const freshForMs = 10 * 60_000;
const pauseMs = 60_000;

/** This account's models: cached for 10 minutes, one request in flight, an old list kept while Copilot has trouble. */
export class Catalog {
  readonly #client: ModelsSource;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #reported: () => void;
  readonly #way: () => Way;
  readonly #readModels: (json: unknown) => CatalogModel[];
  readonly #listed: ListedByWay | null;
  readonly #allows: AllowedModels['allows'];
  readonly #settings: AllowedModels['settings'] | null;
  #models: CatalogModel[] | null = null;
  #readAt: number | null = null;
  #reading: Promise<CatalogModel[]> | null = null;
  /** Copilot is not asked again before this time; `failure` is what it said. Where it said nothing, `refresh` asks. */
  #pause: { until: number; failure: CopilotFailure } | null = null;

  /**
   * @param parts.changed there is a new list, or none any more
   * @param parts.read of an answer that isn't Copilot's own
   */
  constructor(parts: {
    client: ModelsSource;
    clock: Clock;
    log: Log;
    way?: () => Way;
    /** Absent: this list is of one way alone. */
    listed?: ListedByWay;
    changed?: () => void;
    read?: (json: unknown) => CatalogModel[];
    /** Which models requests may use; others aren't in the list. */
    allowed?: AllowedModels;
  }) {
    const { read = readCatalog, allowed } = parts;
    this.#allows = allowed?.allows ?? (() => true);
    this.#settings = allowed?.settings ?? null;
    this.#readModels = allowed === undefined ? read : (json) => withoutHidden(read(json), allowed);
    this.#way = parts.way ?? (() => 'vscode');
    this.#listed = parts.listed ?? null;
    this.#client = parts.client;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#reported = parts.changed ?? (() => undefined);
  }

  /**
   * Rejects with `CatalogError` when there is no list at all, and with the problem of the organization's policy while
   * it can't be read. `refresh` asks Copilot unless it gets its pause.
   */
  models(options: { refresh?: boolean } = {}): Promise<CatalogModel[]> {
    const problem = this.#settings?.policyProblem;
    if (problem) return Promise.reject(problem);
    const now = this.#clock.now();
    const fresh = options.refresh ? null : this.fresh();
    if (fresh !== null) return Promise.resolve(fresh);
    const pause = this.#pause;
    if (pause && now < pause.until && !(options.refresh && pause.failure.status === null)) {
      if (this.#models) return Promise.resolve(this.#models);
      return Promise.reject(new CatalogError(pause.failure));
    }
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** The list where it is fresh, without waiting; null if `models` has to be asked. */
  fresh(): CatalogModel[] | null {
    if (this.#settings?.policyProblem || this.#readAt === null) return null;
    const age = this.#clock.now() - this.#readAt;
    return age >= 0 && age < freshForMs ? this.#models : null;
  }

  /** When the list was read, ms since the epoch. */
  readAt(): number | null {
    return this.#readAt;
  }

  /** Why Copilot sent no newer list the last time, while an older one is used; null if it sent one. */
  staleBecause(): CatalogError | null {
    return this.#models === null || this.#pause === null ? null : new CatalogError(this.#pause.failure);
  }

  /** The list as it is known, however old, without a request. */
  known(): CatalogModel[] | null {
    return this.#models;
  }

  /** The way in that is in use. */
  way(): Way {
    return this.#way();
  }

  /** What was offered on the other way in. */
  elsewhere(): { way: Way; ids: readonly string[] } {
    const way = this.#way() === 'vscode' ? 'copilot-sdk' : 'vscode';
    return { way, ids: (this.#listed?.of(way) ?? []).filter(this.#allows) };
  }

  /** For another account: drops the list, and whatever a running request brings. */
  forget(): void {
    this.#models = null;
    this.#readAt = null;
    this.#reading = null;
    this.#pause = null;
    this.#reported();
  }

  #read(): Promise<CatalogModel[]> {
    const isCurrent = (): boolean => this.#reading === reading;
    const reading: Promise<CatalogModel[]> = this.#client
      .getModels()
      .then((answer) => {
        const read = answer.ok ? parse(answer.body, this.#readModels) : answer;
        if (!read.ok) return this.#fallBack(read.failure, isCurrent());
        if (isCurrent()) this.#keep(read.models);
        return read.models;
      })
      // After a fault too: the next call asks again.
      .finally(() => {
        if (isCurrent()) this.#reading = null;
      });
    return reading;
  }

  #keep(models: CatalogModel[]): void {
    this.#models = models;
    this.#listed?.save(
      this.#way(),
      models.filter(isOffered).map(({ id }) => id),
    );
    this.#readAt = this.#clock.now();
    this.#pause = null;
    this.#reported();
  }

  #fallBack(failure: CopilotFailure, current: boolean): CatalogModel[] {
    this.#log.write('warn', 'catalog.failed', {
      status: failure.status,
      code: failure.code,
      kept: this.#models !== null,
    });
    const passing =
      failure.status === null || failure.status === 429 || failure.status >= 500 || failure.code === malformed;
    if (current && passing && (this.#models || failure.status === 429)) {
      const wait = failure.retryAfterSeconds === null ? pauseMs : failure.retryAfterSeconds * 1000;
      this.#pause = { until: this.#clock.now() + wait, failure };
    }
    if (current && passing && this.#models) return this.#models;
    throw new CatalogError(failure);
  }
}

const malformed = 'malformed_catalog';

type Parsed = { ok: true; models: CatalogModel[] } | { ok: false; failure: CopilotFailure };

function parse(body: string, readModels: (json: unknown) => CatalogModel[]): Parsed {
  try {
    return { ok: true, models: readModels(JSON.parse(body)) };
  } catch (error) {
    const message = error instanceof MalformedCatalogError ? error.message : 'the list of models is no JSON';
    return { ok: false, failure: unusableAnswer(200, malformed, message) };
  }
}

/** Where a chat model can be asked. */
export type ChatPath = Extract<Path, '/v1/messages' | '/responses' | '/chat/completions'>;

const preferred: Record<'messages' | 'chat' | 'responses', readonly ChatPath[]> = {
  messages: ['/v1/messages', '/responses', '/chat/completions'],
  chat: ['/chat/completions', '/responses', '/v1/messages'],
  responses: ['/responses', '/v1/messages', '/chat/completions'],
};

/**
 * The upstream endpoint for a model: the client's own where the model lists it, else the nearest. Null if it lists
 * none of ours.
 * @param options.without paths to leave out, for an exchange that cannot speak them.
 */
export function pathFor(
  model: CatalogModel,
  clientApi: 'messages' | 'chat' | 'responses',
  options: { without?: readonly Path[] } = {},
): ChatPath | null {
  for (const path of preferred[clientApi]) {
    if (model.endpoints.includes(path) && !options.without?.includes(path)) return path;
  }
  return null;
}
