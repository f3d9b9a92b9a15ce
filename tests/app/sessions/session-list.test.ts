import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../../../app/api/exchange.ts';
import { openHistory } from '../../../app/history/history.ts';
import type { AgentDescription } from '../../../app/sessions/agents/agent.ts';
import { SessionStore } from '../../../app/sessions/store/session-store.ts';
import { noCost } from '../../../app/sessions/turns/costs.ts';
import { until } from '../../soon.ts';
import { exampleExchange } from '../history/example.ts';
import { collectingLog, fakeClock } from '../history/surroundings.ts';
import { type Stack, startStack } from '../stack.ts';
import { idOf, projects, samplePath } from './transcripts/samples.ts';

const stacks: Stack[] = [];
afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.close();
});

async function started(place = projects(), home = join(place.home, 'jumpseat')) {
  mkdirSync(home, { recursive: true });
  const stack = await startStack({ home, idle: true, app: { environment: { CLAUDE_CONFIG_DIR: place.home } } });
  stacks.push(stack);
  return { ...place, ...stack, home };
}

/** Decorations as the host of sessions keeps them. */
function decorated(home: string, decorate: (store: SessionStore) => void, now?: number): void {
  mkdirSync(home, { recursive: true });
  const store = new SessionStore(join(home, 'sessions.db'), { clock: fakeClock(now), log: collectingLog() });
  decorate(store);
  store.close();
}

