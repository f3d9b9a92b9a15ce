import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, it } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import type { Exchange } from '../../app/api/exchange.ts';
import { heldAtMostMs } from '../../app/exchange/limits/queue.ts';
import type { RecordedRequest, Reply } from '../../app/simulator/simulator.ts';
import { rounds } from '../attack/rounds.ts';
import { eventsOf, pathsIn, prompt, type Stack, startStack } from './stack.ts';

/**
 * Exchanges by the hundred, with every fault there is at moments that a seed picks. `JUMPSEAT_SOAK=5000` makes it long,
 * `JUMPSEAT_SOAK_SEED` repeats a run.
 */
const exchanges = Number(process.env.JUMPSEAT_SOAK ?? rounds(300, 5000));
const seed = Number(process.env.JUMPSEAT_SOAK_SEED ?? 20_261_120);
const lanes = 8;
/** Attempts with one prompt, as a client makes them until it is answered. */
const mostAttempts = 4;
/** What a row and a log line of the test's own may hold on to, in bytes. */
const perExchange = 4096;

/** Mulberry32: small, and the same everywhere. */
function dice(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const roll = dice(seed);
const upTo = (most: number): number => Math.floor(roll() * most);
const chance = (of: number): boolean => roll() < of;
const pick = <T>(list: readonly [T, ...T[]]): T => list[upTo(list.length)] ?? list[0];
const wait = (ms: number): Promise<void> => nodeClock().sleep(ms);

const refusals: readonly [Reply, ...Reply[]] = [
  { kind: 'answer', status: 401, body: 'unauthorized: token expired' },
  { kind: 'answer', status: 421, body: 'Misdirected Request' },
  { kind: 'answer', status: 429, headers: { 'retry-after': '1' }, body: '' },
  { kind: 'answer', status: 429, body: { error: { code: 'user_model_rate_limited', message: 'slow down' } } },
  { kind: 'answer', status: 400, body: { error: { message: 'prompt is too long: 2 tokens > 1 maximum' } } },
  { kind: 'answer', status: 500, body: 'oops' },
  { kind: 'answer', status: 502, body: '<html>bad gateway</html>' },
  { kind: 'answer', status: 503, body: { message: 'overloaded' } },
  { kind: 'answer', status: 504, body: '' },
  { kind: 'answer', status: 200, body: '<html>not a stream</html>' },
  { kind: 'reset' },
];

const nonsense: readonly [string, ...string[]] = [
  'event: message_start\ndata: {"type":oops\n\n',
  'data: [1,2]\n\n',
  ': only a comment\n\n',
  'event: later_event\ndata: {"type":"later_event"}\n\n',
  'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}}]}\n\n',
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":7,"delta":{}}\n\n',
  '\u0000\n\n',
];

function fault(): Reply | null {
  switch (upTo(9)) {
    case 0:
    case 1:
    case 2:
      return null;
    case 3:
      return pick(refusals);
    case 4:
      return { kind: 'usual', cutAfter: upTo(12), cut: pick(['clean', 'destroy', 'reset']) };
    case 5:
      return {
        kind: 'usual',
        cutAfter: upTo(8),
        errorEvent: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      };
    case 6:
      return { kind: 'usual', gate: wait(upTo(25)) };
    case 7:
      return { kind: 'usual', before: () => (chance(0.3) ? wait(upTo(3)) : undefined) };
    default:
      return {
        kind: 'stream',
        events: Array.from({ length: 1 + upTo(3) }, () => pick(nonsense)),
        end: pick(['clean', 'destroy', 'reset']),
      };
  }
}

/** How a client behaves. */
type Manner = 'patient' | 'slow' | 'leaves-early' | 'leaves-late' | 'breaks-upload';

function manner(): Manner {
  return chance(0.7) ? 'patient' : pick(['slow', 'leaves-early', 'leaves-late', 'breaks-upload']);
}

interface Seen {
  /** Null: no head came. */
  status: number | null;
  requestId: string | null;
  text: string;
  /** The answer came to its end. */
  ended: boolean;
}

const kept = new Agent({ keepAlive: true });
const agents = [kept, false] as const;

function ask(stack: Stack, body: string, headers: Record<string, string>, how: Manner): Promise<Seen> {
  const leaveAfter = upTo(12);
  return new Promise((resolve) => {
    const seen: Seen = { status: null, requestId: null, text: '', ended: false };
    let left = false;
    const leave = (): void => {
      left = true;
      outgoing.destroy();
    };
    const outgoing = request(
      new URL('/v1/messages?beta=true', stack.baseUrl),
      {
        method: 'POST',
        agent: agents[upTo(2)],
        headers: { authorization: `Bearer ${stack.key}.soak`, 'content-length': Buffer.byteLength(body), ...headers },
      },
      (response) => {
        seen.status = response.statusCode ?? null;
        seen.requestId = String(response.headers['request-id']);
        const leaveAt = upTo(2500);
        response.setEncoding('utf8').on('data', (text: string) => {
          seen.text += text;
          if (how === 'leaves-late' && seen.text.length > leaveAt) leave();
          if (how !== 'slow') return;
          response.pause();
          setTimeout(() => response.resume(), 2);
        });
        response.on('end', () => {
          seen.ended = response.complete && !left;
        });
      },
    );
    outgoing.on('error', () => {});
    outgoing.on('close', () => resolve(seen));
    if (how === 'breaks-upload') {
      outgoing.write(body.slice(0, upTo(body.length)), leave);
    } else {
      outgoing.end(body);
    }
    if (how === 'leaves-early') setTimeout(leave, leaveAfter);
  });
}

const models = ['claude-sonnet-4.6', 'claude-haiku-4.5', 'gpt-4.1', 'gpt-5.4'] as const;

/** Words that no other prompt has; the simulated model gives them back. */
function wordsOf(number: number): string {
  return `number ${number} of the soak`;
}

/** What one attempt came to. `well`: a whole answer. */
interface Attempted {
  seen: Seen;
  how: Manner;
  well: boolean;
}

/** One attempt with a prompt; what must hold of what the client saw. */
async function attempt(stack: Stack, number: number, promptId: string | null): Promise<Attempted> {
  const words = wordsOf(number);
  const streamed = chance(0.7);
  const isMine = ({ body }: RecordedRequest): boolean => JSON.stringify(body).includes(`${words}.`);
  const planned = fault();
  if (planned !== null) {
    stack.simulator.script.next(planned, isMine);
    // What is replayed meets the same fault half of the time.
    if (chance(0.5)) stack.simulator.script.next(planned, isMine);
  }
  const headers: Record<string, string> =
    promptId === null
      ? {}
      : {
          'user-agent': 'claude-cli/2.1.328 (external, cli)',
          'x-claude-code-session-id': 'd26f2bc4-fb0d-459f-9b83-fc913dde2b60',
          'x-claude-code-request-class': 'main',
          'x-claude-1p-request-class': 'main',
          'x-claude-code-prompt-id': promptId,
        };
  const body = prompt(`${words}.`, { model: models[upTo(models.length)], stream: streamed });
  const how = manner();
  const seen = await ask(stack, JSON.stringify(body), headers, how);
  const well = seen.ended && seen.status === 200 && (!streamed || endedWell(seen.text));
  if (well && planned?.kind !== 'stream') expect(textOf(seen.text, streamed)).toContain(words);
  return { seen, how, well };
}

/** A stream ends with message_stop or with one error, never with both and never without. */
function endedWell(text: string): boolean {
  const names = eventsOf(text).map(({ event }) => event);
  expect(['message_stop', 'error']).toContain(names.at(-1));
  expect(names.filter((name) => name === 'message_stop' || name === 'error')).toHaveLength(1);
  return names.at(-1) === 'message_stop';
}

function textOf(text: string, streamed: boolean): string {
  if (!streamed) return text;
  return eventsOf(text)
    .map(({ data }) => Reflect.get(Object(data.delta), 'text') ?? '')
    .join('');
}

/** Copilot took it: content began, or a stop reason came. Else nothing is charged. */
/** Copilot was at work on it, or may have been. */
const wasSent = ({ charge }: Exchange): boolean => charge.kind !== 'none' && charge.kind !== 'pending';

function resources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Turns of the event loop until something holds; sockets need a few to close. */
async function until(holds: () => boolean, turns = 3000): Promise<boolean> {
  for (let turn = 0; turn < turns && !holds(); turn += 1) await wait(turn < 100 ? 0 : 2);
  return holds();
}

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

function heap(): number {
  if (typeof collect === 'function') for (let round = 0; round < 3; round += 1) collect();
  return process.memoryUsage().heapUsed;
}

afterAll(() => kept.destroy());

it(`${exchanges} exchanges with every fault leave one row each, no prompt twice, and nothing behind (seed ${seed})`, {
  timeout: 30_000 + exchanges * 60,
}, async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error): void => {
    // A listener that stays behind on something that lives long is told here, at the eleventh.
    if (!warning.name.includes('Experimental')) warnings.push(warning);
  };
  process.on('warning', warn);
  const before = resources();

  const clock = nodeClock();
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-soak-'));
  // More than that within a minute is the rule here, so that most prompts wait for somebody to let them through.
  writeFileSync(
    pathsIn(home).settings,
    JSON.stringify({ version: 1, limits: { askBeforeBurst: true, burstPerMinute: 20 } }),
  );
  const stack = await startStack({
    home,
    simulator: { keepRequests: 40 },
    // The second before a replay is no part of what is looked at here.
    ports: {
      clock: { ...clock, sleep: (ms, signal) => clock.sleep(ms === heldAtMostMs ? ms : Math.min(ms, 5), signal) },
    },
  });
  const port = Number(new URL(stack.baseUrl).port);
  await stack.app.models();

  const answered = new Map<string, Attempted>();
  let begun = 0;
  let asked = 0;
  let restarts = 0;
  /** Settled while the proxy is on: who asks a closed port again and again tests nothing. */
  let up: Promise<unknown> = Promise.resolve();
  const lane = async (): Promise<void> => {
    while (asked < exchanges) {
      const number = begun;
      begun += 1;
      const promptId = chance(0.8) ? randomUUID() : null;
      for (let round = 0; round < mostAttempts; round += 1) {
        await up;
        asked += 1;
        const made = await attempt(stack, number, promptId);
        if (made.seen.requestId !== null) answered.set(made.seen.requestId, made);
        if (made.well && chance(0.8)) break;
      }
    }
  };
  const restarting = async (): Promise<void> => {
    while (asked < exchanges) {
      const due = asked + Math.max(40, Math.floor(exchanges / 8));
      if (!(await until(() => asked >= Math.min(due, exchanges), 100_000)) || asked >= exchanges) return;
      restarts += 1;
      const stopping = stack.app.stopProxy({ graceMs: upTo(15) });
      up = wait(upTo(3)).then(() => stack.app.startProxy({ port }));
      await Promise.all([stopping, up]);
    }
  };
  let laning = true;
  let letThrough = 0;
  const letting = async (): Promise<void> => {
    while (laning) {
      await wait(2);
      // One of them, or all.
      const held = chance(0.5) ? undefined : (await stack.app.exchanges({ limit: 50 })).find((row) => row.held)?.id;
      letThrough += await stack.app.letThrough(held ?? null);
    }
  };
  const heaps: number[] = [];
  const weighing = async (): Promise<void> => {
    for (const part of [0.5, 1]) {
      await until(() => asked >= exchanges * part, 1_000_000);
      heaps.push(heap());
    }
  };
  const laned = Promise.all(Array.from({ length: lanes }, lane)).finally(() => {
    laning = false;
  });
  await Promise.all([laned, restarting(), weighing(), letting()]);

  expect(await until(() => stack.app.state().health.running === 0)).toBe(true);
  expect(restarts).toBeGreaterThan(1);
  expect(letThrough).toBeGreaterThan(0);
  expect(stack.app.state().health.held.prompts).toBe(0);

  const rows = await stack.app.exchanges({ limit: asked * 2 });
  const ids = rows.map(({ id }) => id);
  const ended = (await stack.rows(0)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ended.toSorted()).toEqual(ids.toSorted());
  expect(ids).toEqual(expect.arrayContaining([...answered.keys()]));
  expect(rows.length).toBeLessThanOrEqual(asked);
  expect(rows.filter(({ outcome }) => outcome === 'running')).toEqual([]);
  // The log says of an answer what its client saw of it.
  const patient = rows.flatMap((row) => {
    const made = answered.get(row.id);
    return made?.how === 'patient' && made.seen.ended ? [{ row, made }] : [];
  });
  expect(patient.length).toBeGreaterThan(exchanges / 3);
  expect(patient.filter(({ row, made }) => (row.outcome === 'done') !== made.well)).toEqual([]);
  expect(patient.filter(({ row, made }) => row.status !== made.seen.status)).toEqual([]);

  // Accepted: a charge was reported, or the client saw content begin.
  const accepted = rows.filter(
    ({ id, prompt, charge }) =>
      prompt !== null &&
      (charge.kind === 'billed' ||
        charge.kind === 'free' ||
        (charge.kind === 'unknown' && answered.get(id)?.seen.text.includes('content_block_start') === true)),
  );
  const byPrompt = Map.groupBy(
    accepted.filter(({ initiator }) => initiator === 'user'),
    ({ prompt }) => prompt,
  );
  expect([...byPrompt.values()].filter((attempts) => attempts.length > 1)).toEqual([]);
  // The other way round: no prompt was answered that nobody was told a person had sent.
  const sent = new Set(rows.filter((row) => row.initiator === 'user' && wasSent(row)).map(({ prompt }) => prompt));
  expect(accepted.filter(({ prompt }) => !sent.has(prompt))).toEqual([]);
  expect(accepted.length).toBeGreaterThan(exchanges / 10);

  expect(stack.log.filter(({ level }) => level === 'error')).toEqual([]);
  expect(stack.simulator.script.violations).toEqual([]);

  await stack.close();
  rmSync(home, { recursive: true, force: true });
  kept.destroy();
  const left = (): string[] =>
    Object.entries(resources())
      .filter(([name, count]) => count > (before[name] ?? 0))
      .map(([name, count]) => `${name} ${count}, ${before[name] ?? 0} before`);
  await until(() => left().length === 0, 1500);
  expect(left()).toEqual([]);
  process.off('warning', warn);
  expect(warnings).toEqual([]);

  const [half = 0, whole = 0] = heaps;
  expect(whole - half).toBeLessThan(6_000_000 + (exchanges / 2) * perExchange);
});
