import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { SessionKeyRing } from '../../../../app/server/session-key-ring.ts';
import { cutTexts } from '../../../../app/sessions/store/cut-texts.ts';
import { sessionsForm } from '../../../../app/sessions/store/schema.ts';
import { SessionStoreError } from '../../../../app/sessions/store/session-database.ts';
import { SessionStore } from '../../../../app/sessions/store/session-store.ts';
import { costsSql } from '../../../../app/sessions/store/turn-rows.ts';
import { noCost } from '../../../../app/sessions/turns/costs.ts';
import { collectingLog, fakeClock, temporaryFolder } from '../../history/surroundings.ts';

type Options = Partial<ConstructorParameters<typeof SessionStore>[1]>;

function opened(path = join(temporaryFolder(), 'sessions.db'), options: Options = {}) {
  const clock = fakeClock();
  const log = collectingLog();
  return { path, clock, log, store: new SessionStore(path, { clock, log, ...options }) };
}

/** What a process sees that opens the file after this one was killed. */
const onDisk = (path: string) => new SessionStore(path, { clock: fakeClock(), log: collectingLog() });

/** As before there were whole prompts beside the turns. */
const withoutNewest =
  'DROP TABLE customizations; DROP TABLE customizations_off; DROP TABLE accepted_files; DROP TABLE side_questions; ALTER TABLE edits DROP COLUMN mode;';
const withoutPrompts = 'DROP TRIGGER prompts_of_gone_turns; DROP TRIGGER prompts_of_cut_turns; DROP TABLE prompts;';

/** A prompt with a picture of so many characters. */
const withImage = (characters: number, words = 'look') => [
  { type: 'text', text: words },
  { type: 'image', mimeType: 'image/png', data: 'A'.repeat(characters), _meta: { jumpseat: { name: 'a.png' } } },
];
const withoutImage = (characters: number, words = 'look') => [
  { type: 'text', text: words },
  { ...withImage(0)[1], _meta: { jumpseat: { name: 'a.png', bytes: Math.floor((characters * 3) / 4) } } },
];

/** What is kept of a session, taken by no window. */
const looked = { key: 'a', window: null, living: [] };

