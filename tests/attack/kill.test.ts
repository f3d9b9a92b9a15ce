import { afterEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../../app/api/exchange.ts';
import type { RecordedRequest } from '../../app/simulator/record.ts';
import { soon } from '../soon.ts';
import { type Attacked, ask, attacked, type Seen, type Serving } from './attacked.ts';
import { rounds, seed } from './rounds.ts';

/** The built product, killed (SIGKILL) at random moments under load and at each step of a request and of a start. */

let product: Attacked;
afterEach(() => product.close());

// A repeatable course (mulberry32); the moment at which the signal arrives is the system's.
let state = seed;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}
const upTo = (limit: number): number => Math.floor(random() * limit);
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const words = (number: number): string => `number ${number} of the attack`;
const numberOf = ({ body }: RecordedRequest): number =>
  Number(/number (\d+) of the attack/.exec(JSON.stringify(body))?.[1] ?? Number.NaN);
/** What Copilot was asked: a request that came in whole. */
const arrived = (): RecordedRequest[] =>
  product.simulator.requests.filter(({ service, path }) => service === 'copilot' && path === '/v1/messages');
const whole = ({ ended, text }: Seen): boolean => ended && text.includes('message_stop');

async function kill({ pid, started }: Serving): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await started.ended();
}

/** Which prompts each row, and each request that arrived, was of. */
interface Asked {
  number: number;
  seen: Seen;
  /** Places in the order of all beginnings and ends. */
  begun: number;
  ended: number;
}

function expectOneRowEach(rows: readonly Exchange[], asked: readonly Asked[]): void {
  const note = `seed ${seed}`;
  expect(new Set(rows.map(({ id }) => id)).size, note).toBe(rows.length);
  // A prompt id is the number, which each request has for itself alone, but for its repeats.
  const sent = Map.groupBy(arrived(), numberOf);
  const kept = Map.groupBy(
    rows.filter(({ path }) => path !== null),
    ({ prompt }) => Number(prompt),
  );
  for (const number of new Set([...sent.keys(), ...kept.keys()])) {
    const requests = sent.get(number)?.length ?? 0;
    const found = kept.get(number) ?? [];
    expect(found.length, `prompt ${number}, ${note}`).toBeGreaterThanOrEqual(requests);
    // The row stands before its request is on its way, so a kill between the two leaves a row of what never arrived.
    const lived = found.filter(({ failure }) => failure?.code !== 'killed');
    expect(lived.length, `prompt ${number}, ${note}`).toBeLessThanOrEqual(requests);
  }
  for (const { number, seen } of asked.filter(({ seen }) => whole(seen))) {
    const row = rows.find(({ id }) => id === seen.requestId);
    expect(row?.prompt, `${note}: prompt ${number}`).toBe(`${number}`);
    // Its row is ended in the turn after its last byte: a kill between the two leaves what is not known any more.
    expect([row?.outcome, row?.failure?.code ?? 'killed'], `${note}: prompt ${number}`).toEqual([
      expect.stringMatching(/^(done|cut)$/),
      'killed',
    ]);
  }
  expect(
    rows.filter(({ outcome }) => outcome === 'running'),
    note,
  ).toEqual([]);
}

/** What Copilot was told to be a person's: the first try, and none after one whose row and ledger are on disk. */
function expectHonest(rows: readonly Exchange[], asked: readonly Asked[]): void {
  const rowOf = ({ seen }: Asked): Exchange | undefined => rows.find(({ id }) => id === seen.requestId);
  for (const [number, tries] of Map.groupBy(asked, (one) => one.number)) {
    const first = arrived().find((request) => numberOf(request) === number);
    expect(first?.initiator ?? 'user', `prompt ${number}, seed ${seed}`).toBe('user');
    const accepted = tries.find((one) => whole(one.seen) && rowOf(one)?.outcome === 'done');
    const later = tries.filter(({ begun }) => accepted !== undefined && begun > accepted.ended);
    for (const initiator of later.map((one) => rowOf(one)?.initiator ?? 'agent'))
      expect(initiator, `prompt ${number}, seed ${seed}`).toBe('agent');
  }
}

