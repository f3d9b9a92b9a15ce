import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Initiator, ReasonCode } from '../../../../app/api/exchange.ts';
import { readCatalog } from '../../../../app/copilot/model-entry.ts';
import { fitMessages } from '../../../../app/exchange/fits/fit-messages.ts';
import { decideInitiator } from '../../../../app/exchange/initiator/decide.ts';
import { readPrompt } from '../../../../app/exchange/initiator/reading.ts';
import type { Verdict } from '../../../../app/exchange/initiator/verdict.ts';
import { readMessagesRequest } from '../../../../app/formats/messages/request.ts';
import {
  a,
  afterMain,
  assistant,
  b,
  bash,
  Conversation,
  claudeCode,
  date,
  environment,
  hintsOff,
  image,
  interjected,
  plain,
  R,
  type Request,
  sample,
  session,
  T,
  TR,
  toolTurn,
  user,
} from './claude-code-requests.ts';

type Expected = [Initiator, ReasonCode, rule: string, sentence: string];

interface Row {
  n: number;
  name: string;
  /** Plays what came before, and decides about the request of the row. */
  play: (conversation: Conversation) => Verdict | Verdict[];
  expected: Expected | Expected[];
}

const prompt = user(environment, date, T('fix the test'));
const first = claudeCode({ prompt: a }, [prompt]);
const resultTurn = [prompt, toolTurn, user(TR('hi'))];
const newPrompt: Expected = ['user', 'prompt', 'main-new-prompt', 'new prompt 1ec2…'];
const second = (status: number): Expected => [
  'user',
  'prompt',
  'attempt',
  `prompt, second attempt; the first was refused with ${status}`,
];
const secondAfterNothing: Expected = [
  'user',
  'prompt',
  'attempt',
  'prompt, second attempt; the first brought no answer',
];
const results: Expected = ['agent', 'tool-results', 'main-seen-prompt', 'results of Bash'];
const interjection: Expected = ['user', 'interjection', 'main-interjection', 'you wrote while it was working'];
const repeated: Expected = ['agent', 'repeat', 'repeat', 'repeat of a prompt that Copilot had accepted'];
const withoutMarks: Expected = ['user', 'prompt', 'body-user', 'new prompt'];
const hooked: Expected = ['user', 'hook', 'hook', 'stop hook (counted as yours: you set it up)'];
const byTable: Expected = ['agent', 'tool-results', 'openai-agent', 'results of get_weather'];
const byOpenai: Expected = ['user', 'prompt', 'openai-user', 'new prompt'];

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
const refusal =
  'The user doesn’t want to proceed with this tool use. To tell you how to proceed, the user said:\nuse wget';
