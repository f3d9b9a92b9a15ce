import {
  type AnyMessage,
  type ClientCapabilities,
  type ClientConnection,
  client,
  type InitializeResponse,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type SessionNotification,
  type Stream,
} from '@agentclientprotocol/sdk/unstable';
import { LongStrings } from '../../formats/wire/long-strings.ts';
import { t } from '../../language/translate.ts';
import type { Clock, Log } from '../../ports.ts';
import type { LaunchedProcess, LaunchedProgram, Launcher } from '../../processes/launch.ts';
import { type AgentConnection, AgentError, type AgentExit, type AgentHandlers } from './agent.ts';
import type { AgentExtra } from './agent-extras.ts';
import { endMarked, markVariable, newMark } from './agent-processes.ts';
import { mostMessageBytes, webReadable, webWritable } from './stdio.ts';

interface ConnectOptions {
  /** `Claude Code` */
  title: string;
  launcher: Launcher;
  program: LaunchedProgram;
  capabilities: ClientCapabilities;
  handlers: AgentHandlers;
  version: string;
  clock: Clock;
  log: Log;
  signal?: AbortSignal;
}

/** A slow disk has to read a bundle; a busy machine may take its time. */
const initializeMs = 30_000;
const orderlyMs = 3_000;
const lineCutMs = 1_000;
const stderrLimit = 8_000;

/** Starts an agent's process and does ACP's initialize. Nothing runs where this rejects. */
export async function connectAgent(options: ConnectOptions): Promise<AgentConnection> {
  const { launcher, program, clock, signal } = options;
  signal?.throwIfAborted();
  const mark = await newMark();
  signal?.throwIfAborted();
  const env = mark === null ? program.env : { ...program.env, [markVariable]: mark };
  const running = new RunningAgent(launcher({ ...program, env }), mark, options);
  try {
    await running.initialize(clock, signal);
    return running;
  } catch (error) {
    await running.stop();
    signal?.throwIfAborted();
    throw error;
  }
}

class RunningAgent implements AgentConnection {
  readonly exited: Promise<AgentExit>;
  readonly #process: LaunchedProcess;
  readonly #connection: ClientConnection;
  readonly #options: ConnectOptions;
  readonly #mark: string | null;
  #initialized: InitializeResponse | null = null;
  #stderr = '';
  #isEnded = false;
  #stopped: Promise<void> | null = null;
  #isStopping = false;

  constructor(process: LaunchedProcess, mark: string | null, options: ConnectOptions) {
    this.#process = process;
    this.#mark = mark;
    this.#options = options;
    process.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-stderrLimit);
    });
    this.exited = this.#watch();
    this.#connection = agentLine(process, options.handlers, options.log);
    void this.#connection.closed.then(() => this.#lineCut());
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  get initialized(): InitializeResponse {
    if (this.#initialized === null) throw new Error('The agent was not initialized.');
    return this.#initialized;
  }

  get capabilities(): AgentConnection['capabilities'] {
    return this.initialized.agentCapabilities ?? {};
  }

  get extras(): ReadonlySet<AgentExtra> {
    return extrasOf(this.initialized);
  }

  async initialize(clock: Clock, signal: AbortSignal | undefined): Promise<void> {
    const { title, capabilities, version } = this.#options;
    const over = new AbortController();
    const late = clock.sleep(initializeMs, over.signal).then((): never => {
      const message = t('{title} was started and didn’t answer within {seconds} s.', {
        title,
        seconds: initializeMs / 1000,
      });
      throw new AgentError('start', message, t('Try again; if it stays so, run "jumpseat doctor".'));
    });
    const gone = this.exited.then((exit): never => {
      throw this.#endedError('start', exit);
    });
    // An agent that does not answer does not answer a cancel either.
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal });
    });
    try {
      this.#initialized = await Promise.race([
        this.request<InitializeResponse>(methods.agent.initialize, {
          protocolVersion: PROTOCOL_VERSION,
          clientCapabilities: capabilities,
          clientInfo: { name: 'jumpseat', title: 'Jumpseat', version },
        }),
        late,
        gone,
        aborted,
      ]);
    } finally {
      over.abort();
      for (const promise of [late, gone, aborted]) promise.catch(() => undefined);
    }
  }

  async request<Answer = unknown>(
    method: string,
    params: unknown,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Answer> {
    if (this.#isEnded) throw this.#endedError('ended', await this.exited);
    try {
      return await this.#connection.agent.request<Answer>(method, params, {
        ...(signal && { cancellationSignal: signal }),
      });
    } catch (error) {
      if (error instanceof RequestError || signal?.aborted) throw error;
      // The line is cut before the exit is seen.
      throw this.#endedError('ended', await this.exited);
    }
  }

  async notify(method: string, params: unknown): Promise<void> {
    if (!this.#isEnded) await this.#connection.agent.notify(method, params);
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** The end of its input is what it goes by, together with its sessions. */
  async #stop(): Promise<void> {
    this.#isStopping = true;
    this.#process.stdin.end();
    const over = new AbortController();
    const late = this.#options.clock.sleep(orderlyMs, over.signal).then(
      () => {
        this.#isStopping = false;
        this.#process.kill();
      },
      () => undefined,
    );
    await this.exited;
    over.abort();
    await late;
  }

  /** What it started may be left, however it ended: commands in a group of their own, say. */
  async #watch(): Promise<AgentExit> {
    const { code, signal, error } = await this.#process.exited;
    this.#isEnded = true;
    if (this.#mark !== null) await endMarked(this.#mark, this.#options.clock);
    this.#connection.close();
    const said = error === null ? '' : `${error.message}\n`;
    return { code, signal, stderr: `${said}${this.#stderr}`.trim() };
  }

  /** Ends the process: usually it is ending already, and without the connection it is of no use. */
  async #lineCut(): Promise<void> {
    if (this.#isEnded || this.#isStopping) return;
    await this.#options.clock.sleep(lineCutMs);
    this.#process.kill();
  }

  #endedError(kind: 'start' | 'ended', exit: AgentExit): AgentError {
    const { code, signal, stderr } = exit;
    const { title } = this.#options;
    const last = stderr.split('\n').at(-1)?.trim() ?? '';
    const message = endedWords(title, signal ?? String(code ?? 'unknown'), signal !== null, last.replace(/\.$/, ''));
    return new AgentError(kind, message, t('Send the message again: the session goes on in a new process.'), {
      exit,
    });
  }
}

