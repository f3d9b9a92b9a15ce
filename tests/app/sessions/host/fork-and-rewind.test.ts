import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { idInTerminal, titleParts } from '../../../../app/words/sessions.ts';
import { Hosted, text } from './hosted.ts';

const fork = '_jumpseat/fork';

/**
 * A session of three turns, each with a whole answer; each writes its number into a file.
 * @param named as the agent names the file, seen from the session's folder
 */
async function threeTurns(named = './a.txt') {
  const hosted = new Hosted();
  const session = hosted.create('s');
  const file = resolve(hosted.cwd, named);
  let turns = 0;
  hosted.agent.script = async (turn) => {
    turns += 1;
    const before = existsSync(file) ? readFileSync(file, 'utf8') : null;
    writeFileSync(file, `${turns}\n`);
    await turn.update({
      sessionUpdate: 'tool_call_update',
      toolCallId: `tool-${turns}`,
      _meta: {
        claudeCode: {
          toolName: 'Write',
          toolResponse: { type: 'update', filePath: named, content: `${turns}\n`, originalFile: before },
        },
      },
    });
    await turn.say('ok', `message-${turns}`);
    await turn.raw({ type: 'assistant', message: { id: `message-${turns}` }, uuid: `uuid-${turns}` });
    return 'end_turn';
  };
  for (const id of ['one', 'two', 'three']) {
    await session.send(text(id), id);
    await hosted.ended(id);
  }
  return { hosted, session, file };
}

const asked = (hosted: Hosted, method: string) =>
  hosted.agent.asked.filter((one) => one.method === method).map(({ params }) => params);

describe('E26 a fork', () => {
  it('of the first, a middle and the last turn is copied with its first message, and leaves its source alone', async () => {
    const { hosted } = await threeTurns();
    const titles = ['one, fork', 'one, fork 2', 'one, fork 3'];
    for (const [nth, turnId] of ['one', 'two', 'three'].entries()) {
      const before = hosted.agent.asked.length;
      const forked = await hosted.host.fork('s', turnId, `fork-${turnId}`);
      expect(forked.view()).toMatchObject({ state: 'unloaded', parent: 's', title: titles[nth] });
      expect(hosted.agent.asked).toHaveLength(before);
      await forked.send(text('other'), `in-fork-${turnId}`);
      await hosted.ended(`in-fork-${turnId}`);
      expect(asked(hosted, fork)[nth]).toMatchObject({ sessionId: 's', messageId: `uuid-${nth + 1}` });
      const copy = asked(hosted, 'session/resume')[nth]?.sessionId;
      expect(hosted.store.sessions.find(forked.id)).toMatchObject({ parent: 's', options: { agentSessionId: copy } });
    }
    expect(hosted.store.turns.of('s').map(({ id }) => id)).toEqual(['one', 'two', 'three']);
  });

  it('E1 of what has no answer, or is not there, is refused, and nothing is begun', async () => {
    const { hosted, session } = await threeTurns();
    await expect(hosted.host.fork('s', 'no-turn')).rejects.toMatchObject({ code: 'no-turn' });
    await expect(hosted.host.fork('nothing', 'one')).rejects.toMatchObject({ code: 'no-session' });
    hosted.agent.script = async () => 'end_turn';
    await session.send(text('four'), 'four');
    await hosted.ended('four');
    await expect(hosted.host.fork('s', 'four')).rejects.toMatchObject({ code: 'no-answer' });
    expect(hosted.host.held()).toHaveLength(1);
    expect(asked(hosted, fork)).toEqual([]);
  });
});

