import { describe, expect, it, vi } from 'vitest';
import type { App } from '../../app/api/app.ts';
import { type CutAnswer, cutWords, quitsWhen } from '../../app/words/quit.ts';
import { Quit } from '../../main/quit.ts';
import { soon } from '../soon.ts';
import { appState, working } from './app-state.ts';

function setup(
  options: {
    running?: number;
    sessions?: number;
    rested?: Promise<void>;
    answers?: CutAnswer[];
    stop?: (graceMs: number | undefined) => Promise<void>;
    closeWindow?: () => Promise<void>;
    changed?: () => void;
  } = {},
) {
  const done: string[] = [];
  const answers = [...(options.answers ?? [])];
  const facts = { running: options.running ?? 0, sessions: options.sessions ?? 0 };
  const quit = new Quit({
    app: {
      state: () => appState({ health: { ...working, running: facts.running } }),
      startProxy: async () => {
        done.push('start');
        return {} as Awaited<ReturnType<App['startProxy']>>;
      },
      stopProxy: (given?: { graceMs?: number }) => {
        done.push(`stop ${given?.graceMs}`);
        return options.stop?.(given?.graceMs) ?? Promise.resolve();
      },
    } as App,
    log: { write: (_level, event) => done.push(`log ${event}`) },
    work: () => ({
      sessions: Array.from({ length: facts.sessions }, () => ({ agent: 'claude' as const, state: 'running' as const })),
      requests: facts.running,
    }),
    sessionsRested: async () => {
      done.push('rest');
      await options.rested;
    },
    askCut: async ({ title, now, cancel }) => {
      done.push(`ask ${title} [${now}]${cancel === 'Cancel' ? '' : ` [${cancel}]`}`);
      return answers.shift() ?? 'later';
    },
    changed: () => options.changed?.(),
    closeWindow: options.closeWindow ?? (() => Promise.resolve()),
    close: async () => void done.push('close'),
    exit: () => done.push('exit'),
  });
  return { quit, done, facts };
}

