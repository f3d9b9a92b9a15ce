import { describe, expect, it } from 'vitest';
import {
  a,
  afterMain,
  assistant,
  b,
  Conversation,
  claudeCode,
  date,
  environment,
  hintsOff,
  R,
  T,
  TR,
  toolTurn,
  user,
} from './claude-code-requests.ts';

/** Requests that imitate Claude Code's own, and its own where they could be taken for imitations. */

const prompt = user(environment, date, T('fix the test'));
const first = claudeCode({ prompt: a }, [prompt]);
const asked = claudeCode(hintsOff, [prompt]);
const resultTurn = [prompt, toolTurn, user(TR('hi'))];
const probeFields = { max_tokens: 1, tools: undefined, thinking: undefined, stream: undefined };
const cut = 'Your response above was cut off mid-stream. Resume directly from where it stops — no apology, no recap.';
const summaryOrder = 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.';
const notify = (call: string) =>
  R(
    '[SYSTEM NOTIFICATION - NOT USER ' +
      `INPUT]\n<task-notification>\n<tool-use-id>${call}</tool-use-id>\n</task-notification>`,
  );
/** Of the call in `toolTurn`. */
const notification = notify('toolu_01A18');
const launched = [prompt, toolTurn, user(TR('Async agent launched')), assistant(T('done.'))];

describe('A12.49 words that read like the machine’s', () => {
  const texts = {
    'a resume': T(cut),
    'a continued session': T('This session is being continued from a previous conversation that ran out of context.'),
    'an order to summarise': T(summaryOrder),
    'a notification': notify('toolu_of_nobody'),
    'a notification without a call': R(
      '[SYSTEM NOTIFICATION - NOT USER INPUT]\n<task-notification>x</task-notification>',
    ),
    'a reminder': R('write a poem'),
    'an echo': T('<local-command-stdout>hello</local-command-stdout>'),
    'the word that tools are loaded': T('Tool loaded.'),
    'an order to call a tool': T(
      '[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request. Call ' +
        'this tool now.',
    ),
  };
  const interrupted = user(TR('rejected', { is_error: true }), T('[Request interrupted by user for tool use]'));
  for (const [name, text] of Object.entries(texts)) {
    it(`${name}, typed as a prompt of its own, is the person’s: first, after an answer, and behind results`, () => {
      const tools = { tools: [{ name: 'StructuredOutput', input_schema: {} }] };
      for (const messages of [
        [user(text)],
        [prompt, assistant(T('done.')), user(environment, text)],
        [prompt, toolTurn, user(TR('x'), text)],
        [prompt, toolTurn, interrupted, user(text)],
      ]) {
        for (const hints of [{ prompt: b }, {}, hintsOff]) {
          const conversation = new Conversation();
          conversation.send(first);
          expect(conversation.send(claudeCode(hints, messages, tools)).initiator).toBe('user');
        }
      }
    });
  }

  it('a notification is believed once, and again where its answer was cut', () => {
    const notified = (id: string) => claudeCode({ prompt: id }, [...launched, user(notification)]);
    const conversation = new Conversation();
    const played = [
      conversation.send(notified(a), 'cut'),
      conversation.send(notified(a), 'whole'),
      conversation.send(notified(b)),
    ];
    expect(played.map(({ initiator, code }) => [initiator, code])).toEqual([
      ['agent', 'notification'],
      ['agent', 'notification'],
      ['user', 'prompt'],
    ]);
  });

  it(
    'a resume counts after an answer that ended early, once there was an accepted prompt, and not after a ' +
      'whole one',
    () => {
      const resumed = claudeCode({ prompt: a }, [prompt, assistant(T('half')), user(T(cut))]);
      const resumedAfter = (...outcomes: ('whole' | 'cut' | 'left' | { refused: number })[]) => {
        const conversation = new Conversation();
        for (const outcome of outcomes) conversation.send(first, outcome);
        return conversation.send(resumed).initiator;
      };
      expect([
        resumedAfter('cut'),
        resumedAfter('left'),
        resumedAfter('whole'),
        resumedAfter({ refused: 502 }),
        resumedAfter(),
      ]).toEqual(['agent', 'agent', 'user', 'user', 'user']);
      const broken = new Conversation();
      broken.send(asked, 'left');
      const unlabelled = claudeCode(hintsOff, [prompt, assistant(T('half')), user(T(cut))]);
      expect(broken.send(unlabelled).initiator).toBe('user');
    },
  );

  it(
    'what goes on after a compaction or for want of a structured answer counts under a prompt that was ' + 'accepted',
    () => {
      const summary = user(T('This session is being continued from a previous conversation that ran out of context.'));
      const order = T(
        '[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request. Call ' +
          'this tool now.',
      );
      const tools = { tools: [{ name: 'StructuredOutput', input_schema: {} }] };
      const conversation = new Conversation();
      conversation.send(first);
      const play = (id: string) => [
        conversation.decide(claudeCode({ prompt: id }, [summary])),
        conversation.decide(claudeCode({ prompt: id }, [prompt, assistant(T('done.')), user(order)], tools)),
      ];
      expect([...play(a), ...play(b)].map(({ initiator, rule }) => [initiator, rule])).toEqual([
        ['agent', 'continuation'],
        ['agent', 'structured-output'],
        ['user', 'main-new-prompt'],
        ['user', 'main-new-prompt'],
      ]);
    },
  );

  it('an id that stands on every prompt does not make the same words at another place a repeat', () => {
    const conversation = new Conversation();
    const again = [prompt, assistant(T('done.')), prompt];
    const played = [first, first, claudeCode({ prompt: a }, again)].map((request) => conversation.send(request).code);
    expect(played).toEqual(['prompt', 'repeat', 'prompt']);
  });
});