describe('a fork in which nothing was sent', () => {
  it('is on disk and told of at once, outlives a restart, and is copied with its first message', async () => {
    const { hosted } = await threeTurns();
    const { id } = await hosted.host.fork('s', 'two', 'forked');
    expect(hosted.states.at(-1)).toBe('unloaded');
    hosted.restart();
    expect(hosted.store.sessions.find(id)).toMatchObject({ hosted: true, title: 'one, fork', parent: 's' });
    const forked = await hosted.host.session(id);
    expect(asked(hosted, fork)).toEqual([]);
    // A terminal finds it by the id of the copy, which is made with the first message.
    expect(idInTerminal(forked.view())).toBeNull();
    await forked.send(text('other'), 'in-fork');
    await hosted.ended('in-fork');
    expect(idInTerminal(forked.view())).toMatch(/^[0-9a-f-]{36}$/);
    expect(idInTerminal(forked.view())).not.toBe(id);
    expect(asked(hosted, fork)).toMatchObject([{ sessionId: 's', messageId: 'uuid-2' }]);
    await hosted.ended((await forked.send(text('more'))).turnId);
    expect(asked(hosted, fork)).toHaveLength(1);
  });

  it('has a name of its own beside others of the same session, and a fork of it too', async () => {
    const { hosted } = await threeTurns();
    const titleOf = async (source: string, id: string) => {
      await hosted.host.fork(source, null, id);
      return hosted.store.sessions.find(id)?.title;
    };
    expect(await titleOf('s', 'first')).toBe('one, fork');
    expect(await titleOf('s', 'second')).toBe('one, fork 2');
    expect(await titleOf('first', 'third')).toBe('one, fork 3');
    expect(titleParts('one, fork 3')).toEqual(['one', ', fork 3']);
    // Under another name it is a copy still.
    const second = await hosted.host.session('second');
    const named = (title: string | null): string | null => {
      second.rename(title);
      return second.kept.title;
    };
    expect([named('Retries'), named('Mine, fork')]).toEqual(['Retries, fork 2', 'Mine, fork']);
    named(null);
    expect(named('Again')).toBe('Again, fork');
  });

  it('is forked where it begins', async () => {
    const { hosted } = await threeTurns();
    await hosted.host.fork('s', 'two', 'forked');
    const second = await hosted.host.fork('forked', null, 'second');
    await hosted.ended((await second.send(text('other'))).turnId);
    expect(asked(hosted, fork)).toMatchObject([{ sessionId: 's', messageId: 'uuid-2' }]);
  });
});

it('a fork of an early turn needs nothing of what happened in it, of which not all is kept', async () => {
  const { hosted } = await threeTurns();
  hosted.store.record.cutFrom('s', 'one');
  const forked = await hosted.host.fork('s', 'one', 'forked');
  await hosted.ended((await forked.send(text('other'))).turnId);
  expect(asked(hosted, fork)).toMatchObject([{ messageId: 'uuid-1' }]);
});

