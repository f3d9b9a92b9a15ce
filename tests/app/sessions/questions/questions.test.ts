import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, it, vi } from 'vitest';
import { covers } from '../../../../app/sessions/questions/permission.ts';
import { SessionStoreError } from '../../../../app/sessions/store/session-database.ts';
import { until } from '../../../soon.ts';
import { askOptions } from '../host/fake-agent.ts';
import { Hosted, text } from '../host/hosted.ts';

const touch = { toolCallId: 'tool-1', name: 'Bash', rawInput: { command: 'touch made' } };

/** A session whose agent asks about each of these, at once, and answers with what it was told. */
async function asking(toolCalls = [touch]) {
  const hosted = new Hosted();
  const session = hosted.create('s');
  const reported: unknown[] = [];
  hosted.agent.script = async (turn) => {
    reported.push(...(await Promise.all(toolCalls.map((toolCall) => turn.ask(toolCall)))));
    return turn.signal.aborted ? 'cancelled' : 'end_turn';
  };
  const { turnId } = await session.send(text('touch it'));
  const question = await hosted.question();
  return { hosted, session, reported, turnId, question };
}

const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });

describe('E18 a permission question', () => {
  it('is on disk before it is told, with its turn and all that the agent said', async () => {
    const hosted = new Hosted();
    const kept: unknown[] = [];
    hosted.host.listen((event) => {
      if (event.event === 'session-event' && event.entry.kind === 'question')
        kept.push(...hosted.store.questions.open('s'));
    });
    hosted.agent.script = async (turn) => {
      await turn.ask(touch);
      return 'end_turn';
    };
    const session = hosted.create('s');
    const { turnId } = await session.send(text('x'));
    const question = await hosted.question();
    expect(kept).toMatchObject([{ id: question.id, turnId, kind: 'permission', answer: null }]);
    expect(question).toMatchObject({
      kind: 'permission',
      child: null,
      request: { toolCall: touch, options: askOptions.map(({ optionId }) => ({ optionId })) },
    });
    expect(session.view()).toMatchObject({ state: 'waiting', questions: 1 });
  });

  it('is allowed once', async () => {
    const { hosted, session, reported, turnId, question } = await asking();
    expect(await session.answer(question.id, { answer: 'allow' })).toBe(true);
    await hosted.ended(turnId);
    expect(reported).toEqual([selected('allow-once')]);
    expect(hosted.of('answered')).toEqual([{ id: question.id, by: 'person', rule: null, answer: { answer: 'allow' } }]);
    expect(hosted.store.questions.open()).toEqual([]);
  });

  it('is denied, also with words, which go along as the person’s', async () => {
    const { hosted, session, reported, turnId, question } = await asking();
    await session.answer(question.id, { answer: 'deny', words: 'use mkdir instead' });
    await hosted.ended(turnId);
    expect(reported).toEqual([{ ...selected('reject'), _meta: { jumpseat: { words: 'use mkdir instead' } } }]);
    const again = await asking();
    await again.session.answer(again.question.id, { answer: 'deny' });
    await again.hosted.ended(again.turnId);
    expect(again.reported).toEqual([selected('reject')]);
  });

  it('is denied with words that an agent takes no other way: they are said into its turn, or wait', async () => {
    for (const isTaken of [true, false]) {
      const hosted = new Hosted();
      hosted.agent.extras.delete('permission-words');
      const go = Promise.withResolvers<void>();
      hosted.agent.script = async (turn) => {
        await turn.ask(touch);
        await go.promise;
        return 'end_turn';
      };
      const session = hosted.create('s');
      const { turnId } = await session.send(text('touch it'));
      const question = await hosted.question();
      if (!isTaken) hosted.agent.failures.set('_session/steering', new RequestError(-32603, 'Internal error'));
      const said = { answer: 'deny', words: 'use mkdir instead' } as const;
      expect(await session.answer(question.id, said)).toBe(true);
      expect(await session.answer(question.id, said)).toBe(false);
      expect(hosted.of('answered')).toMatchObject([{ id: question.id, by: 'person' }]);
      expect(hosted.of('steered')[0]).toMatchObject({ prompt: text('use mkdir instead') });
      expect(session.view().queue.map(({ prompt }) => prompt)).toEqual(isTaken ? [] : [text('use mkdir instead')]);
      hosted.agent.steered.length = 0;
      go.resolve();
      await hosted.ended(turnId);
    }
  });

  it('is still open where the words beside a denial can’t be kept', async () => {
    const { hosted, session, question } = await asking();
    hosted.agent.extras.delete('permission-words');
    const full = vi.spyOn(hosted.store.queue, 'add').mockImplementation(() => {
      throw new SessionStoreError('the disk is full');
    });
    const said = { answer: 'deny', words: 'use mkdir instead' } as const;
    await expect(session.answer(question.id, said)).rejects.toThrow('the disk is full');
    expect(session.view().questions).toBe(1);
    full.mockRestore();
    expect(await session.answer(question.id, said)).toBe(true);
  });

  it('is allowed with another input', async () => {
    const { hosted, session, reported, turnId, question } = await asking();
    await session.answer(question.id, { answer: 'allow', input: { command: 'touch other' } });
    await hosted.ended(turnId);
    expect(reported).toEqual([
      { ...selected('allow-once'), _meta: { jumpseat: { input: { command: 'touch other' } } } },
    ]);
  });

  it('is allowed for this session: the like is not asked again until that is taken back', async () => {
    const { hosted, session, reported, turnId, question } = await asking();
    await session.answer(question.id, { answer: 'allow', rule: { tool: 'Bash', input: 'touch', isExact: false } });
    await hosted.ended(turnId);
    await hosted.ended((await session.send(text('again'))).turnId);
    expect(reported).toEqual([selected('allow-once'), selected('allow-once')]);
    expect(hosted.of('question')).toHaveLength(1);
    const [rule] = session.questions.rules();
    expect(rule).toMatchObject({ tool: 'Bash', input: 'touch', isExact: false });
    expect(hosted.of('answered')[1]).toMatchObject({ by: 'rule', rule: rule!.id });
    expect(session.questions.takeBack(rule!.id)).toBe(true);
    expect(session.questions.takeBack(rule!.id)).toBe(false);
    await session.send(text('once more'));
    await hosted.question(1);
  });

  it('can accept edits from here on', async () => {
    const { hosted, session, turnId, question } = await asking();
    await session.answer(question.id, { answer: 'allow', acceptEdits: true });
    await hosted.ended(turnId);
    expect(session.view().mode).toEqual({ wanted: 'acceptEdits', applied: 'acceptEdits' });
    expect(hosted.agent.asked.find(({ method }) => method === 'session/set_mode')?.params).toMatchObject({
      modeId: 'acceptEdits',
    });
  });

  it('is answered also where the agent refuses to accept edits from here on, which is noted', async () => {
    const { hosted, session, reported, turnId, question } = await asking();
    hosted.agent.failures.set('session/set_mode', new RequestError(-32602, 'not allowed'));
    expect(await session.answer(question.id, { answer: 'allow', acceptEdits: true })).toBe(true);
    await hosted.ended(turnId);
    expect(reported).toEqual([selected('allow-once')]);
    expect(hosted.of('note')).toEqual([{ code: 'mode-refused', wanted: 'acceptEdits', applied: 'default' }]);
  });

  it('is one of several, each answered by itself in any order', async () => {
    const { hosted, session, reported, turnId } = await asking([touch, { ...touch, toolCallId: 'tool-2' }]);
    const [first, second] = [await hosted.question(0), await hosted.question(1)];
    await session.answer(second.id, { answer: 'deny' });
    expect(session.view()).toMatchObject({ state: 'waiting', questions: 1 });
    await session.answer(first.id, { answer: 'allow' });
    await hosted.ended(turnId);
    expect(reported).toEqual([selected('allow-once'), selected('reject')]);
  });

  it('takes one answer, and none for an unknown id', async () => {
    const { hosted, session, reported, turnId, question } = await asking();
    expect(await session.answer('no-such-question', { answer: 'allow' })).toBe(false);
    expect(await session.answer(question.id, { answer: 'deny' })).toBe(true);
    expect(await session.answer(question.id, { answer: 'allow' })).toBe(false);
    await hosted.ended(turnId);
    expect(reported).toEqual([selected('reject')]);
  });

  it('refuses an option that was not offered, and stays open', async () => {
    const { hosted, session, turnId, question } = await asking();
    await expect(session.answer(question.id, { answer: 'allow', optionId: 'other' })).rejects.toMatchObject({
      code: 'not-possible',
    });
    expect(session.view().questions).toBe(1);
    await session.answer(question.id, { answer: 'allow', optionId: 'allow-with-updates' });
    await hosted.ended(turnId);
  });

  it('is denied by a stop and by the end of the session', async () => {
    for (const how of ['stop', 'dispose'] as const) {
      const { hosted, session, reported, turnId } = await asking();
      await session[how]();
      expect(await hosted.ended(turnId)).toMatchObject({ state: 'cancelled' });
      await until(() => reported.length > 0);
      expect(reported).toEqual([{ ...selected('reject'), _meta: { jumpseat: { isStop: true } } }]);
      expect(hosted.of('answered')).toMatchObject([{ by: 'stopped', answer: { answer: 'deny' } }]);
      expect(hosted.store.questions.open()).toEqual([]);
    }
  });

  it('is closed when the agent withdraws it', async () => {
    const hosted = new Hosted();
    const withdraw = new AbortController();
    const session = hosted.create('s');
    hosted.agent.script = async (turn) => {
      const params = { sessionId: 's', toolCall: touch, options: askOptions };
      await turn.client
        .request('session/request_permission', params, { cancellationSignal: withdraw.signal })
        .catch(() => undefined);
      return 'end_turn';
    };
    const { turnId } = await session.send(text('x'));
    await hosted.question();
    withdraw.abort();
    await hosted.ended(turnId);
    expect(hosted.of('answered')).toMatchObject([{ by: 'withdrawn' }]);
    expect(session.view().questions).toBe(0);
  });

  it('is denied where it can’t be kept', async () => {
    const hosted = new Hosted();
    let refusal: unknown = null;
    hosted.agent.script = async (turn) => {
      refusal = await turn.ask(touch).catch((error) => error);
      return 'end_turn';
    };
    vi.spyOn(hosted.store.questions, 'ask').mockImplementation(() => {
      throw new SessionStoreError('the disk is full');
    });
    const session = hosted.create();
    await hosted.ended((await session.send(text('x'))).turnId);
    expect(refusal).toBeInstanceOf(Error);
    expect(hosted.of('question')).toEqual([]);
  });

  it('is closed although that can’t be kept: the turn ends, and so do the others', async () => {
    const hosted = new Hosted();
    const session = hosted.create();
    const refused: unknown[] = [];
    hosted.agent.script = async (turn) => {
      refused.push(...(await Promise.all([turn.ask(touch), turn.ask({ ...touch, toolCallId: 'other' })])));
      return 'end_turn';
    };
    const { turnId } = await session.send(text('x'));
    await hosted.question(1);
    vi.spyOn(hosted.store.questions, 'answer').mockImplementation(() => {
      throw new SessionStoreError('the disk is full');
    });
    await session.stop();
    expect(await hosted.ended(turnId)).toMatchObject({ state: 'cancelled' });
    expect(refused).toHaveLength(2);
    expect(session.view()).toMatchObject({ questions: 0, turnId: null });
  });

  it('that stood open when Jumpseat was killed is on record as denied, and never answered again', async () => {
    const { hosted, question } = await asking();
    hosted.restart();
    expect(hosted.store.questions.find(question.id)).toMatchObject({ answer: { answer: 'deny' } });
    const session = await hosted.host.session('s');
    expect(session.view()).toMatchObject({ questions: 0, outcome: 'interrupted' });
    expect(await session.answer(question.id, { answer: 'allow' })).toBe(false);
    const page = hosted.store.record.read(0, { session: 's' });
    expect(page.entries.slice(-2).map(({ kind }) => kind)).toEqual(['answered', 'turn-ended']);
  });

  it('E20 lets the mode be changed while it stands open', async () => {
    const { hosted, session, turnId, question } = await asking();
    await session.choose({ mode: 'plan' });
    expect(session.view()).toMatchObject({ state: 'waiting', mode: { applied: 'plan' } });
    await session.answer(question.id, { answer: 'deny' });
    await hosted.ended(turnId);
  });
});