const slash = [
  date,
  T('<command-message>init</command-message>\n<command-name>/init</command-name>'),
  T('Look at this code base.'),
];
const weatherCall = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
};
const weatherItem = { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{}' };
const weatherOutput = { type: 'function_call_output', call_id: 'call_1', output: 'rain' };
const marked = (words: string, ...before: unknown[]) =>
  claudeCode({ prompt: a }, [
    prompt,
    ...before,
    toolTurn,
    user(TR(`slept\n\n<system-reminder>\n${interjected}${words}\n</system-reminder>`)),
  ]);
const asked = claudeCode(hintsOff, [prompt]);
const probeFields = { max_tokens: 1, tools: undefined, thinking: undefined, stream: undefined };

const rows: Row[] = [
  { n: 1, name: 'a typed prompt behind reminders', play: (c) => c.send(first), expected: newPrompt },
  {
    n: 2,
    name: 'results of its tools',
    play: (c) => [c.send(first), c.send(claudeCode({ prompt: a }, resultTurn))],
    expected: [newPrompt, results],
  },
  {
    n: 3,
    name: 'a trailing system message',
    play: (c) => c.send(claudeCode({ prompt: a }, [prompt, { role: 'system', content: [T('# Environment')] }])),
    expected: newPrompt,
  },
  {
    n: 4,
    name: 'a trailing system message that is empty',
    play: (c) => c.send(claudeCode({ prompt: a }, [prompt, { role: 'system', content: [] }])),
    expected: newPrompt,
  },
  {
    n: 5,
    name: 'the first attempt ended with 429',
    play: (c) => [c.send(first, { refused: 429 }), c.send(first)],
    expected: [newPrompt, second(429)],
  },
  {
    n: 6,
    name: 'the first attempt was refused by us for its safeguards',
    play: (c) => {
      const guarded = claudeCode({ prompt: a }, [prompt], { safeguards: [{ type: 'dangerous_tool_use' }] });
      return [c.send(guarded, { refused: 400 }), c.send(first)];
    },
    expected: [newPrompt, second(400)],
  },
  {
    n: 7,
    name: 'too long, compacted, sent again',
    play: (c) => {
      const order = claudeCode({ class: 'compaction', more: { 'x-claude-code-compaction': 'reactive' } }, [
        user(T('fix the test'), T(summaryOrder)),
      ]);
      const again = claudeCode({ prompt: a, more: { 'x-claude-code-context-compacted': 'reactive' } }, [
        {
          role: 'user',
          content: 'This session is being continued from a previous conversation that ran out of context.',
        },
        prompt,
      ]);
      return [c.send(first, { refused: 400 }), c.send(order), c.send(order), c.send(again), c.send(again)];
    },
    expected: [
      newPrompt,
      ['agent', 'compaction', 'class-compaction', 'compaction (reactive)'],
      ['agent', 'compaction', 'class-compaction', 'compaction (reactive)'],
      second(400),
      repeated,
    ],
  },
  {
    n: 8,
    name: 'cut after a finished block, resumed',
    play: (c) => {
      const resume = claudeCode({ prompt: a }, [prompt, assistant(T('partial words ')), user(T(cut))]);
      return [c.send(first, 'cut'), c.send(resume)];
    },
    expected: [newPrompt, ['agent', 'resume', 'resume', 'answer resumed after a cut']],
  },
  {
    n: 9,
    name: 'cut in an open block, sent again whole',
    play: (c) => [
      c.send(first, 'cut'),
      c.send(claudeCode({ prompt: a }, [prompt], { stream: false, max_tokens: 64000 })),
    ],
    expected: [newPrompt, repeated],
  },
  {
    n: 10,
    name: 'a stream that failed before its first block',
    play: (c) => [c.send(first, { refused: 200 }), c.send(first)],
    expected: [newPrompt, secondAfterNothing],
  },
  {
    n: 11,
    name: 'words typed while a tool ran, inside its result',
    play: (c) => [c.send(first), c.send(marked('also update the docs'))],
    expected: [newPrompt, interjection],
  },
  {
    n: 12,
    name: 'words typed while a tool ran, as a block of their own',
    play: (c) => {
      const request = claudeCode({ prompt: a }, [prompt, toolTurn, user(TR('slept'), T(`${interjected}also this`))]);
      return [c.send(first), c.send(request)];
    },
    expected: [newPrompt, interjection],
  },
  {
    n: 13,
    name: 'a tool refused with words',
    play: (c) => {
      const request = claudeCode({ prompt: a }, [prompt, toolTurn, user(TR(refusal, { is_error: true }))]);
      return [c.send(first), c.send(request)];
    },
    expected: [newPrompt, interjection],
  },
  {
    n: 14,
    name: 'Escape, then a new prompt',
    play: (c) => {
      const content = [
        TR('rejected', { is_error: true }),
        T('[Request interrupted by user for tool use]'),
        T('do this instead'),
      ];
      return [c.send(first), c.send(claudeCode({ prompt: b }, [prompt, toolTurn, user(...content)]))];
    },
    expected: [newPrompt, ['user', 'prompt', 'main-new-prompt', 'new prompt 8808…']],
  },
  {
    n: 15,
    name: 'a slash command, which has no prompt id',
    play: (c) => c.send(claudeCode({}, [user(...slash)])),
    expected: ['user', 'prompt', 'main-new-prompt', 'new prompt'],
  },
  {
    n: 16,
    name: 'the second step of a slash command',
    play: (c) => [
      c.send(claudeCode({}, [user(...slash)])),
      c.send(claudeCode({}, [user(...slash), toolTurn, user(TR('hi'))])),
    ],
    expected: [['user', 'prompt', 'main-new-prompt', 'new prompt'], results],
  },
  {
    n: 17,
    name: 'a shell command typed behind a !',
    play: (c) =>
      c.send(claudeCode({}, [user(T('<bash-input> ls</bash-input>'), T('<bash-stdout>a.txt</bash-stdout>'))])),
    expected: ['user', 'prompt', 'main-new-prompt', 'new prompt'],
  },
  {
    n: 18,
    name: 'a background task finished',
    play: (c) => c.send(claudeCode({ prompt: b }, [...launched, user(notification)])),
    expected: ['agent', 'notification', 'main-notification', 'background task finished'],
  },
  {
    n: 19,
    name: 'a background task finished, and words',
    play: (c) =>
      c.send(claudeCode({ prompt: a }, [prompt, assistant(T('done.')), user(notification, T('and now run it'))])),
    expected: newPrompt,
  },
  {
    n: 20,
    name: 'a scheduled prompt',
    play: (c) => c.send(claudeCode({ prompt: b, firstParty: 'background-task' }, [user(T('check the build'))])),
    expected: ['user', 'scheduled', 'scheduled', 'scheduled prompt (counted as yours: you set it up)'],
  },
  {
    n: 21,
    name: 'a subagent',
    play: (c) => {
      const more = { 'x-claude-code-agent-id': 'a471b19853ca4798c', 'x-claude-code-agent-type': 'Explore' };
      const hints = { class: 'subagent', firstParty: 'blocking-subagent', prompt: a, more };
      return [c.send(first), c.send(claudeCode(hints, [user(T('find all callers'))]))];
    },
    expected: [newPrompt, ['agent', 'subagent', 'class-subagent', 'subagent Explore']],
  },
  {
    n: 22,
    name: 'a subagent of 2.1.112',
    play: (c) => {
      const system = [
        T('x-anthropic-billing-header: cc_version=2.1.112;'),
        T('You are an agent for Claude Code, Anthropic’s CLI.'),
      ];
      const more = { 'user-agent': 'claude-cli/2.1.112 (external, cli)' };
      return [
        c.send(claudeCode({ ...hintsOff, more }, [prompt]), 'whole', ['Task']),
        c.send(claudeCode({ ...hintsOff, more }, [user(T('find all callers'))], { system })),
      ];
    },
    expected: [withoutMarks, ['agent', 'subagent', 'class-subagent', 'subagent']],
  },
  {
    n: 23,
    name: 'the title of a session',
    play: (c) =>
      c.send(
        claudeCode(
          { class: 'auxiliary', firstParty: 'summary-extraction' },
          [user(T('<session>\nfix the test\n</session>'))],
          {
            tools: [],
            thinking: { type: 'disabled' },
            output_config: { format: { type: 'json_schema', schema: {} } },
          },
        ),
      ),
    expected: ['agent', 'auxiliary', 'class-auxiliary', 'title'],
  },
  {
    n: 24,
    name: 'a probe of a model',
    play: (c) => c.send(claudeCode({ class: 'auxiliary' }, [user(T('Hi'))], probeFields)),
    expected: ['agent', 'auxiliary', 'class-auxiliary', 'model probe'],
  },
  {
    n: 25,
    name: 'a check of a tool call in auto mode',
    play: (c) =>
      c.send(
        claudeCode({ class: 'auxiliary' }, [user(T('<transcript>\n'), T('{"user":"fix the test"}'))], {
          tools: undefined,
          max_tokens: 64,
          stop_sequences: ['</block>'],
        }),
      ),
    expected: ['agent', 'auxiliary', 'class-auxiliary', 'auto-mode check'],
  },
  {
    n: 26,
    name: 'a side question',
    play: (c) =>
      c.send(
        claudeCode({ class: 'auxiliary' }, [
          prompt,
          assistant(T('done.')),
          user(R('This is a side question from the user. Answer it directly.'), T('what is the limit?')),
        ]),
      ),
    expected: ['user', 'side-question', 'side-question', 'side question you typed'],
  },
  {
    n: 27,
    name: 'a stop hook',
    play: (c) => {
      const content = [R('Stop hook blocking error from command: check'), T('Stop hook feedback:\nalso check X')];
      return [c.send(first), c.send(claudeCode({ prompt: a }, [prompt, assistant(T('done.')), user(...content)]))];
    },
    expected: [newPrompt, hooked],
  },
  {
    n: 28,
    name: 'without marks, a prompt after the echo of /model',
    play: (c) => {
      const echo = [
        user(T('<local-command-caveat>Caveat: these were run by the user.</local-command-caveat>')),
        user(T('<command-name>/model</command-name>\n<command-args></command-args>')),
        user(T('<local-command-stdout>Set model to opus</local-command-stdout>')),
      ];
      return c.send(
        claudeCode(hintsOff, [prompt, assistant(T('done.')), ...echo, user(environment, date, T('next task'))]),
      );
    },
    expected: withoutMarks,
  },
  {
    n: 29,
    name: 'without marks, an old prompt and the order to summarise: a person could type it',
    play: (c) => c.send(claudeCode(hintsOff, [user(T('fix the test'), T(summaryOrder))])),
    expected: withoutMarks,
  },
  {
    n: 30,
    name: 'an answer to a question of the model',
    play: (c) => {
      const question = assistant({ type: 'tool_use', id: 'toolu_01A18', name: 'AskUserQuestion', input: {} });
      return c.send(
        claudeCode({ prompt: a }, [
          prompt,
          question,
          user(TR('Your questions have been answered: "Which?"="The first"')),
        ]),
      );
    },
    expected: ['agent', 'tool-results', 'main-seen-prompt', 'results of AskUserQuestion'],
  },
  {
    n: 31,
    name: 'an image and nothing else',
    play: (c) => c.send(claudeCode({ prompt: a }, [user(image, T('[Image: source: /tmp/a b.png]'))])),
    expected: newPrompt,
  },
  {
    n: 32,
    name: 'a client that calls a typed prompt `agent`',
    play: (c) => [
      c.send(claudeCode({ prompt: a, more: { 'x-initiator': 'agent' } }, [prompt])),
      c.send(plain('chat', { messages: [{ role: 'user', content: 'hello' }] }, { 'x-initiator': 'agent' })),
      c.send(plain('messages', { messages: [{ role: 'user', content: 'hello' }] }, { 'x-initiator': 'agent' })),
    ],
    expected: [newPrompt, byOpenai, withoutMarks],
  },
  {
    n: 33,
    name: 'a client that calls tool results `user`',
    play: (c) => [
      c.send(claudeCode({ prompt: a, more: { 'x-initiator': 'user' } }, resultTurn)),
      c.send(plain('messages', { messages: resultTurn }, { 'x-initiator': 'user' })),
    ],
    expected: [results, ['agent', 'tool-results', 'body-agent', 'results of Bash']],
  },
  {
    n: 34,
    name: 'curl asks for JSON',
    play: (c) =>
      c.send(
        plain('messages', {
          max_tokens: 100,
          output_config: { format: { type: 'json_schema', schema: {} } },
          messages: [{ role: 'user', content: 'how far is the moon?' }],
        }),
      ),
    expected: withoutMarks,
  },
  {
    n: 35,
    name: 'chat, the last message is a tool’s',
    play: (c) =>
      c.send(
        plain('chat', {
          messages: [
            { role: 'user', content: 'weather?' },
            weatherCall,
            { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
          ],
        }),
      ),
    expected: byTable,
  },
  {
    n: 36,
    name: 'chat, a user’s message after ten turns',
    play: (c) => {
      const turns = Array.from({ length: 10 }, (_, turn) => [
        { role: 'user', content: `question ${turn}` },
        { role: 'assistant', content: `answer ${turn}` },
      ]).flat();
      return c.send(
        plain('chat', { messages: [{ role: 'system', content: 's' }, ...turns, { role: 'user', content: 'more' }] }),
      );
    },
    expected: byOpenai,
  },
  {
    n: 37,
    name: 'chat, a prepared answer behind the question',
    play: (c) =>
      c.send(
        plain('chat', {
          messages: [
            { role: 'user', content: 'a poem' },
            { role: 'assistant', content: 'Roses' },
          ],
        }),
      ),
    expected: byOpenai,
  },
  {
    n: 38,
    name: 'responses, a function’s output at the end',
    play: (c) =>
      c.send(plain('responses', { input: [{ role: 'user', content: 'weather?' }, weatherItem, weatherOutput] })),
    expected: byTable,
  },
  {
    n: 39,
    name: 'responses, a function’s output and then words',
    play: (c) =>
      c.send(
        plain('responses', {
          input: [
            { role: 'user', content: 'weather?' },
            weatherItem,
            weatherOutput,
            { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'in Rome' }] },
          ],
        }),
      ),
    expected: byOpenai,
  },
  {
    n: 40,
    name: 'the ledger knows nothing, request as in 9',
    play: () => {
      const nothing = { accepted: () => null, refusals: () => ({ count: 0, lastStatus: null }), agentCalls: () => 0 };
      return decideInitiator(new Conversation().read(claudeCode({ prompt: a }, [prompt], { stream: false })), nothing);
    },
    expected: newPrompt,
  },
  {
    n: 41,
    name: 'a tag nobody knows',
    play: (c) => c.send(claudeCode({ prompt: a }, [user(T('[Some future tag] text nobody knows'))])),
    expected: newPrompt,
  },
  {
    n: 42,
    name: 'without marks, the same words at the same place after a whole answer',
    play: (c) => [c.send(asked, 'whole'), c.send(asked)],
    expected: [withoutMarks, withoutMarks],
  },
  {
    n: 43,
    name: 'without marks, the same after an answer that was cut',
    play: (c) => [c.send(asked, 'cut'), c.send(asked)],
    expected: [withoutMarks, repeated],
  },
  {
    n: 44,
    name: 'the same words typed twice in one turn',
    play: (c) => [
      c.send(first),
      c.send(marked('faster')),
      c.send(marked('faster', toolTurn, user(TR('1')), toolTurn, user(TR('2')))),
    ],
    expected: [newPrompt, interjection, interjection],
  },
  {
    n: 45,
    name: 'words that name the reminder tag',
    play: (c) => c.send(claudeCode({ prompt: a }, [user(T('please explain why <system-reminder> tags exist'))])),
    expected: newPrompt,
  },
];

