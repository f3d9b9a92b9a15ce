import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppEvent } from '../../../app/api/events.ts';
import type { Session, TurnCost } from '../../../app/api/sessions.ts';
import { SettingsStore } from '../../../app/settings/settings.ts';
import type { SystemNotice } from '../../../main/notices/notice.ts';
import { SessionNotifier } from '../../../main/notices/session-notices.ts';
import { SessionWatch } from '../../../main/sessions/session-watch.ts';
import { HandClock } from '../hand-clock.ts';
import { askedToRun, happened, noCost, session } from '../watched-sessions.ts';

let home: string;
let settings: SettingsStore;
const notifiers: SessionNotifier[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-sessions-'));
  settings = SettingsStore.open(join(home, 'settings.json'), { write: () => {} }).store;
});
afterEach(() => {
  for (const notifier of notifiers.splice(0)) notifier.close();
  settings.close();
  rmSync(home, { recursive: true, force: true });
});

function start(world: 'credits' | 'premium' = 'credits') {
  const clock = new HandClock();
  const watch = new SessionWatch();
  const reported: SystemNotice[] = [];
  const withdrawn: string[] = [];
  const sounds: string[] = [];
  const answers: string[] = [];
  const facts = { inSight: false, changes: 0 };
  const notifier = new SessionNotifier({
    ...{ clock, settings, watch, world: () => world },
    notify: (notice) => {
      if (!facts.inSight) reported.push(notice);
      return !facts.inSight;
    },
    sound: (cause) => sounds.push(cause),
    answer: (...given) => answers.push(given.join(' ')),
    withdraw: (cause) => withdrawn.push(cause),
    changed: () => {
      facts.changes += 1;
    },
  });
  notifiers.push(notifier);
  const hear = (...events: AppEvent[]): void => {
    for (const event of events) {
      watch.hear(event);
      notifier.hear(event);
    }
  };
  const is = (id: string, change: Partial<Session>): void =>
    hear({ event: 'session', session: session(id, { cwd: `/home/me/${id}`, title: `About ${id}`, ...change }) });
  /** As the host tells it: the question, then that the session waits. */
  const asks = (id: string, question: string, command?: string): void => {
    is(id, { state: 'running' });
    hear(askedToRun(id, question, clock.ticks(), command));
    is(id, { state: 'waiting', questions: 1 });
  };
  const answered = (id: string, question: string): void => {
    hear(happened(id, 'answered', { id: question }));
    is(id, { state: 'running' });
  };
  const turn = (
    id: string,
    ms: number,
    end: Partial<Session> & { outcome: NonNullable<Session['outcome']> },
    cost?: TurnCost,
  ) => {
    is(id, { state: 'running' });
    hear(happened(id, 'turn-started', {}, { turnId: `${id}1`, at: 1_000 }));
    if (cost !== undefined) hear(happened(id, 'cost', cost, { turnId: `${id}1` }));
    hear(happened(id, 'turn-ended', { state: end.outcome }, { turnId: `${id}1`, at: 1_000 + ms }));
    is(id, { state: 'idle', ...end });
  };
  return { clock, reported, withdrawn, sounds, answers, facts, hear, is, asks, answered, turn, notifier };
}

const words = (reported: readonly SystemNotice[]) =>
  reported.map(({ title, body, opens }) => [title, body, opens !== null && 'place' in opens ? opens.place : null]);
const change = (sessions: { titlesOutside: boolean }) =>
  settings.update({ sessions: { ...settings.current().sessions, ...sessions } });