describe('E19 a form', () => {
  const form = {
    mode: 'form' as const,
    sessionId: 's',
    message: 'Which database?',
    requestedSchema: { type: 'object' as const, properties: { question_0: { type: 'string' as const } } },
  };

  async function asked(answer: Parameters<ReturnType<Hosted['create']>['answer']>[1]) {
    const hosted = new Hosted();
    const session = hosted.create('s');
    let reported: unknown = null;
    hosted.agent.script = async (turn) => {
      reported = await turn.client.request('elicitation/create', form);
      return 'end_turn';
    };
    const { turnId } = await session.send(text('ask me'));
    const question = await hosted.question();
    expect(question).toMatchObject({ kind: 'form', request: form });
    await session.answer(question.id, answer);
    await hosted.ended(turnId);
    return reported;
  }

  it('is answered, declined and left', async () => {
    const content = { question_0: 'SQLite' };
    expect(await asked({ answer: 'form', action: 'accept', content })).toEqual({ action: 'accept', content });
    expect(await asked({ answer: 'form', action: 'decline' })).toEqual({ action: 'decline' });
    expect(await asked({ answer: 'form', action: 'cancel' })).toEqual({ action: 'cancel' });
    expect(await asked({ answer: 'deny' })).toEqual({ action: 'decline' });
  });
});

