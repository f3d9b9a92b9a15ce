import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { asObject, asText, readBody, readRetryAfter } from '../account/read-response.ts';
import type { Attempt } from '../api/exchange.ts';
import { moment } from '../api/figures.ts';
import type { Sent } from '../copilot/client.ts';
import { type CopilotFailure, failureFromVscode, plainCode } from '../copilot/failures.ts';
import {
  type CallToDial,
  dialCall,
  headTimeoutMs,
  idleTimeoutMs,
  type Outgoing,
  readRefusal,
} from '../copilot/outgoing.ts';
import { parseObject } from '../formats/wire/json.ts';
import { t } from '../language/translate.ts';
import { type Clock, type Dialer, NetworkError, type Redact } from '../ports.ts';
import { sentThroughVscode, windowProblem } from '../words/reach.ts';
import type { ServedWindow } from './served-window.ts';
import type { VscodeWindow } from './vscode-window.ts';

interface VscodeClientDependencies {
  window: Pick<VscodeWindow, 'door' | 'lost' | 'state'>;
  dialer: Dialer;
  clock: Clock;
  redact: Redact;
}

interface Call extends CallToDial {
  path: string;
}

const modelsLimit = 4 * 1024 * 1024;
const modelsTimeoutMs = 30_000;
/** The window that is written there, and the one that took over from it. */
const mostWindows = 2;

/**
 * Speaks to the extension in VS Code, in Chat Completions: from there VS Code's parts are made of it, whichever API the
 * client speaks. Nothing is said of who asks, for VS Code says the same of every request. A request is sent again only
 * where no program took the connection.
 */
export class VscodeClient {
  readonly #dependencies: VscodeClientDependencies;

  constructor(dependencies: VscodeClientDependencies) {
    this.#dependencies = dependencies;
  }

  /** See `CopilotClient.send`. */
  async send(outgoing: Outgoing): Promise<Sent> {
    const { path, body, signal, witness, startedTicks } = outgoing;
    return this.#send({
      path: `/v1${path.replace(/^\/v1/, '')}`,
      method: 'POST',
      body,
      signal,
      witness,
      startedTicks,
      headTimeoutMs: outgoing.headTimeoutMs ?? headTimeoutMs,
      idleTimeoutMs: outgoing.idleTimeoutMs ?? idleTimeoutMs,
    });
  }

  /** The text of the extension's `GET /v1/models`. */
  async getModels(): Promise<{ ok: true; body: string } | { ok: false; failure: CopilotFailure }> {
    const sent = await this.#send({
      path: '/v1/models',
      method: 'GET',
      startedTicks: this.#dependencies.clock.ticks(),
      headTimeoutMs: modelsTimeoutMs,
      idleTimeoutMs: modelsTimeoutMs,
    });
    if (!sent.ok) return sent;
    const body = await readBody(sent.response, modelsLimit, modelsTimeoutMs);
    return body.kind === 'whole' ? { ok: true, body: body.text } : { ok: false, failure: windowClosed() };
  }

  async #send(call: Call): Promise<Sent> {
    const { window, clock } = this.#dependencies;
    const attempts: Attempt[] = [];
    for (let tried = 0; tried < mostWindows; tried += 1) {
      const door = await window.door();
      call.signal?.throwIfAborted();
      if (door === null) break;
      const attempt: Attempt = {
        at: moment(clock.ticks() - call.startedTicks),
        token: 0,
        sentAs: sentThroughVscode,
        status: null,
        retriedBecause: null,
        upstreamRequestId: null,
      };
      attempts.push(attempt);
      const answer = await this.#try(call, door, attempt);
      if (answer.kind === 'good') return { ok: true, response: answer.response, attempts, requestIds: [] };
      if (answer.kind === 'bad') return { ok: false, failure: answer.failure, attempts };
      window.lost(door);
      if (tried + 1 < mostWindows) attempt.retriedBecause = 'network';
    }
    const last = attempts.at(-1);
    if (last !== undefined) last.retriedBecause = null;
    return { ok: false, failure: this.#noWindow(), attempts };
  }

  async #try(
    call: Call,
    { port, key }: ServedWindow,
    attempt: Attempt,
  ): Promise<
    { kind: 'good'; response: IncomingMessage } | { kind: 'bad'; failure: CopilotFailure } | { kind: 'nobody' }
  > {
    const { dialer } = this.#dependencies;
    const headers: Record<string, string> = {
      Authorization: `Bearer ${key}.jumpseat`,
      ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      Accept: '*/*',
    };
    let response: IncomingMessage;
    try {
      response = await dialCall(dialer, call, new URL(`http://127.0.0.1:${port}${call.path}`), headers, attempt);
    } catch (error) {
      if (!(error instanceof NetworkError) || call.signal?.aborted) throw error;
      if (error.code === 'ECONNREFUSED') return { kind: 'nobody' };
      const failure = error.code === 'TIMEOUT' ? noAnswer() : windowClosed();
      return { kind: 'bad', failure: { ...failure, mayHaveArrived: !error.nothingSent } };
    }
    attempt.status = response.statusCode ?? null;
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return { kind: 'good', response };
    const refusal = await readRefusal(response, call);
    // Another key than the one that is written there: another program's server, or one that ends just now.
    if (status === 401) return { kind: 'nobody' };
    return { kind: 'bad', failure: this.#failure(status, response.headers, refusal, call) };
  }

  #failure(status: number, headers: IncomingHttpHeaders, body: string, call: Call): CopilotFailure {
    const { redact, clock } = this.#dependencies;
    const error = asObject(parseObject(body)?.error);
    const message =
      asText(error?.message) ?? t('Jumpseat: its extension in VS Code refused this. Its log there has the details.');
    const code = plainCode(asText(error?.code) ?? asText(error?.type), (words) => call.body?.includes(words) === true);
    const known = status >= 400 && status < 600 ? status : 502;
    return failureFromVscode(known, code ?? `http-${known}`, redact(message), {
      retryAfterSeconds: readRetryAfter(headers, clock.now()),
    });
  }

  #noWindow(): CopilotFailure {
    const problem = windowProblem(this.#dependencies.window.state()) ?? windowProblem({ kind: 'absent' });
    const words = problem === null ? '' : `${problem.text} ${problem.remedy}`;
    return failureFromVscode(503, 'no_window', `Jumpseat: ${words}`);
  }
}

function windowClosed(): CopilotFailure {
  const message = t(
    'Jumpseat: the window of VS Code that served this request closed before it answered. Try again: another window ' +
      'takes over by itself.',
  );
  return failureFromVscode(503, 'window_closed', message);
}

function noAnswer(): CopilotFailure {
  const message = t(
    'Jumpseat: VS Code didn’t answer in time. Look whether one of its windows asks something, then try again.',
  );
  return failureFromVscode(504, 'no_answer', message);
}