describe('C22.5 a session that asks', () => {
  it('is notified after ten seconds without an answer, and not with what it asks', async () => {
    const { clock, reported, asks } = start();
    asks('parcel-api', 'q1');
    await clock.to(9_999);
    expect(reported).toEqual([]);
    await clock.to(10_000);
    expect(words(reported)).toEqual([
      ['parcel-api asks to run a command', 'Open Jumpseat to answer.', '#/sessions/parcel-api'],
    ]);
    expect(JSON.stringify(reported)).not.toMatch(/secret|About|home/);
  });

  it('and was answered in time is not; answered later, what was told is taken back', async () => {
    const { clock, reported, withdrawn, asks, answered } = start();
    asks('a', 'q1');
    await clock.to(9_000);
    answered('a', 'q1');
    await clock.to(60_000);
    expect([reported, withdrawn]).toEqual([[], []]);
    asks('a', 'q2');
    await clock.to(71_000);
    answered('a', 'q2');
    expect([reported.length, withdrawn]).toEqual([1, ['session-waits-q2']]);
  });

  it('more within a minute are told as one, with the way to all of them', async () => {
    const { clock, reported, asks } = start();
    asks('parcel-api', 'q1');
    await clock.to(5_000);
    asks('website', 'q2');
    asks('dotfiles', 'q3');
    await clock.to(30_000);
    expect(words(reported)).toEqual([
      ['parcel-api asks to run a command', 'Open Jumpseat to answer.', '#/sessions/parcel-api'],
      ['3 sessions wait for you', 'parcel-api, website, dotfiles', '#/sessions?q=waiting'],
      ['3 sessions wait for you', 'parcel-api, website, dotfiles', '#/sessions?q=waiting'],
    ]);
    // The notifier tells the same cause once.
    expect(new Set(reported.map(({ cause }) => cause)).size).toBe(2);
  });

  it('after a minute, or where the others were answered, it is told alone', async () => {
    const { clock, reported, asks, answered } = start();
    asks('a', 'q1');
    await clock.to(10_000);
    asks('b', 'q2');
    answered('a', 'q1');
    await clock.to(20_000);
    await clock.to(80_001);
    asks('c', 'q3');
    await clock.to(95_000);
    expect(reported.map(({ title }) => title)).toEqual([
      'a asks to run a command',
      'b asks to run a command',
      'c asks to run a command',
    ]);
  });

  it('is not notified where the window shows it, or where the setting is off', async () => {
    const { clock, reported, facts, asks } = start();
    facts.inSight = true;
    asks('a', 'q1');
    await clock.to(10_000);
    facts.inSight = false;
    await settings.update({ notifications: { ...settings.current().notifications, sessionWaits: false } });
    asks('b', 'q2');
    await clock.to(30_000);
    expect(reported).toEqual([]);
  });

  it('is to be heard when a notification is due, also where that is off', async () => {
    await settings.update({ notifications: { ...settings.current().notifications, sessionWaits: false } });
    const { clock, sounds, asks, answered, turn } = start();
    asks('a', 'q1');
    answered('a', 'q1');
    asks('b', 'q2');
    await clock.to(9_999);
    expect(sounds).toEqual([]);
    await clock.to(10_000);
    turn('c', 29_999, { outcome: 'done' });
    expect(sounds).toEqual(['soundWaits']);
    turn('d', 30_000, { outcome: 'done' });
    turn('e', 1_000, { outcome: 'failed' });
    expect(sounds).toEqual(['soundWaits', 'soundDone', 'soundFailed']);
  });

  it('has a short command answered in its notification only where the person wants that, and alone', async () => {
    const { clock, reported, answers, hear, is, asks } = start();
    asks('a', 'q1', 'npm test');
    await clock.to(10_000);
    expect(reported.map((notice) => notice.answers)).toEqual([undefined]);
    await settings.update({ notifications: { ...settings.current().notifications, answers: true } });
    await clock.to(100_000);
    asks('b', 'q2', 'npm test');
    await clock.to(200_000);
    asks('c', 'q3', 'rm -rf secret');
    await clock.to(300_000);
    asks('d', 'q4', 'npm test');
    hear(askedToRun('d', 'q5', clock.ticks(), 'npm test'));
    is('d', { state: 'waiting', questions: 2 });
    await clock.to(400_000);
    expect(reported.map((notice) => notice.answers?.body)).toEqual([undefined, 'npm test', undefined, undefined]);
    const [, offered] = reported;
    expect(offered?.body).toBe('Open Jumpseat to answer.');
    for (const { press } of offered?.answers?.buttons ?? []) press();
    expect(answers).toEqual(['b q2 allow', 'b q2 deny']);
  });

  it('is named by its title where the person wants that', async () => {
    await change({ titlesOutside: true });
    const { clock, reported, asks } = start();
    asks('a', 'q1');
    await clock.to(10_000);
    expect(reported[0]?.title).toBe('a · About a · asks to run a command');
  });

  it('that is gone is forgotten', async () => {
    const { clock, reported, withdrawn, hear, asks } = start();
    asks('a', 'q1');
    hear({ event: 'session-gone', id: 'a' });
    asks('b', 'q2');
    await clock.to(20_000);
    hear({ event: 'session-gone', id: 'b' });
    expect([reported.map(({ title }) => title), withdrawn]).toEqual([
      ['b asks to run a command'],
      ['session-waits-q2'],
    ]);
  });
});