function short({ initiator, code, rule, sentence }: Verdict): Expected {
  return [initiator, code, rule, sentence];
}

describe('worked examples', () => {
  it('are all there', () => expect(rows.map((row) => row.n)).toEqual(Array.from({ length: 45 }, (_, i) => i + 1)));

  for (const { n, name, play, expected } of rows) {
    it(`A12.${n} ${name}`, () => {
      const played = play(new Conversation());
      expect(Array.isArray(played) ? played.map(short) : short(played)).toEqual(expected);
    });
  }
});

describe('an answer without a block, after which Claude Code asks again by itself', () => {
  const again = T(
    '[Your previous response had no visible output. Please continue and produce a user-visible response.]',
  );
  const other = claudeCode({ prompt: a }, [user(T('fix the test'), again)]);
  const same = claudeCode({ prompt: a }, [user(T('fix the test'))]);

  it('is one prompt of the person’s', () => {
    const conversation = new Conversation();
    expect([conversation.send(same, 'whole'), conversation.send(other)].map(short)).toEqual([newPrompt, repeated]);
  });

  it('is the person’s where nothing was accepted before, and where it stands alone', () => {
    const conversation = new Conversation();
    expect([conversation.send(same, { refused: 503 }), conversation.send(other)].map(short)).toEqual([
      newPrompt,
      second(503),
    ]);
    expect(new Conversation().decide(claudeCode({ prompt: a }, [user(again)])).initiator).toBe('user');
  });
});