/** As Claude Code copies a session: the last message has the time of the copying. */
function copy(from: string, to: string, at: string): void {
  const lines = readFileSync(from, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    .filter(({ uuid }) => uuid !== undefined);
  const named = (uuid: string | null | undefined) => (uuid == null ? uuid : `${uuid} in ${to}`);
  const copies = lines.map(({ uuid, parentUuid, timestamp, ...line }, nth) => ({
    ...{ ...line, uuid: named(uuid), parentUuid: named(parentUuid) },
    timestamp: nth === lines.length - 1 ? at : timestamp,
    forkedFrom: { sessionId: basename(from, '.jsonl'), messageUuid: uuid },
  }));
  writeFileSync(to, copies.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function lastOf(path: string): string {
  return JSON.parse(readFileSync(path, 'utf8').trim().split('\n').at(-1) ?? '').uuid;
}

describe('the sessions of this machine', () => {
  it('a fork without a conversation of its own is on the branch of its original', async () => {
    const place = projects();
    const home = join(place.home, 'jumpseat');
    place.add('tools-image-title', idOf(1));
    decorated(home, (store) => {
      store.sessions.decorate(idOf(9), { hosted: true, cwd: place.home, title: 'Mine, fork', parent: idOf(1) });
    });
    const { app } = await started(place, home);
    const { sessions } = await app.sessionList();
    const branchOf = (id: string) => sessions.find((one) => one.id === id)?.branch;
    expect([branchOf(idOf(9)), branchOf(idOf(1))]).toEqual(['HEAD', 'HEAD']);
  });

  it('are those of the transcripts with what a person gave them, and those that Jumpseat leads', async () => {
    const place = projects();
    place.add('tools-image-title', idOf(1));
    place.add('compaction', idOf(2));
    const home = join(place.home, 'jumpseat');
    decorated(home, (store) => {
      store.sessions.decorate(idOf(1), { pinned: true, title: 'Mine' });
      store.sessions.decorate(idOf(3), { hosted: true, agent: 'codex', cwd: '/work', firstPrompt: 'go', sentAt: 5 });
      store.sessions.decorate(idOf(4), { title: 'its transcript is gone' });
    });
    const { app } = await started(place, home);
    const { sessions, problem } = await app.sessionList();
    expect(problem).toBeNull();
    expect(sessions.map(({ id, title, agent, hosted, pinned }) => [id, title, agent, hosted, pinned])).toEqual([
      [idOf(1), 'Mine', 'claude', false, true],
      [idOf(2), null, 'claude', false, false],
      [idOf(3), null, 'codex', true, false],
    ]);
    expect(sessions[2]).toMatchObject({ cwd: '/work', firstPrompt: 'go', updatedAt: 5, size: null });
  });

  it('say how their last turn ended, and whether their folder is still there', async () => {
    const place = projects();
    place.add('compaction', idOf(1));
    const home = join(place.home, 'jumpseat');
    decorated(home, (store) => {
      const led = { hosted: true, cwd: place.home, endedAt: 7, seenAt: 5 };
      store.sessions.decorate(idOf(2), { ...led, outcome: 'failed', dismissedAt: 7 });
      store.turns.begin({ id: 't1', sessionId: idOf(2), prompt: [], initiator: 'user' });
      const failure = {
        code: 'refused',
        text: '',
        remedy: '',
        requestId: null,
        stderr: null,
        facts: { limit: 'weekly' },
      };
      store.turns.change('t1', { failure });
      store.sessions.decorate(idOf(3), { ...led, outcome: 'cancelled', cwd: join(place.home, 'gone') });
    });
    decorated(home, (store) => {
      const before = { endedAt: 7, dismissedAt: 6 };
      store.sessions.decorate(idOf(4), { hosted: true, cwd: place.home, outcome: 'interrupted', ...before });
      store.turns.begin({ id: 't4', sessionId: idOf(4), prompt: [], initiator: 'user' });
      store.questions.ask({ id: 'q', sessionId: idOf(4), turnId: 't4', kind: 'permission', request: {} });
      // As one that was cut off is closed later on.
      store.turns.change('t4', { state: 'interrupted', endedAt: fakeClock().now() - 1 });
      store.questions.answer('q', { answer: 'deny' });
    });
    const { app } = await started(place, home);
    const { sessions } = await app.sessionList();
    const said = sessions.map(
      ({ id, outcome, problemCode, problemLimit, endedAt, seenAt, isFolderGone, wasAsking, isDismissed }) => [
        ...[id, outcome, problemCode, problemLimit, endedAt, seenAt, isFolderGone, wasAsking, isDismissed],
      ],
    );
    expect(said.toSorted()).toEqual([
      [idOf(1), 'done', null, null, null, null, true, false, false],
      [idOf(2), 'failed', 'refused', 'weekly', 7, 5, false, false, true],
      [idOf(3), 'cancelled', null, null, 7, 5, true, false, false],
      [idOf(4), 'interrupted', null, null, 7, null, false, true, false],
    ]);
  });

  it('say what they cost: by their turns where they are led here, else by the log', async () => {
    const place = projects();
    const home = join(place.home, 'jumpseat');
    const cost = { ...noCost, nanoAiu: 5_000, user: 1, agent: 2, isPartlyUnknown: true };
    decorated(home, (store) => {
      store.sessions.decorate(idOf(2), { hosted: true, cwd: '/work' });
      for (const id of ['t1', 't2']) {
        store.turns.begin({ id, sessionId: idOf(2), prompt: [], initiator: 'user' });
        store.turns.change(id, { cost });
      }
    });
    const sent: Partial<Exchange> = {
      charge: { kind: 'billed', nanoAiu: 30, premiumRequests: null, partial: false, details: [] },
    };
    const { history } = openHistory(join(home, 'history.db'), { clock: fakeClock(), log: collectingLog() });
    const rows = [
      { id: 'e1', startedAt: 100, client: 'claude-code', session: idOf(1) },
      { id: 'e2', startedAt: 200, client: 'claude-code', session: idOf(1) },
      { id: 'e3', startedAt: 200, client: idOf(2), session: idOf(2) },
      // It went on in a terminal.
      { id: 'e4', startedAt: 200, client: 'claude-code', session: idOf(2) },
      { id: 'e5', startedAt: 200, client: 'curl', session: null },
    ];
    for (const row of rows) history.record(exampleExchange({ ...sent, ...row }));
    history.close();
    const { app } = await started(place, home);
    const costs = (await app.sessionCosts()).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(costs.map(({ id, cost: one }) => [id, one.nanoAiu, one.user, one.isPartlyUnknown])).toEqual([
      [idOf(1), 60, 2, false],
      [idOf(2), 10_030, 3, true],
    ]);
    expect(costs.map(({ id, elsewhere: one }) => [id, one?.nanoAiu, one?.user])).toEqual([
      [idOf(1), 60, 2],
      [idOf(2), 30, 1],
    ]);
  });

  it('say of each turn in a terminal what its requests cost, and its subagents’ share', async () => {
    const place = projects();
    place.add('background-agent', idOf(1));
    place.add('tools-image-title', idOf(2));
    const home = join(place.home, 'jumpseat');
    decorated(home, (store) => store.sessions.decorate(idOf(3), { hosted: true, cwd: '/work' }));
    const { history } = openHistory(join(home, 'history.db'), { clock: fakeClock(), log: collectingLog() });
    const [first, second] = ['e955ce86-1233-4db2-bd13-32851eaa38bf', '17ebe1bf-2a5c-4ee3-999a-51d8c54015a9'];
    const typed = { prompt: first, agentId: null, initiator: 'user' } as const;
    const byAgent = { prompt: first, agentId: 'a915ff3c40d754c7d', initiator: 'agent' } as const;
    const reported = { prompt: second, agentId: null, initiator: 'agent' } as const;
    const rows: Partial<Exchange>[] = [
      ...[typed, byAgent, byAgent, reported],
      // Its title, another session of the same prompts, and a turn that was led here.
      ...[{ prompt: null }, { ...typed, session: idOf(4) }, { ...typed, client: idOf(3) }],
    ];
    for (const [nth, row] of rows.entries()) {
      const charge = {
        ...exampleExchange().charge,
        kind: 'billed',
        nanoAiu: 10 ** nth,
        premiumRequests: null,
      } as const;
      history.record(exampleExchange({ id: `e${nth}`, client: 'claude-code', session: idOf(1), charge, ...row }));
    }
    history.close();
    const { app } = await started(place, home);
    const costs = async (id: string) =>
      (await app.transcript({ id, agentId: null, before: null, limit: 9 }))?.turns.map(({ cost }) => cost);
    expect(await costs(idOf(1))).toMatchObject([
      { nanoAiu: 111, user: 1, agent: 2, agents: { a915ff3c40d754c7d: 110 } },
      { nanoAiu: 1_000, user: 0, agent: 1 },
    ]);
    expect(await costs(idOf(2))).toEqual([null, null, null, null]);
  });

  it('are found by title at once, and by what was said as soon as it was read', async () => {
    const { app, add } = await started();
    add('tools-image-title', idOf(1));
    add('compaction', idOf(2));
    await app.sessionList();
    expect((await app.findSessions('OWN title')).titles).toEqual([idOf(1)]);
    const found = await until(async () => {
      const answer = await app.findSessions('hello second');
      return answer.isComplete ? answer : null;
    });
    expect(found.places).toMatchObject([{ sessionId: idOf(2), who: 'user', excerpt: 'hello second' }]);
  });

  it('are found by what was said after the list was asked for', async () => {
    const { app, add } = await started();
    add('tools-image-title', idOf(1));
    await app.sessionList();
    await until(async () => (await app.findSessions('jump42')).isComplete);
    add('compaction', idOf(2));
    const found = await until(async () => {
      const { places, isComplete, searched } = await app.findSessions('hello second');
      return isComplete && places.length > 0 ? { places, searched } : null;
    });
    expect(found).toMatchObject({ places: [{ sessionId: idOf(2) }], searched: 2 });
  });

  it('are not searched where a person does not want it', async () => {
    const place = projects();
    place.add('compaction', idOf(1));
    const home = join(place.home, 'jumpseat');
    mkdirSync(home);
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, sessions: { search: false } }));
    const { app } = await started(place, home);
    await app.sessionList();
    expect(await app.findSessions('hello')).toEqual({ titles: [idOf(1)], places: [], searched: 0, isComplete: false });
  });

  it('keep nothing that was said once a person wants no search any more', async () => {
    const { app, add, home } = await started();
    add('compaction', idOf(1));
    await app.sessionList();
    await until(async () => (await app.findSessions('hello')).isComplete);
    const said = () => {
      const database = new DatabaseSync(join(home, 'transcripts.db'), { readOnly: true });
      try {
        return database.prepare('SELECT count(*) AS n FROM said').get()?.n;
      } finally {
        database.close();
      }
    };
    expect(said()).toBeGreaterThan(0);
    writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, sessions: { search: false } }));
    await until(async () => said() === 0);
  });

  it('carry no title of megabytes', async () => {
    const { app, add, project } = await started();
    add('tools-image-title', idOf(1));
    mkdirSync(join(project, idOf(1)));
    const said = JSON.stringify({ customTitle: 'x'.repeat(5_000_000) });
    writeFileSync(join(project, idOf(1), 'custom-title.json'), said);
    const { sessions } = await app.sessionList();
    expect(sessions.map(({ id }) => id)).toEqual([idOf(1)]);
    expect(sessions[0]?.title).toMatch(/^x{100}/);
    expect(JSON.stringify(sessions).length).toBeLessThan(5_000);
  });

  it('have their turns page by page, the last first, and those of their subagents', async () => {
    const { app, add, project, path } = await started();
    const file = add('tools-image-title', idOf(1));
    const page = await app.transcript({ id: idOf(1), agentId: null, before: null, limit: 3 });
    expect([page?.from, page?.turns.length, page?.unreadable]).toEqual([1, 3, 0]);
    const rest = await app.transcript({ id: idOf(1), agentId: null, before: page?.from ?? 0, limit: 3 });
    expect([rest?.from, rest?.turns.map(({ prompt }) => prompt?.[0])]).toEqual([
      0,
      [{ type: 'text', text: 'run: echo jump42' }],
    ]);
    const parentUuid = '16878fd7-b7e5-4811-89d1-d17679e247b9';
    appendFileSync(
      file,
      `${JSON.stringify({ type: 'user', uuid: 'n', parentUuid, message: { content: 'one more' } })}\n`,
    );
    const next = await app.transcript({ id: idOf(1), agentId: null, before: null, limit: 1 });
    expect(next).toMatchObject({ from: 4, turns: [{ prompt: [{ text: 'one more' }], isOpen: true }] });
    expect(await app.transcript({ id: idOf(9), agentId: null, before: null, limit: 3 })).toBeNull();
    for (const agentId of ['never-heard-of', '../x']) {
      expect(await app.transcript({ id: idOf(1), agentId, before: null, limit: 3 })).toBeNull();
    }
    add('background-agent', idOf(2));
    mkdirSync(join(project, idOf(2), 'subagents'), { recursive: true });
    copyFileSync(samplePath('background-agent.subagent'), join(project, idOf(2), 'subagents', 'agent-a1.jsonl'));
    expect(await app.subagents(idOf(2))).toMatchObject([{ id: 'a1' }]);
    const inner = await app.transcript({ id: idOf(2), agentId: 'a1', before: null, limit: 9 });
    expect(inner?.turns).toMatchObject([{ prompt: [{ text: 'run: echo sub' }] }]);
    expect(existsSync(path(idOf(2)))).toBe(true);
  });

  it('have a turn that a terminal is at as it is, until the terminal is gone', async () => {
    const place = projects();
    const { app } = await started(place);
    const file = place.add('tools-image-title', idOf(1));
    const parentUuid = '16878fd7-b7e5-4811-89d1-d17679e247b9';
    const call = { type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'npm test' } };
    const lines = [
      { type: 'user', uuid: 'n', parentUuid, message: { content: 'run the tests' } },
      {
        ...{ type: 'assistant', uuid: 'o', parentUuid: 'n' },
        message: { id: 'm', model: 'claude-opus-4.8', content: [call], stop_reason: 'tool_use' },
      },
    ];
    appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const folder = join(place.home, 'sessions');
    mkdirSync(folder, { recursive: true });
    const note = (status: string): void =>
      writeFileSync(
        join(folder, `${process.pid}.json`),
        JSON.stringify({ pid: process.pid, sessionId: idOf(1), entrypoint: 'cli', status }),
      );
    const last = async () => {
      const page = await app.transcript({ id: idOf(1), agentId: null, before: null, limit: 1 });
      const { state, updates } = page?.turns[0] ?? {};
      return [state, updates?.map((update) => [update.sessionUpdate, update.status])];
    };
    note('waiting');
    expect(await last()).toEqual(['waiting', [['tool_call', 'pending']]]);
    note('busy');
    expect(await last()).toEqual(['running', [['tool_call', 'pending']]]);
    rmSync(folder, { recursive: true });
    expect(await last()).toEqual([
      'cancelled',
      [
        ['tool_call', 'pending'],
        ['tool_call_update', 'failed'],
      ],
    ]);
  });

  it('say which of their edits were undone, also in a copy of a copy', async () => {
    const place = projects();
    place.add('edits', idOf(1));
    place.add('edits', idOf(3));
    const home = join(place.home, 'jumpseat');
    const edit = { sessionId: idOf(1), turnId: null, path: '/home/me/project/new.txt', before: null, after: 'x' };
    decorated(home, (store) => {
      store.sessions.decorate(idOf(2), { hosted: true, cwd: '/work', parent: idOf(1) });
      store.sessions.decorate(idOf(3), { hosted: true, cwd: '/work', parent: idOf(2) });
      store.edits.add({ ...edit, id: 'e1', toolCallId: 'call-1', state: 'undone' });
      store.edits.add({ ...edit, id: 'e2', toolCallId: 'call-2', state: 'made' });
    });
    const { app } = await started(place, home);
    for (const id of [idOf(1), idOf(3)]) {
      const page = await app.transcript({ id, agentId: null, before: null, limit: 9 });
      expect(page?.undone).toEqual([{ toolCallId: 'call-1', path: edit.path }]);
    }
  });

  it('say how questions about their steps were answered, also in a copy', async () => {
    const place = projects();
    place.add('edits', idOf(1));
    place.add('edits', idOf(2));
    const home = join(place.home, 'jumpseat');
    const answer = { answer: 'allow', input: { command: 'ls' } };
    decorated(home, (store) => {
      store.sessions.decorate(idOf(1), { hosted: true, cwd: '/work' });
      store.sessions.decorate(idOf(2), { hosted: true, cwd: '/work', parent: idOf(1) });
      const of = { sessionId: idOf(1), turnId: null };
      const request = { toolCall: { toolCallId: 'call-1' }, options: [] };
      store.record.append({ ...of, kind: 'question', event: { id: 'q', kind: 'permission', child: null, request } });
      store.record.append({ ...of, kind: 'answered', event: { id: 'q', by: 'person', rule: null, answer } });
      const byRule = { id: null, toolCallId: 'call-2', by: 'rule', rule: 'r', answer: { answer: 'allow' } };
      store.record.append({ ...of, kind: 'answered', event: byRule });
      // A form is about no step.
      store.record.append({ ...of, kind: 'question', event: { id: 'f', kind: 'form', child: null, request: {} } });
      store.record.append({ ...of, kind: 'answered', event: { id: 'f', by: 'person', rule: null, answer: {} } });
    });
    const { app } = await started(place, home);
    for (const id of [idOf(1), idOf(2)]) {
      const page = await app.transcript({ id, agentId: null, before: null, limit: 9 });
      expect(page?.answered).toEqual([
        { toolCallId: 'call-1', by: 'person', answer, rule: null },
        { toolCallId: 'call-2', by: 'rule', answer: { answer: 'allow' }, rule: 'r' },
      ]);
    }
  });

  it('have turns that took as long in a copy of a copy as in the original, and an unknown time without it', async () => {
    const { app, add, path } = await started();
    add('edits', idOf(1));
    const times = async (id: string) =>
      (await app.transcript({ id, agentId: null, before: null, limit: 9 }))?.turns.map(({ startedAt, endedAt }) => [
        startedAt,
        endedAt,
      ]);
    const before = await times(idOf(1));
    expect(before).toEqual([
      [Date.parse('2026-11-22T11:53:55.904Z'), Date.parse('2026-11-22T11:53:56.120Z')],
      [Date.parse('2026-11-22T11:53:56.145Z'), Date.parse('2026-11-22T11:53:56.223Z')],
    ]);
    copy(path(idOf(1)), path(idOf(2)), '2026-11-22T12:10:00.000Z');
    const said = { type: 'user', uuid: 'own', parentUuid: lastOf(path(idOf(2))), message: { content: 'go on' } };
    const answer = { type: 'assistant', uuid: 'own-2', parentUuid: 'own', message: { content: [] } };
    const own = [
      { ...said, timestamp: '2026-11-22T12:20:00.000Z' },
      { ...answer, timestamp: '2026-11-22T12:20:05.500Z' },
    ];
    appendFileSync(path(idOf(2)), own.map((line) => `${JSON.stringify(line)}\n`).join(''));
    copy(path(idOf(2)), path(idOf(3)), '2026-11-22T12:30:00.000Z');
    const ownTimes = own.map(({ timestamp }) => Date.parse(timestamp));
    expect(await times(idOf(2))).toEqual([...(before ?? []), ownTimes]);
    expect(await times(idOf(3))).toEqual([...(before ?? []), ownTimes]);
    rmSync(path(idOf(1)));
    const unknown = before?.map(([startedAt]) => [startedAt, null]) ?? [];
    expect(await times(idOf(3))).toEqual([...unknown, ownTimes]);
  });

  it('have the times of the turns of a fork’s original, before its first message too', async () => {
    const place = projects();
    place.add('edits', idOf(1));
    const home = join(place.home, 'jumpseat');
    const sent = Date.parse('2026-11-22T11:53:50.000Z');
    const ended = Date.parse('2026-11-22T11:53:56.130Z');
    decorated(
      home,
      (store) => {
        store.sessions.decorate(idOf(1), { hosted: true });
        store.turns.begin({ id: 't1', sessionId: idOf(1), prompt: [], initiator: 'user' });
        store.turns.change('t1', { state: 'done', endedAt: ended });
        const options = { forkOf: { agentSessionId: idOf(1), last: null } };
        store.sessions.decorate(idOf(9), { hosted: true, title: 'Mine, fork', parent: idOf(1), options });
      },
      sent,
    );
    const { app } = await started(place, home);
    const page = await app.transcript({ id: idOf(9), agentId: null, before: null, limit: 9 });
    expect(page?.turns.map(({ startedAt, endedAt }) => [startedAt, endedAt])).toEqual([
      [sent, ended],
      // Made in a terminal.
      [Date.parse('2026-11-22T11:53:56.145Z'), Date.parse('2026-11-22T11:53:56.223Z')],
    ]);
  });

  it('cost a command that asks for none of them no file', async () => {
    const { app, home } = await started();
    app.state();
    expect(readdirSync(home).filter((name) => /^(sessions|transcripts)/.test(name))).toEqual([]);
    await app.sessionList();
    expect(readdirSync(home)).toContain('transcripts.db');
  });
});

describe('the host of sessions', () => {
  it('is made at a later call where it could not be made at the first', async () => {
    let failures = 1;
    const agents: AgentDescription[] = [];
    agents.map = () => {
      if (failures-- > 0) throw new Error('no room');
      return [];
    };
    const stack = await startStack({ idle: true, app: { agents } });
    stacks.push(stack);
    await expect(stack.app.agents()).rejects.toThrow('no room');
    expect(await stack.app.agents()).toEqual([]);
  });
});
