import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { AppEvent } from '../../../app/api/events.ts';
import type { ListedSession } from '../../../app/api/session-list.ts';
import { SessionStore } from '../../../app/sessions/store/session-store.ts';
import { until } from '../../soon.ts';
import { collectingLog, fakeClock } from '../history/surroundings.ts';
import { startStack } from '../stack.ts';
import { idOf, projects } from './transcripts/samples.ts';

/** An app whose list of sessions a front follows. */
async function following(place = projects()) {
  const home = join(place.home, 'jumpseat');
  mkdirSync(home, { recursive: true });
  const stack = await startStack({ home, idle: true, app: { environment: { CLAUDE_CONFIG_DIR: place.home } } });
  onTestFinished(() => stack.close());
  const reported: AppEvent[] = [];
  const stop = stack.app.listen((event) => reported.push(event));
  const listed = (id: string): ListedSession | undefined =>
    reported
      .flatMap((event) => (event.event === 'session-listed' && event.session.id === id ? [event.session] : []))
      .at(-1);
  const isGone = (id: string) => reported.some((event) => event.event === 'session-unlisted' && event.id === id);
  return { ...place, ...stack, stop, reported, listed, isGone };
}

const line = (said: string) => `${JSON.stringify({ type: 'user', uuid: said, message: { content: said } })}\n`;

it('a session that another program makes is told, while it grows, and when it is gone; nothing is resumed', async () => {
  const { app, path, add, listed, isGone, home } = await following();
  add('compaction', idOf(1));
  expect((await app.sessionList()).sessions.map(({ id }) => id)).toEqual([idOf(1)]);
  expect(listed(idOf(1))).toBeUndefined();
  add('tools-image-title', idOf(2));
  const came = await until(() => listed(idOf(2)));
  expect(came).toMatchObject({ hosted: false, openIn: null, problem: null });
  appendFileSync(path(idOf(2)), line('one more'));
  await until(() => (listed(idOf(2))?.size ?? 0) > (came.size ?? 0));
  rmSync(path(idOf(2)));
  await until(() => isGone(idOf(2)));
  expect(isGone(idOf(1))).toBe(false);
  expect(await app.heldSessions()).toEqual([]);
  expect(existsSync(join(home, 'cache', 'sessions'))).toBe(false);
});

it('a session goes with its transcript, also a renamed one; one that Jumpseat has led stays', async () => {
  const place = projects();
  const home = join(place.home, 'jumpseat');
  mkdirSync(home, { recursive: true });
  const store = new SessionStore(join(home, 'sessions.db'), { clock: fakeClock(), log: collectingLog() });
  store.sessions.decorate('ours', { hosted: true, title: 'Led here', options: { agentSessionId: idOf(2) } });
  store.close();
  place.add('compaction', idOf(1));
  place.add('compaction', idOf(2));
  const { app, path, listed, isGone } = await following(place);
  await app.sessionList();
  await app.renameSession({ session: idOf(1), title: 'Mine' });
  rmSync(path(idOf(1)));
  rmSync(path(idOf(2)));
  await until(() => isGone(idOf(1)));
  expect(await until(() => listed('ours'))).toMatchObject({ title: 'Led here', hosted: true, size: null });
  expect(isGone('ours')).toBe(false);
});

it('a session that a terminal has open says so with its process, also where it was opened before', async () => {
  const place = projects();
  const notes = join(place.home, 'sessions');
  const note = (pid: number, number: number, more: object = {}) =>
    JSON.stringify({ pid, sessionId: idOf(number), kind: 'interactive', entrypoint: 'cli', ...more });
  mkdirSync(notes);
  writeFileSync(join(notes, '1.json'), note(process.pid, 1));
  place.add('compaction', idOf(1));
  place.add('compaction', idOf(2));
  const { app, listed } = await following(place);
  const openIn = { pid: process.pid, program: 'terminal' };
  const { sessions } = await app.sessionList();
  expect(new Map(sessions.map(({ id, openIn }) => [id, openIn]))).toEqual(
    new Map([
      [idOf(1), openIn],
      [idOf(2), null],
    ]),
  );
  expect(await app.sessionProcess(idOf(1))).toMatchObject({ pid: process.pid });
  expect(await app.sessionProcess(idOf(2))).toBeNull();
  writeFileSync(join(notes, '2.json'), note(process.pid, 2));
  await until(() => listed(idOf(2))?.openIn != null);
  expect(listed(idOf(2))?.openIn).toEqual(openIn);
  // What it does there is said when that changes.
  writeFileSync(join(notes, '2.json'), note(process.pid, 2, { status: 'waiting', waitingFor: 'input needed' }));
  await until(() => listed(idOf(2))?.openIn?.state === 'waits');
  rmSync(join(notes, '2.json'));
  await until(() => listed(idOf(2))?.openIn === null);
});

it('nothing is followed without a listener, and no more once the last has gone', async () => {
  const { app, add, stop, reported, listed } = await following();
  stop();
  await app.sessionList();
  add('compaction', idOf(1));
  const seen: AppEvent[] = [];
  const leave = app.listen((event) => seen.push(event));
  expect((await app.sessionList()).sessions).toHaveLength(1);
  add('compaction', idOf(2));
  await until(() => seen.some(({ event }) => event === 'session-listed'));
  leave();
  const before = seen.length;
  add('compaction', idOf(3));
  expect((await app.sessionList()).sessions).toHaveLength(3);
  expect([seen.length, reported.length, listed(idOf(3))]).toEqual([before, 0, undefined]);
});

it('a copy that the agent has made goes as a session of its own when one of ours goes on with it', async () => {
  const { app, home, path, add, listed, isGone } = await following();
  await app.sessionList();
  add('compaction', idOf(1));
  await until(() => listed(idOf(1)));
  const store = new SessionStore(join(home, 'sessions.db'), { clock: fakeClock(), log: collectingLog() });
  store.sessions.decorate('fork', { hosted: true, title: 'A fork', options: { agentSessionId: idOf(1) } });
  store.close();
  appendFileSync(path(idOf(1)), line('one more'));
  await until(() => isGone(idOf(1)) && listed('fork')?.title === 'A fork');
});