describe('a plan', () => {
  it('is approved by the agent’s own option', async () => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    const options = [
      { optionId: 'exit-plan-default', name: 'Yes', kind: 'allow_once' as const },
      { optionId: 'exit-plan-clear-auto', name: 'Yes, clear context', kind: 'allow_always' as const },
      { optionId: 'reject', name: 'No', kind: 'reject_once' as const },
    ];
    let reported: unknown = null;
    hosted.agent.script = async (turn) => {
      const toolCall = { toolCallId: 'p', name: 'ExitPlanMode', kind: 'switch_mode' as const };
      reported = await turn.client.request('session/request_permission', { sessionId: 's', toolCall, options });
      await turn.update({ sessionUpdate: 'current_mode_update', currentModeId: 'default' });
      return 'end_turn';
    };
    const { turnId } = await session.send(text('plan it'));
    const question = await hosted.question();
    // The agent's own id would change behind an approval that clears its context.
    expect(question.request.options).toEqual([options[0], options[2]]);
    await session.answer(question.id, { answer: 'allow', optionId: 'exit-plan-default' });
    await hosted.ended(turnId);
    expect(reported).toEqual(selected('exit-plan-default'));
    expect(session.view().mode.applied).toBe('default');
  });

  it.each([
    ['exit-plan-default', 'default'],
    ['exit-plan-accept-edits', 'acceptEdits'],
  ])('approved by %s leaves the session in %s, also after a restart', async (optionId, mode) => {
    const hosted = new Hosted();
    const session = hosted.create('s');
    await session.choose({ mode: 'plan' });
    const options = [{ optionId, name: 'Yes', kind: 'allow_once' as const }];
    hosted.agent.script = async (turn) => {
      const toolCall = { toolCallId: 'p', name: 'ExitPlanMode', kind: 'switch_mode' as const };
      await turn.client.request('session/request_permission', { sessionId: 's', toolCall, options });
      return 'end_turn';
    };
    const { turnId } = await session.send(text('plan it'));
    const question = await hosted.question();
    await session.answer(question.id, { answer: 'allow', optionId });
    await hosted.ended(turnId);
    expect(session.view().mode.wanted).toBe(mode);
    expect(hosted.store.sessions.find('s')).toMatchObject({ mode });
  });
});

