import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Access, pauseAfterRefusalsMs } from '../account/access.ts';
import type { Account } from '../account/account.ts';
import { AccountError } from '../account/account-error.ts';
import { readBody } from '../account/read-response.ts';
import { unlessAborted } from '../account/unless-aborted.ts';
import type { Attempt } from '../api/exchange.ts';
import { moment } from '../api/figures.ts';
import { type Clock, type Dialer, type Log, NetworkError, type Redact } from '../ports.ts';
import { Circuit } from './circuit.ts';
import {
  type CopilotFailure,
  failureFromAccount,
  failureFromNetwork,
  type ReplayKind,
  readFailure,
  replayKindOf,
  showsGoodToken,
} from './failures.ts';
import {
  Addresses,
  type CallToDial,
  dialCall,
  headersFor,
  headTimeoutMs,
  idleTimeoutMs,
  type Outgoing,
  ReplayBudget,
  readRefusal,
  readRequestIds,
} from './outgoing.ts';

export type Sent =
  | { ok: true; response: IncomingMessage; attempts: Attempt[]; requestIds: string[] }
  | { ok: false; failure: CopilotFailure; attempts: Attempt[] };

interface ClientDependencies {
  dialer: Dialer;
  clock: Clock;
  log: Log;
  account: Account;
  /** Knows the tokens that are sent. */
  redact: Redact;
  watch?: CallWatch;
}

/** Learns how every call ended that was not given up: null for a good answer. */
interface CallWatch {
  /** True: a good answer doesn't have to be reported. */
  readonly isCalm: boolean;
  ended(path: string, failure: CopilotFailure | null): void;
}

/** What differs between one call and another, apart from access and request id. */
interface Call extends CallToDial {
  path: string;
  turnId: string;
  headers: Record<string, string>;
  budget: ReplayBudget;
}

const catalogLimit = 16 * 1024 * 1024;
const catalogDeadlineMs = 60_000;
const forbiddenMintEveryMs = 60_000;

/**
 * Speaks to Copilot. A request is sent again only where it provably did nothing (`replayKindOf`). As whom, with which
 * bearer and to which host, the account's access says; a bearer goes to no other host. Nothing of a client's own
 * headers is passed on.
 */
export class CopilotClient {
  readonly #dialer: Dialer;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #account: Account;
  readonly #redact: Redact;
  readonly #watch: CallWatch | null;
  readonly #circuit: Circuit;
  readonly #addresses = new Addresses();
  #mintedForForbiddenAt = Number.NEGATIVE_INFINITY;

  constructor(dependencies: ClientDependencies) {
    this.#dialer = dependencies.dialer;
    this.#clock = dependencies.clock;
    this.#circuit = new Circuit(dependencies.clock);
    this.#log = dependencies.log;
    this.#account = dependencies.account;
    this.#redact = dependencies.redact;
    this.#watch = dependencies.watch ?? null;
  }

