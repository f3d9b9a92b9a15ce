import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import { openHistory } from '../../app/history/history.ts';
import { whoAnswers } from '../../app/server/who-answers.ts';
import { exampleExchange } from '../app/history/example.ts';
import { eventsOf, prompt, startStack } from '../app/stack.ts';
import { soon } from '../soon.ts';
import { type Attacked, ask, attacked } from './attacked.ts';
import { rounds } from './rounds.ts';

/** The built product in surroundings that fail: terminals that close, full disks, too few files, signals. */

let product: Attacked;
afterEach(() => product.close());

const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
/** In a shell, with something behind. */
const shell = (behind: string) => (words: readonly string[]) => ['/bin/sh', '-c', `${quoted(words)} ${behind}`];
/** In a terminal of its own. The same person goes on in another session where it is `apart`: no SIGHUP reaches it. */
const terminal =
  ({ apart }: { apart: boolean }) =>
  (words: readonly string[]) => ['script', '-qec', `${apart ? 'setsid -w ' : ''}${quoted(words)}`, '/dev/null'];
/** Under a limit of the system's. */
const limited = (limit: string) => (words: readonly string[]) => ['/bin/sh', '-c', `${limit}; exec ${quoted(words)}`];
/** A small file system of its own is for root, and not in every container. */
const canMount = ((): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const place = mkdtempSync(join(tmpdir(), 'jumpseat-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place], { stdio: 'ignore' });
    execFileSync('umount', [place]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
})();
const hasTerminals = process.platform === 'linux' && existsSync('/usr/bin/script') && existsSync('/usr/bin/setsid');
const whole = (seen: { ended: boolean; text: string }): boolean => seen.ended && seen.text.includes('message_stop');
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function connected(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}

/** A request that has reached the simulator, which answers when the gate opens. */
async function underWay(baseUrl: string, words: string) {
  const gate = Promise.withResolvers<void>();
  const arrived = product.simulator.script.arrival('/v1/messages');
  product.simulator.script.next({ kind: 'usual', gate: gate.promise }, '/v1/messages');
  const seen = ask(baseUrl, words, words);
  await arrived;
  return { seen, open: gate.resolve };
}

describe.runIf(process.platform !== 'win32')('standard output', () => {
  it('a reader who leaves after the first line (`| head -1`) ends no answer', async () => {
    product = await attacked();
    const { baseUrl, stop, started } = await product.serve(shell('| head -1'));
    await started.line();
    const running = await underWay(baseUrl, 'one');
    expect(whole(await ask(baseUrl, 'two', 'two'))).toBe(true);
    running.open();
    expect(whole(await running.seen)).toBe(true);
    await stop();
    expect([product.rows().map(({ outcome }) => outcome), product.isLocked()]).toEqual([['done', 'done'], false]);
  });

  it.runIf(process.platform === 'linux')('a full device is told once, and the proxy goes on', async () => {
    product = await attacked();
    const { baseUrl, stop, started } = await product.serve(shell('> /dev/full'));
    for (const words of ['one', 'two']) expect(whole(await ask(baseUrl, words, words))).toBe(true);
    await stop();
    const { code, err } = await started.ended();
    expect([code, product.rows().length, product.isLocked()]).toEqual([1, 2, false]);
    expect(err).toMatch(/^jumpseat: Standard output can’t be written \(.*ENOSPC.*\)\. Further output is lost\.\n$/);
  });
});

describe.runIf(process.platform !== 'win32')('the log', () => {
  const rows = 1_000;
  const kept = async () => {
    product = await attacked();
    const { history } = openHistory(join(product.home, 'history.db'), { clock: nodeClock(), log: { write() {} } });
    for (let count = 0; count < rows; count += 1) history.record(exampleExchange({ id: `ex-${count}` }));
    history.close();
  };

  it('waits for a reader who takes his time: no row is lost', async () => {
    await kept();
    const log = product.start(['log', '--json', '--limit', '1000'], shell('| (sleep 1; wc -l)'));
    expect((await log.line()).trim()).toBe(`${rows}`);
  });

  it('ends with its reader, also where it follows', async () => {
    await kept();
    // More than a pipe holds: that the reader is gone is seen by whoever writes.
    const { code, out } = await product
      .start(['log', '--json', '--follow', '--limit', `${rows}`], shell('| head -1'))
      .ended();
    expect([code, out.split('\n').length]).toEqual([0, 2]);
  });
});

describe.runIf(hasTerminals)('a terminal', () => {
  it('that is closed (SIGHUP) ends the proxy as SIGTERM does: running answers come to their end', async () => {
    product = await attacked();
    const { baseUrl, pid, started } = await product.serve(terminal({ apart: false }));
    const running = await underWay(baseUrl, 'one');
    started.child.kill('SIGKILL');
    await soon(async () => expect(await whoAnswers({ port: Number(new URL(baseUrl).port) })).not.toBe('jumpseat'));
    running.open();
    expect(whole(await running.seen)).toBe(true);
    await soon(() => expect(isAlive(pid)).toBe(false));
    expect([product.rows().map(({ outcome }) => outcome), product.isLocked()]).toEqual([['done'], false]);
  });

  it('that goes away under a proxy (EIO) ends nothing', async () => {
    product = await attacked();
    const { baseUrl, pid, started } = await product.serve(terminal({ apart: true }));
    const running = await underWay(baseUrl, 'one');
    started.child.kill('SIGKILL');
    await started.ended();
    for (const words of ['two', 'three']) expect(whole(await ask(baseUrl, words, words))).toBe(true);
    running.open();
    expect(whole(await running.seen)).toBe(true);
    process.kill(pid, 'SIGTERM');
    await soon(() => expect(isAlive(pid)).toBe(false));
    expect([product.rows().length, product.isLocked()]).toEqual([3, false]);
  });

  it('that stands still (Ctrl-S) holds no answer up', async () => {
    product = await attacked();
    const { baseUrl, stop, started } = await product.serve(terminal({ apart: true }));
    started.child.kill('SIGSTOP');
    // What a terminal takes before it stands still is some kB; a row is one.
    for (let count = 0; count < 40; count += 1) expect(whole(await ask(baseUrl, `${count}`, `${count}`))).toBe(true);
    started.child.kill('SIGCONT');
    await stop();
    expect([product.rows().length, product.isLocked()]).toEqual([40, false]);
  });
});

describe.runIf(process.platform !== 'win32')('a process that is stopped', () => {
  it('keeps its folder: a second one says who has it, and the first goes on undisturbed', async () => {
    product = await attacked();
    const { baseUrl, pid, stop } = await product.serve();
    const running = await underWay(baseUrl, 'one');
    process.kill(pid, 'SIGSTOP');
    const second = await product.start(['serve', '--port', '0', '--json']).ended();
    expect(second).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`belongs to Jumpseat with pid ${pid}, which is there but doesn’t answer.`),
    });
    process.kill(pid, 'SIGCONT');
    running.open();
    expect(whole(await running.seen)).toBe(true);
    expect(whole(await ask(baseUrl, 'two', 'two'))).toBe(true);
    await stop();
    expect([product.rows().map(({ outcome }) => outcome), product.isLocked()]).toEqual([['done', 'done'], false]);
  });

  it('and is killed then leaves it to the next', async () => {
    product = await attacked();
    const { pid, started } = await product.serve();
    process.kill(pid, 'SIGSTOP');
    process.kill(pid, 'SIGKILL');
    await started.ended();
    const { baseUrl, stop } = await product.serve();
    expect(whole(await ask(baseUrl, 'one', 'one'))).toBe(true);
    await stop();
  });
});

