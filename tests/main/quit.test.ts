import { describe, expect, it, vi } from 'vitest';
import type { App } from '../../app/api/app.ts';
import { Quit } from '../../main/quit.ts';
import { soon } from '../soon.ts';
import { appState, working } from './app-state.ts';

function setup(
  options: { running?: number; answers?: boolean[]; stop?: (graceMs: number | undefined) => Promise<void> } = {},
) {
  const done: string[] = [];
  const answers = [...(options.answers ?? [])];
  const facts = { running: options.running ?? 0 };
  const quit = new Quit({
    app: {
      state: () => appState({ health: { ...working, running: facts.running } }),
      stopProxy: (given?: { graceMs?: number }) => {
        done.push(`stop ${given?.graceMs}`);
        return options.stop?.(given?.graceMs) ?? Promise.resolve();
      },
    } as App,
    log: { write: (_level, event) => done.push(`log ${event}`) },
    ask: async ({ title, action }) => {
      done.push(`ask ${title} [${action}]`);
      return answers.shift() ?? false;
    },
    close: async () => void done.push('close'),
    exit: () => done.push('exit'),
  });
  return { quit, done, facts };
}

describe('quitting', () => {
  it('where nothing runs nobody is asked', async () => {
    const { quit, done } = setup();
    await quit.byPerson();
    await quit.byPerson();
    expect({ done, isOver: quit.isOver }).toEqual({ done: ['stop 0', 'close', 'exit'], isOver: true });
  });

  it('running answers are cut off when a person says so', async () => {
    const { quit, done } = setup({ running: 2, answers: [true] });
    await quit.byPerson();
    expect(done).toEqual(['ask 2 requests are running [Quit now]', 'stop 0', 'close', 'exit']);
  });

  it('or waited for; asked again meanwhile, it can end at once', async () => {
    let ended = () => {};
    const all = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const stop = (graceMs?: number) => (graceMs === 0 ? Promise.resolve() : all);
    const { quit, done } = setup({ running: 1, answers: [false, false, true], stop });
    const waiting = quit.byPerson();
    await soon(() => expect(done.at(-1)).toBe('stop 86400000'));
    await quit.byPerson();
    expect({ isEnding: quit.isEnding, last: done.at(-1) }).toEqual({
      isEnding: false,
      last: 'ask 1 request is running [Quit now]',
    });
    await quit.byPerson();
    ended();
    await waiting;
    expect(done.slice(-4)).toEqual(['ask 1 request is running [Quit now]', 'stop 0', 'close', 'exit']);
    expect(done.filter((step) => step === 'exit')).toHaveLength(1);
  });

  it('waited for, it ends by itself with the last answer', async () => {
    const { quit, done } = setup({ running: 1, answers: [false] });
    await quit.byPerson();
    expect(done).toEqual(['ask 1 request is running [Quit now]', 'stop 86400000', 'stop 0', 'close', 'exit']);
  });

  it('the system is not asked and not kept waiting', async () => {
    const { quit, done } = setup({ running: 2 });
    await Promise.all([quit.bySystem(), quit.bySystem()]);
    expect(done).toEqual(['stop 5000', 'close', 'exit']);
  });

  it('whatever hangs, it is over in less than ten seconds', async () => {
    vi.useFakeTimers();
    try {
      const { quit, done } = setup({ stop: () => new Promise(() => {}) });
      const over = quit.bySystem();
      await vi.advanceTimersByTimeAsync(9_000);
      await over;
      expect(done).toEqual(['stop 5000', 'exit']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('what fails on the way is logged and ends all the same', async () => {
    const { quit, done } = setup({ stop: () => Promise.reject(new Error('no')) });
    await quit.bySystem();
    expect(done).toEqual(['stop 5000', 'log app.close-failed', 'exit']);
  });

  it('for a new version everything is let go, and the updater ends the process', async () => {
    const { quit, done } = setup();
    await quit.forUpdate();
    await quit.byPerson();
    expect({ done, isOver: quit.isOver }).toEqual({ done: ['stop 5000', 'close'], isOver: true });
  });
});
