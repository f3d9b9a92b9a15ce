import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../app/api/app.ts';
import type { Session } from '../../app/api/sessions.ts';
import { openSessions } from '../../app/sessions/agents/claude/open-sessions.ts';
import { until } from '../soon.ts';
import { claudeOf } from './hosted-agent.ts';
import { HostedFront, text } from './hosted-front.ts';
import { markedProcesses } from './marked-processes.ts';

/** Sessions as a front leads them, with the real Claude Code. */
let front: HostedFront;
let app: App;
let project: string;
let rows: HostedFront['rows'];
beforeEach(async () => {
  front = await HostedFront.start(claudeOf);
  ({ app, project, rows } = front);
});
afterEach(() => front.close());

interface Reported {
  sessionUpdate: string;
  content?: { text?: string };
  messageId?: string;
  toolCallId?: string;
}

/** What was said and done, in its order: chunks of one message and kind are one part. */
function partsOf(updates: readonly Reported[]): { kind: string; of: string | undefined; text: string }[] {
  const parts: { kind: string; of: string | undefined; text: string }[] = [];
  for (const { sessionUpdate: kind, content, messageId, toolCallId } of updates) {
    if (!['agent_message_chunk', 'agent_thought_chunk', 'tool_call'].includes(kind)) continue;
    const of = toolCallId ?? messageId;
    const words = kind === 'tool_call' ? '' : (content?.text ?? '');
    const last = parts.at(-1);
    if (last?.kind === kind && last.of === of) last.text += words;
    else parts.push({ kind, of, text: words });
  }
  return parts;
}