it(`killed at random under load: a start works, and what reached Copilot is one row (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  product = await attacked();
  const asked: Asked[] = [];
  let next = 0;
  let order = 0;
  let serving = await product.serve();
  for (let round = 0; round < rounds(4, 60); round += 1) {
    let over = false;
    const { baseUrl } = serving;
    const client = async (): Promise<void> => {
      while (!over) {
        // Now and then the words of before, as a client that tries again.
        const number = next > 0 && random() < 0.2 ? upTo(next) : next++;
        const begun = ++order;
        const seen = await ask(baseUrl, `${number}`, words(number));
        asked.push({ number, seen, begun, ended: ++order });
      }
    };
    const before = arrived().length;
    const clients = Array.from({ length: 6 }, client);
    await soon(() => expect(arrived().length).toBeGreaterThan(before + 3));
    await wait(upTo(60));
    await kill(serving);
    over = true;
    await Promise.all(clients);
    serving = await product.serve();
  }
  await serving.stop();
  expect(product.isLocked()).toBe(false);
  const rows = product.rows();
  expectOneRowEach(rows, asked);
  expectHonest(rows, asked);
  // What lay between two kills was at Copilot when the signal came.
  expect(rows.filter(({ failure }) => failure?.code === 'killed').length).toBeGreaterThan(0);
});

describe('killed at a step of a request', () => {
  const steps: {
    step: string;
    reply: (gate: Promise<void>) => Parameters<Attacked['simulator']['script']['next']>[0];
    outcome: string;
  }[] = [
    { step: 'sent, without an answer', reply: (gate) => ({ kind: 'usual', gate }), outcome: 'cut' },
    {
      step: 'in the middle of the answer',
      reply: (gate) => ({ kind: 'usual', before: (index) => (index === 4 ? gate : undefined) }),
      outcome: 'cut',
    },
  ];

  it.each(steps)('$step: one row, and the words again are told as they should be', async ({ step, reply, outcome }) => {
    product = await attacked();
    const first = await product.serve();
    const gate = new Promise<void>(() => undefined);
    const arrival = product.simulator.script.arrival('/v1/messages');
    product.simulator.script.next(reply(gate), '/v1/messages');
    let begun: Seen | null = null;
    const asking = ask(first.baseUrl, '1', words(1), (seen) => {
      begun = seen;
    });
    await arrival;
    if (step.startsWith('in the middle')) {
      await soon(() => expect(begun?.text).toContain('content_block_delta'));
      // The client has these bytes a turn before the ledger's line is on disk; killed between the two, the words again
      // are the person's.
      await soon(() => expect(product.hasAccepted()).toBe(true));
    }
    await kill(first);
    await asking;
    const second = await product.serve();
    expect(whole(await ask(second.baseUrl, '1', words(1)))).toBe(true);
    await second.stop();
    expect(product.rows()).toMatchObject([
      { prompt: '1', initiator: 'user', outcome, path: '/v1/messages', failure: { code: 'killed' } },
      { prompt: '1', outcome: 'done' },
    ]);
    // Accepted by what came back; without an answer nobody knows, and in doubt it is the person's.
    const initiators = arrived().map(({ initiator }) => initiator);
    expect(initiators).toEqual(['user', step.startsWith('in the middle') ? 'agent' : 'user']);
  });

  it('after the answer: its row is there', async () => {
    product = await attacked();
    const first = await product.serve();
    const seen = await ask(first.baseUrl, '1', words(1));
    await kill(first);
    expect(whole(seen)).toBe(true);
    const second = await product.serve();
    await second.stop();
    expect(product.rows()).toMatchObject([{ id: seen.requestId, prompt: '1' }]);
  });
});

it('killed at random while it starts: the next start works, with the lock and the history whole', {
  timeout: 600_000,
}, async () => {
  product = await attacked();
  for (let round = 0; round < rounds(4, 60); round += 1) {
    const starting = product.start(['serve', '--port', '0', '--json']);
    await wait(100 + upTo(500));
    starting.child.kill('SIGKILL');
    await starting.ended();
  }
  const { baseUrl, stop } = await product.serve();
  expect(whole(await ask(baseUrl, '1', words(1)))).toBe(true);
  await stop();
  expect([product.rows().length, product.isLocked()]).toEqual([1, false]);
});
