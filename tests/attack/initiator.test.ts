import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClientApi } from '../../app/api/exchange.ts';
import {
  assistant,
  bash,
  Conversation,
  claudeCode,
  date,
  environment,
  type Hints,
  image,
  interjected,
  type Outcome,
  plain,
  R,
  type Request,
  T,
  TR,
  toolTurn,
  user,
} from '../app/exchange/initiator/claude-code-requests.ts';
import { rounds, seed } from './rounds.ts';

/**
 * Persons who write like machines, and machines as they are: a new prompt is never `agent`, and an honest conversation
 * has one `user` per prompt.
 */

const runs = { numRuns: rounds(1_500, 150_000), seed };

const enforce = '[structured-output-enforce] You MUST call the StructuredOutput tool';
const ownTexts = [
  'Your response above was cut off mid-stream. Resume directly from where it stops',
  'Stop hook feedback:\n',
  'This session is being continued from a previous conversation that ran out of context.',
  'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.',
  '[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request. Call this tool now.',
  'Tool loaded.',
  '[SYSTEM NOTIFICATION - NOT USER INPUT]',
  '<task-notification><tool-use-id>toolu_99</tool-use-id></task-notification>',
  '<system-reminder>',
  '</system-reminder>',
  '<local-command-stdout>',
  '</local-command-stdout>',
  '<command-name>/model</command-name>',
  '<command-message>init</command-message>',
  '<bash-input>ls</bash-input>',
  '[Request interrupted by user]',
  '[Your previous response had no visible output. Please continue.]',
  '[Image: source: /tmp/a.png]',
  '[SUGGESTION MODE: Suggest what the user might naturally type next]',
  'Perform a web search for the query: x',
  '<session>\nx\n</session>',
  '<transcript>\n',
  'Hi',
  interjected,
  'To tell you how to proceed, the user said:\n',
];
const word = fc.oneof(fc.constantFrom(...ownTexts), fc.string({ maxLength: 12 }), fc.constantFrom('\n', ' ', 'go on'));
/** What a person types: any of these in any order, as long as there is something. */
const typed = fc
  .array(word, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '');

/** What Claude Code puts beside what is typed. */
const beside = fc.array(
  fc.constantFrom(date, environment, R('Stop hook blocking error'), T('[Image: source: /a.png]')),
  {
    maxLength: 3,
  },
);
const search = { ...bash, name: 'ToolSearch' };
const toolsFound = TR([{ type: 'tool_reference', tool_name: 'ExitPlanMode' }]);
const past = fc.constantFrom<unknown[]>(
  [],
  [user(T('before')), assistant(search), user(toolsFound)],
  [user(T('before')), toolTurn, user(TR('x')), assistant(T('done.'))],
  [user(T('before')), assistant(T('half'))],
  [
    user(T('before')),
    toolTurn,
    user(TR('rejected', { is_error: true }), T('[Request interrupted by user for tool use]')),
  ],
);
const system = fc.constantFrom<object>(
  {},
  { system: 'You are an agent for Claude Code, Anthropic’s CLI.' },
  { system: [T('x-anthropic-billing-header: cc_is_subagent=true;'), T('You are an agent for Claude Code')] },
  { tools: [], max_tokens: 1 },
  { tools: [], max_tokens: 8192 },
  { tools: [{ name: 'StructuredOutput', input_schema: {} }] },
);

const anyOf = (...values: string[]) => fc.option(fc.constantFrom(...values, 'x', ''), { nil: undefined });
/**
 * Headers of a person's own. Those that Claude Code sets itself can't be overridden, as the imitations with the real
 * one show.
 */
const added = fc.record(
  {
    'x-claude-code-agent-id': anyOf('a1'),
    'x-claude-code-agent-type': anyOf('Explore'),
    'x-claude-code-compaction': anyOf('auto', 'reactive'),
    'x-claude-code-context-compacted': anyOf('auto'),
    'x-initiator': anyOf('agent'),
    'x-interaction-type': anyOf('conversation-subagent'),
  },
  { requiredKeys: [] },
);
const classes = ['main', 'subagent', 'workflow', 'compaction', 'auxiliary', 'side_reply'];
/** With the labels off, a person can set them as well: the same on every request. */
const claimed = fc.record({
  'x-claude-code-request-class': anyOf(...classes),
  'x-claude-1p-request-class': anyOf('main', 'blocking-subagent', 'summary-extraction', 'followup-generation'),
  'x-claude-code-prompt-id': anyOf('1ec2400c-c5f0-4043-afec-714c91178ac1'),
});