describe('requests of the real Claude Code', () => {
  const samples: Record<string, Expected> = {
    'auxiliary-auto-mode-check-1.sonnet-4.6': ['agent', 'auxiliary', 'class-auxiliary', 'auto-mode check'],
    'auxiliary-auto-mode-check-2.sonnet-4.6': ['agent', 'auxiliary', 'class-auxiliary', 'auto-mode check'],
    'auxiliary-model-probe.opus-4-6': ['agent', 'auxiliary', 'class-auxiliary', 'model probe'],
    'auxiliary-side-question.sonnet-4.6': ['user', 'side-question', 'side-question', 'side question you typed'],
    'auxiliary-title.sonnet-4.6': ['agent', 'auxiliary', 'class-auxiliary', 'title'],
    'auxiliary-web-search.sonnet-4.6': ['agent', 'auxiliary', 'class-auxiliary', 'web search'],
    'count_tokens.opus-4-6': ['agent', 'token-count', 'token-count', 'token counting, not a prompt'],
    'main-interjection-as-text.sonnet-5-5': interjection,
    'main-interjection-in-tool-result.sonnet-4.6': interjection,
    'main-resume-after-cut.opus-5-5': ['agent', 'resume', 'resume', 'answer resumed after a cut'],
    'main-scheduled-prompt.sonnet-4.6': [
      'user',
      'scheduled',
      'scheduled',
      'scheduled prompt (counted as yours: you set it up)',
    ],
    'main-slash-command.sonnet-4.6': ['user', 'prompt', 'main-new-prompt', 'new prompt'],
    'main-stop-hook.sonnet-4.6': hooked,
    'main-tool-refused-with-words.sonnet-4.6': interjection,
    'main-tool-result-turn.sonnet-4.6': results,
    'main-tool-result-turn.sonnet-5-5': results,
    'main-user-turn-with-safeguards.sonnet-4.6': ['user', 'prompt', 'main-new-prompt', 'new prompt 5581…'],
    'main-user-turn.sonnet-4.6': ['user', 'prompt', 'main-new-prompt', 'new prompt 8808…'],
    'main-user-turn.sonnet-5-5': ['user', 'prompt', 'main-new-prompt', 'new prompt 1ec2…'],
    'subagent-turn.sonnet-5-5': ['agent', 'subagent', 'class-subagent', 'subagent general-purpose'],
  };

  for (const [name, expected] of Object.entries(samples)) {
    it(name, () => {
      const request = sample(name);
      const outcome = expected[1] === 'resume' ? 'cut' : 'whole';
      expect(short(afterMain(request, outcome).decide(request))).toEqual(expected);
    });
  }

  it('what Claude Code asks for before a prompt was accepted needs no session that is known', () => {
    for (const name of [
      'auxiliary-title.sonnet-4.6',
      'auxiliary-model-probe.opus-4-6',
      'auxiliary-web-search.sonnet-4.6',
      'auxiliary-auto-mode-check-1.sonnet-4.6',
    ])
      expect(short(new Conversation().decide(sample(name)))).toEqual(samples[name]);
  });

  /** Without the hint headers the body has to be enough; where it is not, it is `user`. */
  const unmarked: Record<string, [Initiator, ReasonCode]> = {
    'auxiliary-auto-mode-check-1.sonnet-4.6': ['agent', 'auxiliary'],
    'auxiliary-auto-mode-check-2.sonnet-4.6': ['user', 'prompt'],
    'auxiliary-model-probe.opus-4-6': ['user', 'prompt'],
    'auxiliary-side-question.sonnet-4.6': ['user', 'prompt'],
    'auxiliary-title.sonnet-4.6': ['user', 'prompt'],
    'auxiliary-web-search.sonnet-4.6': ['agent', 'auxiliary'],
    'main-interjection-in-tool-result.sonnet-4.6': ['user', 'interjection'],
    'main-resume-after-cut.opus-5-5': ['user', 'prompt'],
    'main-scheduled-prompt.sonnet-4.6': ['user', 'prompt'],
    'main-slash-command.sonnet-4.6': ['user', 'prompt'],
    'main-stop-hook.sonnet-4.6': ['user', 'hook'],
    'main-tool-refused-with-words.sonnet-4.6': ['user', 'interjection'],
    'main-tool-result-turn.sonnet-5-5': ['agent', 'tool-results'],
    'main-user-turn.sonnet-5-5': ['user', 'prompt'],
    'subagent-turn.sonnet-5-5': ['user', 'prompt'],
  };

  for (const [name, expected] of Object.entries(unmarked)) {
    it(`${name}, its marks left off`, () => {
      const { initiator, code } = new Conversation().decide(withoutHints(sample(name)));
      expect([initiator, code]).toEqual(expected);
    });
  }

  it('without marks, a resume after an answer that was cut and a subagent that was called are its own', () => {
    const resumed = withoutHints(sample('main-resume-after-cut.opus-5-5'));
    const more = { 'x-claude-code-session-id': resumed.headers['x-claude-code-session-id'] };
    const conversation = new Conversation();
    conversation.send(claudeCode({ ...hintsOff, more }, [prompt]), 'cut');
    expect(conversation.send(resumed)).toMatchObject({ initiator: 'agent', code: 'resume' });

    const called = withoutHints(sample('subagent-turn.sonnet-5-5'));
    const agentId = { 'x-claude-code-agent-id': 'a471b19853ca4798c' };
    const subagent = { ...called, headers: { ...called.headers, ...agentId } };
    const session = { 'x-claude-code-session-id': called.headers['x-claude-code-session-id'] };
    conversation.send(claudeCode({ ...hintsOff, more: session }, [prompt]), 'whole', ['Read', 'Agent']);
    const codes = [subagent, subagent].map((request) => conversation.send(request).code);
    // One call, one subagent.
    expect(codes).toEqual(['subagent', 'prompt']);

    // A call that the person refused, and then another prompt.
    conversation.send(claudeCode({ ...hintsOff, more: session }, [prompt]), 'whole', ['Agent']);
    conversation.send(claudeCode({ ...hintsOff, more: session }, [user(T('never mind'))]));
    expect(conversation.send(subagent).code).toBe('prompt');
  });
});

