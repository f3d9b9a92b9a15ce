import type { IncomingMessage } from 'node:http';
import type { AutoSession } from '../account/sdk/endpoint.ts';
import type { Exchange, FitNote } from '../api/exchange.ts';
import type { ChatPath } from '../copilot/catalog.ts';
import type { CopilotFailure } from '../copilot/failures.ts';
import type { CatalogModel } from '../copilot/model-entry.ts';
import type { AnswerFacts, AnswerReader } from '../formats/answer/answer.ts';
import type { MessagesRequest } from '../formats/messages/request.ts';
import type { JsonObject } from '../formats/wire/json.ts';
import type { ClientCall } from './client-call.ts';
import type { AnswerTarget, RelayEnd } from './client-stream.ts';
import type { UsedAccount } from './dependencies.ts';
import type { Learned } from './fits/fit.ts';
import type { PromptReading } from './initiator/reading.ts';
import type { Said, Verdict } from './initiator/verdict.ts';
import type { FollowedRule } from './model/rules.ts';
import type { Plan } from './plan.ts';

/*
 * What some requests need and most do not is a feature: one folder, or file, in `features/` and one line in their list,
 * features.ts, with a cheap look at a request that was read and not changed. The core asks the list once for a request,
 * runs the parts that it gets at typed places, and knows none.
 */

/** The request that features look at. */
export interface Joining {
  row: Exchange;
  /** The request as its client sent it. */
  request: unknown;
  /** Of its body. */
  bytes: number;
  reading: PromptReading;
  used: UsedAccount;
  /** The model's name by a rule of the person's; null if the request's own name counts. */
  model: string | null;
}

/** One feature's work for one request. Its state belongs to the request and ends with it. */
export interface Part {
  /** Evidence for the initiator: this goes on with a turn that Copilot has counted. */
  readonly continues?: Said | null;
  /** For the row. */
  readonly note?: FitNote;
  /** Answers it without Copilot. */
  here?(joined: Joined, target: AnswerTarget): Promise<void>;
  /** The model, in place of what its name means; null if the name counts. Rejects with `Stopped`. */
  model?(models: readonly CatalogModel[]): Promise<ChosenModel> | null;
  /** The request in its client's own format, changed for the chosen model before it is planned. Null: as it is. */
  change?<Request extends object>(request: Request, model: CatalogModel): Promise<Changed<Request> | null>;
  /** Changes the request before it is fitted, and names who leads its answer. */
  readonly request?: ChangesRequest;
  /** Lessons about a model on a path. */
  readonly learned?: (model: CatalogModel, path: ChatPath) => Learned | null;
  /** Copilot refused what was sent. */
  refused?(failure: CopilotFailure): void;
  /** The changed request for one more attempt, while repeats are left; null if the client gets the refusal. */
  refusal?<P extends Replannable<P>>(failure: CopilotFailure, plan: P, model: CatalogModel): Again<P> | null;
  /** Copilot took what was sent last, after refusals. */
  taken?(model: CatalogModel): void;
  end?(ended: Accepted): void;
}

/** The exchange that a part works for. */
export interface Joined {
  readonly call: ClientCall;
  readonly row: Exchange;
  readonly verdict: Verdict | null;
  readonly accepted: boolean;
  readonly facts: AnswerFacts;
  readonly used?: UsedAccount;
  readonly rule?: FollowedRule | null;
  /** Ms since it began. */
  since(): number;
}

/** `auto`: GitHub chose it, and lets requests in with this. */
export interface ChosenModel {
  model: CatalogModel;
  auto: AutoSession | null;
  note: FitNote | null;
}

/** The request that was given is not written to, and what was not changed is shared with it. */
export interface Changed<Request> {
  request: Request;
  note: FitNote;
}

/** Null if it is not changed. The request that was given is not written to. */
export type ChangesRequest = (request: MessagesRequest, path: ChatPath) => ChangedRequest | null;

interface ChangedRequest {
  request: MessagesRequest;
  note: FitNote;
  /** @param again plans a request that goes on with it; it may be called for as long as the answer runs */
  leads(planned: Plan, again: (request: MessagesRequest) => Plan): Leading;
}

/** Leads an answer made of several of Copilot's, in place of the core. */
export interface Leading {
  /** Reads all of them as one answer. */
  readonly reader: AnswerReader;
  /** Facts of the Copilot answer that is being read. */
  readonly facts: AnswerFacts;
  lead(first: IncomingMessage, led: Led): Promise<RelayEnd>;
}

export interface Led {
  joined: Joined;
  /** Writes the answer in the client's words, behind `Leading.reader`. */
  reader: AnswerReader;
  target: AnswerTarget;
  /** Leads an answer of Copilot's to the request that the client sent. */
  relay(upstream: IncomingMessage, reader: AnswerReader, target: AnswerTarget): Promise<RelayEnd>;
  /** Sends one more request, leads its answer, and records its row. Rejects with its failure. */
  further(plan: Plan, said: Said, reader: AnswerReader, target: AnswerTarget): Promise<RelayEnd>;
}

/** A plan that can be made again. */
export interface Replannable<P> extends Plan {
  /** What was planned: a Messages request, or one in OpenAI's words. */
  readonly planned: { as: 'messages'; request: MessagesRequest } | { as: 'openai'; request: JsonObject };
  /** The same request, with what is known by now; null if that can't be sent. */
  again(learned: Learned | null): P | null;
}

export interface Again<P> {
  plan: P;
  note: FitNote;
  /** For the attempt that was refused. */
  because: string;
}

export interface Ended {
  row: Exchange;
  facts: AnswerFacts;
}

/** `accepted`: Copilot took the request. */
interface Accepted {
  readonly accepted: boolean;
  readonly verdict: Verdict | null;
}
