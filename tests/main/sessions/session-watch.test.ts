import { describe, expect, it } from 'vitest';
import { SessionWatch } from '../../../main/sessions/session-watch.ts';
import { askedToRun, happened, noCost, request, session } from '../watched-sessions.ts';

describe('the sessions that the tray knows', () => {
  it('come, change and go as the app tells of them', () => {
    const watch = new SessionWatch();
    expect(watch.hear({ event: 'session', session: session('a', { state: 'running' }) })).toBe(true);
    watch.hear({ event: 'session', session: session('b', { state: 'waiting' }) });
    expect([watch.all.length, watch.waiting, watch.atWork.map(({ id }) => id)]).toEqual([2, 1, ['a', 'b']]);
    expect(watch.hear({ event: 'session-gone', id: 'a' })).toBe(true);
    expect([watch.find('a'), watch.atWork.length]).toEqual([null, 1]);
    expect(watch.hear({ event: 'history-deleted' })).toBe(false);
  });

  it('ask, and have been answered; nothing of what was asked is kept', () => {
    const watch = new SessionWatch();
    watch.hear({ event: 'session', session: session('a', { state: 'running' }) });
    watch.hear(askedToRun('a', 'q1', 5));
    watch.hear(askedToRun('a', 'q2', 6));
    expect(watch.find('a')?.questions).toEqual([
      { id: 'q1', about: { what: 'command', name: '' }, askedAt: 5, command: null },
      { id: 'q2', about: { what: 'command', name: '' }, askedAt: 6, command: null },
    ]);
    expect(JSON.stringify(watch.all)).not.toContain('secret');
    watch.hear(happened('a', 'answered', { id: 'q1' }));
    watch.hear(happened('a', 'answered', { id: null, rule: 'r' }));
    expect(watch.find('a')?.questions.map(({ id }) => id)).toEqual(['q2']);
    watch.hear({ event: 'session', session: session('a', { state: 'idle', questions: 0 }) });
    expect(watch.find('a')?.questions).toEqual([]);
  });

  it('have a turn with its times and its cost', () => {
    const watch = new SessionWatch();
    watch.hear({ event: 'session', session: session('a', { state: 'running' }) });
    watch.hear(happened('a', 'turn-started', { initiator: 'user' }, { turnId: 'one', at: 10 }));
    expect(watch.hear(happened('a', 'cost', { ...noCost, user: 1 }, { turnId: 'one' }))).toBe(false);
    watch.hear(happened('a', 'cost', { ...noCost, user: 9 }, { turnId: 'another' }));
    watch.hear(happened('a', 'update', {}, { turnId: 'one' }));
    watch.hear(happened('a', 'turn-ended', { state: 'done' }, { turnId: 'one', at: 30 }));
    const ended = { at: 30, state: 'done' };
    expect(watch.find('a')?.turn).toEqual({ id: 'one', startedAt: 10, ended, cost: { ...noCost, user: 1 } });
    watch.hear(happened('a', 'turn-started', {}, { turnId: 'two', at: 40 }));
    expect(watch.find('a')?.turn).toEqual({ id: 'two', startedAt: 40, ended: null, cost: null });
  });

  it('events of what is not known, or not of the known form, change nothing', () => {
    const watch = new SessionWatch();
    expect(watch.hear(askedToRun('nobody', 'q', 1))).toBe(false);
    watch.hear({ event: 'session', session: session('a') });
    expect(watch.hear(happened('a', 'question', { id: 7 }))).toBe(false);
    expect(watch.hear(happened('a', 'turn-ended', { state: 'done' }))).toBe(false);
    expect(watch.find('a')).toEqual({ session: session('a'), questions: [], turn: null });
  });

  it('their requests are counted apart from those of others', () => {
    const watch = new SessionWatch();
    watch.hear({ event: 'session', session: session('a', { state: 'running' }) });
    watch.hear(request('r1', 'a', 'running'));
    watch.hear(request('r1', 'a', 'running'));
    watch.hear(request('r2', 'claude-code', 'running'));
    expect(watch.runningRequests).toBe(1);
    watch.hear(request('r1', 'a', 'done'));
    expect(watch.runningRequests).toBe(0);
  });

  it('rest when the last one does', async () => {
    const watch = new SessionWatch();
    await watch.rested();
    watch.hear({ event: 'session', session: session('a', { state: 'running' }) });
    watch.hear({ event: 'session', session: session('b', { state: 'waiting' }) });
    let rested = false;
    const rest = watch.rested().then(() => {
      rested = true;
    });
    watch.hear({ event: 'session', session: session('a', { state: 'idle' }) });
    await Promise.resolve();
    expect(rested).toBe(false);
    watch.hear({ event: 'session-gone', id: 'b' });
    await rest;
    expect(rested).toBe(true);
  });
});
