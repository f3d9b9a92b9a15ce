import { randomUUID } from 'node:crypto';
import type { Charge, Exchange, Failure, FitNote } from '../api/exchange.ts';
import type { CatalogModel } from '../copilot/model-entry.ts';
import type { JsonObject } from '../formats/wire/json.ts';
import { t } from '../language/translate.ts';
import type { Clock } from '../ports.ts';
import type { ClientCall } from './client-call.ts';
import type { Cause, UsedAccount } from './dependencies.ts';
import type { Said, Verdict } from './initiator/verdict.ts';
import type { FollowedRule } from './model/rules.ts';
import type { ClientError } from './recover/error.ts';
import { type InteractionIds, idsOfItsOwn, type Sendable } from './send.ts';

interface CausingRun {
  row: Exchange;
  verdict: Verdict | null;
  used?: UsedAccount;
  rule?: FollowedRule | null;
}

/** @param counted Copilot has counted the prompt behind it, or there was none to count */
export function causeOf({ row, verdict, used, rule }: CausingRun, counted: boolean): Cause {
  const { id, client, key, session, prompt } = row;
  return {
    exchange: id,
    client,
    ...(key !== undefined && { key }),
    ...(used !== undefined && rule?.use.account !== undefined && { used }),
    ...(rule !== undefined && rule !== null && { rule }),
    session,
    prompt,
    interactionId: verdict?.interactionId ?? null,
    counted,
  };
}

/** One request that Jumpseat itself makes for a client. */
export interface OwnRequest {
  /** One word or two for the log: `web search`. */
  what: string;
  cause: Cause;
  model: CatalogModel;
  /** For Copilot's `/responses`, without `model`, `stream` and `store`. */
  body: JsonObject;
  /** Aborted with `ClientLeft`, or with `Stopped`, which says why. */
  signal: AbortSignal;
}

export type OwnAnswer = { exchange: string; charge: Charge } & (
  | { ok: true; response: JsonObject }
  | { ok: false; error: ClientError }
);

export function ownPlan({ body, model }: OwnRequest): Sendable & { path: '/responses' } {
  const whole = Buffer.from(JSON.stringify({ ...body, model: model.id, stream: true, store: false }));
  return { path: '/responses', body: whole, vision: false, anthropicVersion: null, anthropicBeta: null };
}

/** `agent` only where the prompt behind it was counted: in doubt it is a person's. */
export function ownVerdict({ cause, what }: OwnRequest): Verdict {
  const said: Pick<Verdict, 'initiator' | 'code' | 'rule' | 'sentence' | 'interactionType'> = cause.counted
    ? {
        initiator: 'agent',
        code: 'auxiliary',
        rule: 'own-request',
        sentence: what,
        interactionType: 'conversation-background',
      }
    : {
        initiator: 'user',
        code: 'prompt',
        rule: 'own-prompt',
        sentence: t('{what}, counted as yours', { what }),
        interactionType: 'conversation-agent',
      };
  return { ...said, intent: 'conversation-agent', interactionId: cause.interactionId, ledgerKey: null };
}

/** A turn of its own, as all that runs beside a conversation. */
export function ownIds({ interactionId }: Cause): InteractionIds {
  const own = idsOfItsOwn();
  return { ...own, interactionId: interactionId ?? own.interactionId };
}

/** Verdict on a further request for the same answer: it continues a prompt that Copilot has counted. */
export function furtherVerdict(first: Verdict | null, said: Said): Verdict {
  return {
    ...said,
    initiator: 'agent',
    interactionType: first?.interactionType ?? 'conversation-agent',
    intent: first?.intent ?? 'conversation-agent',
    interactionId: first?.interactionId ?? null,
    ledgerKey: null,
  };
}

/** Its bytes go nowhere while it runs: the caller gets the whole answer. */
export function ownCall(
  { client, key }: Pick<ClientCall, 'client' | 'key'>,
  signal: AbortSignal,
  body: Buffer,
  clock: Clock,
): ClientCall {
  return {
    client,
    ...(key !== undefined && { key }),
    headers: {},
    body,
    requestId: `req_${randomUUID()}`,
    startedAt: clock.now(),
    startedTicks: clock.ticks(),
    signal,
    answer: {
      begun: false,
      begin: () => {},
      write: () => true,
      drained: (then) => then(),
      hold: () => {},
      end: () => {},
    },
    letGo: () => {},
  };
}

/** The request's cause and its signal. */
export interface AskedHere extends Pick<ClientCall, 'client' | 'key'> {
  signal: AbortSignal;
}

/** What came of it. The note is for the log: no word of what was asked. */
export interface ServedHere<Result> {
  result: Result;
  note: FitNote;
  /** Null if it was found or read. */
  failure: (Failure & { status: number }) | null;
}