describe('the store of sessions', () => {
  it('keeps what decorates a session, changes what a patch names, and has it on disk at once', () => {
    const { path, store, clock } = opened();
    const made = store.sessions.decorate('a', { cwd: '/work', model: 'opus', hosted: true, directories: ['/more'] });
    expect(made).toEqual({
      ...{ id: 'a', agent: 'claude', hosted: true, cwd: '/work', directories: ['/more'], title: null },
      ...{ agentTitle: null, firstPrompt: null, pinned: false, model: 'opus', effort: null, mode: null },
      ...{
        createdAt: clock.now(),
        sentAt: null,
        endedAt: null,
        seenAt: null,
        dismissedAt: null,
        outcome: null,
        parent: null,
      },
      ...{ resumeAt: null, options: {} },
    });
    const changed = { ...made, pinned: true, title: 'Dates', model: null, options: { servers: ['x'] } };
    expect(
      store.sessions.decorate('a', { pinned: true, title: 'Dates', model: null, options: changed.options }),
    ).toEqual(changed);
    expect(onDisk(path).sessions.all()).toEqual([changed]);
    expect(store.sessions.find('b')).toBeNull();
  });

  it('adds up what the turns of many sessions cost from an index, and lets others have their turn', async () => {
    const { path, store } = opened();
    const cost = { ...noCost, nanoAiu: 3, premiumRequests: 0.33, user: 1, agent: 2 };
    store.atOnce(() => {
      for (let at = 0; at < 500; at += 1) {
        const id = `t${at}`;
        store.turns.begin({ id, sessionId: `s${at % 250}`, prompt: [], initiator: 'user' });
        if (at !== 499) store.turns.change(id, { cost: { ...cost, isPartlyUnknown: at === 0 } });
      }
      store.turns.begin({ id: 'none', sessionId: 'none', prompt: [], initiator: 'user' });
    });
    const others: string[] = [];
    const asked = store.turns.costs();
    setImmediate(() => others.push('had theirs'));
    const sums = new Map((await asked).map(({ session, cost: sum }) => [session, sum]));
    expect(others).toEqual(['had theirs']);
    const twice = { ...noCost, nanoAiu: 6, premiumRequests: 0.66, user: 2, agent: 4 };
    expect([sums.size, sums.get('s0'), sums.get('s1')]).toEqual([250, { ...twice, isPartlyUnknown: true }, twice]);
    expect(sums.get('s249')).toEqual(cost);
    const plan = new DatabaseSync(path).prepare(`EXPLAIN QUERY PLAN ${costsSql}`).all('', 1);
    expect(plan.map(({ detail }) => String(detail))).toEqual([expect.stringContaining('INDEX turns_costs')]);
  });

  it('keeps drafts until they are taken away', () => {
    const { path, store } = opened();
    store.drafts.keep({ key: 'a', window: 'w', draft: { text: 'half a sen' } });
    expect(onDisk(path).drafts.find(looked)).toEqual({ text: 'half a sen' });
    store.drafts.keep({ key: 'a', window: 'w', draft: null });
    expect(store.drafts.find(looked)).toBeNull();
  });

  it('keeps a draft for each window; a new one goes on with the latest that a closed one left', () => {
    const { path, store, clock } = opened();
    const asked = (window: string, living: string[] = []) => store.drafts.find({ key: 'a', window, living });
    for (const window of ['one', 'two', 'three']) {
      store.drafts.keep({ key: 'a', window, draft: `of ${window}` });
      clock.advance(1_000);
    }
    expect([asked('one'), asked('two'), asked('three')]).toEqual(['of one', 'of two', 'of three']);
    expect(asked('new', ['one', 'two', 'three'])).toBeNull();
    expect(asked('new', ['one', 'three'])).toBe('of two');
    expect([asked('new', ['one', 'three']), asked('other', ['one', 'three', 'new'])]).toEqual(['of two', null]);
    store.drafts.keep({ key: 'a', window: 'new', draft: null });
    expect([asked('one'), asked('three')]).toEqual(['of one', 'of three']);
    expect(onDisk(path).drafts.find({ key: 'a', window: 'later', living: [] })).toBe('of three');
    expect(asked('later')).toBe('of three');
    expect(asked('last', ['later'])).toBe('of one');
  });

  it('gives drafts of an earlier version to the first window that asks', () => {
    const { path, store } = opened();
    store.close();
    const earlier = new DatabaseSync(path);
    earlier.exec(`DROP TABLE drafts; ${withoutPrompts}
      CREATE TABLE drafts (session TEXT PRIMARY KEY, draft TEXT NOT NULL, written_at INTEGER NOT NULL) STRICT;
      INSERT INTO drafts VALUES ('a', '{"text":"before"}', 1);
      ${withoutNewest} PRAGMA user_version = ${sessionsForm.steps.length - 9};`);
    earlier.close();
    const { store: now } = opened(path);
    expect(now.warnings).toEqual([]);
    const asked = (window: string) => now.drafts.find({ key: 'a', window, living: ['one'] });
    expect([asked('one'), asked('two')]).toEqual([{ text: 'before' }, null]);
  });

  it('keeps which version of a file was accepted, until its session is forgotten', () => {
    const { path, store } = opened();
    store.accepted.accept('a', [
      { path: '/one', version: '1' },
      { path: '/two', version: '1' },
    ]);
    store.accepted.accept('a', [{ path: '/one', version: '2' }]);
    store.accepted.accept('b', [{ path: '/one', version: '3' }]);
    expect([...onDisk(path).accepted.of('a')]).toEqual([
      ['/one', '2'],
      ['/two', '1'],
    ]);
    store.forget('a');
    expect([onDisk(path).accepted.of('a').size, onDisk(path).accepted.of('b').get('/one')]).toEqual([0, '3']);
  });

  it('keeps the queue in its order, and lets a message be sent once', () => {
    const { path, store, clock } = opened();
    const message = (id: string) => ({ id, sessionId: 'a', prompt: [{ type: 'text', text: id }] });
    store.queue.add(message('1'));
    store.queue.add(message('2'));
    store.queue.add(message('0'), 'front');
    store.queue.add({ ...message('1'), prompt: 'another' });
    store.queue.add({ ...message('x'), sessionId: 'b' });
    expect(onDisk(path).queue.of('a')).toEqual(
      ['0', '1', '2'].map((id) => ({ ...message(id), queuedAt: clock.now() })),
    );
    store.queue.order('a', ['2', '0']);
    expect(store.queue.of('a').map(({ id }) => id)).toEqual(['2', '0', '1']);
    expect(store.queue.edit('2', [])).toBe(true);
    expect(store.queue.of('a')[0]).toMatchObject({ prompt: [] });
    expect([store.queue.remove('2'), store.queue.remove('2')]).toEqual([true, false]);
    expect(['a', 'b'].map((of) => store.queue.of(of).map(({ id }) => id))).toEqual([['0', '1'], ['x']]);
  });

  it('numbers the turns of a session and finds those that were under way', () => {
    const { path, store, clock } = opened();
    const turn = (id: string, sessionId = 'a') => store.turns.begin({ id, sessionId, prompt: [id], initiator: 'user' });
    expect([turn('one').number, turn('two').number, turn('other', 'b').number, turn('one').number]).toEqual([
      1, 2, 1, 1,
    ]);
    const ended = store.turns.change('one', {
      ...{ state: 'done', endedAt: clock.now(), stopReason: 'end_turn', requestIds: ['r1', 'r2'] },
      cost: { nanoAiu: 5 },
    });
    expect(ended).toMatchObject({ state: 'done', prompt: ['one'], requestIds: ['r1', 'r2'], cost: { nanoAiu: 5 } });
    const seen = onDisk(path);
    expect(seen.turns.underWay().map(({ id }) => id)).toEqual(['two', 'other']);
    expect(seen.turns.of('a').map(({ id }) => id)).toEqual(['one', 'two']);
    expect(seen.turns.of('a', { before: 2 }).map(({ id }) => id)).toEqual(['one']);
    store.cut.add('a', 2);
    expect(store.turns.of('a').map(({ id }) => id)).toEqual(['one']);
    expect(store.cut.count('a')).toBe(1);
    store.cut.putBack('a');
    expect(store.turns.of('a').map(({ id }) => id)).toEqual(['one', 'two']);
    store.cut.add('a', 2);
    store.cut.forget('a');
    expect([store.cut.count('a'), store.turns.of('a').map(({ id }) => id)]).toEqual([0, ['one']]);
    expect(store.turns.change('two', { state: 'done' })).toBeNull();
  });

  it('reads turns without their images, and has each prompt whole where it is taken up again', () => {
    const { path, store } = opened();
    const image = 3_000_000;
    for (let at = 0; at < 10; at += 1) {
      store.turns.begin({ id: `t${at}`, sessionId: 'a', prompt: withImage(image), initiator: 'user' });
    }
    const kept = onDisk(path);
    expect(JSON.stringify(kept.turns.of('a')).length).toBeLessThan(10_000);
    expect(kept.turns.find('t3')?.prompt).toEqual(withoutImage(image));
    expect(kept.turns.promptOf('t3')).toEqual(withImage(image));
    store.turns.begin({ id: 'short', sessionId: 'a', prompt: withImage(60_000), initiator: 'user' });
    expect(store.turns.find('short')?.prompt).toEqual(withImage(60_000));
  });

  it('keeps images of prompts for 30 days and up to 64 MiB, and the words as long as the session', () => {
    const { path, store, clock } = opened();
    const image = 3_000_000;
    const begin = (id: string, sessionId = 'a') =>
      store.turns.begin({ id, sessionId, prompt: withImage(image, id), initiator: 'user' });
    for (let at = 0; at < 60; at += 1) begin(`t${at}`);
    const whole = (ids: string[]) => ids.map((id) => JSON.stringify(store.turns.promptOf(id)).length > image);
    expect(whole(['t0', 't36', 't39', 't59'])).toEqual([false, false, true, true]);
    expect(store.turns.promptOf('t0')).toEqual(withoutImage(image, 't0'));
    // It does not grow with what is sent, but for the log of changes.
    expect(statSync(path).size).toBeLessThan(100_000_000);
    clock.advance(29 * 24 * 60 * 60_000);
    begin('later');
    store.prompts.forgetOld();
    expect(whole(['t59', 'later'])).toEqual([true, true]);
    clock.advance(2 * 24 * 60 * 60_000);
    store.prompts.forgetOld();
    expect(whole(['t59', 'later'])).toEqual([false, true]);
  });

  it('leaves no image of a turn that is deleted with its session, or cut off for good', () => {
    const { path, store } = opened();
    const image = 3_000_000;
    for (const id of ['one', 'two']) {
      store.turns.begin({ id, sessionId: 'a', prompt: withImage(image), initiator: 'user' });
    }
    store.turns.begin({ id: 'other', sessionId: 'b', prompt: withImage(image), initiator: 'user' });
    store.sessions.decorate('b', {});
    store.cut.add('a', 2);
    expect(store.turns.promptOf('two')).toEqual(withImage(image));
    store.cut.letGo('a');
    store.forget('b');
    const database = new DatabaseSync(path, { readOnly: true });
    expect(database.prepare('SELECT turn FROM prompts').all()).toEqual([{ turn: 'one' }]);
    database.close();
  });

  it('makes turns of an earlier version short, and keeps their prompts whole', () => {
    const { path, store } = opened();
    for (const id of ['one', 'two']) {
      store.turns.begin({ id, sessionId: 'a', prompt: [], initiator: 'user' });
      store.questions.ask({ id, sessionId: 'a', turnId: id, kind: 'permission', request: { tool: 'Bash' } });
    }
    store.questions.answer('one', 'no');
    store.close();
    const image = 400_000;
    const pasted = { type: 'resource', resource: { uri: 'paste:1', text: 'p'.repeat(100_000) } };
    const prompt = [...withImage(image), { type: 'text', text: 'w'.repeat(70_000) }, pasted];
    const earlier = new DatabaseSync(path);
    earlier.exec(`${withoutPrompts} ${withoutNewest}
      PRAGMA user_version = ${sessionsForm.steps.length - 8};
      UPDATE questions SET request = '{"tool":"Bash"}'`);
    earlier.prepare(`UPDATE turns SET prompt = ? WHERE id = 'one'`).run(JSON.stringify(prompt));
    earlier.close();
    const { store: now } = opened(path);
    expect(now.warnings).toEqual([]);
    expect(now.turns.promptOf('one')).toEqual(prompt);
    expect(now.turns.find('one')?.prompt).toEqual(cutTexts(prompt).event);
    expect(now.turns.find('two')?.prompt).toEqual([]);
    expect([now.questions.find('one')?.request, now.questions.find('two')?.request]).toEqual([null, { tool: 'Bash' }]);
  });

  it('has the next step of a failed turn of an earlier version', () => {
    const { path, store } = opened();
    store.turns.begin({ id: 'one', sessionId: 'a', prompt: [], initiator: 'user' });
    store.record.append({ sessionId: 'a', turnId: 'one', kind: 'turn-ended', event: {} });
    store.record.flush();
    store.close();
    const earlier = new DatabaseSync(path);
    earlier.exec(`${withoutNewest}
      PRAGMA user_version = ${sessionsForm.steps.length - 7};
      UPDATE turns SET failure = '{"code":"failed","text":"It broke.","mend":"Try again."}';
      UPDATE record SET event = '{"state":"failed","problem":{"code":"failed","text":"It broke.","mend":"Try again."}}'`);
    earlier.close();
    const { store: now } = opened(path);
    const problem = { code: 'failed', text: 'It broke.', remedy: 'Try again.' };
    expect(now.turns.find('one')?.failure).toEqual(problem);
    expect(now.record.read(0).entries[0]?.event).toEqual({ state: 'failed', problem });
  });

  it('keeps nothing of what was asked once it was answered, and of a long answer its beginning', () => {
    const { path, store } = opened();
    const request = { toolCall: { rawInput: { content: 'x'.repeat(3_000_000) } } };
    store.questions.ask({ id: 'q', sessionId: 'a', turnId: 't', kind: 'permission', request });
    store.questions.answer('q', { answer: 'allow', input: { content: 'y'.repeat(3_000_000) } });
    const kept = onDisk(path).questions.find('q');
    expect(kept).toMatchObject({ request: null, answer: { answer: 'allow' } });
    expect(JSON.stringify(kept).length).toBeLessThan(100_000);
  });

  it('takes one answer to a question, also when it was asked twice', () => {
    const { path, store } = opened();
    const question = { id: 'q', sessionId: 'a', turnId: 't', kind: 'permission', request: { tool: 'Bash' } };
    store.questions.ask(question);
    store.questions.ask({ ...question, request: 'again' });
    expect(onDisk(path).questions.open()).toMatchObject([{ ...question, answeredAt: null, answer: null }]);
    expect(store.questions.open('b')).toEqual([]);
    expect([store.questions.answer('q', 'no'), store.questions.answer('q', 'yes')]).toEqual([true, false]);
    expect(store.questions.answer('unknown', 'yes')).toBe(false);
    expect(store.questions.find('q')?.answer).toBe('no');
    expect(store.questions.open('a')).toEqual([]);
  });

  it('keeps the rules of a session until they are taken back', () => {
    const { store } = opened();
    store.rules.give('a', '1', { tool: 'Bash' });
    store.rules.give('a', '2', { tool: 'Edit' });
    expect(store.rules.of('a').map(({ rule }) => rule)).toEqual([{ tool: 'Bash' }, { tool: 'Edit' }]);
    expect([store.rules.takeBack('1'), store.rules.takeBack('1')]).toEqual([true, false]);
    expect(store.rules.of('a').map(({ id }) => id)).toEqual(['2']);
  });

  it('trusts a folder and what is below it, and nothing that only begins like it', () => {
    const { store } = opened();
    store.trusted.trust('/home/me/project');
    const asked = [
      '/home/me/project',
      '/home/me/project/sub',
      '/home/me/project-evil',
      '/work',
      '/home/me/project/../x',
      '/..project',
    ];
    expect(asked.map((path) => store.trusted.has(path))).toEqual([true, true, false, false, false, false]);
    store.trusted.takeBack('/home/me/project');
    expect(store.trusted.has('/home/me/project')).toBe(false);
  });

  it('keeps both versions of an edit once, however often they come, and forgets old ones', () => {
    const { path, store, clock } = opened();
    const big = 'line of a file\n'.repeat(10_000);
    const edit = (id: string) => ({ id, sessionId: 'a', turnId: 't', toolCallId: id, path: `/home/me/${id}` });
    store.edits.add({ ...edit('e1'), before: null, after: big });
    store.edits.add({ ...edit('e1'), before: 'other', after: 'other' });
    store.edits.add({ ...edit('e2'), before: big, after: `${big}€` });
    const [first, second] = onDisk(path).edits.of('a', 't');
    expect(first).toMatchObject({ ...edit('e1'), before: null, state: 'made', isReported: false });
    expect(second?.before).toBe(first?.after);
    expect(store.edits.content(second?.after ?? '')).toBe(`${big}€`);
    expect(
      new DatabaseSync(path, { readOnly: true }).prepare('SELECT sum(length(content)) AS all_ FROM contents').get(),
    ).toMatchObject({ all_: expect.toSatisfy((bytes: number) => bytes < 5_000) });
    expect(store.edits.change('e2', { state: 'undone', isReported: true })).toBe(true);
    expect(store.edits.change('e9', { state: 'undone' })).toBe(false);
    expect(store.edits.find('e2')).toMatchObject({ state: 'undone', isReported: true });
    expect(store.edits.forgetVersions(clock.now())).toBe(0);
    expect(store.edits.forgetVersions(clock.now() + 1)).toBe(2);
    expect(store.edits.content(first?.after ?? '')).toBeNull();
    expect(store.edits.of('a')).toHaveLength(2);
  });

  it('makes several changes together or none of them', () => {
    const { store } = opened();
    const failing = () =>
      store.atOnce(() => {
        store.sessions.decorate('a', { title: 'half' });
        store.drafts.keep({ key: 'a', window: 'w', draft: 'half' });
        throw new RangeError('the caller’s own');
      });
    expect(failing).toThrow(RangeError);
    expect([store.sessions.all(), store.drafts.find(looked)]).toEqual([[], null]);
  });

  /** As a person would look for it: in the file and beside it, while the store is open. */
  const foundOnDisk = (path: string, words: string): string[] =>
    readdirSync(dirname(path)).filter((file) => readFileSync(join(dirname(path), file)).includes(words));

  it('leaves nothing of a deleted session to read in its file, nor beside it', () => {
    const { path, store } = opened();
    const words = 'words-that-are-to-be-gone';
    for (const id of ['a', 'b']) {
      store.sessions.decorate(id, { title: `${words} of ${id}` });
      for (let at = 0; at < 50; at += 1) {
        const turnId = `${id}${at}`;
        store.turns.begin({ id: turnId, sessionId: id, prompt: [{ type: 'text', text: words }], initiator: 'user' });
        store.record.append({ sessionId: id, turnId, kind: 'update', event: { text: `${words} ${'x'.repeat(3000)}` } });
      }
      store.record.flush();
    }
    expect(foundOnDisk(path, words)).not.toEqual([]);
    store.forget('a');
    store.forget('b');
    expect(foundOnDisk(path, words)).toEqual([]);
  });

  it('stores and tells no key of a session, whatever a program printed', () => {
    const { path, store } = opened();
    const key = new SessionKeyRing().mint('a');
    const event = { update: { rawOutput: { stdout: `A=1\nANTHROPIC_AUTH_TOKEN=${key}\nB=2` }, more: [1, null, key] } };
    const reported = store.record.append({ sessionId: 'a', turnId: null, kind: 'update', event });
    const shown = { rawOutput: { stdout: 'A=1\nANTHROPIC_AUTH_TOKEN=[redacted]\nB=2' }, more: [1, null, '[redacted]'] };
    expect(reported).toMatchObject({ event: { update: shown }, cuts: null });
    store.questions.ask({
      id: 'q',
      sessionId: 'a',
      turnId: null,
      kind: 'permission',
      request: { command: `x ${key}` },
    });
    store.record.flush();
    expect(store.record.read(0).entries[0]?.event).toEqual({ update: shown });
    expect(store.questions.find('q')?.request).toEqual({ command: 'x [redacted]' });
    expect(foundOnDisk(path, key)).toEqual([]);
  });

  it('forgets all of a session and nothing of another', () => {
    const { path, store } = opened();
    for (const sessionId of ['a', 'b']) {
      store.sessions.decorate(sessionId, {});
      store.drafts.keep({ key: sessionId, window: 'w', draft: 1 });
      store.queue.add({ id: `q${sessionId}`, sessionId, prompt: 1 });
      store.turns.begin({ id: `t${sessionId}`, sessionId, prompt: null, initiator: 'agent' });
      store.record.append({ sessionId, turnId: null, kind: 'update', event: {} });
      store.rules.give(sessionId, `r${sessionId}`, {});
      const edit = { id: `e${sessionId}`, sessionId, turnId: null, toolCallId: null, path: '/file' };
      store.edits.add({ ...edit, before: 'both', after: sessionId });
    }
    const gone = store.edits.find('ea')?.after ?? '';
    store.forget('a');
    store.close();
    const left = onDisk(path);
    expect(left.sessions.all().map(({ id }) => id)).toEqual(['b']);
    expect(['a', 'b'].map((key) => left.drafts.find({ ...looked, key }))).toEqual([null, 1]);
    expect(['a', 'b'].map((of) => left.queue.of(of).map(({ id }) => id))).toEqual([[], ['qb']]);
    expect([left.turns.find('ta'), left.turns.find('tb')?.number]).toEqual([null, 1]);
    expect(left.record.read(0).entries.map(({ sessionId }) => sessionId)).toEqual(['b']);
    const versions = [gone, left.edits.find('eb')?.before ?? ''].map((hash) => left.edits.content(hash));
    expect([left.edits.find('ea'), ...versions]).toEqual([null, null, 'both']);
    expect([left.rules.of('a'), left.rules.of('b').length]).toEqual([[], 1]);
  });
});