describe('quitting', () => {
  it('asks nothing where nothing runs', async () => {
    const { quit, done } = setup();
    await quit.byPerson();
    await quit.byPerson();
    expect({ done, isOver: quit.isOver }).toEqual({ done: ['stop 0', 'close', 'exit'], isOver: true });
  });

  it('running answers are cut off when a person says so', async () => {
    const { quit, done } = setup({ running: 2, answers: ['now'] });
    await quit.byPerson();
    expect(done).toEqual(['ask 2 requests are running [Quit now]', 'stop 0', 'close', 'exit']);
  });

  it('or waited for; asked again meanwhile, it can end at once', async () => {
    let ended = () => {};
    const all = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const stop = (graceMs?: number) => (graceMs === 0 ? Promise.resolve() : all);
    const { quit, done } = setup({ running: 1, answers: ['later', 'later', 'now'], stop });
    const waiting = quit.byPerson();
    await soon(() => expect(done.at(-1)).toBe('stop 86400000'));
    await quit.byPerson();
    expect({ isEnding: quit.isEnding, last: done.at(-1) }).toEqual({
      isEnding: false,
      last: 'ask Jumpseat quits when 1 request is done [Quit now] [Don’t quit]',
    });
    await quit.byPerson();
    ended();
    await waiting;
    expect(done.slice(-4)).toEqual([
      'ask Jumpseat quits when 1 request is done [Quit now] [Don’t quit]',
      'stop 0',
      'close',
      'exit',
    ]);
    expect(done.filter((step) => step === 'exit')).toHaveLength(1);
  });

  it('waited for, it ends by itself with the last answer', async () => {
    const { quit, done } = setup({ running: 1, answers: ['later'] });
    await quit.byPerson();
    expect(done).toEqual(['ask 1 request is running [Quit now]', 'rest', 'stop 86400000', 'stop 0', 'close', 'exit']);
  });

  it('C22.5 sessions at work are asked about before requests, and may be cut off', async () => {
    const { quit, done } = setup({ sessions: 2, running: 3, answers: ['now'] });
    await quit.byPerson();
    expect(done).toEqual(['ask 2 sessions are working [Quit now]', 'stop 0', 'close', 'exit']);
  });

  it('sessions that are waited for keep the proxy until the last one rests', async () => {
    const rest = Promise.withResolvers<void>();
    const { quit, done } = setup({ sessions: 1, rested: rest.promise, answers: ['later', 'later'] });
    const waiting = quit.byPerson();
    await soon(() => expect(done.at(-1)).toBe('rest'));
    await quit.byPerson();
    const again = 'ask Jumpseat quits when 1 session is done [Quit now] [Don’t quit]';
    expect(done).toEqual(['ask 1 session is working [Quit now]', 'rest', again]);
    rest.resolve();
    await waiting;
    expect(done.slice(3)).toEqual(['stop 86400000', 'stop 0', 'close', 'exit']);
  });

  it('cancelled, nothing ends; also when it waits already, for a session or the last answer', async () => {
    const asked = setup({ sessions: 1, answers: ['cancel'] });
    await asked.quit.byPerson();
    expect(asked.done).toEqual(['ask 1 session is working [Quit now]']);

    const rest = Promise.withResolvers<void>();
    const resting = setup({ sessions: 1, rested: rest.promise, answers: ['later', 'cancel'] });
    const first = resting.quit.byPerson();
    await soon(() => expect(resting.done.at(-1)).toBe('rest'));
    await resting.quit.byPerson();
    rest.resolve();
    await first;
    const again = (what: string) => `ask Jumpseat quits when 1 ${what} is done [Quit now] [Don’t quit]`;
    expect(resting.done.slice(2)).toEqual([again('session')]);

    const last = Promise.withResolvers<void>();
    const ending = setup({ running: 1, answers: ['later', 'cancel'], stop: () => last.promise });
    const second = ending.quit.byPerson();
    await soon(() => expect(ending.done.at(-1)).toBe('stop 86400000'));
    await ending.quit.byPerson();
    last.resolve();
    await second;
    expect(ending.done.slice(3)).toEqual([again('request'), 'start']);
  });

  it('says while it waits that it does, and stays where that is taken back, also while it asks', async () => {
    const rest = Promise.withResolvers<void>();
    const seen: boolean[] = [];
    const { quit, done, facts } = setup({
      ...{ sessions: 1, rested: rest.promise, answers: ['later', 'later', 'later'] },
      changed: () => seen.push(quit.isWaiting),
    });
    const first = quit.byPerson();
    await soon(() => expect(done.at(-1)).toBe('rest'));
    expect([quit.isWaiting, seen]).toEqual([true, [true]]);
    quit.stay();
    expect([quit.isWaiting, seen]).toEqual([false, [true, false]]);
    // Asked anew, it is asked as the first time, and waits anew.
    const second = quit.byPerson();
    await soon(() => expect(done.filter((step) => step === 'rest')).toHaveLength(2));
    const third = quit.byPerson();
    quit.stay();
    await soon(() => expect(done.filter((step) => step === 'rest')).toHaveLength(3));
    expect([quit.isWaiting, done.includes('exit')]).toEqual([true, false]);
    facts.sessions = 0;
    rest.resolve();
    await Promise.all([first, second, third]);
    expect(done.filter((step) => step === 'exit')).toHaveLength(1);
    expect(done.filter((step) => step === 'ask 1 session is working [Quit now]')).toHaveLength(2);
  });

  it('a shutdown of the system waits for no session', async () => {
    const { quit, done } = setup({ sessions: 2 });
    await quit.bySystem();
    expect(done).toEqual(['stop 5000', 'close', 'exit']);
  });

  it('asks one question at a time, and an end by the system wins over the answer', async () => {
    const asked = setup({ sessions: 1, answers: ['later'] });
    const both = [asked.quit.byPerson(), asked.quit.forUpdate(), asked.quit.bySystem()];
    expect(await both[1]).toBe(false);
    await Promise.all(both);
    expect(asked.done).toEqual(['ask 1 session is working [Quit now]', 'stop 5000', 'close', 'exit']);
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

  it('first of all the window goes, which may have something to keep', async () => {
    for (const end of ['byPerson', 'bySystem', 'forUpdate'] as const) {
      const gone = Promise.withResolvers<void>();
      const { quit, done } = setup({ closeWindow: () => gone.promise });
      const over = quit[end]();
      await soon(() => expect(quit.isEnding).toBe(true));
      expect(done).toEqual([]);
      gone.resolve();
      await over;
      expect(done).toContain('close');
    }
  });

  it('for a new version everything is let go, and the updater ends the process', async () => {
    const { quit, done } = setup();
    expect(await quit.forUpdate()).toBe(true);
    await quit.byPerson();
    expect({ done, isOver: quit.isOver }).toEqual({ done: ['stop 5000', 'close'], isOver: true });
  });

  it('a new version waits for sessions as the end does, and the end may come first', async () => {
    const rest = Promise.withResolvers<void>();
    const { quit, done } = setup({ sessions: 2, rested: rest.promise, answers: ['later', 'now'] });
    const update = quit.forUpdate();
    await soon(() => expect(done.at(-1)).toBe('rest'));
    await quit.byPerson();
    rest.resolve();
    expect(await update).toBe(false);
    expect(done.filter((step) => step === 'close')).toHaveLength(1);
    const now = setup({ sessions: 2, answers: ['now'] });
    expect(await now.quit.forUpdate()).toBe(true);
    expect(now.done).toEqual(['ask 2 sessions are working [Quit now]', 'stop 5000', 'close']);
  });
});

describe('what is asked before the end', () => {
  const claude = { agent: 'claude', state: 'running' } as const;
  const asking = { agent: 'claude', state: 'waiting' } as const;
  it.each([
    [[claude], 0, '1 session is working', 'Quitting stops Claude Code in the middle of its turn. You can go on later.'],
    [
      [claude, claude],
      0,
      '2 sessions are working',
      'Quitting stops Claude Code in the middle of their turns. You can go on later.',
    ],
    [
      [claude],
      1,
      '1 session is working',
      'Quitting stops Claude Code in the middle of its turn. You can go on later. It also cuts off 1 other request.',
    ],
    [
      [claude, { agent: 'codex' as const, state: 'running' as const }],
      2,
      '2 sessions are working',
      'Quitting stops Claude Code and Codex in the middle of their turns. You can go on later. ' +
        'It also cuts off 2 other requests.',
    ],
    [
      [asking],
      0,
      '1 session waits for you',
      'Quitting stops Claude Code in the middle of its turn. Its question is denied. You can go on later. ' +
        'A session that waits is done only after your answer.',
    ],
    [
      [claude, asking, asking],
      0,
      '1 session is working, 2 wait for you',
      'Quitting stops Claude Code in the middle of their turns. Open questions are denied. You can go on later. ' +
        'A session that waits is done only after your answer.',
    ],
    [[], 1, '1 request is running', 'Quitting cuts it off. Claude Code can go on from there later.'],
  ])('%j and %i requests', (sessions, requests, title, text) => {
    const later = `Quit when ${sessions.length + requests === 1 ? 'it’s' : 'they’re'} done`;
    expect(cutWords({ sessions, requests }, 'quit')).toEqual({
      ...{ title, text, later, now: 'Quit now' },
      ...{ cancel: 'Cancel', onEscape: 'cancel' },
    });
  });

  it.each([
    [[claude], 0, 'quits when 1 session is done'],
    [[claude, asking], 0, 'quits when 2 sessions are done (1 waits for you)'],
    [[claude], 2, 'quits when 1 session and 2 requests are done'],
    [[], 1, 'quits when 1 request is done'],
    [[], 0, 'quits when the last work is done'],
  ])('%j and %i requests, once it waits: %s', (sessions, requests, words) => {
    expect(quitsWhen({ sessions, requests })).toBe(words);
    expect(cutWords({ sessions, requests }, 'quit', true)).toEqual(
      sessions.length + requests === 0
        ? null
        : {
            ...cutWords({ sessions, requests }, 'quit'),
            ...{ title: `Jumpseat ${words}`, later: 'Keep waiting', cancel: 'Don’t quit', onEscape: 'later' },
          },
    );
  });

  it('nothing is cut: nothing is asked', () => {
    expect(cutWords({ sessions: [], requests: 0 }, 'quit')).toBeNull();
  });
});