it('a start waits for a Jumpseat that is ending, and runs no second one beside it', async () => {
  product = await attacked();
  const { baseUrl, pid, started } = await product.serve();
  const running = await underWay(baseUrl, 'one');
  process.kill(pid, 'SIGTERM');
  await soon(async () => expect(await whoAnswers({ port: Number(new URL(baseUrl).port) })).not.toBe('jumpseat'));
  const port = await freePort();
  const next = product.start(['serve', '--port', `${port}`, '--json']);
  // It has its port, and answers nobody there yet.
  await soon(() => connected(port));
  const early = ask(`http://127.0.0.1:${port}`, 'early', 'early');
  // Time enough for one that does not wait.
  await product.start(['--version']).ended();
  expect(product.simulator.requests.filter(({ path }) => path === '/v1/messages')).toHaveLength(1);
  running.open();
  expect(whole(await running.seen)).toBe(true);
  await started.ended();
  expect(whole(await early)).toBe(true);
  await next.stop('SIGTERM');
  expect([product.rows().length, product.isLocked()]).toEqual([2, false]);
});

describe('the system runs short', () => {
  it.runIf(process.platform === 'linux')(
    'of files: what gets through is answered, the rest comes through later, one row each',
    async () => {
      product = await attacked();
      const limit = 64;
      const { baseUrl, stop } = await product.serve(limited(`ulimit -n ${limit}`));
      // What the first request loads needs files too, and a crowd that comes at once leaves none for it.
      expect(whole(await ask(baseUrl, 'before', 'before'))).toBe(true);
      // As many stand still as need more files than there are, until one request has met that.
      const gate = Promise.withResolvers<void>();
      for (let count = 0; count < limit; count += 1)
        product.simulator.script.next({ kind: 'usual', gate: gate.promise }, '/v1/messages');
      let refused = 0;
      const asked = Array.from({ length: rounds(80, 400) }, async (_, count) => {
        const seen = await ask(baseUrl, `${count}`, `${count}`);
        if (!whole(seen)) refused += 1;
        return seen;
      });
      await soon(() => expect(refused).toBeGreaterThan(0));
      gate.resolve();
      const seen = await Promise.all(asked);
      const answered = seen.filter(({ status }) => status !== null);
      expect(answered.length).toBeGreaterThan(0);
      for (const { status, text } of answered) {
        if (status !== 200) expect([status, text]).toEqual([expect.any(Number), expect.stringContaining('Jumpseat: ')]);
      }
      await soon(async () => expect(whole(await ask(baseUrl, 'later', 'later'))).toBe(true));
      await stop();
      const rows = product.rows();
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      for (const { requestId } of answered) expect(rows.map(({ id }) => id)).toContain(requestId);
      expect(rows.filter(({ outcome }) => outcome === 'running')).toEqual([]);
    },
  );

  it.runIf(canMount)('of disk: answers go on, rows wait, and are written when there is room', async () => {
    const place = mkdtempSync(join(tmpdir(), 'jumpseat-small-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place]);
    try {
      product = await attacked({}, place);
      const { baseUrl, stop } = await product.serve();
      expect(whole(await ask(baseUrl, 'before', 'before'))).toBe(true);
      const filler = join(place, 'filler');
      const fill = (): void => {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(4_096));
        } catch {
          // It is full.
        }
      };
      fill();
      for (let count = 0; count < 60; count += 1) expect(whole(await ask(baseUrl, `${count}`, `${count}`))).toBe(true);
      fill();
      expect(whole(await ask(baseUrl, 'full', 'full'))).toBe(true);
      expect(product.rows().length).toBeLessThan(62);
      rmSync(filler);
      await stop();
      const rows = product.rows();
      expect([rows.length, product.isLocked()]).toEqual([62, false]);
      expect(rows.every(({ outcome }) => outcome === 'done')).toBe(true);
    } finally {
      await product.close();
      execFileSync('umount', [place]);
      rmSync(place, { recursive: true });
    }
  });
});