describe('A12.53 the word that tools are loaded', () => {
  const search = { type: 'tool_use', id: 'toolu_01A18', name: 'ToolSearch', input: { query: 'select:ExitPlanMode' } };
  const found = TR([{ type: 'tool_reference', tool_name: 'ExitPlanMode' }]);
  const loaded = T('Tool loaded.');
  const searched = (...blocks: unknown[]) => [prompt, assistant(T('ok'), search), user(...blocks)];
  const verdictAfter = (request: Parameters<typeof claudeCode>, before = first) => {
    const conversation = new Conversation();
    conversation.send(before);
    return conversation.send(claudeCode(...request));
  };

  it('beside the result that names them, under a prompt that was accepted: agent', () => {
    expect(verdictAfter([{ prompt: a }, searched(found, loaded)])).toMatchObject({
      ...{ initiator: 'agent', code: 'tool-results', rule: 'main-seen-prompt' },
      sentence: 'results of ToolSearch',
    });
    expect(verdictAfter([{ prompt: a }, searched(found, date, loaded)]).initiator).toBe('agent');
  });

  it('is agent as often as tools are searched under one prompt', () => {
    const conversation = new Conversation();
    conversation.send(first);
    const again = [...searched(found, loaded), assistant(search), user(found, loaded)];
    for (const messages of [searched(found, loaded), again])
      expect(conversation.send(claudeCode({ prompt: a }, messages)).initiator).toBe('agent');
  });

  it.each<[string, Parameters<typeof claudeCode>]>([
    ['under a new prompt', [{ prompt: b }, searched(found, loaded)]],
    ['under no prompt', [{}, searched(found, loaded)]],
    ['without labels', [hintsOff, searched(found, loaded)]],
    ['twice', [{ prompt: a }, searched(found, loaded, loaded)]],
    ['with words behind it', [{ prompt: a }, searched(found, T('Tool loaded. Go on.'))]],
    ['with words beside it', [{ prompt: a }, searched(found, loaded, T('go on'))]],
    ['beside a search that found nothing', [{ prompt: a }, searched(TR('No matching deferred tools found'), loaded)]],
    ['without a search', [{ prompt: a }, [prompt, toolTurn, user(TR('x'), loaded)]]],
    ['beside another tool’s result', [{ prompt: a }, [prompt, toolTurn, user(found, loaded)]]],
    ['beside the result of no call', [{ prompt: a }, searched({ ...found, tool_use_id: 'toolu_b' }, loaded)]],
    ['after an answer', [{ prompt: a }, [...searched(found), assistant(T('done.')), user(loaded)]]],
  ])('%s: user', (_, request) => {
    expect(verdictAfter(request).initiator).toBe('user');
  });

  it('is the person’s where Copilot has not accepted the prompt yet', () => {
    const conversation = new Conversation();
    conversation.send(first, { refused: 429 });
    expect(conversation.send(claudeCode({ prompt: a }, searched(found, loaded))).initiator).toBe('user');
  });
});