describe('the file of the store', () => {
  it('is read and never written by a process that does not own the folder, until it does', () => {
    const { path, store } = opened();
    store.sessions.decorate('a', { title: 'kept' });
    const second = opened(path, { isOwnedElsewhere: () => true }).store;
    expect(second.sessions.find('a')?.title).toBe('kept');
    expect(second.mayWrite).toBe(false);
    expect(() => second.sessions.decorate('a', { title: 'mine' })).toThrow('another Jumpseat owns it');
    store.record.append({ sessionId: 'a', turnId: null, kind: 'update', event: 1 });
    store.close();
    second.own();
    expect(second.mayWrite).toBe(true);
    expect(second.sessions.decorate('a', { title: 'mine' }).title).toBe('mine');
    expect(second.record.append({ sessionId: 'a', turnId: null, kind: 'update', event: 2 }).seq).toBe(2);
  });

  it('makes no file for one that only reads, which may never own it', () => {
    const { path, store } = opened(undefined, { readOnly: true });
    expect(store.sessions.all()).toEqual([]);
    store.own();
    expect(() => store.drafts.keep({ key: 'a', window: 'w', draft: 1 })).toThrow(SessionStoreError);
    expect(existsSync(path)).toBe(false);
  });

  it('is kept aside when it is damaged, and a new one is begun', () => {
    const folder = temporaryFolder();
    const path = join(folder, 'sessions.db');
    writeFileSync(path, 'this is no database '.repeat(500));
    const { store } = opened(path);
    expect(store.warnings[0]?.code).toBe('sessions-damaged');
    expect(readdirSync(folder).some((name) => name.startsWith('sessions.damaged-'))).toBe(true);
    store.sessions.decorate('a', { title: 'new' });
    expect(onDisk(path).sessions.find('a')?.title).toBe('new');
  });

  it('says a change that can’t be made, makes nothing of it, and goes on when it can', () => {
    const { path, store } = opened();
    store.drafts.keep({ key: 'a', window: 'w', draft: 'before' });
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    expect(() => store.drafts.keep({ key: 'a', window: 'w', draft: 'held' })).toThrow(
      /^The record of sessions can’t be used: database is locked\.$/,
    );
    expect(store.problem()?.code).toBe('sessions-not-written');
    expect(store.drafts.find(looked)).toBe('before');
    other.exec('ROLLBACK');
    store.drafts.keep({ key: 'a', window: 'w', draft: 'later' });
    expect([store.drafts.find(looked), store.problem()]).toEqual(['later', null]);
  });
});
