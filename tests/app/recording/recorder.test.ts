import { describe, expect, it } from 'vitest';
import { redact } from '../../../app/adapters/redact.ts';
import type { Clock } from '../../../app/ports.ts';
import { Recorder, type RecordingLimits } from '../../../app/recording/recorder.ts';

/** A clock that stands still until it is moved; then those whose time has come are woken. */
class HandClock implements Clock {
  #now = 1_795_000_000_000;
  readonly #sleepers = new Set<{ until: number; wake: () => void }>();
  now = (): number => this.#now;
  ticks = (): number => this.#now;
  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const sleeper = { until: this.#now + ms, wake: resolve };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  get sleeping(): number {
    return this.#sleepers.size;
  }
  async advance(ms: number): Promise<void> {
    this.#now += ms;
    for (const sleeper of [...this.#sleepers]) {
      if (sleeper.until > this.#now) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
    await nextTurn();
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function surround(limits: RecordingLimits = { megabytes: 64, minutes: null }) {
  const clock = new HandClock();
  let changes = 0;
  const redacted: string[] = [];
  const recorder = new Recorder({
    clock,
    redact: (text) => {
      redacted.push(text);
      return redact(text);
    },
    limits: () => limits,
    changed: () => {
      changes += 1;
    },
  });
  return { clock, recorder, limits, redacted, changes: () => changes };
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const token = 'gho_abcdefghijklmnopqrstuvwxyz0123456789';
const client = { authorization: 'Bearer KEY.test', 'x-api-key': 'sk-1', 'user-agent': 'curl', cookie: 'a=b' };

/** One exchange from its begin to its end. */
async function exchange(recorder: Recorder, id: string, body: Buffer, answer = ''): Promise<void> {
  const headers = recorder.headers.begin(id, client);
  const recording = recorder.isOn ? recorder.begin(id) : null;
  recording?.received(body);
  headers.sent = { Authorization: `Bearer ${token}`, 'X-Initiator': 'user' };
  recording?.sends('/v1/messages', body, false);
  headers.answered = { 'content-type': 'text/event-stream', 'set-cookie': ['secret=1'] };
  if (answer !== '') recording?.refused(answer);
  recording?.end();
  recorder.headers.ended(id);
  await settled(recorder, id);
}

/** What is deferred has been done. */
async function settled(recorder: Recorder, id: string): Promise<void> {
  await nextTurn();
  await recorder.body(id, 'sent', { whole: true });
  await nextTurn();
}

describe('while nothing is recorded', () => {
  it('is off, and holds nothing of a body', async () => {
    const { recorder, redacted } = surround();
    await exchange(recorder, 'one', json({ prompt: 'my-secret-plan' }), 'my-secret-answer');
    expect(recorder.state()).toEqual({ on: false, exchanges: 0, bytes: 0 });
    expect(recorder.recorded('one')).toMatchObject({ bodies: 'none', views: [] });
    expect(await recorder.body('one', 'sent', { whole: true })).toBeNull();
    // Nobody has even looked at it.
    expect(redacted.join()).not.toContain('my-secret');
  });

  it('keeps headers without what is secret by its name or its look', async () => {
    const { recorder } = surround();
    await exchange(recorder, 'one', json({}));
    expect(recorder.recorded('one').headers).toEqual({
      client: [
        { name: 'authorization', value: null },
        { name: 'x-api-key', value: null },
        { name: 'user-agent', value: 'curl' },
        { name: 'cookie', value: null },
      ],
      sent: [
        { name: 'authorization', value: null },
        { name: 'x-initiator', value: 'user' },
      ],
      answered: [
        { name: 'content-type', value: 'text/event-stream' },
        { name: 'set-cookie', value: null },
      ],
    });
  });

  it('shows the headers of one that runs, as secretly, and takes a token out of a value', () => {
    const { recorder } = surround();
    recorder.headers.begin('one', { authorization: 'x', 'x-trace': `see ${token}` });
    expect(recorder.recorded('one').headers).toEqual({
      client: [
        { name: 'authorization', value: null },
        { name: 'x-trace', value: 'see [redacted]' },
      ],
      sent: null,
      answered: null,
    });
  });

  it('keeps headers of the last 500', async () => {
    const { recorder } = surround();
    for (let count = 0; count <= 500; count++) {
      recorder.headers.begin(`id-${count}`, {});
      recorder.headers.ended(`id-${count}`);
    }
    await nextTurn();
    expect(recorder.recorded('id-0').headers).toBeNull();
    expect(recorder.recorded('id-1').headers).not.toBeNull();
  });
});

describe('recording', () => {
  it('holds references and no copy while an exchange runs', () => {
    const { recorder } = surround();
    recorder.switch(true);
    const recording = recorder.begin('one');
    const body = Buffer.alloc(1_000_000, 'x');
    const before = process.memoryUsage().arrayBuffers;
    recording.received(body);
    recording.sends('/v1/messages', body, false);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000);
    expect(recorder.state()).toEqual({ on: true, exchanges: 1, bytes: 2_000_000 });
  });

  it('gives out what was said without tokens, while it runs and after', async () => {
    const { recorder } = surround();
    recorder.switch(true);
    const recording = recorder.begin('one');
    recording.received(json({ prompt: `use ${token}` }));
    const running = await recorder.body('one', 'received', { whole: false });
    recording.end();
    await settled(recorder, 'one');
    const ended = await recorder.body('one', 'received', { whole: false });
    const text = '{\n  "prompt": "use [redacted]"\n}';
    expect([running, ended]).toEqual([
      { text, bytes: json({ prompt: `use ${token}` }).length, cut: false },
      { text, bytes: json({ prompt: 'use [redacted]' }).length, cut: false },
    ]);
    // What is held is what is shown: the token is not in memory any more.
    expect(recorder.state().bytes).toBe(json({ prompt: 'use [redacted]' }).length);
  });

  it('of several tries the last one counts; batches stand one after the other', async () => {
    const { recorder } = surround();
    recorder.switch(true);
    const tries = recorder.begin('tries');
    tries.sends('/v1/messages', json({ try: 1 }), false);
    tries.refused('{"error":1}');
    tries.sends('/v1/messages', json({ try: 2 }), false);
    expect(await recorder.body('tries', 'sent', { whole: true })).toMatchObject({ text: '{\n  "try": 2\n}' });
    expect(recorder.recorded('tries').views).toEqual(['sent']);
    expect(recorder.state().bytes).toBe(json({ try: 2 }).length);
    const batches = recorder.begin('batches');
    batches.sends('/embeddings', json({ batch: 1 }), true);
    batches.sends('/embeddings', json({ batch: 2 }), true);
    expect(await recorder.body('batches', 'sent', { whole: true })).toMatchObject({
      text: '{\n  "batch": 1\n}\n{\n  "batch": 2\n}',
    });
  });

  it('lets the oldest go first where there is no room, and says so', async () => {
    const { recorder, limits } = surround({ megabytes: 1, minutes: null });
    recorder.switch(true);
    for (const id of ['one', 'two', 'three']) await exchange(recorder, id, Buffer.alloc(200_000, 'x'));
    expect(recorder.state()).toEqual({ on: true, exchanges: 2, bytes: 800_000 });
    expect(['one', 'two', 'three'].map((id) => recorder.recorded(id).bodies)).toEqual(['room', 'there', 'there']);
    // One that is too large by itself is not held at all, and takes no other with it for good.
    const large = recorder.begin('large');
    large.received(Buffer.alloc(2_000_000, 'x'));
    large.returned(Buffer.from('more'));
    expect(recorder.recorded('large').bodies).toBe('room');
    expect(recorder.state()).toEqual({ on: true, exchanges: 0, bytes: 0 });
    await exchange(recorder, 'four', Buffer.alloc(300_000, 'x'));
    limits.megabytes = 0.5;
    recorder.limitsChanged();
    expect(recorder.recorded('four').bodies).toBe('room');
  });

  it('lets go of what is too old, by itself', async () => {
    const { recorder, clock } = surround({ megabytes: 64, minutes: 15 });
    recorder.switch(true);
    await exchange(recorder, 'one', json({}));
    await clock.advance(10 * 60_000);
    await exchange(recorder, 'two', json({}));
    await clock.advance(6 * 60_000);
    expect(['one', 'two'].map((id) => recorder.recorded(id).bodies)).toEqual(['age', 'there']);
    await clock.advance(10 * 60_000);
    expect(recorder.state()).toEqual({ on: true, exchanges: 0, bytes: 0 });
    expect(clock.sleeping).toBe(0);
  });

  it.each([1, 4, 7, 10])('adds up when something is let go of while its secrets are taken out: %i', async (turns) => {
    const { recorder } = surround();
    recorder.switch(true);
    const recording = recorder.begin('one');
    const words = Array.from({ length: 20_000 }, () => ({ text: `some words and ${token}` }));
    recording.received(json(words));
    recording.sends('/v1/messages', json(words), false);
    recording.end();
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
    recorder.forget();
    expect(recorder.state()).toEqual({ on: true, exchanges: 0, bytes: 0 });
    await exchange(recorder, 'two', json({ a: 1 }));
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(recorder.state()).toEqual({ on: true, exchanges: 1, bytes: 2 * json({ a: 1 }).length });
  });

  it('another age counts at once', async () => {
    const { recorder, clock, limits } = surround();
    recorder.switch(true);
    await exchange(recorder, 'one', json({}));
    await clock.advance(60 * 60_000);
    expect(clock.sleeping).toBe(0);
    limits.minutes = 30;
    recorder.limitsChanged();
    expect(recorder.recorded('one').bodies).toBe('age');
  });

  it('switched off it holds what it has until that is deleted', async () => {
    const { recorder } = surround();
    recorder.switch(true);
    await exchange(recorder, 'one', json({ a: 1 }));
    recorder.switch(false);
    await exchange(recorder, 'two', json({ a: 2 }));
    expect(['one', 'two'].map((id) => recorder.recorded(id).bodies)).toEqual(['there', 'none']);
    recorder.forget();
    expect(recorder.recorded('one')).toMatchObject({ bodies: 'deleted', views: [] });
    expect(recorder.state()).toEqual({ on: false, exchanges: 0, bytes: 0 });
  });

  it('tells of what changes, and lets go of everything at the end', async () => {
    const { recorder, changes, clock } = surround({ megabytes: 64, minutes: 15 });
    recorder.switch(true);
    expect(changes()).toBe(1);
    recorder.switch(true);
    expect(changes()).toBe(1);
    await exchange(recorder, 'one', json({}));
    expect(changes()).toBe(2);
    recorder.close();
    expect(recorder.recorded('one')).toEqual({ headers: null, bodies: 'none', views: [] });
    expect(recorder.state()).toEqual({ on: false, exchanges: 0, bytes: 0 });
    expect(clock.sleeping).toBe(0);
  });
});