describe('turns that Jumpseat did not lead', () => {
  const past = (of: string, ...words: string[]) =>
    words.map((word, index) => ({
      ...{ id: `${of}-turn-${index + 1}`, prompt: text(word), startedAt: index + 1 },
      lastMessage: `${of}-uuid-${index + 1}`,
    }));
  /** A session of a terminal, with three turns. */
  function elsewhere(): Hosted {
    const hosted: Hosted = new Hosted({
      foreign: async (id) => (id === 'theirs' ? { agent: 'claude' as const, cwd: hosted.cwd, name: 'Theirs' } : null),
      past: async (id) => hosted.past.get(id) ?? null,
    });
    hosted.past.set('theirs', past('t', 'one', 'two', 'three'));
    hosted.agent.conversations.add('theirs');
    return hosted;
  }
  const starts = (hosted: Hosted) =>
    hosted.agent.asked.filter(({ method }) => method === 'prepare').map(({ params }) => params.how);

  it('are forked after the one that was chosen', async () => {
    const hosted = elsewhere();
    const forked = await hosted.host.fork('theirs', 't-turn-2', 'forked');
    await hosted.ended((await forked.send(text('other'))).turnId);
    expect(asked(hosted, fork)).toMatchObject([{ sessionId: 'theirs', messageId: 't-uuid-2' }]);
    await expect(hosted.host.fork('theirs', 'nothing')).rejects.toMatchObject({ code: 'no-turn' });
  });

  it('are gone back behind, also after a restart, and the next message goes on from there', async () => {
    const hosted = elsewhere();
    const { prompt, copy } = await hosted.host.goBack('theirs', 't-turn-2', false);
    expect(prompt).toEqual(text('two'));
    expect(hosted.store.sessions.find(copy)).toMatchObject({ title: 'Theirs, before going back' });
    const view = { isBack: true, cutTurns: 2 };
    expect((await hosted.host.session('theirs')).view()).toMatchObject(view);
    hosted.restart();
    const session = await hosted.host.session('theirs');
    expect(session.view()).toMatchObject(view);
    await session.send(text('again'), 'again');
    await hosted.ended('again');
    expect(starts(hosted)).toEqual([{ kind: 'resume', sessionId: 'theirs', at: 't-uuid-1' }]);
  });

  it('come back until the next message, with those that it led after them', async () => {
    const hosted = elsewhere();
    const session = await hosted.host.session('theirs');
    hosted.agent.script = async (turn) => {
      await turn.say('ok', 'message');
      await turn.raw({ type: 'assistant', message: { id: 'message' }, uuid: 'ours' });
      return 'end_turn';
    };
    await session.send(text('four'), 'four');
    await hosted.ended('four');
    await hosted.host.goBack('theirs', 'four', false);
    expect(session.view()).toMatchObject({ isBack: true, cutTurns: 1 });
    expect(session.kept.resumeAt).toBe('t-uuid-3');
    await hosted.host.goBack('theirs', 't-turn-2', false);
    expect([session.view().cutTurns, session.kept.resumeAt]).toEqual([3, 't-uuid-1']);
    await expect(hosted.host.fork('theirs', 't-turn-3')).rejects.toMatchObject({ code: 'no-turn' });
    expect(await hosted.host.undoGoBack('theirs')).toMatchObject({ prompt: text('two') });
    expect(session.view()).toMatchObject({ isBack: false, cutTurns: 0 });
    expect(hosted.store.turns.of('theirs').map(({ id }) => id)).toEqual(['four']);
    await expect(hosted.host.goBack('theirs', 't-turn-1', false)).rejects.toMatchObject({ code: 'not-possible' });
  });

  it('of a fork have the names of the other session or its own, and nothing is copied twice', async () => {
    const hosted = elsewhere();
    await hosted.host.fork('theirs', null, 'forked');
    await expect(hosted.host.goBack('forked', 't-turn-1', false)).rejects.toMatchObject({ code: 'not-possible' });
    expect(asked(hosted, fork)).toEqual([]);
    // The agent names all turns of a copy anew.
    const read = hosted.past.get.bind(hosted.past);
    hosted.past.get = (id) => read(id) ?? past('c', 'one', 'two', 'three');
    expect(await hosted.host.goBack('forked', 't-turn-3', false)).toMatchObject({ prompt: text('three') });
    const session = await hosted.host.session('forked');
    expect(session.view()).toMatchObject({ isBack: true, cutTurns: 1 });
    await hosted.host.goBack('forked', 'c-turn-2', false);
    await session.send(text('again'), 'again');
    await hosted.ended('again');
    const copy = session.kept.agentSessionId;
    expect(starts(hosted)).toEqual([{ kind: 'resume', sessionId: copy, at: 'c-uuid-1' }]);
    expect(asked(hosted, fork).map(({ sessionId }) => sessionId)).toEqual(['theirs', copy, copy]);
  });
});