function withoutHints(request: Request): Request {
  const kept = Object.entries(request.headers).filter(([name]) => !/^x-claude-(1p|code-(?!session-id))/.test(name));
  return { ...request, headers: Object.fromEntries(kept) };
}

describe('what counts', () => {
  it('C1.1 ten prompts with thirty tool turns each: ten `user`, three hundred `agent`', () => {
    const conversation = new Conversation();
    const messages: unknown[] = [];
    const counted = { user: 0, agent: 0 };
    for (let turn = 0; turn < 10; turn++) {
      const id = `1ec2400c-c5f0-4043-afec-71${String(turn).padStart(10, '0')}`;
      messages.push(user(date, T('go on')));
      counted[conversation.send(claudeCode({ prompt: id }, [...messages])).initiator]++;
      for (let step = 0; step < 30; step++) {
        messages.push(toolTurn, user(TR(`result ${step}`)));
        counted[conversation.send(claudeCode({ prompt: id }, [...messages])).initiator]++;
      }
      messages.push(assistant(T('done.')));
    }
    expect(counted).toEqual({ user: 10, agent: 300 });
  });

  it('C1.2 second and later prompts are `user`, with and without marks, also in the very same words', () => {
    const conversation = new Conversation();
    const later = [prompt, assistant(T('done.')), user(T('fix the test'))];
    const play = [first, claudeCode({ prompt: b }, later), asked, claudeCode(hintsOff, later)];
    expect(play.map((request) => conversation.send(request).initiator)).toEqual(['user', 'user', 'user', 'user']);
  });

  it('C1.3 title, probe, compaction and subagents are not', () => {
    const conversation = new Conversation();
    const compact = claudeCode({ class: 'compaction', more: { 'x-claude-code-compaction': 'manual' } }, [
      prompt,
      assistant(T('done.')),
      { role: 'user', content: summaryOrder },
    ]);
    const subagent = sample('subagent-turn.sonnet-5-5');
    const play = [sample('auxiliary-title.sonnet-4.6'), sample('auxiliary-model-probe.opus-4-6'), compact, subagent];
    conversation.send(first);
    const { 'x-claude-code-prompt-id': id, 'x-claude-code-session-id': itsSession } = subagent.headers;
    const parent = { prompt: String(id), more: { 'x-claude-code-session-id': itsSession } };
    conversation.send(claudeCode(parent, [prompt]));
    expect(play.map((request) => conversation.send(request).sentence)).toEqual([
      'title',
      'model probe',
      'compaction (manual)',
      'subagent general-purpose',
    ]);
    expect(play.map((request) => conversation.send(request).initiator)).toEqual(['agent', 'agent', 'agent', 'agent']);
  });

  it('C1.4 words typed during tool calls are, and their repeat is not', () => {
    const conversation = new Conversation();
    const play = [first, marked('also the docs'), marked('also the docs')];
    expect(play.map((request) => short(conversation.send(request, 'cut')))).toEqual([
      newPrompt,
      interjection,
      ['agent', 'repeat', 'repeat', 'repeat of a message that Copilot had accepted'],
    ]);
  });

  it('C1.5 every verdict has a code, a rule and a sentence', () => {
    for (const { play } of rows) {
      for (const verdict of [play(new Conversation())].flat()) {
        expect(verdict).toEqual({
          initiator: expect.stringMatching(/^(user|agent)$/),
          code: expect.stringMatching(/^[a-z-]+$/),
          rule: expect.stringMatching(/^[a-z-]+$/),
          intent: expect.stringMatching(/^[a-z-]+$/),
          sentence: expect.stringMatching(/^[ -~…]{4,200}$/),
          interactionType: expect.stringMatching(/^conversation-(agent|subagent|compaction|background)$/),
          interactionId: verdict.interactionId,
          ledgerKey: verdict.ledgerKey,
        });
      }
    }
  });
});