  /**
   * Resolves with the head of a good answer (2xx) or with what went wrong, which may be that a limit still holds: then
   * nothing was sent. Rejects with the signal's reason alone.
   */
  async send(outgoing: Outgoing): Promise<Sent> {
    const { model } = outgoing;
    const circuit = this.#circuit;
    const sentAt = this.#clock.now();
    const failure = model === undefined || circuit.limits.size === 0 ? null : circuit.enter(model);
    if (failure !== null) {
      const { code, retryAfterSeconds } = failure;
      this.#log.write('info', 'copilot.held-back', { path: outgoing.path, code, retryAfterSeconds });
      return { ok: false, failure, attempts: [] };
    }
    const sent = await this.#call({
      path: outgoing.path,
      method: 'POST',
      turnId: outgoing.turnId,
      headers: headersFor(outgoing),
      budget: outgoing.budget ?? new ReplayBudget(),
      body: outgoing.body,
      signal: outgoing.signal,
      witness: outgoing.witness,
      startedTicks: outgoing.startedTicks,
      headTimeoutMs: outgoing.headTimeoutMs ?? headTimeoutMs,
      idleTimeoutMs: outgoing.idleTimeoutMs ?? idleTimeoutMs,
    });
    if (model !== undefined && (!sent.ok || circuit.limits.size > 0))
      circuit.ended(model, sent.ok ? null : sent.failure, sentAt);
    return sent;
  }

  /** Called when another account is used, or none: limits no longer hold. */
  forget(): void {
    this.#circuit.forget();
  }

  /** The text of `GET /models`, 16 MiB at most. */
  async getModels(): Promise<{ ok: true; body: string } | { ok: false; failure: CopilotFailure }> {
    const sent = await this.#call({
      path: '/models',
      method: 'GET',
      turnId: randomUUID(),
      headers: { Accept: '*/*', 'OpenAI-Intent': 'model-access', 'X-Interaction-Type': 'model-access' },
      budget: new ReplayBudget(),
      startedTicks: this.#clock.ticks(),
      headTimeoutMs: 30_000,
      idleTimeoutMs: 30_000,
    });
    if (!sent.ok) return sent;
    const body = await readBody(sent.response, catalogLimit, catalogDeadlineMs);
    if (body.kind === 'whole') return { ok: true, body: body.text };
    const host = this.#account.current()?.apiBase.host ?? 'Copilot';
    if (body.kind === 'too-large') {
      const failure = readFailure(sent.response.statusCode ?? 200, sent.response.headers, '');
      return {
        ok: false,
        failure: { ...failure, code: 'catalog_too_large', message: 'the list of models is over 16 MiB' },
      };
    }
    const broken = failureFromNetwork(new NetworkError(host, 'ECONNRESET', 'the answer broke off'));
    return { ok: false, failure: { ...broken, mayHaveArrived: false } };
  }

  async #call(call: Call): Promise<Sent> {
    const sent = await this.#send(call);
    if (!sent.ok || this.#watch?.isCalm === false) this.#watch?.ended(call.path, sent.ok ? null : sent.failure);
    return sent;
  }

  async #send(call: Call): Promise<Sent> {
    const attempts: Attempt[] = [];
    const requestIds: string[] = [];
    const replays = new Set<ReplayKind>();
    for (;;) {
      let access: Access;
      let waited = 0;
      try {
        const held = this.#account.current();
        const asked = this.#clock.ticks();
        access = held ?? (await unlessAborted(this.#account.token(), call.signal));
        if (held === null) waited = this.#clock.ticks() - asked;
      } catch (error) {
        if (error instanceof AccountError) return { ok: false, failure: failureFromAccount(error), attempts };
        throw error;
      }
      const attempt: Attempt = {
        at: moment(this.#clock.ticks() - call.startedTicks),
        token: moment(waited),
        status: null,
        retriedBecause: null,
        upstreamRequestId: null,
      };
      attempts.push(attempt);
      const tried = await this.#try(call, access, attempt);
      if (tried.kind === 'good') {
        attempt.status = tried.response.statusCode ?? null;
        const ids = readRequestIds(tried.response.headers, this.#redact);
        attempt.upstreamRequestId = ids[0] ?? null;
        requestIds.push(...ids);
        this.#account.noteHeaders(tried.response.headers);
        this.#account.accepted();
        return { ok: true, response: tried.response, attempts, requestIds };
      }
      const { failure } = tried;
      if (showsGoodToken(failure)) this.#account.accepted();
      attempt.status = failure.status;
      attempt.upstreamRequestId = failure.requestIds[0] ?? null;
      requestIds.push(...failure.requestIds);
      const replay = this.#replayOf(failure, access, replays, call);
      if (!replay) {
        return { ok: false, failure: this.#final(failure, call.path, access, replays, requestIds), attempts };
      }
      replays.add(replay);
      attempt.retriedBecause = replay;
      this.#log.write('info', 'copilot.replay', {
        path: call.path,
        because: replay,
        status: failure.status,
        code: failure.code,
      });
    }
  }

  async #try(
    call: Call,
    access: Access,
    attempt: Attempt,
  ): Promise<{ kind: 'good'; response: IncomingMessage } | { kind: 'bad'; failure: CopilotFailure }> {
    const identity = access.identity(call.path);
    attempt.sentAs = `${identity['Editor-Version']} (${identity['Copilot-Integration-Id']})`;
    const headers = {
      Authorization: access.authorization,
      ...withIdentity(identity, call.headers),
      'X-Request-Id': call.turnId,
      'X-Agent-Task-Id': call.turnId,
    };
    let response: IncomingMessage;
    try {
      response = await dialCall(this.#dialer, call, this.#addresses.of(access, call.path), headers, attempt);
    } catch (error) {
      if (error instanceof NetworkError && !call.signal?.aborted) {
        const failure = failureFromNetwork(error);
        // A list of models has nothing that a model could be at work on.
        if (call.method === 'GET') failure.mayHaveArrived = false;
        return { kind: 'bad', failure };
      }
      throw error;
    }
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return { kind: 'good', response };
    const refusal = await readRefusal(response, call);
    this.#account.noteHeaders(response.headers);
    const failure = readFailure(status, response.headers, refusal, {
      now: this.#clock.now(),
      redact: this.#redact,
      isQuoted: (words) => call.body?.includes(words) === true,
    });
    failure.host = access.apiBase.host;
    if (status >= 300 && status < 400) {
      failure.code = 'redirect';
      failure.message = 'a redirect, which is never followed';
    }
    return { kind: 'bad', failure };
  }

  /** Whether the call may go out once more, and why; does what has to happen before. */
  #replayOf(
    failure: CopilotFailure,
    access: Access,
    replays: ReadonlySet<ReplayKind>,
    { method, budget }: Pick<Call, 'method' | 'budget'>,
  ): ReplayKind | null {
    const kind = replayKindOf(failure);
    if (!kind || replays.has(kind)) return null;
    // Who wants the list asks again.
    if (kind === 'network' && method === 'GET') return null;
    if (kind === 'wrong-host') this.#account.refuse(access, 421);
    // An organisation that wants an authorisation casts no doubt on the sign-in.
    if (kind === 'token-refused') this.#account.refuse(access, failure.authorizeUrl ? 403 : 401);
    if (kind === 'forbidden') {
      const now = this.#clock.now();
      if (Math.abs(now - this.#mintedForForbiddenAt) < forbiddenMintEveryMs) return null;
      this.#mintedForForbiddenAt = now;
      this.#account.refuse(access, 403);
    }
    return budget.take() ? kind : null;
  }

  #final(
    failure: CopilotFailure,
    path: string,
    access: Access,
    replays: ReadonlySet<ReplayKind>,
    requestIds: string[],
  ): CopilotFailure {
    failure.requestIds = [...new Set(requestIds)];
    if (failure.status === 401 && replays.has('token-refused') && !failure.authorizeUrl) {
      this.#account.refuse(access, 401);
      failure.tokensRefused = true;
      failure.retryAfterSeconds ??= pauseAfterRefusalsMs / 1000;
    }
    if (failure.status === 403) {
      this.#log.write('warn', 'copilot.forbidden', { ...access.identity(path), code: failure.code });
    }
    return failure;
  }
}

/** Names of headers have no case: one that the identity has is not sent a second time. */
function withIdentity(
  identity: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers = { ...identity };
  const named = new Set<string>();
  for (const name in identity) named.add(name.toLowerCase());
  for (const [name, value] of Object.entries(own)) if (!named.has(name.toLowerCase())) headers[name] = value;
  return headers;
}