describe('a clock that jumps', () => {
  const year = 365 * 24 * 3_600_000;

  it.each([
    ['forward', year],
    ['back', -year],
  ])(
    '%s, before and in the middle of an answer: one row each, durations from the other clock, and a start afterwards',
    async (_, jump) => {
      product = await attacked();
      let off = 0;
      const real = nodeClock();
      const clock = { ...real, now: () => real.now() + off };
      const home = join(product.home, 'in-process');
      mkdirSync(home, { recursive: true });
      const stack = await startStack({ home, ports: { clock } });
      try {
        expect((await stack.messages(prompt('before'))).status).toBe(200);
        off = jump;
        expect((await stack.messages(prompt('after'))).status).toBe(200);
        stack.simulator.script.next(
          {
            kind: 'usual',
            before: (index) => {
              if (index === 3) off = 0;
              return undefined;
            },
          },
          '/v1/messages',
        );
        expect(eventsOf((await stack.messages(prompt('while it jumps back'))).text).at(-1)?.event).toBe('message_stop');
        const rows = await stack.rows(3);
        expect(rows.map(({ outcome, initiator }) => [outcome, initiator])).toEqual(rows.map(() => ['done', 'user']));
        for (const { times } of rows) {
          expect(times.lastEvent).toBeGreaterThanOrEqual(times.sent ?? 0);
          expect(times.lastEvent).toBeLessThan(60_000);
        }
      } finally {
        await stack.close();
      }
      const again = await startStack({ home });
      expect((await again.messages(prompt('again'))).status).toBe(200);
      await again.close();
    },
  );
});