describe('attempts', () => {
  it('are `user` until one is accepted, each with its number', () => {
    const conversation = new Conversation();
    const play: [Request, Parameters<Conversation['send']>[1]][] = [
      [first, { refused: 429 }],
      [first, { refused: 529 }],
      [first, { refused: null }],
      [first, 'cut'],
      [first, 'whole'],
      [first, 'whole'],
    ];
    expect(play.map(([request, outcome]) => conversation.send(request, outcome).sentence)).toEqual([
      'new prompt 1ec2…',
      'prompt, second attempt; the first was refused with 429',
      'prompt, third attempt; the second was refused with 529',
      'prompt, fourth attempt; the third brought no answer',
      'repeat of a prompt that Copilot had accepted',
      'repeat of a prompt that Copilot had accepted',
    ]);
  });

  it('two at once are both `user`: nothing is entered before it is accepted', () => {
    const conversation = new Conversation();
    expect([conversation.decide(first), conversation.decide(first)].map(short)).toEqual([newPrompt, newPrompt]);
  });

  const endings = { running: 'user', whole: 'user', left: 'user', cut: 'agent' } as const;
  for (const [ending, initiator] of Object.entries(endings)) {
    it(`without a prompt id, after an answer that is ${ending}: ${initiator}`, () => {
      const conversation = new Conversation();
      conversation.send(asked, ending as keyof typeof endings);
      expect(conversation.decide(asked).initiator).toBe(initiator);
    });
  }

  it('a repeat that was answered whole ends the repeats where there is no prompt id', () => {
    const conversation = new Conversation();
    const endingsOfAll = ['cut', 'whole', 'whole'] as const;
    expect(endingsOfAll.map((ending) => conversation.send(asked, ending).initiator)).toEqual(['user', 'agent', 'user']);
  });

  it('a side question does not make a prompt in the same words a repeat', () => {
    const conversation = new Conversation();
    conversation.send(claudeCode({ class: 'auxiliary' }, [prompt]), 'cut');
    expect(conversation.send(claudeCode({}, [prompt])).initiator).toBe('user');
  });

  it('words that join a repeated interjection are new', () => {
    const conversation = new Conversation();
    const said = `${interjected}also this`;
    const turn = (...more: unknown[]) => claudeCode({ prompt: a }, [prompt, toolTurn, user(TR('x'), T(said), ...more)]);
    conversation.send(turn());
    expect([conversation.decide(turn()).initiator, conversation.decide(turn(T('and that'))).initiator]).toEqual([
      'agent',
      'user',
    ]);
  });
});

describe('trust', () => {
  const hints = { 'x-claude-code-request-class': 'subagent', 'x-claude-code-agent-id': 'a1' };

  it('hint headers of another client change nothing', () => {
    const body = { messages: [{ role: 'user', content: 'hello' }] };
    for (const headers of [
      hints,
      { ...hints, 'x-claude-code-session-id': session },
      { ...hints, 'user-agent': 'claude-cli/2.1.328 (external, cli)' },
      { ...hints, 'user-agent': 'not claude-cli/2.1.328', 'x-claude-code-session-id': session },
    ]) {
      expect(short(new Conversation().decide(plain('messages', body, headers)))).toEqual(withoutMarks);
    }
  });

  it('hint headers on OpenAI’s routes change nothing', () => {
    const { headers } = claudeCode({ class: 'subagent', more: hints }, []);
    const request = { api: 'chat' as const, headers, body: { messages: [{ role: 'user', content: 'hello' }] } };
    expect(short(new Conversation().decide(request))).toEqual(byOpenai);
  });

  it('Claude Code’s texts in another client’s mouth are words', () => {
    for (const text of [cut, summaryOrder, 'Stop hook feedback:\nx', '<system-reminder>x</system-reminder>']) {
      expect(short(new Conversation().decide(plain('messages', { messages: [user(T(text))] })))).toEqual(withoutMarks);
    }
  });

  it('no ledger is kept for another client: the same body twice is `user` twice', () => {
    const conversation = new Conversation();
    const request = plain('messages', { messages: [user(T('hello'))] });
    expect(
      [conversation.send(request, 'cut'), conversation.send(request, 'cut')].map((v) => [v.initiator, v.ledgerKey]),
    ).toEqual([
      ['user', null],
      ['user', null],
    ]);
  });
});

describe('side requests and subagents', () => {
  it('a side request that Claude Code makes for itself is no side question, though it has tools and text', () => {
    const kinds = { 'summary-extraction': 'auxiliary', 'followup-generation': 'prompt suggestion' };
    for (const [firstParty, kind] of Object.entries(kinds)) {
      const request = claudeCode({ class: 'auxiliary', firstParty }, [prompt]);
      expect(short(afterMain(request).decide(request))).toEqual(['agent', 'auxiliary', 'class-auxiliary', kind]);
      // A header that stands on every request of a session is a person's.
      expect(new Conversation().decide(request)).toMatchObject({ initiator: 'user', code: 'side-question' });
    }
  });

  it('a side reply is told from a side question by its tools, and is named', () => {
    const reply = claudeCode({ class: 'side_reply', firstParty: null }, [prompt], { tools: [] });
    expect(short(afterMain(reply).decide(reply))).toEqual(['agent', 'auxiliary', 'class-side-reply', 'auxiliary']);
    expect(new Conversation().decide(claudeCode({ class: 'side_reply', firstParty: null }, [prompt])).code).toBe(
      'side-question',
    );
  });

  it('a workflow, a subagent of a prompt without an id and a hook that asks an agent are subagents', () => {
    const agentId = { 'x-claude-code-agent-id': 'a1' };
    const asked = [
      claudeCode({ class: 'workflow', prompt: a, more: agentId }, [prompt]),
      claudeCode({ class: 'subagent', more: agentId }, [prompt]),
      claudeCode({ class: 'subagent', firstParty: 'blocking-subagent' }, [prompt]),
    ];
    expect(asked.map((request) => short(afterMain(request).decide(request)))).toEqual([
      ['agent', 'subagent', 'class-workflow', 'workflow'],
      ['agent', 'subagent', 'class-subagent', 'subagent'],
      ['agent', 'subagent', 'class-subagent', 'subagent'],
    ]);
    // In a session that has sent nothing else, the class is a header for everything.
    for (const request of asked) expect(new Conversation().decide(request).initiator).toBe('user');
  });

  it('a subagent of a prompt that Copilot has not accepted, or without an agent id, is a person’s prompt', () => {
    const more = { 'x-claude-code-agent-id': 'a1' };
    const conversation = new Conversation();
    conversation.send(first, { refused: 429 });
    const asked = [
      claudeCode({ class: 'subagent', prompt: a, more }, [prompt]),
      claudeCode({ class: 'subagent', prompt: b, more }, [prompt]),
      claudeCode({ class: 'subagent', firstParty: 'blocking-subagent', prompt: a }, [prompt]),
    ];
    expect(asked.map((request) => conversation.decide(request).initiator)).toEqual(['user', 'user', 'user']);
  });
});

