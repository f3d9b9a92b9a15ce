import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { AppEvent } from '../../../app/api/events.ts';
import { SessionStore } from '../../../app/sessions/store/session-store.ts';
import { until } from '../../soon.ts';
import { collectingLog, fakeClock } from '../history/surroundings.ts';
import { startStack } from '../stack.ts';
import { FakeAgent } from './host/fake-agent.ts';
import { idOf, projects } from './transcripts/samples.ts';

/** An app with a trash that can be looked into. */
async function withTrash(prepare: (store: SessionStore) => void = () => undefined) {
  const place = projects();
  const home = join(place.home, 'jumpseat');
  const trash = join(place.home, 'trash');
  for (const folder of [home, trash]) mkdirSync(folder, { recursive: true });
  const store = new SessionStore(join(home, 'sessions.db'), { clock: fakeClock(), log: collectingLog() });
  prepare(store);
  store.close();
  const agent = new FakeAgent();
  let refusal: Error | null = null;
  const stack = await startStack({
    home,
    app: {
      environment: { CLAUDE_CONFIG_DIR: place.home },
      agents: [agent],
      trash: async (path) => {
        if (refusal !== null) throw refusal;
        renameSync(path, join(trash, basename(path)));
      },
    },
  });
  onTestFinished(() => stack.close());
  const events: AppEvent[] = [];
  stack.app.listen((event) => events.push(event));
  const refuse = (error: Error | null) => {
    refusal = error;
  };
  return { ...place, ...stack, home, agent, trash, events, refuse };
}

it('a session goes to the trash with its subagents and the versions kept for undo; its files and rows stay', async () => {
  const file = '/somewhere/a.txt';
  const { app, add, project, trash, home, events } = await withTrash((store) => {
    store.sessions.decorate(idOf(1), { hosted: true, title: 'Mine' });
    store.drafts.keep({ key: idOf(1), window: 'w', draft: 'half a sentence' });
    const edit = { id: 'e', sessionId: idOf(1), turnId: 't', toolCallId: 'c', path: file };
    store.edits.add({ ...edit, before: 'one\n', after: 'two\n' });
    store.record.append({ sessionId: idOf(1), turnId: 't', kind: 'update', event: {} });
  });
  const transcript = add('tools-image-title', idOf(1));
  add('compaction', idOf(2));
  mkdirSync(join(project, idOf(1), 'subagents'), { recursive: true });
  writeFileSync(join(project, idOf(1), 'subagents', 'agent-a1.jsonl'), '{}\n');
  await app.sessionList();
  await until(async () => (await app.findSessions('jump42')).places.length > 0);
  await app.deleteSession(idOf(1));
  expect(existsSync(transcript)).toBe(false);
  const versions = `Versions of session ${idOf(1).slice(0, 8)}`;
  expect(readdirSync(trash).sort()).toEqual([idOf(1), `${idOf(1)}.jsonl`, versions].sort());
  expect(readdirSync(join(trash, versions)).sort()).toEqual(['1 after a.txt', '1 before a.txt', 'edits.json']);
  expect(readFileSync(join(trash, versions, '1 before a.txt'), 'utf8')).toBe('one\n');
  expect(JSON.parse(readFileSync(join(trash, versions, 'edits.json'), 'utf8'))).toMatchObject([
    { path: file, before: '1 before a.txt', after: '1 after a.txt', state: 'made' },
  ]);
  expect(readdirSync(home).filter((name) => name.startsWith('Versions'))).toEqual([]);
  expect((await app.sessionList()).sessions.map(({ id }) => id)).toEqual([idOf(2)]);
  expect((await app.findSessions('jump42')).places).toEqual([]);
  expect(await app.draft({ key: idOf(1), window: 'w', living: [] })).toBeNull();
  expect((await app.sessionEvents({ session: idOf(1), after: 0, limit: 10 })).events).toEqual([]);
  expect(events.some((event) => event.event === 'session-unlisted' && event.id === idOf(1))).toBe(true);
  await expect(app.deleteSession(idOf(1))).rejects.toMatchObject({ code: 'no-session' });
});

it('a running session is stopped first, and comes back with no row', async () => {
  const { app, agent, project, home } = await withTrash();
  const begun = Promise.withResolvers<void>();
  agent.script = async (turn) => {
    begun.resolve();
    await turn.stopped;
    return 'cancelled';
  };
  const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
  await app.sendMessage({ session: id, prompt: [{ type: 'text', text: 'go on and on' }] });
  await begun.promise;
  await app.deleteSession(id);
  expect(agent.processes.at(-1)?.sessions.size).toBe(0);
  expect([await app.heldSessions(), (await app.sessionList()).sessions]).toEqual([[], []]);
  expect(await app.sessionTurns({ session: id, before: null, limit: 10 })).toEqual([]);
  expect(existsSync(home)).toBe(true);
  const provisional = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
  await app.deleteSession(provisional.id);
  expect(await app.heldSessions()).toEqual([]);
});

it('nothing is deleted where the trash takes nothing, or another program has the session open', async () => {
  const { app, add, home, refuse, ...place } = await withTrash((store) => {
    store.sessions.decorate(idOf(1), { hosted: true, title: 'Mine' });
  });
  const transcript = add('compaction', idOf(1));
  refuse(new Error('the disk is full'));
  await expect(app.deleteSession(idOf(1))).rejects.toMatchObject({
    ...{ code: 'not-deleted', message: 'The session couldn’t be moved to the trash: the disk is full.' },
  });
  expect(existsSync(transcript)).toBe(true);
  refuse(null);
  mkdirSync(join(place.root, '..', 'sessions'));
  const note = join(place.root, '..', 'sessions', '1.json');
  writeFileSync(note, JSON.stringify({ pid: process.pid, sessionId: idOf(1), entrypoint: 'cli' }));
  await expect(app.deleteSession(idOf(1))).rejects.toMatchObject({ code: 'elsewhere' });
  expect((await app.sessionList()).sessions).toMatchObject([{ id: idOf(1), title: 'Mine' }]);
});

it('the copies of going back go with its undo, but for one in which something was sent', async () => {
  const { app, agent, project } = await withTrash();
  let turns = 0;
  agent.script = async (turn) => {
    turns += 1;
    await turn.say('ok', `message-${turns}`);
    await turn.raw({ type: 'assistant', message: { id: `message-${turns}` }, uuid: `uuid-${turns}` });
    return 'end_turn';
  };
  const { id } = await app.newSession({ cwd: project, agent: 'claude', title: 'Retries', choices: {} });
  const say = async (session: string, words: string): Promise<string> => {
    const { turnId } = await app.sendMessage({ session, prompt: [{ type: 'text', text: words }] });
    await until(async () => {
      const found = (await app.sessionTurns({ session, before: null, limit: 10 })).find((turn) => turn.id === turnId);
      return found !== undefined && found.state !== 'running' && (await app.session(session)).state !== 'running';
    });
    return turnId;
  };
  await say(id, 'one');
  const [two, three] = [await say(id, 'two'), await say(id, 'three')];
  const titles = async () => (await app.sessionList()).sessions.map(({ title }) => title).toSorted();
  const back = (turn: string) => app.goBack({ session: id, turn, withFiles: false });
  await back(three);
  await back(two);
  expect(await titles()).toEqual(['Retries', 'Retries, before going back', 'Retries, before going back 2']);
  await app.undoGoBack(id);
  expect(await titles()).toEqual(['Retries']);
  const { copy } = await back(three);
  await say(copy, 'in the copy');
  await app.undoGoBack(id);
  expect(await titles()).toEqual(['Retries', 'Retries, before going back']);
});
