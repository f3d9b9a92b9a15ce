import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SettingsStore } from '../../../app/settings/settings.ts';
import { SessionsOutside } from '../../../main/sessions/sessions-outside.ts';
import { HandClock } from '../hand-clock.ts';
import { request, session } from '../watched-sessions.ts';

it('says what an end would cut off, how many wait, and that what is shown has changed', async () => {
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-outside-'));
  const settings = SettingsStore.open(join(home, 'settings.json'), { write: () => {} }).store;
  const badges: number[] = [];
  let changes = 0;
  const sessions = new SessionsOutside({
    ...{
      clock: new HandClock(),
      settings,
      world: () => 'credits',
      notify: () => true,
      sound: () => {},
      answer: () => {},
      withdraw: () => {},
    },
    requests: () => 3,
    badge: (waiting) => badges.push(waiting),
    changed: () => {
      changes += 1;
    },
  });
  try {
    sessions.hear({ event: 'session', session: session('a', { state: 'running' }) });
    sessions.hear({ event: 'session', session: session('b', { state: 'waiting' }) });
    sessions.hear(request('r', 'a', 'running'));
    const { sessions: atWork, requests } = sessions.work();
    expect([atWork.length, requests, sessions.running.map(({ id }) => id)]).toEqual([2, 2, ['a']]);
    expect([badges, changes, sessions.all.length]).toEqual([[0, 1], 2, 2]);
    for (const id of ['a', 'b']) sessions.hear({ event: 'session-gone', id });
    await sessions.rested();
    expect(badges.at(-1)).toBe(0);
  } finally {
    sessions.close();
    settings.close();
    rmSync(home, { recursive: true, force: true });
  }
});
