import {
  type AnyMessage,
  type ClientConnection,
  client,
  type RequestPermissionResponse,
  type SessionNotification,
  type Stream,
} from '@agentclientprotocol/sdk/unstable';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Charge } from '../../../../app/api/exchange.ts';
import type { ListedSession } from '../../../../app/api/session-list.ts';
import { serveEditor } from '../../../../app/sessions/acp/editor-route.ts';
import type { Line } from '../../../../app/sessions/transcripts/line.ts';
import type { TranscriptTurn } from '../../../../app/sessions/transcripts/transcript-turns.ts';
import { turnsOf } from '../../../../app/sessions/transcripts/transcript-turns.ts';
import { sessionTitle } from '../../../../app/words/sessions.ts';
import { until } from '../../../soon.ts';
import { bareExchange } from '../../history/example.ts';
import { Hosted, text } from '../host/hosted.ts';
import { listedSession } from '../listed-session.ts';
import { sampleLines } from '../transcripts/samples.ts';

function streamPair(): [Stream, Stream] {
  const [there, back] = [new TransformStream<AnyMessage>(), new TransformStream<AnyMessage>()];
  return [
    { readable: back.readable, writable: there.writable },
    { readable: there.readable, writable: back.writable },
  ];
}

type Answering = (
  params: { toolCall: { toolCallId: string } },
  signal: AbortSignal,
) => Promise<RequestPermissionResponse>;
const choose = (optionId: string): RequestPermissionResponse => ({ outcome: { outcome: 'selected', optionId } });

/** An editor, made with the protocol's own library. */
class EditorClient {
  readonly updates: SessionNotification[] = [];
  readonly connection: ClientConnection;
  answering: Answering = async () => choose('allow-once');
  /** As when its stream ends. */
  leave = (): void => undefined;
  readonly asked: unknown[] = [];
  form: unknown = { action: 'accept', content: { question_0: 'SQLite' } };

  constructor(stream: Stream) {
    this.connection = client({ name: 'editor' })
      .onRequest('session/request_permission', ({ params, signal }) => {
        this.asked.push(params);
        return this.answering(params, signal);
      })
      .onRequest('elicitation/create', ({ params }) => {
        this.asked.push(params);
        return this.form as { action: 'accept' };
      })
      .onNotification('session/update', ({ params }) => void this.updates.push(params))
      .connect(stream);
    onTestFinished(() => this.connection.close());
  }

  ask(
    method: string,
    params: unknown,
    options?: { cancellationSignal: AbortSignal },
  ): Promise<Record<string, unknown>> {
    return this.connection.agent.request<Record<string, unknown>>(method, params, options);
  }

  kinds(): string[] {
    return this.updates.map(({ update }) => update.sessionUpdate);
  }

  said(): string {
    return this.updates
      .flatMap(({ update }) =>
        update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? [update.content.text] : [],
      )
      .join('');
  }
}

class Fronts {
  readonly hosted: Hosted;
  isSignedIn = true;
  sessions: ListedSession[] = [];
  histories = new Map<string, readonly TranscriptTurn[]>();
  readsHistory = async (): Promise<void> => undefined;

  constructor(dependencies: ConstructorParameters<typeof Hosted>[0] = {}) {
    this.hosted = new Hosted(dependencies);
  }

  async editor(capabilities: object = { elicitation: { form: {} } }): Promise<EditorClient> {
    const [ours, theirs] = streamPair();
    const served = serveEditor(
      {
        ...{ host: this.hosted.host, version: '1.2.3', log: this.hosted.log, agent: 'claude' as const },
        isSignedIn: () => this.isSignedIn,
        list: async () => this.sessions,
        title: (session) => sessionTitle(session),
        history: async (id) => {
          await this.readsHistory();
          return this.histories.get(id) ?? null;
        },
        recorded: (id) => this.hosted.store.record.read(0, { session: id, limit: 100_000 }).entries,
        recordedTurn: (id, turnId) => this.hosted.store.record.turn(id, turnId),
      },
      theirs,
    );
    const editor = new EditorClient(ours);
    editor.leave = () => served.close();
    await editor.ask('initialize', { protocolVersion: 1, clientCapabilities: capabilities });
    return editor;
  }

  /** With one session begun. */
  async begun(capabilities?: object) {
    const editor = await this.editor(capabilities);
    const answer = await editor.ask('session/new', { cwd: this.hosted.cwd, mcpServers: [] });
    return { editor, answer, sessionId: String(answer.sessionId) };
  }
}

