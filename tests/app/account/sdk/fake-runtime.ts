import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';

/**
 * Plays GitHub's runtime over stdio as 1.0.85 was recorded, faults included. It runs as a program of its own; the file
 * that starts it puts a `Play` into FAKE_RUNTIME.
 */
export interface Play {
  /** Where the fault lies: `start`, or the name of a call. Absent: there is none. */
  at?: string;
  does?: 'hang' | 'die' | 'garbage' | 'flood' | 'error' | 'result';
  /** With `error` or `result`: what is answered. */
  gives?: object;
  /** It does not go when it is asked to, nor when its stdin ends. */
  stubborn?: boolean;
  /** Nobody is signed in. */
  nobody?: boolean;
  /** Talks a lot beside its answers, and asks questions of its own. */
  chatty?: boolean;
  /** On stderr, before anything else. */
  says?: string;
  baseUrl?: string;
  /** Where it notes with what it was started and asked. */
  notes: string;
}

export interface Notes {
  pid: number;
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  calls: { method: string; params: Record<string, unknown> }[];
  /** Answers to what it asked itself. */
  answers: unknown[];
}

type Params = Record<string, unknown>;

function main(play: Play): void {
  delete process.env.FAKE_RUNTIME;
  const notes: Notes = {
    pid: process.pid,
    argv: process.argv.slice(2),
    env: { ...(process.env as Record<string, string>) },
    cwd: process.cwd(),
    calls: [],
    answers: [],
  };
  const note = () => {
    writeFileSync(`${play.notes}.new`, JSON.stringify(notes));
    renameSync(`${play.notes}.new`, play.notes);
  };
  note();
  if (play.says) process.stderr.write(play.says);
  if (play.stubborn) setInterval(() => {}, 1000);
  else process.stdin.on('end', () => process.exit(0));

  const write = (message: object) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
    process.stdout.write(body);
  };
  const flood = () => {
    for (let n = 0; n < 50; n += 1) write({ method: 'session.event', params: { filler: 'x'.repeat(20_000) } });
    setImmediate(flood);
  };
  /** True: nothing more is answered. */
  const misbehaves = (at: string): boolean => {
    if (play.at !== at) return false;
    if (play.does === 'die') process.exit(3);
    if (play.does === 'garbage') process.stdout.write('thread main panicked at src/lib.rs\r\n\r\n');
    if (play.does === 'flood') flood();
    setInterval(() => {}, 1000);
    return play.does !== 'error' && play.does !== 'result';
  };

  let token: unknown = null;
  const sessionId = randomUUID();
  const answers: Record<string, (params: Params) => object> = {
    connect: () => ({ ok: true, protocolVersion: 3, version: '1.0.85', taskKinds: ['agent', 'shell'] }),
    'session.create': (params) => {
      token = params.gitHubToken ?? (process.env.COPILOT_DISABLE_KEYTAR ? null : 'gho_fromTheKeychain');
      return { sessionId, nativeSessionId: sessionId, isRemote: false, mode: 'interactive', modelState: {} };
    },
    'session.gitHubAuth.setCredentials': ({ credentials }) => {
      token = (credentials as Params).token;
      return { success: true, copilotUserResolved: true };
    },
    'session.gitHubAuth.getStatus': () =>
      token === null || play.nobody
        ? { isAuthenticated: false, statusMessage: 'Not authenticated' }
        : {
            isAuthenticated: true,
            authType: 'token',
            host: `https://${process.env.COPILOT_GH_HOST ?? 'github.com'}`,
            login: 'octo-one',
            copilotPlan: 'individual_pro',
          },
    'session.gitHubAuth.getCurrentAuthInfo': () => ({
      type: 'token',
      copilotUser: { login: 'octo-one', copilot_plan: 'individual_pro', access_type_sku: 'plus_monthly' },
    }),
    'session.provider.getEndpoint': () => ({
      type: 'openai',
      wireApi: 'completions',
      baseUrl: play.baseUrl ?? 'https://api.individual.githubcopilot.com',
      apiKey: token,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'Openai-Intent': 'conversation-agent',
        'X-Initiator': 'user',
        'X-GitHub-Api-Version': '2026-08-01',
        'Copilot-Integration-Id': 'copilot-sdk',
        'Copilot-Harness-Id': 'copilot-sdk',
        'X-Interaction-Id': 'ef65280c-23b0-4664-9810-3e8e0f5c2aa5',
        'User-Agent': 'copilot/1.0.85 (linux unknown) term/unknown',
        'Editor-Version': 'copilot/1.0.85',
        Authorization: `Bearer ${String(token)}`,
      },
    }),
    'account.getCurrentAuth': () => ({}),
    'session.delete': () => ({ success: true }),
    'runtime.shutdown': () => ({}),
  };

  const take = (message: { id?: unknown; method?: string; params?: Params }) => {
    const { id, method, params = {} } = message;
    if (method === undefined) {
      notes.answers.push(message);
      note();
      return;
    }
    notes.calls.push({ method, params });
    note();
    if (misbehaves(method)) return;
    const fault = play.at === method ? play : null;
    if (play.chatty) {
      write({ method: 'session.lifecycle', params: { type: 'session.updated', sessionId } });
      write({ id: `q-${notes.calls.length}`, method: 'gitHubToken.getToken', params: { host: 'github.com' } });
    }
    if (fault?.does === 'error') write({ id, error: fault.gives });
    else if (fault?.does === 'result') write({ id, result: fault.gives });
    else write({ id, result: answers[method]?.(params) });
  };

  if (misbehaves('start')) return;
  let held = Buffer.alloc(0);
  process.stdin.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    for (;;) {
      const end = held.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(held.toString('latin1', 0, end))?.[1]);
      if (held.length < end + 4 + length) return;
      const text = held.toString('utf8', end + 4, end + 4 + length);
      held = held.subarray(end + 4 + length);
      take(JSON.parse(text));
    }
  });
}

if (process.env.FAKE_RUNTIME) main(JSON.parse(process.env.FAKE_RUNTIME));