/** @param last what it printed last, without a full stop at its end */
function endedWords(title: string, how: string, isSignal: boolean, last: string): string {
  if (last === '')
    return isSignal
      ? t('{title}’s process ended by {how}.', { title, how })
      : t('{title}’s process ended with code {how}.', { title, how });
  const said = /[!?]$/.test(last) ? last : `${last}.`;
  return isSignal
    ? t('{title}’s process ended by {how}: {said}', { title, how, said })
    : t('{title}’s process ended with code {how}: {said}', { title, how, said });
}

function extrasOf({ _meta: meta }: InitializeResponse): ReadonlySet<AgentExtra> {
  const own: unknown = meta?.jumpseat;
  const reported = typeof own === 'object' && own !== null && 'extras' in own ? own.extras : [];
  return new Set<AgentExtra>(Array.isArray(reported) ? reported : []);
}

/** What the host of sessions takes, from every agent alike. */
export const clientCapabilities = {
  session: { configOptions: { boolean: {} }, compaction: {}, notices: {} },
  elicitation: { form: {}, url: {} },
  plan: {},
  subagents: {},
  _meta: { terminal_output: true },
} satisfies ClientCapabilities;

/** The Agent Client Protocol on the standard streams of an agent's process. */
function agentLine({ stdin, stdout }: LaunchedProcess, handlers: AgentHandlers, log: Log): ClientConnection {
  const said = webReadable(stdout).pipeThrough(withoutLongStrings());
  return connection(handlers, log, ndJsonStream(webWritable(stdin), said, { maxMessageBytes: mostMessageBytes }));
}

/** A tool's output may be larger than what there is memory for. */
function withoutLongStrings(): TransformStream<Uint8Array, Uint8Array> {
  const cutter = new LongStrings();
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => cutter.take(chunk, (bytes) => controller.enqueue(bytes)),
  });
}

/** Questions go through the SDK, which keeps their ids; notifications pass unchanged, known or not. */
function connection(handlers: AgentHandlers, log: Log, stream: Stream): ClientConnection {
  return client({ name: 'jumpseat' })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) =>
      handlers.requestPermission(params, signal),
    )
    .onRequest(methods.client.elicitation.create, ({ params, signal }) => handlers.createElicitation(params, signal))
    .connect({ writable: stream.writable, readable: stream.readable.pipeThrough(reported(handlers, log)) });
}

function reported(handlers: AgentHandlers, log: Log): TransformStream<AnyMessage, AnyMessage> {
  return new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      const isReported = 'method' in message && !('id' in message);
      try {
        if (isReported && message.method === methods.client.session.update && isUpdate(message.params)) {
          handlers.update(message.params);
        } else if (isReported && message.method.startsWith('_')) handlers.extension(message.method, message.params);
        else controller.enqueue(message);
      } catch (error) {
        // One update that cannot be taken must not end the line, and every session with it.
        const what = error instanceof Error ? error.message : String(error);
        log.write('error', 'agent.update-failed', { message: what });
      }
    },
  });
}

function isUpdate(params: unknown): params is SessionNotification {
  if (typeof params !== 'object' || params === null) return false;
  return 'sessionId' in params && typeof params.sessionId === 'string' && 'update' in params;
}
