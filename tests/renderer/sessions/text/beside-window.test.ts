import { describe, expect, it } from 'vitest';
import { BesideWindow } from '../../../../renderer/sessions/text/beside-window.ts';

/** A worker as the window sees it. */
class FakeWorker extends EventTarget {
  declare addEventListener: Worker['addEventListener'];
  readonly received: unknown[] = [];
  isEnded = false;

  postMessage(request: unknown): void {
    this.received.push(request);
  }

  answer(data: { id: number; made: string | null }): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  terminate(): void {
    this.isEnded = true;
  }
}

describe('work beside the window', () => {
  const set = (begin: () => FakeWorker = () => new FakeWorker()) => {
    const begun: FakeWorker[] = [];
    const done: string[] = [];
    const work = new BesideWindow<string, string>(
      () => {
        const worker = begin();
        begun.push(worker);
        return worker;
      },
      async (given) => {
        done.push(given);
        if (given === 'bad') throw new Error('it can’t be done');
        return `${given} in the window`;
      },
    );
    return { work, begun, done, go: new AbortController().signal };
  };

  it('is done by one worker, which is begun with the first of it', async () => {
    const { work, begun, done, go } = set();
    expect(begun).toEqual([]);
    const [a, b] = [work.do('a', go), work.do('b', go)];
    expect(begun.map(({ received }) => received)).toEqual([
      [
        { id: 1, given: 'a' },
        { id: 2, given: 'b' },
      ],
    ]);
    begun[0]?.answer({ id: 2, made: 'B' });
    begun[0]?.answer({ id: 1, made: null });
    expect(await Promise.all([a, b])).toEqual([null, 'B']);
    expect(done).toEqual([]);
  });

  it('is called off', async () => {
    const { work, begun } = set();
    const stopped = new AbortController();
    const a = work.do('a', stopped.signal);
    stopped.abort();
    expect(await a).toBeNull();
    expect(begun[0]?.received).toEqual([{ id: 1, given: 'a' }, { id: 1 }]);
    begun[0]?.answer({ id: 1, made: 'late' });
  });

  it('is done in the window where no worker can be begun', async () => {
    const { work, done, go } = set(() => {
      throw new Error('refused by a policy');
    });
    expect(await Promise.all([work.do('a', go), work.do('bad', go)])).toEqual(['a in the window', null]);
    expect(done).toEqual(['a', 'bad']);
  });

  it('is done in the window where the worker ends, what it owes and what comes later', async () => {
    const { work, begun, done, go } = set();
    const [a, b] = [work.do('a', go), work.do('b', go)];
    begun[0]?.answer({ id: 1, made: 'A' });
    begun[0]?.dispatchEvent(new Event('error'));
    expect(await Promise.all([a, b, work.do('c', go)])).toEqual(['A', 'b in the window', 'c in the window']);
    expect(begun.map(({ isEnded }) => isEnded)).toEqual([true]);
    expect(done).toEqual(['b', 'c']);
  });
});