describe('a session that a front leads', () => {
  it('says when Claude Code sends a request again that Copilot refused for a while', async () => {
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const retries: Session['retry'][] = [];
    app.listen((event) => {
      if (event.event === 'session') retries.push(event.session.retry);
    });
    front.stack.simulator.script.next({
      ...{ kind: 'answer', status: 429, headers: { 'retry-after': '2' } },
      body: { error: { code: 'rate_limited', message: 'slow down' } },
    });
    const from = Date.now();
    const { turnId } = await app.sendMessage({ session: id, prompt: text('hello') });
    expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    const retry = retries.find((one) => one !== undefined);
    expect(retry).toMatchObject({ status: 429 });
    expect(retry?.at).toBeGreaterThan(from);
    expect(retries.at(-1)).toBeUndefined();
  });

  it('E2 E18 E21 E28 E29 asks before it writes, keeps the edit, and costs what its rows in the log do', async () => {
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const file = join(project, 'a.txt');
    const write = (content: string) => `use: Write ${JSON.stringify({ file_path: file, content })}`;
    const { turnId } = await app.sendMessage({ session: id, prompt: text(write('one\n')) });
    const asked = await front.question(0);
    expect(asked).toMatchObject({ kind: 'permission', request: { toolCall: { name: 'Write' } } });
    expect(await openSessions(join(front.home, '.claude'))).toEqual(
      new Map([[id, { pid: expect.any(Number), program: 'other' }]]),
    );
    // Our own process of it is no other program's.
    expect((await app.sessionList()).sessions).toMatchObject([{ id, openIn: null }]);
    expect(existsSync(file)).toBe(false);
    expect(await app.answerQuestion({ session: id, question: asked.id, answer: { answer: 'allow' } })).toBe(true);
    expect(await front.ended(turnId)).toMatchObject({ state: 'done', problem: null });
    expect(readFileSync(file, 'utf8')).toBe('one\n');

    const own = await until(() => {
      const found = [...rows.values()].filter(({ client }) => client === id);
      return found.length > 0 && found.every(({ outcome }) => outcome !== 'running') ? found : null;
    });
    expect(own.filter(({ initiator }) => initiator === 'user')).toHaveLength(1);
    const [turn] = await app.sessionTurns({ session: id, before: null, limit: 50 });
    const sum = own.reduce((all, { charge }) => all + (charge.nanoAiu ?? 0), 0);
    expect(sum).toBeGreaterThan(0);
    expect(turn).toMatchObject({ id: turnId, state: 'done', canFork: true, cost: { nanoAiu: sum, user: 1 } });
    expect(new Set(turn?.requestIds)).toEqual(new Set(own.map((row) => row.id)));

    expect((await app.sessionChanges({ session: id, turn: turnId })).files).toMatchObject([
      { path: file, isNew: true },
    ]);
    expect(await app.undoChanges({ session: id, turn: turnId, paths: null })).toMatchObject([{ isDone: true }]);
    expect(existsSync(file)).toBe(false);

    const denied = await app.sendMessage({ session: id, prompt: text(write('two\n')) });
    const answer = { answer: 'deny', words: 'write nothing today' } as const;
    await app.answerQuestion({ session: id, question: (await front.question(1)).id, answer });
    expect(await front.ended(denied.turnId)).toMatchObject({ state: 'done' });
    expect(front.said()).toContain('write nothing today');
    expect(existsSync(file)).toBe(false);
  });

  it('E21 lists edits with a relative path as the files that they changed, after a cd too, and undoes them', async () => {
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const stop = app.listen((event) => {
      if (event.event !== 'session-event' || event.entry.kind !== 'question') return;
      const question = event.entry.event as { id: string };
      void app.answerQuestion({ session: id, question: question.id, answer: { answer: 'allow' } });
    });
    const say = async (words: string): Promise<void> => {
      const { turnId } = await app.sendMessage({ session: id, prompt: text(words) });
      expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    };
    const [there, below] = [join(project, 'there.txt'), join(project, 'below', 'new.txt')];
    front.write('project/there.txt', 'one\ntwo\n');
    mkdirSync(join(project, 'below'));
    await say(`use: Read ${JSON.stringify({ file_path: 'there.txt' })}`);
    await say(`use: Edit ${JSON.stringify({ file_path: './there.txt', old_string: 'two', new_string: 'TWO' })}`);
    await say('run: cd below');
    await say(`use: Write ${JSON.stringify({ file_path: 'new.txt', content: 'new\n' })}`);
    expect([readFileSync(there, 'utf8'), readFileSync(below, 'utf8')]).toEqual(['one\nTWO\n', 'new\n']);
    expect(await app.filesNow({ session: id, turn: null })).toMatchObject([
      { path: there, now: 'as-left', isOutside: false },
      { path: below, now: 'as-left', isOutside: false },
    ]);
    expect(await app.undoChanges({ session: id, turn: null, paths: null })).toMatchObject([
      { path: there, isDone: true },
      { path: below, isDone: true },
    ]);
    expect([readFileSync(there, 'utf8'), existsSync(below)]).toEqual(['one\ntwo\n', false]);
    stop();
  });

  it('E8 E11 E25 tells each part once and in its place, thinking and text apart, as its transcript does', async () => {
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const prompts = ['think about run: echo jump$((40 + 2))', 'count to 12'];
    for (const words of prompts) {
      const { turnId } = await app.sendMessage({ session: id, prompt: text(words) });
      expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    }
    const live = front.ofKind('update').map(({ event }) => (event as { update: Reported }).update);
    const page = await until(async () => {
      const read = await app.transcript({ id, agentId: null, before: null, limit: 50 });
      return read?.turns.length === 2 && read.turns.every(({ isOpen }) => !isOpen) ? read : null;
    });
    const kept = page.turns.flatMap(({ updates }) => updates as Reported[]);
    expect(partsOf(live).map(({ kind }) => kind)).toEqual([
      ...['agent_thought_chunk', 'tool_call', 'agent_message_chunk', 'agent_message_chunk'],
    ]);
    expect(partsOf(live)).toEqual(partsOf(kept));
    // The whole message that ends a stream repeats nothing of it.
    expect(partsOf(live).at(-1)?.text).toContain('1, 2, 3');
    expect(front.said().split('10, 11, 12').length).toBe(2);
    const ids = live.flatMap(({ messageId }) => messageId ?? []);
    expect(new Set(ids).size).toBeGreaterThan(1);
  });

  it('E14 E15 E17 is stopped within two seconds, killed without loss, and resumed with its model', async () => {
    const session = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: { model: 'sonnet' } });
    const { id } = session;
    const forEver = new Promise(() => undefined);
    front.stack.simulator.script.next({ kind: 'usual', before: (index) => (index === 8 ? forEver : undefined) });
    const long = await app.sendMessage({ session: id, prompt: text('count to 1000') });
    await until(() => front.said() !== '');
    const began = performance.now();
    await app.stopSession(id);
    await until(() => [...rows.values()].some(({ outcome }) => outcome === 'cancelled'));
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(await front.ended(long.turnId)).toMatchObject({ state: 'cancelled' });

    const after = await app.sendMessage({ session: id, prompt: text('run: node -e "setTimeout(() => {}, 60000)"') });
    await app.answerQuestion({ session: id, question: (await front.question(0)).id, answer: { answer: 'allow' } });
    const claude = await until(() => markedProcesses(front.home).find(({ args }) => /bin\/claude/.test(args)));
    // What Claude Code has not written yet when it is killed is in no transcript.
    const projects = join(front.home, '.claude', 'projects');
    await until(() =>
      readdirSync(projects, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.jsonl'))
        .flatMap((name) => readFileSync(join(projects, name), 'utf8').split('\n'))
        .some((line) => line.includes('60000') && line.includes('"type":"tool_use"')),
    );
    process.kill(claude.pid, 'SIGKILL');
    expect(await front.ended(after.turnId)).toMatchObject({ state: 'failed' });

    const last = await app.sendMessage({ session: id, prompt: text('count to 3') });
    expect(await front.ended(last.turnId)).toMatchObject({ state: 'done' });
    const asked = [...rows.values()].filter(({ client, requestClass }) => client === id && requestClass === 'main');
    expect(asked.at(-1)?.servedModel).toContain('sonnet');
    await app.unloadSession(id);
    expect(await app.session(id)).toMatchObject({ state: 'unloaded', model: { wanted: 'sonnet', applied: null } });
    await until(() => markedProcesses(front.home).every(({ args }) => !/bin\/claude/.test(args)));
  });

  it('runs on the model that is shown, whatever Claude Code’s own settings say', async () => {
    const settings = join(front.home, '.claude', 'settings.json');
    mkdirSync(join(front.home, '.claude'), { recursive: true });
    writeFileSync(settings, JSON.stringify({ model: 'sonnet' }));
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: { model: 'opus' } });
    const served = async (): Promise<unknown> => {
      const { turnId } = await app.sendMessage({ session: id, prompt: text('count to 3') });
      expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
      const asked = [...rows.values()].filter(({ client, requestClass }) => client === id && requestClass === 'main');
      return asked.at(-1)?.servedModel;
    };
    expect(await served()).toContain('opus');
    await app.unloadSession(id);
    expect(await served()).toContain('opus');
    await app.chooseForSession({ session: id, choices: { model: 'haiku' } });
    expect(await served()).toContain('haiku');
    // A model that Claude Code doesn't know is started with.
    await app.chooseForSession({ session: id, choices: { model: 'gpt-5.4' } });
    expect(await served()).toBe('gpt-5.4');
    const fork = await app.forkSession({ session: id, turn: null });
    const { turnId } = await app.sendMessage({ session: fork.id, prompt: text('count to 4') });
    expect(await front.ended(turnId)).toMatchObject({ state: 'done' });
    const ofFork = [...rows.values()].filter(
      ({ client, requestClass }) => client === fork.id && requestClass === 'main',
    );
    expect(ofFork.at(-1)?.servedModel).toBe('gpt-5.4');
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({ model: 'sonnet' });
  });

  it('E14 whose Claude Code is killed while idle is unloaded at once, and goes on with one more request', async () => {
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const first = await app.sendMessage({ session: id, prompt: text('count to 3') });
    expect(await front.ended(first.turnId)).toMatchObject({ state: 'done' });
    const pid = (await openSessions(join(front.home, '.claude'))).get(id)?.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await until(async () => (await app.session(id)).state === 'unloaded');
    const next = await app.sendMessage({ session: id, prompt: text('count to 5') });
    expect(await front.ended(next.turnId)).toMatchObject({ state: 'done', problem: null });
    expect(front.said()).toContain('1, 2, 3, 4, 5');
    expect([...rows.values()].filter(({ client, initiator }) => client === id && initiator === 'user')).toHaveLength(2);
  });

  it('E19 E24 E26 asks a form, lets a subagent work below it, and forks from a turn', async () => {
    const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
    const input = {
      questions: [
        {
          question: 'Which database?',
          header: 'DB',
          multiSelect: false,
          options: [
            { label: 'Postgres', description: 'the usual' },
            { label: 'SQLite', description: 'small' },
          ],
        },
      ],
    };
    const first = await app.sendMessage({ session: id, prompt: text(`use: AskUserQuestion ${JSON.stringify(input)}`) });
    const form = await front.question(0);
    expect(form.kind).toBe('form');
    const answer = { answer: 'form', action: 'accept', content: { question_0: 'SQLite' } } as const;
    await app.answerQuestion({ session: id, question: form.id, answer });
    expect(await front.ended(first.turnId)).toMatchObject({ state: 'done' });
    expect(front.said()).toContain('SQLite');

    const delegated = await app.sendMessage({ session: id, prompt: text('subagent: say hello') });
    expect(await front.ended(delegated.turnId)).toMatchObject({ state: 'done' });
    const ofChildren = front.ofKind('update').filter(({ event }) => (event as { child: string | null }).child !== null);
    expect(ofChildren.length).toBeGreaterThan(0);
    expect(new Set(ofChildren.map(({ turnId }) => turnId))).toEqual(new Set([delegated.turnId]));
    const asAgent = [...rows.values()].filter(({ agentId }) => agentId !== null);
    expect(asAgent.map(({ initiator }) => initiator)).toEqual(asAgent.map(() => 'agent'));

    const fork = await app.forkSession({ session: id, turn: first.turnId });
    const shown = async (session: string) =>
      (await app.transcript({ id: session, agentId: null, before: null, limit: 50 }))?.turns.length;
    // What was said up to there is seen before anything is sent.
    await until(async () => (((await shown(id)) ?? 0) >= 2 ? true : null));
    expect(await shown(fork.id)).toBe(1);
    const inFork = await app.sendMessage({ session: fork.id, prompt: text('count to 3') });
    expect(await front.ended(inFork.turnId)).toMatchObject({ state: 'done' });
    await until(async () => ((await shown(fork.id)) === 2 ? true : null));
    const back = await app.goBack({ session: id, turn: delegated.turnId, withFiles: false });
    expect(back.prompt).toEqual(text('subagent: say hello'));
    const again = await app.sendMessage({ session: id, prompt: text('count to 4') });
    expect(await front.ended(again.turnId)).toMatchObject({ state: 'done' });
    expect((await app.sessionTurns({ session: id, before: null, limit: 50 })).map(({ id }) => id)).toEqual([
      ...[first.turnId, again.turnId],
    ]);
  });
});