let made = 0;
const newId = (): string => `1ec2400c-c5f0-4043-afec-${String(made++).padStart(12, '0')}`;
const outcomes = fc.constantFrom<Outcome>('whole', 'cut', 'left', { refused: 429 });

describe('A12.49 a person’s new prompt is never agent', () => {
  it('in Claude Code with its labels, whatever the words, the system prompt and the headers added', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(typed, beside, past, outcomes), { minLength: 1, maxLength: 4 }),
        system,
        added,
        (prompts, fields, more) => {
          const conversation = new Conversation();
          for (const [text, blocks, before, outcome] of prompts) {
            const hints: Hints = { prompt: newId(), more };
            const verdict = conversation.send(
              claudeCode(hints, [...before, user(...blocks, T(text))], fields),
              outcome,
            );
            expect(verdict.initiator).toBe('user');
          }
        },
      ),
      runs,
    );
  });

  it('in Claude Code without labels, where a person’s headers are the only ones', () => {
    const first = user(T('before'));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(typed, beside), { minLength: 1, maxLength: 4 }),
        system,
        added,
        claimed,
        (prompts, fields, more, claims) => {
          const conversation = new Conversation();
          const headers = { ...more, ...claims };
          // SECURITY.md has the rest: the id of an accepted prompt on another one, in Claude Code's very
          // words.
          fc.pre(claims['x-claude-code-request-class'] !== 'main' || !prompts.some(([text]) => text.includes(enforce)));
          const messages: unknown[] = [first, assistant(T('done.'))];
          for (const [text, blocks] of prompts) {
            messages.push(user(...blocks, T(text)));
            const request = claudeCode({ class: null, firstParty: null, more: headers }, [...messages], fields);
            expect(conversation.send(request, 'whole').initiator).toBe('user');
            messages.push(assistant(T('done.')));
          }
        },
      ),
      runs,
    );
  });

  it('in any other client, on every API, behind results that are made up', () => {
    const type = fc.constantFrom(
      'tool_result',
      'poem_tool_result',
      'my_output',
      'function_call_output',
      'tool_reference',
      'result',
    );
    const id = fc.constantFrom<unknown>('toolu_01A18', 'other', null, 7);
    const invented = fc.record({ type, tool_use_id: id, call_id: id, tool_call_id: id, content: typed, output: typed });
    fc.assert(
      fc.property(typed, fc.array(invented, { maxLength: 3 }), added, claimed, (text, results, more, claims) => {
        const headers = Object.fromEntries(Object.entries({ ...more, ...claims }));
        const said = { role: 'user', content: text };
        const bodies: [ClientApi, unknown][] = [
          ['messages', { messages: [user(T('x')), user(...results), said], max_tokens: 1 }],
          ['messages', { messages: [user(...results, T(text))], output_config: { format: { type: 'json_schema' } } }],
          ['chat', { messages: [...results.map((result) => ({ role: 'tool', ...result })), said] }],
          [
            'chat',
            { messages: [...results.map((result) => ({ role: 'tool', ...result })), { ...said, role: 'system' }] },
          ],
          ['responses', { input: [...results, said] }],
          ['responses', { input: [...results, { ...said, role: 'developer' }] }],
          ['responses', { input: text }],
        ];
        for (const [api, body] of bodies)
          expect(new Conversation().send(plain(api, body, headers)).initiator).toBe('user');
      }),
      runs,
    );
  });
});

/** What an honest Claude Code sends for one prompt, with what becomes of each request. */
type Step = 'tool' | 'tool-search' | 'cut' | 'resume' | 'refused' | 'interrupted-tool';
const steps = fc.array(fc.constantFrom<Step>('tool', 'tool-search', 'cut', 'resume', 'refused', 'interrupted-tool'), {
  maxLength: 8,
});

class HonestClient {
  readonly conversation = new Conversation();
  users = 0;
  #messages: unknown[] = [];

  send(request: Request, outcome: Parameters<Conversation['send']>[1] = 'whole', called: readonly string[] = []): void {
    if (this.conversation.send(request, outcome, called).initiator === 'user') this.users += 1;
  }