describe('a session that is done', () => {
  const cost = { ...noCost, user: 1, nanoAiu: 58_770_000_000, premiumRequests: 1 };

  it('is told of with its time and its cost, where it took 30 s or more', () => {
    const { reported, turn } = start();
    turn('a', 29_999, { outcome: 'done' }, cost);
    turn('parcel-api', 184_000, { outcome: 'done' }, cost);
    expect(words(reported)).toEqual([['parcel-api is done', '3 m 04 s, 58.77 credits.', '#/sessions/parcel-api']]);
  });

  it('says what is known of the cost', () => {
    const { reported, turn } = start();
    turn('a', 30_000, { outcome: 'done' });
    turn('b', 30_000, { outcome: 'done' }, { ...cost, isPartlyUnknown: true });
    turn('e', 30_000, { outcome: 'done' }, { ...cost, nanoAiu: 0, isPartlyUnknown: true });
    const premium = start('premium');
    premium.turn('c', 30_000, { outcome: 'done' }, cost);
    premium.turn('d', 30_000, { outcome: 'done' }, { ...cost, premiumRequests: 2.5 });
    expect([...reported, ...premium.reported].map(({ body }) => body)).toEqual([
      '30.0 s.',
      '30.0 s, at least 58.77 credits.',
      '30.0 s, cost unknown.',
      '30.0 s, 1 premium request.',
      '30.0 s, 2.50 premium requests.',
    ]);
  });

  it('goes on with its queue: not yet', () => {
    const { reported, turn, is } = start();
    const queue = [{ id: 'm', prompt: [], queuedAt: 0 }];
    turn('a', 60_000, { outcome: 'done', queue });
    expect(reported).toEqual([]);
    is('a', { state: 'running', outcome: 'done' });
  });

  it('is told of once, and not where a person stopped it', () => {
    const { reported, turn, is } = start();
    turn('a', 60_000, { outcome: 'done' });
    is('a', { state: 'unloaded', outcome: 'done' });
    turn('b', 60_000, { outcome: 'cancelled' });
    expect(reported.map(({ title }) => title)).toEqual(['a is done']);
  });
});

describe('a session that failed', () => {
  const problem = (code: string) => ({ code, text: '~/secret', remedy: '', requestId: null, stderr: 'secret' });

  it.each([
    ['agent-ended', 'failed', 'Claude Code ended in the middle of a turn.'],
    ['agent-ended', 'interrupted', 'Claude Code ended in the middle of a turn.'],
    ['refused', 'failed', 'Copilot refused a request.'],
    ['not-started', 'failed', 'Claude Code couldn’t start.'],
    ['no-connection', 'failed', 'The connection to Copilot was lost.'],
    ['limit', 'failed', 'It reached your limit of credits.'],
    ['an unknown code', 'failed', 'Its turn failed.'],
  ] as const)('%s, %s', (code, outcome, body) => {
    const { reported, turn } = start();
    turn('parcel-api', 500, { outcome, problem: problem(code) });
    expect(words(reported)).toEqual([['parcel-api stopped', body, '#/sessions/parcel-api']]);
    expect(JSON.stringify(reported)).not.toContain('secret');
  });

  it('with Jumpseat is not told', () => {
    const { reported, turn } = start();
    turn('a', 500, { outcome: 'interrupted' });
    expect(reported).toEqual([]);
  });
});

it('the time in the menu is kept while one works, and no longer; after its end nothing is told', async () => {
  vi.useFakeTimers();
  try {
    const { facts, is, notifier, asks, clock, reported } = start();
    is('a', { state: 'running' });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(facts.changes).toBe(2);
    is('a', { state: 'idle' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(facts.changes).toBe(2);
    notifier.close();
    asks('b', 'q');
    expect([vi.getTimerCount(), reported, clock.ticks()]).toEqual([0, [], 0]);
  } finally {
    vi.useRealTimers();
  }
});