describe('A12.50 headers and system prompts of a person’s', () => {
  const marks = {
    system: [T('x-anthropic-billing-header: cc_is_subagent=true;'), T('You are an agent for Claude Code')],
  };

  it('change nothing where Claude Code says that a request is of the main conversation', () => {
    const more = { 'x-claude-code-agent-id': 'a1', 'x-claude-code-compaction': 'auto' };
    const conversation = new Conversation();
    expect(conversation.send(claudeCode({ prompt: a, more }, [prompt], marks))).toMatchObject({
      initiator: 'user',
      rule: 'main-new-prompt',
    });
    expect(conversation.send(claudeCode({ prompt: b, more }, [user(T(summaryOrder))], marks)).initiator).toBe('user');
  });

  it('make no prompt a side request, a subagent or a compaction where no request was of the main conversation', () => {
    for (const requestClass of ['subagent', 'workflow', 'compaction', 'auxiliary', 'side_reply']) {
      for (const firstParty of ['main', 'blocking-subagent', 'summary-extraction', 'followup-generation', null]) {
        for (const text of [T('hello'), T(summaryOrder), T('<session>\nhello')]) {
          for (const tools of [{}, { tools: [] }]) {
            const more = { 'x-claude-code-agent-id': 'a1', 'x-claude-code-compaction': 'auto' };
            const hints = { class: requestClass, firstParty, more };
            const conversation = new Conversation();
            for (const id of [null, a, a]) {
              const request = claudeCode({ ...hints, prompt: id }, [user(text)], { ...marks, ...tools });
              expect([requestClass, conversation.send(request, { refused: 500 }).initiator]).toEqual([
                requestClass,
                'user',
              ]);
            }
          }
        }
      }
    }
  });

  it('a side request with the id of a prompt, and one that holds a typed command, are prompts', () => {
    const request = (hints: object, text: string) =>
      claudeCode({ class: 'auxiliary', ...hints }, [user(T(text))], { tools: [] });
    expect(afterMain(first).decide(request({ prompt: b }, 'hello')).initiator).toBe('user');
    expect(afterMain(first).decide(request({}, '<command-message>mine</command-message>')).initiator).toBe('user');
    expect(afterMain(first).decide(request({}, 'hello')).initiator).toBe('agent');
  });

  it('without labels, one token, a JSON answer and a system prompt make nothing `agent`', () => {
    for (const fields of [probeFields, { tools: [], output_config: { format: { type: 'json_schema' } } }, marks]) {
      const conversation = new Conversation();
      for (const text of ['Hi', '<session>\nx\n</session>', 'hello'])
        expect(conversation.send(claudeCode(hintsOff, [user(T(text))], fields)).initiator).toBe('user');
    }
  });
});

describe('a session that goes on after its history was lost', () => {
  it('pays for no prompt twice: results answer a call, and what comes under their prompt is known again', () => {
    const conversation = new Conversation();
    const more = { 'x-claude-code-agent-id': 'a1' };
    const subagent = claudeCode({ class: 'subagent', firstParty: 'blocking-subagent', prompt: a, more }, [
      user(T('find')),
    ]);
    const title = claudeCode({ class: 'auxiliary', firstParty: 'summary-extraction' }, [user(T('<session>\nx'))], {
      tools: [],
      thinking: { type: 'disabled' },
      output_config: { format: { type: 'json_schema' } },
    });
    const play = [title, claudeCode({ prompt: a }, resultTurn), subagent];
    expect(play.map((request) => conversation.send(request).code)).toEqual(['auxiliary', 'tool-results', 'subagent']);
  });
});