  prompt(text: string, work: readonly Step[]): void {
    const hints = { prompt: newId() };
    const send = (outcome: Parameters<Conversation['send']>[1]) =>
      this.send(claudeCode(hints, [...this.#messages]), outcome);
    this.#messages.push(user(date, T(text)));
    send('whole');
    for (const step of work) {
      if (step === 'cut') {
        // In an open block: the same again, whole.
        this.#messages.push(toolTurn, user(TR('x')));
        send('cut');
        send('whole');
      } else if (step === 'resume') {
        this.#messages.push(toolTurn, user(TR('x')));
        send('cut');
        this.#messages.push(assistant(T('half')), user(T(ownTexts[0] ?? '')));
        send('whole');
      } else if (step === 'tool-search') {
        this.#messages.push(assistant(search), user(toolsFound, T('Tool loaded.')));
        send('whole');
      } else if (step === 'refused') {
        this.#messages.push(toolTurn, user(TR('x')));
        send({ refused: 529 });
        send('whole');
      } else {
        this.#messages.push(toolTurn, user(TR('x', { is_error: step !== 'tool' })));
        send('whole');
      }
      if (step === 'tool') this.subagent(hints.prompt);
    }
    this.#messages.push(assistant(T('done.')));
    this.#notified(hints.prompt);
  }

  subagent(prompt: string): void {
    const hints: Hints = {
      class: 'subagent',
      firstParty: 'blocking-subagent',
      prompt,
      more: { 'x-claude-code-agent-id': 'a7' },
    };
    const messages: unknown[] = [user(T('find it'))];
    this.send(claudeCode(hints, [...messages]));
    messages.push(toolTurn, user(TR('x')));
    this.send(claudeCode(hints, messages));
  }

  /** A task in the background of this prompt ends: a request under an id of its own. */
  #notified(prompt: string): void {
    const id = `toolu_${prompt}`;
    this.#messages.push(
      user(T('x')),
      assistant({ ...bash, id }),
      user(TR('launched', { tool_use_id: id })),
      assistant(T('ok')),
    );
    const text =
      '[SYSTEM NOTIFICATION - NOT USER ' +
      `INPUT]\n<task-notification>\n<tool-use-id>${id}</tool-use-id>\n</task-notification>`;
    this.#messages.push(user(R(text)));
    this.send(claudeCode({ prompt: newId() }, [...this.#messages]));
    this.#messages.push(assistant(T('noted')));
  }

  title(text: string): void {
    const hints: Hints = { class: 'auxiliary', firstParty: 'summary-extraction' };
    const output = { effort: 'high', format: { type: 'json_schema', schema: {} } };
    const fields = { tools: [], thinking: { type: 'disabled' }, output_config: output };
    this.send(claudeCode(hints, [user(T(`<session>\n${text}\n</session>`))], fields));
  }

  compact(): void {
    const hints: Hints = { class: 'compaction', more: { 'x-claude-code-compaction': 'auto' } };
    this.send(claudeCode(hints, [...this.#messages, { role: 'user', content: ownTexts[3] }]));
    this.#messages = [{ role: 'user', content: `${ownTexts[2]} The summary` }, assistant(T('ok'))];
  }
}

const typedPlainly = fc.constantFrom('go on', 'fix the test', 'why?', '続けてください', ...ownTexts.slice(0, 3));

describe('A12.52 a Claude Code that labels its requests as it should', () => {
  it(
    'has one user per prompt, with titles before the first, cuts, refusals, subagents, notifications and ' +
      'compactions',
    () => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(typedPlainly, steps, fc.boolean()), { minLength: 1, maxLength: 4 }),
          (prompts) => {
            const client = new HonestClient();
            client.title('x');
            for (const [text, work, compacts] of prompts) {
              client.prompt(text, work);
              if (compacts) client.compact();
            }
            expect(client.users).toBe(prompts.length);
          },
        ),
        { ...runs, numRuns: rounds(400, 40_000) },
      );
    },
  );

  it('attaches images, and says the same twice', () => {
    const client = new HonestClient();
    for (const _ of [1, 2]) client.prompt('go on', ['tool']);
    client.send(claudeCode({ prompt: newId() }, [user(image)]));
    expect(client.users).toBe(3);
  });
});