describe('an editor that speaks ACP with Jumpseat', () => {
  it('is told what can be done, and how to sign in', async () => {
    const fronts = new Fronts();
    const editor = await fronts.editor();
    const about = await editor.ask('initialize', { protocolVersion: 1 });
    expect(about).toMatchObject({
      ...{ protocolVersion: 1, agentInfo: { name: 'jumpseat', version: '1.2.3' } },
      authMethods: [{ id: 'jumpseat-login', type: 'terminal', args: ['login'] }],
      agentCapabilities: {
        ...{ loadSession: true, mcpCapabilities: { http: true, sse: false, acp: false } },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
    });
    fronts.isSignedIn = false;
    for (const [method, params] of [
      ['session/new', { cwd: '/', mcpServers: [] }],
      ['session/load', { sessionId: 'x', cwd: '/', mcpServers: [] }],
      ['session/resume', { sessionId: 'x', cwd: '/', mcpServers: [] }],
      ['session/prompt', { sessionId: 'x', prompt: text('hi') }],
      ['authenticate', { methodId: 'jumpseat-login' }],
    ] as const) {
      await expect(editor.ask(method, params), method).rejects.toMatchObject({
        ...{ code: -32000, message: expect.stringContaining('jumpseat login') },
      });
    }
  });

  it('is refused tools of its own where the agent can’t use them, before anything begins', async () => {
    const fronts = new Fronts();
    const editor = await fronts.editor();
    const mcpServers = [{ type: 'acp', name: 'client', serverId: 'one' }];
    await expect(editor.ask('session/new', { cwd: fronts.hosted.cwd, mcpServers })).rejects.toMatchObject({
      code: -32602,
      message: 'Fake Agent can’t use the tools of "client": it takes no servers of the type "acp".',
    });
    expect(fronts.hosted.store.sessions.all()).toEqual([]);
  });

  it('begins a session that starts nothing, sends a prompt, and hears the answer before the end of the turn', async () => {
    const fronts = new Fronts();
    const { editor, answer, sessionId } = await fronts.begun();
    expect(fronts.hosted.agent.methods()).toEqual([]);
    expect(answer).toMatchObject({
      modes: {
        currentModeId: 'default',
        availableModes: [{ id: 'default' }, { id: 'acceptEdits' }, { id: 'plan' }, { id: 'auto' }],
      },
      configOptions: [{ id: 'mode' }, { id: 'model', currentValue: 'default' }, { id: 'effort' }],
    });
    const ended = await editor.ask('session/prompt', { sessionId, prompt: text('hello') });
    expect([ended.stopReason, editor.said()]).toEqual(['end_turn', 'You said: hello']);
    expect(editor.kinds()).not.toContain('user_message_chunk');
    expect(editor.updates.every((update) => update.sessionId === sessionId)).toBe(true);
    await editor.ask('session/prompt', { sessionId, prompt: text('again') });
    expect(fronts.hosted.agent.methods().filter((method) => method === 'session/new')).toHaveLength(1);
  });

  it('is told once of each wait for Copilot where it shows notices, and elsewhere nothing that is none of the answer', async () => {
    const fronts = new Fronts();
    fronts.hosted.agent.script = async (turn) => {
      const wait = { type: 'system', subtype: 'api_retry', retry_delay_ms: 60_000 };
      await turn.raw({ ...wait, error_status: 429 });
      await turn.say('first ');
      await turn.raw({ ...wait, retry_delay_ms: 90_000, error_status: 500 });
      await turn.say('second');
      return 'end_turn';
    };
    const { editor, sessionId } = await fronts.begun({ session: { notices: {} } });
    const plain = await fronts.editor();
    await plain.ask('session/resume', { sessionId, cwd: fronts.hosted.cwd, mcpServers: [] });
    await editor.ask('session/prompt', { sessionId, prompt: text('x') });
    const notices = editor.updates.flatMap(({ update }) => (update.sessionUpdate === 'notice' ? [update] : []));
    const at = '\\d\\d:\\d\\d:\\d\\d';
    expect(notices).toEqual([
      {
        sessionUpdate: 'notice',
        severity: 'warning',
        title: expect.stringMatching(`^Waiting for Copilot \\(status 429\\), retries at ${at}$`),
      },
      {
        sessionUpdate: 'notice',
        severity: 'warning',
        title: expect.stringMatching(`^Waiting for Copilot \\(status 500\\), retries at ${at}$`),
      },
    ]);
    await until(() => plain.said() === 'first second');
    expect([editor.said(), plain.kinds().includes('notice')]).toEqual(['first second', false]);
  });

  it('passes on unknown updates as they are', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'x' }, _meta: { a: [1] } };
    fronts.hosted.agent.script = async (turn) => {
      await turn.update(update as SessionNotification['update']);
      return 'end_turn';
    };
    await editor.ask('session/prompt', { sessionId, prompt: text('go') });
    expect(editor.updates.map((one) => one.update)).toContainEqual(update);
  });

  it('is asked for a permission, and its answer counts: allowed, denied, closed without one', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    const answers: unknown[] = [];
    fronts.hosted.agent.script = async (turn) => {
      answers.push((await turn.ask({ toolCallId: 't1', name: 'Bash', rawInput: { command: 'touch x' } })).outcome);
      return 'end_turn';
    };
    for (const answer of [choose('allow-once'), choose('reject'), { outcome: { outcome: 'cancelled' as const } }]) {
      editor.answering = async () => answer;
      await editor.ask('session/prompt', { sessionId, prompt: text('go') });
    }
    expect(answers).toEqual([
      { outcome: 'selected', optionId: 'allow-once' },
      { outcome: 'selected', optionId: 'reject' },
      { outcome: 'selected', optionId: 'reject' },
    ]);
    expect(editor.asked[0]).toMatchObject({ sessionId, toolCall: { toolCallId: 't1' } });
  });

  it('allows a command for the session: a rule that can be taken back, and nothing of which the agent is told', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    const reported: unknown[] = [];
    fronts.hosted.agent.script = async (turn) => {
      const rawInput = { command: 'touch x' };
      reported.push((await turn.ask({ toolCallId: turn.text, name: 'Bash', rawInput })).outcome);
      return 'end_turn';
    };
    editor.answering = async () => choose('allow-with-updates');
    const prompt = (words: string) => editor.ask('session/prompt', { sessionId, prompt: text(words) });
    await prompt('one');
    await prompt('two');
    expect(editor.asked).toMatchObject([
      {
        options: [
          { optionId: 'allow-once' },
          { kind: 'allow_always', name: 'Allow this very command for this session' },
          {},
        ],
      },
    ]);
    const once = { outcome: 'selected', optionId: 'allow-once' };
    expect(reported).toEqual([once, once]);
    const { questions } = await fronts.hosted.host.session(sessionId);
    expect(questions.rules()).toMatchObject([{ tool: 'Bash', input: 'touch x', isExact: true }]);
    expect(questions.takeBack(questions.rules()[0]?.id ?? '')).toBe(true);
    await prompt('three');
    expect(editor.asked).toHaveLength(2);
  });

  it('that leaves has answered nothing: another front may', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    editor.answering = () => new Promise(() => undefined);
    let outcome: unknown = null;
    fronts.hosted.agent.script = async (turn) => {
      outcome = (await turn.ask({ toolCallId: 't1', name: 'Bash' })).outcome;
      return 'end_turn';
    };
    void editor.ask('session/prompt', { sessionId, prompt: text('go') }).catch(() => undefined);
    const { id } = await fronts.hosted.question();
    await until(() => editor.asked.length === 1);
    editor.connection.close();
    const session = await fronts.hosted.host.session(sessionId);
    expect(session.questions.open.size).toBe(1);
    expect(await session.answer(id, { answer: 'allow' })).toBe(true);
    await until(() => outcome);
    expect(outcome).toMatchObject({ optionId: 'allow-once' });
  });

  it('has its question withdrawn when another front was faster', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    const withdrawn = Promise.withResolvers<void>();
    editor.answering = (_params, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          withdrawn.resolve();
          reject(new Error('withdrawn'));
        });
      });
    fronts.hosted.agent.script = async (turn) => {
      await turn.ask({ toolCallId: 't1', name: 'Bash' });
      return 'end_turn';
    };
    const ended = editor.ask('session/prompt', { sessionId, prompt: text('go') });
    const { id } = await fronts.hosted.question();
    await until(() => editor.asked.length === 1);
    await (await fronts.hosted.host.session(sessionId)).answer(id, { answer: 'deny' });
    await withdrawn.promise;
    expect((await ended).stopReason).toBe('end_turn');
  });

  it('cancels a turn, and may go on', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    fronts.hosted.agent.script = async (turn) => {
      await turn.say('begun');
      await turn.stopped;
      return 'cancelled';
    };
    const ended = editor.ask('session/prompt', { sessionId, prompt: text('go') });
    await until(() => editor.said() === 'begun');
    await editor.connection.agent.notify('session/cancel', { sessionId });
    expect((await ended).stopReason).toBe('cancelled');
    fronts.hosted.agent.script = async () => 'end_turn';
    expect((await editor.ask('session/prompt', { sessionId, prompt: text('on') })).stopReason).toBe('end_turn');
  });

  it('cancels its own turn, and takes back what it has sent behind that, but nothing of another', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    fronts.hosted.agent.script = async (turn) => {
      await turn.say('begun');
      await turn.stopped;
      return 'cancelled';
    };
    const sends = (words: string, of = editor) => of.ask('session/prompt', { sessionId, prompt: text(words) });
    const running = sends('runs');
    await until(() => editor.said() === 'begun');
    const waiting = sends('waits');
    const session = await fronts.hosted.host.session(sessionId);
    await session.send(text('of the window'));
    await until(() => session.view().queue.length === 2);
    await editor.connection.agent.notify('session/cancel', { sessionId });
    expect([(await running).stopReason, (await waiting).stopReason]).toEqual(['cancelled', 'cancelled']);
    expect(session.view()).toMatchObject({ queue: [{ prompt: text('of the window') }], isQueuePaused: true });
  });

  it('chooses mode, model and effort before and while the agent runs, and hears what is in force', async () => {
    const fronts = new Fronts();
    const sonnet = { id: 'sonnet', model: 'claude-sonnet-4.6', efforts: ['low', 'max'] };
    fronts.hosted.agent.models = async () => [sonnet];
    const { editor, sessionId } = await fronts.begun();
    const early = await editor.ask('session/set_config_option', { sessionId, configId: 'model', value: 'sonnet' });
    expect(early.configOptions).toMatchObject([{ id: 'mode' }, { id: 'model', currentValue: 'sonnet' }, {}]);
    await editor.ask('session/set_mode', { sessionId, modeId: 'plan' });
    await editor.ask('session/prompt', { sessionId, prompt: text('go') });
    await until(() => editor.kinds().includes('current_mode_update'));
    const { asked } = fronts.hosted.agent;
    expect(asked.find(({ method }) => method === 'session/new')?.params).toMatchObject({
      _meta: { jumpseat: { model: 'sonnet' } },
    });
    expect(asked.find(({ method }) => method === 'session/set_mode')?.params).toMatchObject({ modeId: 'plan' });
    editor.updates.length = 0;
    await editor.ask('session/set_mode', { sessionId, modeId: 'acceptEdits' });
    await until(() => editor.kinds().includes('current_mode_update'));
    await editor.ask('session/set_config_option', { sessionId, configId: 'effort', value: 'max' });
    await until(() => editor.kinds().filter((kind) => kind === 'config_option_update').length > 1);
    const reported = editor.updates.filter(({ update }) => 'configOptions' in update || 'currentModeId' in update);
    expect(new Set(reported.map((one) => JSON.stringify(one))).size).toBe(reported.length);
    const late = await editor.ask('session/set_config_option', { sessionId, configId: 'effort', value: 'low' });
    expect(late.configOptions).toMatchObject([{ id: 'mode' }, { id: 'model' }, { id: 'effort', currentValue: 'low' }]);
    for (const [method, params] of [
      ['session/set_mode', { sessionId, modeId: 'bypassPermissions' }],
      ['session/set_config_option', { sessionId, configId: 'fast', value: 'x' }],
    ] as const) {
      await expect(editor.ask(method, params)).rejects.toMatchObject({ code: -32602 });
    }
  });

  it('is refused a mode, a model and an effort that nobody offers, at once, and nothing of it is tried', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    const unknown = async (): Promise<void> => {
      for (const [method, params, words] of [
        [
          'session/set_mode',
          { sessionId, modeId: 'yolo' },
          /There is no mode "yolo" here\. There are: default, .*plan/,
        ],
        ['session/set_config_option', { sessionId, configId: 'mode', value: 'yolo' }, /no mode "yolo"/],
        ['session/set_config_option', { sessionId, configId: 'model', value: 'gpt-9' }, /There are: claude-opus-4\.8/],
        ['session/set_config_option', { sessionId, configId: 'effort', value: 'huge' }, /no effort "huge"/],
      ] as const) {
        const message = expect.stringMatching(words);
        await expect(editor.ask(method, params)).rejects.toMatchObject({ code: -32602, message });
      }
    };
    await unknown();
    const session = await fronts.hosted.host.session(sessionId);
    expect(session.view()).toMatchObject({ mode: { wanted: 'default' }, model: { wanted: null } });
    expect((await editor.ask('session/prompt', { sessionId, prompt: text('go') })).stopReason).toBe('end_turn');
    const before = fronts.hosted.agent.methods().length;
    await unknown();
    expect(fronts.hosted.agent.methods().slice(before)).toEqual([]);
    await editor.ask('session/set_config_option', { sessionId, configId: 'model', value: 'claude-opus-4.8' });
    expect(session.view()).toMatchObject({ model: { wanted: 'claude-opus-4.8' } });
  });

  it('sees one list in every answer and update, whatever the agent’s own is, and may choose what is on it', async () => {
    const fronts = new Fronts();
    fronts.hosted.agent.models = async () => [
      { id: 'opus', model: 'claude-opus-4.8', efforts: ['low', 'high'] },
      { id: 'gpt-5.4', model: 'gpt-5.4', efforts: ['low'] },
    ];
    const { editor, sessionId } = await fronts.begun();
    fronts.hosted.agent.script = async (turn) => {
      const options = ['default', 'fable'].map((value) => ({ value, name: value }));
      const own = { type: 'select' as const, id: 'model', name: 'Own', currentValue: 'default', options };
      await turn.update({ sessionUpdate: 'config_option_update', configOptions: [own] });
      await turn.update({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' });
      return 'end_turn';
    };
    const choose = (configId: string, value: string) =>
      editor.ask('session/set_config_option', { sessionId, configId, value });
    const shown = ({ configOptions }: Record<string, unknown>) =>
      (configOptions as { id: string; currentValue: string; options: { value: string }[] }[])
        .filter(({ id }) => id !== 'mode')
        .map(({ currentValue, options }) => [currentValue, options.map(({ value }) => value)]);
    const expected = [
      ['opus', ['default', 'opus', 'gpt-5.4']],
      ['high', ['default', 'low', 'high']],
    ];
    await choose('model', 'opus');
    expect(shown(await choose('effort', 'high'))).toEqual(expected);
    await editor.ask('session/prompt', { sessionId, prompt: text('go') });
    await until(() =>
      editor.updates.some(({ update }) => 'currentModeId' in update && update.currentModeId === 'plan'),
    );
    const updates = editor.updates.filter(({ update }) => update.sessionUpdate === 'config_option_update');
    for (const { update } of updates) expect(shown({ ...update })).toEqual(expected);
    const place = { sessionId, cwd: fronts.hosted.cwd, mcpServers: [] };
    expect(shown(await editor.ask('session/load', place))).toEqual(expected);
    for (const [what, value] of [
      ['model', 'fable'],
      ['effort', 'xhigh'],
      ['effort', 'max'],
    ] as const) {
      await expect(choose(what, value), value).rejects.toMatchObject({ code: -32602 });
    }
  });

  it('is told what Copilot reported as the cost, and none where that is not known', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    const usage = { sessionUpdate: 'usage_update' as const, used: 1, size: 2, cost: { amount: 9, currency: 'USD' } };
    const billed = (nanoAiu: number | null, kind: Charge['kind']): Charge => ({
      ...{ kind, nanoAiu, premiumRequests: null, partial: false, details: [] },
    });
    fronts.hosted.agent.script = async (turn) => {
      const row = { id: turn.text, client: sessionId, session: sessionId, outcome: 'done' as const };
      const charge = turn.text === 'known' ? billed(544e7, 'billed') : billed(null, 'unknown');
      fronts.hosted.host.exchangeChanged(bareExchange({ ...row, charge }));
      await turn.update(usage);
      return 'end_turn';
    };
    const costs = () =>
      editor.updates.flatMap(({ update }) => (update.sessionUpdate === 'usage_update' ? [update.cost] : []));
    await editor.ask('session/prompt', { sessionId, prompt: text('known') });
    expect(costs()).toEqual([{ amount: 0.0544, currency: 'USD' }]);
    await editor.ask('session/prompt', { sessionId, prompt: text('unknown') });
    expect(costs()).toEqual([{ amount: 0.0544, currency: 'USD' }, undefined]);
  });

  it('lists sessions of a folder, page by page', async () => {
    const fronts = new Fronts();
    const one = (number: number) =>
      listedSession({ id: `s${number}`, cwd: number % 2 === 0 ? '/even' : '/odd', firstPrompt: `words ${number}` });
    fronts.sessions = Array.from({ length: 250 }, (_value, number) => one(number));
    const editor = await fronts.editor();
    const first = await editor.ask('session/list', { cwd: '/even' });
    expect(first).toMatchObject({
      sessions: { 0: { sessionId: 's0', cwd: '/even', title: 'words 0', updatedAt: '2027-01-15T08:00:00.000Z' } },
      nextCursor: '100',
    });
    const second = await editor.ask('session/list', { cwd: '/even', cursor: first.nextCursor });
    expect([(second.sessions as unknown[]).length, second.nextCursor]).toEqual([25, null]);
    await expect(editor.ask('session/list', { cursor: 'x' })).rejects.toMatchObject({ code: -32602 });
  });

  it('loads a session with all that was said, and resumes it without', async () => {
    const fronts = new Fronts();
    const { sessionId } = await fronts.begun();
    const first = await fronts.editor();
    fronts.histories.set(sessionId, turnsOf(sampleLines('tools-image-title')));
    await first.ask('session/load', { sessionId, cwd: fronts.hosted.cwd, mcpServers: [] });
    expect(first.kinds().slice(0, 4)).toEqual([
      ...['user_message_chunk', 'tool_call', 'tool_call_update', 'agent_message_chunk'],
    ]);
    expect(first.updates[0]?.update).toMatchObject({ messageId: '11111111-1111-4111-8111-111111111111' });
    const second = await fronts.editor();
    await second.ask('session/resume', { sessionId, cwd: fronts.hosted.cwd, mcpServers: [] });
    expect(second.updates).toEqual([]);
    await expect(second.ask('session/load', { sessionId: 'none', cwd: '/', mcpServers: [] })).rejects.toMatchObject({
      code: -32002,
    });
    expect(fronts.hosted.agent.methods()).toEqual([]);
  });

  it('loads a session without a transcript from what is on record of it, without what was cut', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    fronts.hosted.agent.script = async (turn) => {
      await turn.say('cut in the mi', 'm1');
      await turn.say('the whole answer', 'm2');
      await turn.raw({ type: 'assistant', uuid: 'a2', message: { id: 'm2', content: [] }, parent_tool_use_id: null });
      await turn.update({ sessionUpdate: 'usage_update', used: 1, size: 2 });
      return 'end_turn';
    };
    await editor.ask('session/prompt', { sessionId, prompt: text('go') });
    const second = await fronts.editor();
    await second.ask('session/load', { sessionId, cwd: fronts.hosted.cwd, mcpServers: [] });
    expect(second.updates.map(({ update }) => update)).toMatchObject([
      { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'go' } },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'the whole answer' } },
    ]);
  });

  it('loads a session amid an answer and a command: what came before is told once, and the rest follows', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    const { agent, cwd } = fronts.hosted;
    await editor.ask('session/prompt', { sessionId, prompt: text('before') });
    const begun = Promise.withResolvers<void>();
    const goesOn = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const call = { toolCallId: 't1', title: 'npm test', kind: 'execute' as const };
    agent.script = async (turn) => {
      await turn.say('cut in the mi', 'm1');
      await turn.say('The first ', 'm2');
      await turn.raw({ type: 'assistant', uuid: 'a2', message: { id: 'm2', content: [] }, parent_tool_use_id: null });
      await turn.update({ sessionUpdate: 'tool_call', ...call, status: 'pending' });
      begun.resolve();
      await goesOn[0]?.promise;
      await turn.update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'in_progress' });
      await goesOn[1]?.promise;
      await turn.update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed' });
      await turn.say('and the second.', 'm2');
      return 'end_turn';
    };
    const ended = editor.ask('session/prompt', { sessionId, prompt: text('go') });
    await begun.promise;
    await until(() => editor.kinds().includes('tool_call'));
    // As a transcript has it: the answer and the call, which has no result yet.
    const at = fronts.hosted.clock.now();
    const line = (of: Line): Line => ({ ...of, timestamp: new Date(at).toISOString(), sessionId });
    const said = (uuid: string, parentUuid: string | null, content: unknown): Line =>
      line({ type: 'user', uuid, parentUuid, message: { role: 'user', content } });
    const answered = (uuid: string, parentUuid: string, id: string, content: unknown): Line =>
      line({
        type: 'assistant',
        uuid,
        parentUuid,
        message: { id, role: 'assistant', content, stop_reason: 'tool_use' },
      });
    const history = turnsOf([
      { ...said('u1', null, 'before'), timestamp: new Date(at - 60_000).toISOString() },
      answered('a1', 'u1', 'm0', [{ type: 'text', text: 'You said: before' }]),
      said('u2', 'a1', 'go'),
      answered('a2', 'u2', 'm2', [{ type: 'text', text: 'The first ' }]),
      answered('a3', 'a2', 'm2', [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } }]),
    ]);
    expect(history.at(-1)?.updates.at(-1)).toMatchObject({ toolCallId: 't1', status: 'failed' });
    const reading = Promise.withResolvers<void>();
    fronts.readsHistory = async () => {
      reading.resolve();
      await goesOn[0]?.promise;
      await until(() => editor.updates.some(({ update }) => 'status' in update && update.status === 'in_progress'));
    };
    fronts.histories.set(sessionId, history);
    const other = await fronts.editor();
    const loaded = other.ask('session/load', { sessionId, cwd, mcpServers: [] });
    await reading.promise;
    goesOn[0]?.resolve();
    await loaded;
    const shown = () =>
      other.updates.flatMap(({ update }) => {
        if ('content' in update && update.content !== null && 'text' in Object(update.content)) {
          return [`${update.sessionUpdate}: ${Object(update.content).text}`];
        }
        return 'status' in update ? [`${update.sessionUpdate}: ${update.status}`] : [];
      });
    const past = [
      ...['user_message_chunk: before', 'agent_message_chunk: You said: before', 'user_message_chunk: go'],
      ...['agent_message_chunk: The first ', 'tool_call: pending', 'tool_call_update: in_progress'],
    ];
    expect(shown()).toEqual(past);
    goesOn[1]?.resolve();
    await ended;
    await until(() => other.said().endsWith('second.'));
    expect(shown()).toEqual([...past, 'tool_call_update: completed', 'agent_message_chunk: and the second.']);
  });

  it.each(['session/load', 'session/resume'])(
    'is asked what waits for an answer when it opens a session: %s',
    async (method) => {
      const fronts = new Fronts();
      const { editor, sessionId } = await fronts.begun();
      const { agent, cwd } = fronts.hosted;
      const outcomes: unknown[] = [];
      agent.script = async (turn) => {
        const ask = (toolCallId: string) => turn.ask({ toolCallId, name: 'Bash', rawInput: { command: toolCallId } });
        outcomes.push(...(await Promise.all([ask('t1'), ask('t2')])).map(({ outcome }) => outcome));
        return 'end_turn';
      };
      editor.answering = () => new Promise(() => undefined);
      void editor.ask('session/prompt', { sessionId, prompt: text('go') }).catch(() => undefined);
      await until(() => editor.asked.length === 2);
      // The first one crashed, or is left alone.
      editor.leave();
      const other = await fronts.editor();
      other.answering = async ({ toolCall }) => choose(toolCall.toolCallId === 't1' ? 'allow-once' : 'reject');
      await other.ask(method, { sessionId, cwd, mcpServers: [] });
      await until(() => outcomes.length === 2);
      expect(outcomes).toMatchObject([{ optionId: 'allow-once' }, { optionId: 'reject' }]);
      expect(other.asked).toMatchObject([{ sessionId, toolCall: { toolCallId: 't1' } }, { sessionId }]);
    },
  );

  it('forks a session in which something was said', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    const ask = () => editor.ask('session/fork', { sessionId, cwd: fronts.hosted.cwd, mcpServers: [] });
    await expect(ask()).rejects.toMatchObject({ code: -32602 });
    fronts.hosted.agent.script = async (turn) => {
      await turn.say('an answer', 'm1');
      await turn.raw({ type: 'assistant', uuid: 'a1', message: { id: 'm1', content: [] }, parent_tool_use_id: null });
      return 'end_turn';
    };
    await editor.ask('session/prompt', { sessionId, prompt: text('go') });
    const fork = await ask();
    expect(fork.sessionId).not.toBe(sessionId);
    expect((await fronts.hosted.host.session(String(fork.sessionId))).view().parent).toBe(sessionId);
  });

  it('is told the name that the list has for a fork, whatever the agent calls it', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    fronts.hosted.agent.script = async (turn) => {
      await turn.say('an answer', 'm1');
      await turn.raw({ type: 'assistant', uuid: 'a1', message: { id: 'm1', content: [] }, parent_tool_use_id: null });
      await turn.update({ sessionUpdate: 'session_info_update', title: turn.text === 'go' ? 'Retries' : 'go (fork)' });
      return 'end_turn';
    };
    const titles = (id: string) =>
      editor.updates.flatMap((reported) =>
        reported.sessionId === id && reported.update.sessionUpdate === 'session_info_update'
          ? [reported.update.title]
          : [],
      );
    await editor.ask('session/prompt', { sessionId, prompt: text('go') });
    expect(titles(sessionId)).toEqual(['Retries']);
    const { sessionId: id } = await editor.ask('session/fork', { sessionId, cwd: fronts.hosted.cwd, mcpServers: [] });
    await editor.ask('session/prompt', { sessionId: id, prompt: text('go on') });
    expect(titles(String(id))).toEqual(['Retries, fork']);
  });

  it('forks a session whose last turn was cancelled after the one before it', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    fronts.hosted.agent.script = async (turn) => {
      if (turn.text === 'cancelled') {
        await turn.stopped;
        return 'cancelled';
      }
      await turn.say('an answer', 'm1');
      await turn.raw({ type: 'assistant', uuid: 'a1', message: { id: 'm1', content: [] }, parent_tool_use_id: null });
      return 'end_turn';
    };
    await editor.ask('session/prompt', { sessionId, prompt: text('go') });
    const second = editor.ask('session/prompt', { sessionId, prompt: text('cancelled') });
    await until(() => fronts.hosted.agent.methods().filter((method) => method === 'session/prompt').length === 2);
    await editor.connection.agent.notify('session/cancel', { sessionId });
    expect(await second).toMatchObject({ stopReason: 'cancelled' });
    const { sessionId: id } = await editor.ask('session/fork', { sessionId, cwd: fronts.hosted.cwd, mcpServers: [] });
    await editor.ask('session/prompt', { sessionId: id, prompt: text('go on') });
    const copied = fronts.hosted.agent.asked.filter(({ method }) => method === '_jumpseat/fork');
    expect(copied.map(({ params }) => params.messageId)).toEqual(['a1']);
  });

  it('forks a session of a terminal', async () => {
    const fronts: Fronts = new Fronts({ foreign: async () => ({ agent: 'claude' as const, cwd: fronts.hosted.cwd }) });
    const editor = await fronts.editor();
    const { cwd } = fronts.hosted;
    const fork = await editor.ask('session/fork', { sessionId: 'theirs', cwd, mcpServers: [] });
    expect(await editor.ask('session/prompt', { sessionId: fork.sessionId, prompt: text('go on') })).toMatchObject({
      stopReason: 'end_turn',
    });
    const copied = fronts.hosted.agent.asked.find(({ method }) => method === '_jumpseat/fork');
    expect(copied?.params).toMatchObject({ sessionId: 'theirs', messageId: null });
  });

  it('is told that its prompt was cancelled, also where that was still starting the session', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    const starting = fronts.hosted.agent.hold('session/new');
    const prompt = editor.ask('session/prompt', { sessionId, prompt: text('go') });
    await starting.reached;
    await editor.connection.agent.notify('session/cancel', { sessionId });
    expect(await prompt).toEqual({ stopReason: 'cancelled' });
    starting.go();
    expect(await editor.ask('session/prompt', { sessionId, prompt: text('again') })).toMatchObject({
      stopReason: 'end_turn',
    });
  });

  it('shows what another editor asks in the same session', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    await editor.ask('session/prompt', { sessionId, prompt: text('one') });
    const other = await fronts.editor();
    await other.ask('session/resume', { sessionId, cwd: fronts.hosted.cwd, mcpServers: [] });
    await editor.ask('session/prompt', { sessionId, prompt: text('two') });
    await until(() => other.said() === 'You said: two');
    expect(
      other.updates.map(({ update }) => update).find((update) => update.sessionUpdate === 'user_message_chunk'),
    ).toMatchObject({ content: { text: 'two' } });
  });

  it('brings its own servers along, new, loaded and resumed, and takes them with it', async () => {
    const fronts = new Fronts();
    const server = (name: string) => ({ name, command: 'server', args: [], env: [] });
    const prompt = { prompt: text('go') };
    const started = () =>
      fronts.hosted.agent.asked.flatMap(({ method, params }) =>
        method === 'session/new' || method === 'session/resume' ? [params] : [],
      );
    const [first, second, third] = [await fronts.editor(), await fronts.editor(), await fronts.editor()];
    const place = { cwd: fronts.hosted.cwd };
    const { sessionId } = await first.ask('session/new', { ...place, mcpServers: [server('new')] });
    await first.ask('session/prompt', { sessionId, ...prompt });
    expect(started().at(-1)).toMatchObject({ mcpServers: [server('new')] });
    await second.ask('session/load', { sessionId, ...place, mcpServers: [server('load')] });
    await second.ask('session/prompt', { sessionId, ...prompt });
    expect(started().at(-1)).toMatchObject({ mcpServers: [server('load')] });
    await third.ask('session/resume', { sessionId, ...place, mcpServers: [server('resume')] });
    await third.ask('session/prompt', { sessionId, ...prompt });
    expect(started().at(-1)).toMatchObject({ mcpServers: [server('resume')] });
    for (const editor of [first, second, third]) editor.leave();
    const session = await fronts.hosted.host.session(String(sessionId));
    await until(() => !session.isOpenElsewhere({}));
    await fronts.hosted.ended((await session.send(text('go'))).turnId);
    expect(started().at(-1)).toMatchObject({ mcpServers: [] });
    expect(started()).toHaveLength(4);
  });

  it('works in the folders that it names, new, resumed and forked, and leaves them where it names none', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    const { host, cwd } = fronts.hosted;
    const session = await host.session(sessionId);
    const open = (additionalDirectories?: string[]) =>
      editor.ask('session/resume', {
        ...{ sessionId, cwd, mcpServers: [] },
        ...(additionalDirectories && { additionalDirectories }),
      });
    await open(['/lib']);
    expect(session.view().directories).toEqual(['/lib']);
    await open();
    await open([]);
    expect(session.view().directories).toEqual(['/lib']);
    await editor.ask('session/load', { sessionId, cwd, mcpServers: [], additionalDirectories: ['/other'] });
    expect(session.view().directories).toEqual(['/other']);
  });

  it('takes its own waiting message back with a cancel or a close, stops no turn of another, and leaves one it sent', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    const { host, cwd } = fronts.hosted;
    const session = await host.session(sessionId);
    const go = Promise.withResolvers<void>();
    fronts.hosted.agent.script = async (turn) => {
      await go.promise;
      await turn.say(turn.text);
      return 'end_turn';
    };
    const { turnId } = await session.send(text('of the window'));
    const waits = (words: string, of = editor) => of.ask('session/prompt', { sessionId, prompt: text(words) });
    const queued = () => session.view().queue.map(({ prompt }) => prompt[0]?.text);
    const first = waits('taken back');
    await until(() => queued().length === 1);
    await editor.connection.agent.notify('session/cancel', { sessionId });
    expect((await first).stopReason).toBe('cancelled');
    expect([queued(), session.view().state]).toEqual([[], 'running']);
    const second = waits('closed');
    await until(() => queued().length === 1);
    await editor.ask('session/close', { sessionId });
    expect((await second).stopReason).toBe('cancelled');
    expect([queued(), session.view().state]).toEqual([[], 'running']);

    const other = await fronts.editor();
    await other.ask('session/resume', { sessionId, cwd, mcpServers: [] });
    void waits('stays', other).catch(() => undefined);
    await until(() => queued().length === 1);
    other.leave();
    go.resolve();
    expect(await fronts.hosted.ended(turnId)).toMatchObject({ state: 'done' });
    await until(() => fronts.hosted.store.turns.of(sessionId).length === 2);
    expect(fronts.hosted.store.turns.of(sessionId).at(-1)?.prompt).toEqual(text('stays'));
  });

  it('ends no session that it never opened, that another editor has open, or that the window runs', async () => {
    const fronts = new Fronts();
    const { host, cwd } = fronts.hosted;
    const { editor, sessionId } = await fronts.begun();
    const other = await fronts.editor();
    await other.ask('session/close', { sessionId });
    expect(host.held().map(({ id }) => id)).toEqual([sessionId]);
    await other.ask('session/resume', { sessionId, cwd, mcpServers: [] });
    editor.leave();
    await other.ask('session/close', { sessionId });
    expect(host.held().map(({ id }) => id)).toEqual([sessionId]);
    const go = Promise.withResolvers<void>();
    fronts.hosted.agent.script = async () => {
      await go.promise;
      return 'end_turn';
    };
    const session = await host.session(sessionId);
    const { turnId } = await session.send(text('of the window'));
    await other.ask('session/resume', { sessionId, cwd, mcpServers: [] });
    await other.ask('session/close', { sessionId });
    go.resolve();
    expect(await fronts.hosted.ended(turnId)).toMatchObject({ state: 'done' });
    await other.ask('session/resume', { sessionId, cwd, mcpServers: [] });
    await other.ask('session/close', { sessionId });
    expect(host.held()).toEqual([]);
  });

  it('says what went wrong with what to do, and lets a session go when it is closed', async () => {
    const fronts = new Fronts();
    const { editor, sessionId } = await fronts.begun();
    fronts.hosted.baseUrl = null;
    await expect(editor.ask('session/prompt', { sessionId, prompt: text('go') })).rejects.toMatchObject({
      ...{ code: -32603, message: expect.stringMatching(/^Jumpseat: /) },
    });
    fronts.hosted.baseUrl = 'http://127.0.0.1:1';
    await editor.ask('session/prompt', { sessionId, prompt: text('go') });
    await editor.ask('session/close', { sessionId });
    expect(fronts.hosted.agent.methods()).toContain('session/close');
    await expect(editor.ask('session/new', { cwd: 'relative', mcpServers: [] })).rejects.toMatchObject({
      code: -32602,
    });
  });
});