describe('interaction types', () => {
  const types: Record<string, Verdict['interactionType']> = {
    'auxiliary-title.sonnet-4.6': 'conversation-background',
    'count_tokens.opus-4-6': 'conversation-background',
    'subagent-turn.sonnet-5-5': 'conversation-subagent',
    'main-user-turn.sonnet-4.6': 'conversation-agent',
    'main-tool-result-turn.sonnet-4.6': 'conversation-agent',
    'main-stop-hook.sonnet-4.6': 'conversation-agent',
    'auxiliary-side-question.sonnet-4.6': 'conversation-agent',
  };
  for (const [name, type] of Object.entries(types)) {
    it(`${name}: ${type}`, () => {
      const request = sample(name);
      expect(afterMain(request).decide(request).interactionType).toBe(type);
    });
  }

  it('a notification is background, a compaction has its own', () => {
    const conversation = new Conversation();
    const notified = conversation.send(claudeCode({ prompt: b }, [...launched, user(notification)]));
    const compacted = conversation.decide(claudeCode({ class: 'compaction' }, [user(T(summaryOrder))]));
    expect([notified.interactionType, compacted.interactionType]).toEqual([
      'conversation-background',
      'conversation-compaction',
    ]);
  });
});

describe('in doubt', () => {
  const unclear: Expected = ['user', 'unclear', 'unsure', 'unclear who started it; counted as yours'];
  const bodies: Record<string, unknown> = {
    'no body': null,
    'a list': [],
    'no messages': {},
    'messages that are none': { messages: [1, null, 'x'] },
    'no new content': { messages: [user(T('x')), assistant(T('y')), assistant(T('z'))] },
    'content that is none': { messages: [{ role: 'user', content: 7 }] },
    'empty text': { messages: [user(T(' \n'))] },
    'a block nobody knows beside a tool result': { messages: [prompt, toolTurn, user(TR('x'), { type: 'dream' })] },
  };
  for (const [name, body] of Object.entries(bodies)) {
    it(`${name} is \`user\` and has no key`, () => {
      const { headers } = claudeCode({}, []);
      for (const request of [
        { api: 'messages' as const, headers, body },
        { api: 'messages' as const, headers: {}, body },
        { api: 'chat' as const, headers: {}, body },
        { api: 'responses' as const, headers: {}, body },
      ]) {
        if (request.api === 'chat' && name.startsWith('a block')) continue;
        if (request.api === 'chat' && name === 'no new content') continue;
        const verdict = new Conversation().decide(request);
        expect([short(verdict), verdict.ledgerKey]).toEqual([unclear, null]);
      }
    });
  }
});

describe('A12.46 the fits', () => {
  it('have no say: they leave the request that was read as it came in, so their order cannot matter', () => {
    const file = new URL('../../../samples/models-full-catalog-2026-03-28.json', import.meta.url);
    const models = readCatalog(JSON.parse(readFileSync(file, 'utf8')));
    for (const name of [
      'main-user-turn.sonnet-5-5',
      'main-interjection-as-text.sonnet-5-5',
      'main-stop-hook.sonnet-4.6',
    ]) {
      const request = sample(name);
      const conversation = new Conversation();
      const reading = conversation.read(request);
      const before = conversation.decide(request);
      for (const model of models.filter(({ id }) => id === 'claude-sonnet-4.6' || id === 'gpt-4o')) {
        for (const path of ['/v1/messages', '/chat/completions'] as const) {
          const body = readMessagesRequest(request.body);
          if (!body.ok) throw new Error(body.message);
          fitMessages(body.request, { model, path, betas: [], purpose: 'message' });
          // Read before or after, hashed before or after: the same.
          expect([decideInitiator(reading, conversation.memory), conversation.decide(request)]).toEqual([
            before,
            before,
          ]);
        }
      }
    }
  });
});