describe('a fork at the end', () => {
  it('is after the last turn that has an answer', async () => {
    const { hosted, session } = await threeTurns();
    hosted.agent.script = async () => 'end_turn';
    await session.send(text('four'), 'four');
    await hosted.ended('four');
    const forked = await hosted.host.fork('s', null, 'forked');
    await forked.send(text('other'), 'in-fork');
    await hosted.ended('in-fork');
    expect(asked(hosted, fork)).toMatchObject([{ sessionId: 's', messageId: 'uuid-3' }]);
  });

  it('has also what was said in another program since', async () => {
    const { hosted } = await threeTurns();
    const past = hosted.store.turns.of('s').map(({ id, startedAt, lastMessage }) => ({
      ...{ id, startedAt, lastMessage, prompt: text(id) },
    }));
    const after = { id: 'there', prompt: text('there'), startedAt: Date.now() };
    hosted.past.set('s', [
      ...past,
      { ...after, lastMessage: 'uuid-there' },
      { ...after, id: 'open', lastMessage: null },
    ]);
    const forked = await hosted.host.fork('s', null, 'forked');
    await forked.send(text('other'), 'in-fork');
    await hosted.ended('in-fork');
    expect(asked(hosted, fork)).toMatchObject([{ sessionId: 's', messageId: 'uuid-there' }]);
  });

  it('is refused where nothing was answered yet', async () => {
    const hosted = new Hosted();
    hosted.create('s');
    await expect(hosted.host.fork('s', null)).rejects.toMatchObject({ code: 'no-answer' });
  });

  it('of a session that was made elsewhere is all of it', async () => {
    const hosted: Hosted = new Hosted({ foreign: async () => ({ agent: 'claude' as const, cwd: hosted.cwd }) });
    const forked = await hosted.host.fork('theirs', null, 'forked');
    await forked.send(text('other'), 'in-fork');
    await hosted.ended('in-fork');
    expect(asked(hosted, fork)).toMatchObject([{ sessionId: 'theirs', messageId: null }]);
  });
});

describe('going back, undone', () => {
  const ids = (hosted: Hosted) => hosted.store.turns.of('s').map(({ id }) => id);
  const record = (hosted: Hosted) =>
    hosted.store.record.read(0, { session: 's' }).entries.map(({ kind, turnId }) => `${kind} ${turnId}`);

  it('brings back turns, record and edits, and the next message goes on from the end', async () => {
    const { hosted, session, file } = await threeTurns();
    const before = record(hosted);
    await hosted.host.goBack('s', 'three', true);
    await hosted.host.goBack('s', 'two', true);
    expect(session.view()).toMatchObject({ isBack: true, cutTurns: 2 });
    expect([ids(hosted), readFileSync(file, 'utf8')]).toEqual([['one'], '1\n']);
    const { entries } = hosted.store.record.read(0);
    expect(entries.some(({ turnId, kind }) => turnId === 'two' && kind !== 'edit')).toBe(false);
    const done = await hosted.host.undoGoBack('s');
    expect(done).toMatchObject({ prompt: text('two'), files: [{ isDone: true }, { isDone: true }] });
    expect([ids(hosted), readFileSync(file, 'utf8')]).toEqual([['one', 'two', 'three'], '3\n']);
    expect(record(hosted).slice(0, before.length)).toEqual(before);
    expect(session.view()).toMatchObject({ isBack: false, cutTurns: 0 });
    await expect(hosted.host.undoGoBack('s')).rejects.toMatchObject({ code: 'not-possible' });
    await session.send(text('four'), 'four');
    await hosted.ended('four');
    const start = hosted.agent.asked.filter(({ method }) => method === 'prepare').at(-1);
    expect(start?.params).toEqual({ how: { kind: 'resume', sessionId: 's', at: null } });
    expect(ids(hosted)).toEqual(['one', 'two', 'three', 'four']);
  });

  it('makes no edit again that it did not take back', async () => {
    const { hosted, session, file } = await threeTurns();
    await session.edits.putBack('undo', 'three', null);
    await hosted.host.goBack('s', 'two', true);
    expect(readFileSync(file, 'utf8')).toBe('1\n');
    await hosted.host.undoGoBack('s');
    expect(readFileSync(file, 'utf8')).toBe('2\n');
  });

  it('is over with the next message, and survives a restart before it', async () => {
    const { hosted } = await threeTurns();
    await hosted.host.goBack('s', 'two', true);
    hosted.restart();
    const session = await hosted.host.session('s');
    expect(session.view()).toMatchObject({ isBack: true, cutTurns: 2 });
    await session.send(text('new'), 'new');
    await hosted.ended('new');
    expect(session.view()).toMatchObject({ isBack: false, cutTurns: 0 });
    await expect(hosted.host.undoGoBack('s')).rejects.toMatchObject({ code: 'not-possible' });
    expect(hosted.store.turns.of('cut:s')).toEqual([]);
  });

  it('is refused while a turn runs, and nothing of it is left with a session that is forgotten', async () => {
    const { hosted, session } = await threeTurns();
    await hosted.host.goBack('s', 'two', false);
    hosted.agent.script = () => new Promise(() => undefined);
    await session.send(text('new'), 'new');
    await expect(hosted.host.undoGoBack('s')).rejects.toMatchObject({ code: 'turn-running' });
    const other = await threeTurns();
    await other.hosted.host.goBack('s', 'two', false);
    other.hosted.store.forget('s');
    expect(other.hosted.store.cut.count('s')).toBe(0);
  });
});