describe('what was allowed for a session', () => {
  const rule = { tool: 'Bash', input: 'npm test', isExact: false };
  const covered = (command: string, given = rule) =>
    covers(given, { toolCall: { toolCallId: 't', name: 'Bash', rawInput: { command } } });

  it('covers the command with other arguments, and no second command', () => {
    expect(covered('npm test')).toBe(true);
    expect(covered('npm test -- --watch')).toBe(true);
    expect(covered('npm testing')).toBe(false);
    for (const second of ['; rm -rf ~', '&& rm x', '| sh', '> x', '$(rm x)', '`rm x`', '\nrm x', '& rm x', '< x']) {
      expect(covered(`npm test ${second}`), second).toBe(false);
    }
    expect(covered('npm test -- --watch', { ...rule, isExact: true })).toBe(false);
    expect(covered('npm test', { ...rule, isExact: true })).toBe(true);
  });

  it('covers no command that is to run outside of the sandbox', () => {
    const rawInput = { command: 'npm test', dangerouslyDisableSandbox: true };
    expect(covers(rule, { toolCall: { toolCallId: 't', name: 'Bash', rawInput } })).toBe(false);
  });

  it('covers no other tool, and a tool without a command only by its name', () => {
    const fetch = { toolCall: { toolCallId: 't', name: 'WebFetch', rawInput: { url: 'https://example.com' } } };
    expect(covers(rule, fetch)).toBe(false);
    expect(covers({ tool: 'WebFetch', input: null, isExact: false }, fetch)).toBe(true);
    expect(covered('npm test', { tool: 'Bash', input: null as never, isExact: false })).toBe(false);
  });
});