describe('properties', () => {
  const known = [
    environment,
    date,
    notification,
    T('Stop hook feedback:\nx'),
    T(cut),
    TR('done'),
    TR([T('a'), T('b')]),
    T(''),
  ];
  const echo = T('<local-command-stdout>Set model</local-command-stdout>');
  /** Anything a person may type, but the texts that Claude Code writes itself. */
  const typed = fc
    .string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
    .filter((text) => /^[^<[\s]/u.test(text.trim()) && !text.includes('<system-reminder>'))
    .filter((text) => !/^(This session|CRITICAL|Your response|Stop hook)/.test(text.trim()));
  const around = fc.array(fc.constantFrom(...known, echo), { maxLength: 6 });
  const hints = fc.constantFrom({ prompt: a }, {}, hintsOff);
  const history = fc.constantFrom<unknown[]>([], [prompt, toolTurn], [prompt, assistant(T('done.'))]);

  it('a text a person typed is never `agent` before it was accepted, wherever it stands in the new content', () => {
    fc.assert(
      fc.property(typed, around, around, hints, history, (text, before, after, hint, past) => {
        const request = claudeCode(hint, [...past, user(...before, T(text), ...after)]);
        const conversation = new Conversation();
        expect(conversation.send(request, 'cut').initiator).toBe('user');
        expect(conversation.send(request, 'cut').code).toBe('repeat');
      }),
    );
  });

  it('other words are another key, the same words in other surroundings are not', () => {
    fc.assert(
      fc.property(typed, typed, around, (text, other, before) => {
        const key = (words: string, ...blocks: unknown[]) =>
          new Conversation().read(
            claudeCode({ prompt: a }, [user(...blocks, { ...T(words), cache_control: { type: 'ephemeral' } })]),
          ).ledgerKey;
        expect(key(text, ...before)).toBe(
          new Conversation().read(claudeCode({ prompt: a }, [user(T(text))])).ledgerKey,
        );
        if (text.trim() !== other.trim()) expect(key(text)).not.toBe(key(other));
      }),
    );
  });

  it('a client’s x-initiator, model, price and the order of fields do not matter', () => {
    const requests = fc.constantFrom(
      first,
      asked,
      claudeCode({ prompt: a }, resultTurn),
      sample('subagent-turn.sonnet-5-5'),
      sample('main-stop-hook.sonnet-4.6'),
    );
    const noise = fc.record({
      model: fc.string(),
      temperature: fc.double(),
      thinking: fc.anything(),
      service_tier: fc.string(),
      speed: fc.string(),
    });
    fc.assert(
      fc.property(requests, noise, fc.constantFrom('user', 'agent', '', undefined), (request, fields, claim) => {
        const headers = Object.fromEntries([['x-initiator', claim], ...Object.entries(request.headers).toReversed()]);
        const body = Object.fromEntries(Object.entries({ ...(request.body as object), ...fields }).toReversed());
        expect(new Conversation().decide({ ...request, headers, body })).toEqual(new Conversation().decide(request));
      }),
    );
  });

  it('reads anything without failing and without changing it', () => {
    const block = fc.record(
      {
        type: fc.constantFrom('text', 'image', 'tool_result', 'x'),
        text: fc.anything(),
        content: fc.anything(),
        source: fc.anything(),
      },
      { requiredKeys: [] },
    );
    const message = fc.record(
      {
        role: fc.constantFrom('user', 'assistant', 'system', 'tool', 'x'),
        content: fc.oneof(fc.string(), fc.array(block), fc.anything()),
      },
      { requiredKeys: [] },
    );
    const list = fc.oneof(fc.array(fc.oneof(message, fc.anything())), fc.anything());
    const bodies = fc.record({
      messages: list,
      input: list,
      tools: fc.anything(),
      system: fc.anything(),
      metadata: fc.anything(),
    });
    fc.assert(
      fc.property(bodies, fc.constantFrom('messages', 'chat', 'responses', 'count-tokens'), (body, api) => {
        const before = structuredClone(body);
        const { headers } = claudeCode({}, []);
        expect(['user', 'agent']).toContain(
          new Conversation().decide({ api: api as 'messages', headers, body }).initiator,
        );
        expect(body).toEqual(before);
      }),
    );
  });
});

describe('the key', () => {
  const read = (salt: string, request = first) => readPrompt({ ...request, salt: Buffer.from(salt) });

  it('is a hash that another installation does not share', () => {
    expect(read('x').ledgerKey).toMatch(/^[0-9a-f]{64}$/);
    expect(read('x').ledgerKey).toBe(read('x').ledgerKey);
    expect(read('x').ledgerKey).not.toBe(read('y').ledgerKey);
  });

  it('tells sessions, prompt ids, images and, without an id, places apart', () => {
    const other = { ...image, source: { ...image.source, data: 'AAAA' } };
    const requests = [
      first,
      claudeCode({ prompt: b }, [prompt]),
      claudeCode({ prompt: a, more: { 'x-claude-code-session-id': 'another' } }, [prompt]),
      asked,
      claudeCode(hintsOff, [prompt, assistant(T('done.')), prompt]),
      claudeCode({ prompt: a }, [user(image)]),
      claudeCode({ prompt: a }, [user(other)]),
      claudeCode({ prompt: a }, [user(image, T('fix the test'))]),
      marked('fix the test'),
    ];
    const keys = requests.map((request) => read('x', request).ledgerKey);
    expect(new Set(keys).size).toBe(requests.length);
    expect(keys).not.toContain(null);
  });

  it('tells documents apart by what they hold', () => {
    const document = (source: object) => claudeCode({ prompt: a }, [user({ type: 'document', source })]);
    const keys = [
      document({ type: 'text', media_type: 'text/plain', data: 'one' }),
      document({ type: 'text', media_type: 'text/plain', data: 'two' }),
      document({ type: 'content', content: [T('one')] }),
      document({ type: 'content', content: [T('two')] }),
      document({ type: 'file', file_id: 'one' }),
    ].map((request) => read('x', request).ledgerKey);
    expect(new Set(keys).size).toBe(5);
  });

  it('leaves cache marks and ids of images out', () => {
    const marks = { ...image, cache_control: { type: 'ephemeral' }, id: 'x' };
    expect(read('x', claudeCode({ prompt: a }, [user(marks)])).ledgerKey).toBe(
      read('x', claudeCode({ prompt: a }, [user(image)])).ledgerKey,
    );
  });

  it('stays where a prompt with an id comes back after a compaction', () => {
    const later = [prompt, assistant(T('done.')), prompt];
    expect(read('x', claudeCode({ prompt: a }, later)).ledgerKey).toBe(read('x').ledgerKey);
  });

  it('and all that can be seen of a reading and a verdict hold no word of the prompt', () => {
    const secret = 'Schnurzelpups';
    for (const request of [
      claudeCode({ prompt: a }, [user(T(secret))]),
      claudeCode({ prompt: a }, [prompt, toolTurn, user(TR(secret), T(`${interjected}${secret}`))]),
      plain('chat', { messages: [{ role: 'user', content: secret }] }),
      plain('responses', { input: secret }),
    ]) {
      const reading = new Conversation().read(request);
      const seen = [JSON.stringify({ ...reading }), JSON.stringify(reading.newContent), reading.ledgerKey];
      expect([...seen, JSON.stringify(new Conversation().decide(request))].join('\n')).not.toContain(secret);
    }
  });
});

describe('tool names', () => {
  it('are said once each, in the order they were called, and cut to a line', () => {
    const names = ['Read', 'Bash', 'Read', 'Grep', 'mcp__x\u0000y', 'Edit', 'Write'];
    const calls = names.map((name, index) => ({ ...bash, id: `toolu_${index}`, name }));
    const answers = names.map((_, index) => TR('x', { tool_use_id: `toolu_${index}` }));
    const request = claudeCode({ prompt: a }, [prompt, assistant(...calls), user(...answers)]);
    expect(new Conversation().decide(request).sentence).toBe('results of Read, Bash, Grep, mcp__x?y and 2 more');
  });

  it('of a call that is not there make it unclear', () => {
    const request = claudeCode({ prompt: a }, [prompt, toolTurn, user(TR('x', { tool_use_id: 'other' }))]);
    expect(new Conversation().decide(request)).toMatchObject({ initiator: 'user', code: 'unclear' });
  });
});
