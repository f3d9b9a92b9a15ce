import type { IncomingHttpHeaders } from 'node:http';
import type { Exchange, FitNote } from '../../api/exchange.ts';
import type { ChatPath } from '../../copilot/catalog.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Collector } from '../client-stream.ts';
import type { ChangesRequest, Leading, Replannable } from '../feature.ts';
import type { Learned } from '../fits/fit.ts';
import { type ErrorWords, Stopped } from '../recover/error.ts';

/** What differs between the client APIs that stream. exchange.ts has the way that is common to their requests. */
export interface StreamingClient<Body extends { model: string }, Envelope> extends ErrorWords<Envelope> {
  readonly api: 'messages' | 'chat' | 'responses';
  /** Whether of its requests only so many run at once for each label. */
  readonly takesTurns: boolean;
  /** What is sent on its stream while nothing else comes. */
  readonly ping: string;
  /** Is the body what this API says? Throws `Stopped` where it is not. */
  read(body: unknown): Body;
  isStreamed(request: Body, settings: Pick<Settings, 'openai'>): boolean;
  /** What a person lets through of a long conversation, and what the log says of it. Absent: all of it. */
  shorten?(request: Body, settings: Pick<Settings, 'openai'>): { request: Body; note: FitNote | null };
  /** path, fit, translate: which endpoint, and what must change so that Copilot takes it there. Throws `Stopped`. */
  plan(request: Body, model: CatalogModel, context: PlanInputs): ClientPlan<Envelope>;
  /** Puts the client's events together, for one who did not ask for a stream. */
  collector(): Collector;
  /** The last events of a stream that failed, where the plan that was sent has none of its own. */
  failureEvents(envelope: Envelope, row: Exchange): string;
}

/** A plan whose answer the client understands. */
export interface ClientPlan<Envelope> extends Replannable<ClientPlan<Envelope>> {
  /** The last events of a stream that failed. Absent: those of the API. */
  failureEvents?(envelope: Envelope): string;
  /** Leads the answer in place of the core; `reader` comes after its reader. Absent: the core does. */
  leading?: Leading;
}

/** The plan that `make` makes of what is known, which makes another one once more is known. */
export function replannable<Envelope>(
  planned: ClientPlan<Envelope>['planned'],
  learned: Learned | null,
  make: (learned: Learned | null) => Omit<ClientPlan<Envelope>, 'planned' | 'again'>,
): ClientPlan<Envelope> {
  return {
    ...make(learned),
    planned,
    again: (more) => {
      try {
        return replannable(planned, more, make);
      } catch (error) {
        if (error instanceof Stopped) return null;
        throw error;
      }
    },
  };
}

/** What a plan has to know besides the request and the model. */
export interface PlanInputs {
  streamed: boolean;
  /** Our own id of this request. */
  id: string;
  /** Ms since the epoch. */
  now: number;
  headers: IncomingHttpHeaders;
  /** The body as the client sent it. */
  bytes: Buffer;
  /** The request that was read from `bytes`; the one that is planned may be a changed one. */
  read: object;
  /** Ids of the models that this request may name. */
  offered: readonly string[];
  /** Searches of the web are made here, for this request. */
  search: ChangesRequest | null;
  /** Why none are made, and what to do; for a request that asks for one. */
  whySearchIsOff(): string;
  /** What refusals have taught by now. */
  learned(model: CatalogModel, path: ChatPath): Learned | null;
}