describe('going back', () => {
  it('cuts the session off before a turn, keeps a copy, and goes on from there with the next message', async () => {
    const { hosted, session, file } = await threeTurns();
    const back = await hosted.host.goBack('s', 'two', false);
    expect(back).toMatchObject({ prompt: text('two'), files: [] });
    expect(readFileSync(file, 'utf8')).toBe('3\n');
    expect(hosted.store.turns.of('s').map(({ id }) => id)).toEqual(['one']);
    expect(session.view()).toMatchObject({ isBack: true, state: 'unloaded' });
    expect(hosted.store.sessions.find(back.copy)).toMatchObject({ title: 'one, before going back', parent: 's' });
    await session.send(text('another two'), 'another');
    await hosted.ended('another');
    const start = hosted.agent.asked.filter(({ method }) => method === 'prepare').at(-1);
    expect(start?.params).toEqual({ how: { kind: 'resume', sessionId: 's', at: 'uuid-1' } });
    expect(session.view().isBack).toBe(false);
    expect(hosted.store.turns.of('s').map(({ id }) => id)).toEqual(['one', 'another']);
  });

  it('brings an image back into the message, and leaves it out once it is kept no longer', async () => {
    const { hosted, session } = await threeTurns();
    const prompt = [...text('four'), { type: 'image', mimeType: 'image/png', data: 'A'.repeat(100_000) }];
    await session.send(prompt, 'four');
    await hosted.ended('four');
    expect(hosted.store.turns.find('four')?.prompt).not.toEqual(prompt);
    expect((await hosted.host.goBack('s', 'four', false)).prompt).toEqual(prompt);
    expect((await hosted.host.undoGoBack('s')).prompt).toEqual(prompt);
    await hosted.clock.advance(31 * 24 * 60 * 60_000);
    hosted.host.versions.look();
    expect((await hosted.host.goBack('s', 'four', false)).prompt).toEqual(text('four'));
  });

  it('takes the edits back too where the person wants that', async () => {
    const { hosted, file } = await threeTurns();
    const back = await hosted.host.goBack('s', 'two', true);
    expect(back.files.map(({ isDone }) => isDone)).toEqual([true, true]);
    expect(readFileSync(file, 'utf8')).toBe('1\n');
  });

  it('puts back what is outside of the folders only where the person agreed to it, and so does bringing it back', async () => {
    const { hosted, file } = await threeTurns('../outside.txt');
    const back = await hosted.host.goBack('s', 'three', true);
    expect(back.files).toMatchObject([{ isDone: false, problem: { code: 'outside' } }]);
    expect(readFileSync(file, 'utf8')).toBe('3\n');
    await hosted.host.undoGoBack('s');
    await hosted.host.goBack('s', 'three', true, [file]);
    expect(readFileSync(file, 'utf8')).toBe('2\n');
    expect((await hosted.host.undoGoBack('s')).files).toMatchObject([{ path: file, isDone: true }]);
    expect(readFileSync(file, 'utf8')).toBe('3\n');
  });

  it('is over before a message that comes meanwhile is sent, which goes on from there', async () => {
    const { hosted, session, file } = await threeTurns();
    const read: string[] = [];
    hosted.agent.script = async () => {
      read.push(readFileSync(file, 'utf8'));
      return 'end_turn';
    };
    const putBack = session.edits.putBack.bind(session.edits);
    vi.spyOn(session.edits, 'putBack').mockImplementationOnce(async (...asked) => {
      await session.send(text('new'), 'new');
      return putBack(...asked);
    });
    await hosted.host.goBack('s', 'two', true);
    await hosted.ended('new');
    expect(hosted.store.turns.of('s').map(({ id }) => id)).toEqual(['one', 'new']);
    expect(read).toEqual(['1\n']);
  });

  it('happens once, however often it is asked for at once, and one after the other with its undoing', async () => {
    const { hosted, session, file } = await threeTurns();
    const [first, second, undone] = await Promise.allSettled([
      hosted.host.goBack('s', 'two', true),
      hosted.host.goBack('s', 'two', true),
      hosted.host.undoGoBack('s'),
    ]);
    expect([first.status, second.status, undone.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(second).toMatchObject({ reason: { code: 'no-turn' } });
    expect(asked(hosted, fork)).toHaveLength(1);
    expect(hosted.store.turns.of('s').map(({ id }) => id)).toEqual(['one', 'two', 'three']);
    expect([session.view().cutTurns, readFileSync(file, 'utf8')]).toEqual([0, '3\n']);
  });

  it('changes nothing of a session that is let go meanwhile', async () => {
    const { hosted, session } = await threeTurns();
    const copies = hosted.agent.hold(fork);
    const back = hosted.host.goBack('s', 'two', true);
    await copies.reached;
    const disposed = session.dispose();
    copies.go();
    await expect(back).rejects.toMatchObject({ code: 'cancelled' });
    await disposed;
    expect(hosted.store.turns.of('s')).toHaveLength(3);
  });

  it('is refused while a turn runs, and before the first prompt', async () => {
    const { hosted, session } = await threeTurns();
    await expect(hosted.host.goBack('s', 'one', false)).rejects.toMatchObject({ code: 'not-possible' });
    hosted.agent.script = () => new Promise(() => undefined);
    await session.send(text('four'), 'four');
    await expect(hosted.host.goBack('s', 'two', false)).rejects.toMatchObject({ code: 'turn-running' });
    expect(hosted.store.turns.of('s')).toHaveLength(4);
  });
});

describe('edits that a person took back', () => {
  it('are told to the agent with the next message, once, and not with a command', async () => {
    const { hosted, session, file } = await threeTurns();
    await session.edits.putBack('undo', 'three', null);
    const prompts = () => asked(hosted, 'session/prompt').map(({ prompt }) => prompt as { text: string }[]);
    await session.send(text('/compact'), 'command');
    await hosted.ended('command');
    expect(prompts().at(-1)).toHaveLength(1);
    await session.send(text('go on'), 'four');
    await hosted.ended('four');
    expect(prompts().at(-1)?.[1]?.text).toContain(file);
    await session.send(text('go on'), 'five');
    await hosted.ended('five');
    expect(prompts().at(-1)).toHaveLength(1);
  });

  it('are told anew where the message did not reach the agent', async () => {
    const { hosted, session, file } = await threeTurns();
    await session.edits.putBack('undo', 'three', null);
    await session.unload();
    const { baseUrl } = hosted;
    hosted.baseUrl = null;
    await session.send(text('go on'), 'four');
    expect(await hosted.ended('four')).toMatchObject({ problem: { code: 'proxy-off' } });
    hosted.baseUrl = baseUrl;
    await session.send(text('go on'), 'five');
    await hosted.ended('five');
    const prompts = asked(hosted, 'session/prompt').map(({ prompt }) => prompt as { text: string }[]);
    expect(prompts.at(-1)?.[1]?.text).toContain(file);
  });
});
