import { describe, expect, it } from 'vitest';
import type { FitNote } from '../../../../app/api/exchange.ts';
import { type FitContext, fitMessages, type Refusal } from '../../../../app/exchange/fits/fit-messages.ts';
import type { Block, Message, MessagesRequest, Tool } from '../../../../app/formats/messages/request.ts';
import { chatSignature } from '../../../../app/formats/translation/reasoning.ts';
import { claude, deepFreeze, olderClaude, onChat, onNative, onResponses } from './claude.ts';

/** Nothing in it needs a change. */
const plain: MessagesRequest = {
  model: 'claude-sonnet-4.6',
  max_tokens: 20000,
  stream: true,
  messages: [{ role: 'user', content: 'Hello' }],
};

interface Row {
  name: string;
  given: Partial<MessagesRequest>;
  context?: Partial<FitContext>;
  /** The translation to chat takes care of it, or chat has no such thing. */
  nativeOnly?: true;
  /** What is different in the request that goes out; `undefined` for a field that is gone. */
  want: Partial<Record<string, unknown>>;
  notes: FitNote[];
}

const one = (code: string, text: string): FitNote => ({ code, count: 1, text });
const many = (code: string, text: string, count: number): FitNote => ({ code, count, text: `${text} ×${count}` });
const text = (words: string, more: Record<string, unknown> = {}): Block => ({ type: 'text', text: words, ...more });
const user = (...content: Block[]): Message => ({ role: 'user', content });
const assistant = (...content: Block[]): Message => ({ role: 'assistant', content });
const call = (id: string): Block => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } });
const result = (id: string, content: unknown = 'done'): Block => ({ type: 'tool_result', tool_use_id: id, content });
const thought = (signature?: string, thinking = 'Hm'): Block =>
  signature === undefined ? { type: 'thinking', thinking } : { type: 'thinking', thinking, signature };
const image = (data = 'AAAA', type = 'image/png'): Block => ({
  type: 'image',
  source: { type: 'base64', media_type: type, data },
});
/** Of 3 932 160 bytes. */
const tooLarge = image('A'.repeat(5 * 2 ** 20));
const tool = (name: string, more: Record<string, unknown> = {}): Tool => ({
  name,
  input_schema: { type: 'object', properties: {} },
  ...more,
});
const mark = { type: 'ephemeral' };
const noResult = (id: string): Block => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'No result was recorded for this call.',
  is_error: true,
});

const rows: Row[] = [
  {
    name: 'model: the resolved id goes out',
    given: { model: 'claude-sonnet-4-6' },
    want: { model: 'claude-sonnet-4.6' },
    notes: [one('model', 'model: claude-sonnet-4-6 → claude-sonnet-4.6')],
  },
  {
    name: 'B4.1 system string → list of blocks, without a note',
    given: { system: 'Be brief' },
    want: { system: [text('Be brief')] },
    notes: [],
  },
  {
    name: 'B4.2 no system → none',
    given: { system: '' },
    want: { system: undefined },
    notes: [one('empty-text-dropped', 'empty text dropped')],
  },
  {
    name: 'attribution block removed',
    given: {
      system: [text('x-anthropic-billing-header: cc_version=2.1.328;'), text('You are', { cache_control: mark })],
    },
    want: { system: [text('You are', { cache_control: mark })] },
    notes: [one('attribution-removed', 'attribution block removed')],
  },
  {
    name: 'attribution line in a longer block: only the line',
    given: { system: 'x-anthropic-billing-header: cc_version=1;\nYou are' },
    want: { system: [text('You are')] },
    notes: [one('attribution-removed', 'attribution block removed')],
  },
  {
    name: 'metadata removed',
    given: { metadata: { user_id: 'device' } },
    want: { metadata: undefined },
    notes: [one('metadata-removed', 'metadata removed')],
  },
  {
    name: 'cache_control.scope removed on system, tool, message and inside a result; ttl stays',
    nativeOnly: true,
    given: {
      system: [text('You are', { cache_control: { ...mark, scope: 'global', ttl: '1h' } })],
      tools: [tool('Bash', { cache_control: { ...mark, scope: 'global' } })],
      messages: [
        assistant(call('a')),
        user(
          result('a', [text('in', { cache_control: { ...mark, scope: 'x' } })]),
          text('out', { cache_control: { ...mark, scope: 'x' } }),
        ),
      ],
    },
    want: {
      system: [text('You are', { cache_control: { ...mark, ttl: '1h' } })],
      tools: [tool('Bash', { cache_control: mark })],
      messages: [
        assistant(call('a')),
        user(result('a', [text('in', { cache_control: mark })]), text('out', { cache_control: mark })),
      ],
    },
    notes: [many('cache-scope-removed', 'cache scope removed', 4)],
  },
  {
    name: 'top-level cache_control removed',
    nativeOnly: true,
    given: { cache_control: mark },
    want: { cache_control: undefined },
    notes: [one('top-level-cache-mark-removed', 'top-level cache mark removed')],
  },
  {
    name: 'more than 4 cache marks: the last tool’s, the last system block’s and the newest two of the messages',
    nativeOnly: true,
    given: {
      tools: [tool('a', { cache_control: mark }), tool('b', { cache_control: mark })],
      system: [text('1', { cache_control: mark }), text('2', { cache_control: mark })],
      messages: [
        user(text('p', { cache_control: mark })),
        assistant(call('a')),
        user({ ...result('a', [text('q', { cache_control: mark })]), cache_control: mark }, text('r')),
      ],
    },
    want: {
      tools: [tool('a'), tool('b', { cache_control: mark })],
      system: [text('1'), text('2', { cache_control: mark })],
      messages: [
        user(text('p')),
        assistant(call('a')),
        user({ ...result('a', [text('q', { cache_control: mark })]), cache_control: mark }, text('r')),
      ],
    },
    notes: [one('cache-marks-limited', 'cache marks: kept 4 of 7')],
  },
  {
    name: 'system message folded into the user message before it, with its mark; its effort leaves',
    given: {
      messages: [
        user(text('Go')),
        { role: 'system', content: [text('Be careful', { cache_control: mark })], output_config: { effort: 'medium' } },
      ],
    },
    want: {
      messages: [user(text('Go'), text('<system-reminder>\nBe careful\n</system-reminder>', { cache_control: mark }))],
    },
    notes: [
      one('system-messages-folded', 'system messages folded'),
      one('message-effort-removed', 'per-message effort removed'),
    ],
  },
  {
    name: 'system message with empty content dropped',
    given: {
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'system', content: [] },
      ],
    },
    want: { messages: [{ role: 'user', content: 'Go' }] },
    notes: [one('empty-message-dropped', 'empty message dropped')],
  },
  {
    name: 'model that takes system messages: they stay, with their effort; an empty one is dropped',
    given: {
      model: 'claude-opus-4.8',
      messages: [
        user(text('Go')),
        { role: 'system', content: 'Careful', output_config: { effort: 'low' } },
        { role: 'system', content: [] },
      ],
    },
    context: { model: claude('claude-opus-4.8') },
    want: { messages: [user(text('Go')), { role: 'system', content: 'Careful', output_config: { effort: 'low' } }] },
    notes: [one('empty-message-dropped', 'empty message dropped')],
  },
  {
    name: 'C12.3 thinking adaptive on a model without it → enabled with the largest budget',
    nativeOnly: true,
    given: { thinking: { type: 'adaptive', display: 'omitted' } },
    context: { model: olderClaude },
    want: { model: 'claude-sonnet-4.5', thinking: { type: 'enabled', display: 'omitted', budget_tokens: 16000 } },
    notes: [
      one('model', 'model: claude-sonnet-4.6 → claude-sonnet-4.5'),
      one('thinking-to-budget', 'thinking: adaptive → enabled 16000'),
    ],
  },
  {
    name: 'thinking adaptive, max_tokens below the smallest budget → no thinking',
    nativeOnly: true,
    given: { model: 'claude-sonnet-4.5', max_tokens: 1024, thinking: { type: 'adaptive' } },
    context: { model: olderClaude },
    want: { thinking: undefined },
    notes: [one('thinking-removed', 'thinking: adaptive removed')],
  },
  {
    name: 'C12.3 thinking enabled on a model that requires adaptive → adaptive',
    nativeOnly: true,
    given: { thinking: { type: 'enabled', budget_tokens: 5000, display: 'omitted' } },
    context: { model: claude('claude-sonnet-4.6', { supports: { adaptiveThinking: 'required' } }) },
    want: { thinking: { type: 'adaptive', display: 'omitted' } },
    notes: [one('thinking-to-adaptive', 'thinking: enabled → adaptive')],
  },
  {
    name: 'thinking budget over the limit → clamped',
    nativeOnly: true,
    given: { thinking: { type: 'enabled', budget_tokens: 31999 } },
    want: { thinking: { type: 'enabled', budget_tokens: 16000 } },
    notes: [one('thinking-budget-clamped', 'thinking budget 31999 → 16000')],
  },
  {
    name: 'thinking budget not below max_tokens → clamped below it',
    nativeOnly: true,
    given: { max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 4000 } },
    want: { thinking: { type: 'enabled', budget_tokens: 3999 } },
    notes: [one('thinking-budget-clamped', 'thinking budget 4000 → 3999')],
  },
  {
    name: 'thinking budget that cannot fit → no thinking',
    nativeOnly: true,
    given: { max_tokens: 1000, thinking: { type: 'enabled', budget_tokens: 4000 } },
    want: { thinking: undefined },
    notes: [one('thinking-removed', 'thinking budget 4000 removed')],
  },
  {
    name: 'thinking.display "updates" removed',
    nativeOnly: true,
    given: { thinking: { type: 'adaptive', display: 'updates' } },
    want: { thinking: { type: 'adaptive' } },
    notes: [one('thinking-display-removed', 'thinking display removed')],
  },
  {
    name: 'thinking with a forced tool → no thinking, and no clearing of it',
    nativeOnly: true,
    given: {
      tools: [tool('Bash')],
      tool_choice: { type: 'any' },
      thinking: { type: 'adaptive' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    },
    want: { thinking: undefined, context_management: undefined },
    notes: [
      one('thinking-off', 'thinking off: forced tool'),
      one('clear-thinking-removed', 'clearing of thinking removed: no thinking'),
    ],
  },
  {
    name: 'clearing of thinking leaves alone, other edits stay',
    nativeOnly: true,
    given: {
      context_management: { edits: [{ type: 'clear_thinking_20251015' }, { type: 'clear_tool_uses_20250919' }] },
    },
    want: { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
    notes: [one('clear-thinking-removed', 'clearing of thinking removed: no thinking')],
  },
  {
    name: 'thinking with sampling values → those removed',
    nativeOnly: true,
    given: { thinking: { type: 'adaptive' }, temperature: 0.5, top_p: 0.9, top_k: 5 },
    want: { temperature: undefined, top_p: undefined, top_k: undefined },
    notes: [one('sampling-values-removed', 'sampling values removed')],
  },
  {
    name: 'C12.1 thinking of another path, unsigned or blank → dropped; a signed one stays, also without text',
    nativeOnly: true,
    given: {
      messages: [
        user(text('Go')),
        assistant(
          thought(chatSignature('opaque')),
          thought(),
          thought('', ''),
          { type: 'redacted_thinking', data: '' },
          thought('EqQBCkYIBxgCKkB'),
          thought('EqQBCkYIBxgCKkC', ''),
          { type: 'redacted_thinking', data: 'EmwKAhgB' },
          text('Done'),
        ),
        user(text('More')),
      ],
    },
    want: {
      messages: [
        user(text('Go')),
        assistant(
          thought('EqQBCkYIBxgCKkB'),
          thought('EqQBCkYIBxgCKkC', ''),
          { type: 'redacted_thinking', data: 'EmwKAhgB' },
          text('Done'),
        ),
        user(text('More')),
      ],
    },
    notes: [many('foreign-thinking-removed', 'foreign thinking removed', 4)],
  },
  {
    name: 'effort not listed → the nearest lower that is',
    given: { output_config: { effort: 'xhigh' } },
    want: { output_config: { effort: 'high' } },
    notes: [one('effort-clamped', 'effort xhigh → high')],
  },
  {
    name: 'effort below all that are listed → the lowest',
    given: { output_config: { effort: 'low' } },
    context: { model: claude('claude-sonnet-4.6', { supports: { efforts: ['high', 'medium'] } }) },
    want: { output_config: { effort: 'medium' } },
    notes: [one('effort-clamped', 'effort low → medium')],
  },
  {
    name: 'effort nobody knows → the highest listed, and its word is not in the log',
    given: { output_config: { effort: 'secret words' } },
    want: { output_config: { effort: 'high' } },
    notes: [one('effort-clamped', 'effort (unknown) → high')],
  },
  {
    name: 'effort on a model without efforts → removed; the format stays',
    given: { output_config: { effort: 'high', format: { type: 'json_schema' } } },
    context: { model: claude('claude-sonnet-4.6', { supports: { efforts: [] } }) },
    want: { output_config: { format: { type: 'json_schema' } } },
    notes: [one('effort-removed', 'effort high removed')],
  },
  {
    name: 'effort alone on a model without efforts → no output_config',
    given: { output_config: { effort: 'high' } },
    context: { model: claude('claude-sonnet-4.6', { supports: { efforts: [] } }) },
    want: { output_config: undefined },
    notes: [one('effort-removed', 'effort high removed')],
  },
  {
    name: 'effort of a system message that stays → clamped as well',
    given: {
      model: 'claude-opus-4.8',
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'system', content: 'Hard', output_config: { effort: 'max' } },
      ],
    },
    context: { model: claude('claude-opus-4.8') },
    want: {
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'system', content: 'Hard', output_config: { effort: 'high' } },
      ],
    },
    notes: [one('effort-clamped', 'effort max → high')],
  },
  {
    name: 'max_tokens over the limit → clamped',
    given: { max_tokens: 128000 },
    want: { max_tokens: 32000 },
    notes: [one('max-tokens-clamped', 'max_tokens 128000 → 32000')],
  },
  {
    name: 'A9.16 stream:false or absent → streamed upstream',
    given: { stream: false },
    want: { stream: true },
    notes: [one('streamed-upstream', 'streamed upstream, collected')],
  },
  {
    name: 'inference_geo, fallbacks, mcp_servers, container, speed, advisor removed',
    nativeOnly: true,
    given: { inference_geo: 'us', fallbacks: [], mcp_servers: [], container: 'c', speed: 'fast', advisor: {} },
    want: {
      inference_geo: undefined,
      fallbacks: undefined,
      mcp_servers: undefined,
      container: undefined,
      speed: undefined,
      advisor: undefined,
    },
    notes: ['inference_geo', 'fallbacks', 'mcp_servers', 'advisor', 'container', 'speed'].map((field) =>
      one('field-removed', `${field} removed`),
    ),
  },
  {
    name: 'C13.1 server tools beside client tools → removed, and the choice of one with it',
    given: {
      tools: [
        tool('Bash'),
        { type: 'web_search_20250305', name: 'web_search' },
        { type: 'web_fetch_20250910', name: 'web_fetch' },
        { type: 'code_execution_20250825', name: 'code_execution' },
        { type: 'advisor_20260301', name: 'advisor' },
        { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
      ],
      tool_choice: { type: 'tool', name: 'web_search' },
    },
    want: {
      tools: [tool('Bash'), { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' }],
      tool_choice: undefined,
    },
    notes: ['web_search', 'web_fetch', 'code_execution', 'advisor'].map((family) =>
      one('server-tool-removed', `server tool removed: ${family}`),
    ),
  },
  {
    name: 'C13.1 blocks of server tools in the history → text or nothing; tool search stays',
    given: {
      messages: [
        user(text('Go')),
        assistant(
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 's1',
            content: [
              { type: 'web_search_result', title: 'A page', url: 'https://a.example', encrypted_content: 'xyz' },
            ],
          },
          { type: 'server_tool_use', id: 's2', name: 'tool_search_tool_regex', input: {} },
          { type: 'tool_search_tool_result', tool_use_id: 's2', content: { type: 'tool_search_tool_search_result' } },
          text('Found'),
        ),
        user(text('More')),
      ],
    },
    want: {
      messages: [
        user(text('Go')),
        assistant(
          text('[web_search result]\nA page\nhttps://a.example'),
          { type: 'server_tool_use', id: 's2', name: 'tool_search_tool_regex', input: {} },
          { type: 'tool_search_tool_result', tool_use_id: 's2', content: { type: 'tool_search_tool_search_result' } },
          text('Found'),
        ),
        user(text('More')),
      ],
    },
    notes: [many('server-tool-blocks-as-text', 'server-tool blocks turned into text', 2)],
  },
  {
    name: 'tool fields eager_input_streaming, input_examples removed',
    nativeOnly: true,
    given: { tools: [tool('Bash', { eager_input_streaming: true, input_examples: [], strict: true })] },
    want: { tools: [tool('Bash', { strict: true })] },
    notes: [one('tool-fields-removed', 'tool fields removed')],
  },
  {
    name: 'input_schema without type → completed',
    nativeOnly: true,
    given: { tools: [{ name: 'Now', input_schema: { $schema: 'x' } }] },
    want: { tools: [{ name: 'Now', input_schema: { $schema: 'x', type: 'object', properties: {} } }] },
    notes: [one('schema-completed', 'schema completed')],
  },
  {
    name: 'C5.1 tool_use without a result → a result that says so, behind those that are there',
    given: { messages: [user(text('Go')), assistant(call('a'), call('b')), user(result('b'), text('Well?'))] },
    want: {
      messages: [user(text('Go')), assistant(call('a'), call('b')), user(result('b'), noResult('a'), text('Well?'))],
    },
    notes: [one('missing-tool-result-added', 'missing tool result added')],
  },
  {
    name: 'C5.1 tool_use at the very end → a user message of its own',
    given: { messages: [user(text('Go')), assistant(call('a'), call('b'))] },
    want: { messages: [user(text('Go')), assistant(call('a'), call('b')), user(noResult('a'), noResult('b'))] },
    notes: [many('missing-tool-result-added', 'missing tool result added', 2)],
  },
  {
    name: 'C5.1 tool_result in a second user message, behind words → moved to the beginning of the first one',
    given: { messages: [user(text('Go')), assistant(call('a')), user(text('Well?')), user(result('a'))] },
    want: { messages: [user(text('Go')), assistant(call('a')), user(result('a'), text('Well?'))] },
    notes: [one('tool-result-moved', 'tool result moved before other content')],
  },
  {
    name: 'C5.1 tool_results behind words of any message → behind those that stand first; words keep their messages',
    given: {
      messages: [
        user(text('Go')),
        assistant(call('a'), call('b'), call('c')),
        { role: 'user', content: 'Well?' },
        user(text('And?'), result('b'), text('Then?')),
        user(result('a'), image()),
      ],
    },
    want: {
      messages: [
        user(text('Go')),
        assistant(call('a'), call('b'), call('c')),
        user(result('b'), result('a'), noResult('c'), text('Well?')),
        user(text('And?'), text('Then?')),
        user(image()),
      ],
    },
    notes: [
      many('tool-result-moved', 'tool result moved before other content', 2),
      one('missing-tool-result-added', 'missing tool result added'),
    ],
  },
  {
    name: 'C5.2 tool_result without its call → text of the same message, behind the real results',
    given: {
      messages: [
        user(text('Go')),
        assistant(call('a')),
        user(result('x', [text('old'), image()]), result('a'), text('Well?')),
      ],
    },
    want: {
      messages: [
        user(text('Go')),
        assistant(call('a')),
        user(
          result('a'),
          text('[result of a tool call that is not in this conversation]\nold'),
          image(),
          text('Well?'),
        ),
      ],
    },
    notes: [one('stray-tool-result-as-text', 'stray tool result turned into text')],
  },
  {
    name: 'C5.3 duplicate tool_use ids → the later pair gets a suffix that is free',
    given: {
      messages: [
        user(text('Go')),
        assistant(call('a')),
        user(result('a', 'first')),
        assistant(call('a_2')),
        user(result('a_2', 'second')),
        assistant(call('a'), call('b')),
        user(result('a', 'third'), result('b')),
      ],
    },
    want: {
      messages: [
        user(text('Go')),
        assistant(call('a')),
        user(result('a', 'first')),
        assistant(call('a_2')),
        user(result('a_2', 'second')),
        assistant(call('a_3'), call('b')),
        user(result('a_3', 'third'), result('b')),
      ],
    },
    notes: [one('duplicate-tool-id-renamed', 'duplicate tool id renamed')],
  },
  {
    name: 'C6.1 empty and white-space text → dropped, also in system and results; an image alone stays',
    given: {
      system: [text('You are'), text(' \n')],
      messages: [
        user(text(''), image()),
        assistant(call('a')),
        user(result('a', [text('\t'), text('ok')]), text('  ')),
      ],
    },
    want: {
      system: [text('You are')],
      messages: [user(image()), assistant(call('a')), user(result('a', [text('ok')]))],
    },
    notes: [many('empty-text-dropped', 'empty text dropped', 4)],
  },
  {
    name: 'C6.1 message left empty → dropped, its neighbours merged',
    given: { messages: [{ role: 'user', content: 'One' }, assistant(text(' ')), user(text('Two'))] },
    want: { messages: [user(text('One'), text('Two'))] },
    notes: [one('empty-text-dropped', 'empty text dropped'), one('empty-message-dropped', 'empty message dropped')],
  },
  {
    name: 'C6.1 nothing left → "(no content)"',
    given: { messages: [{ role: 'user', content: ' ' }] },
    want: { messages: [user(text('(no content)'))] },
    notes: [one('empty-message-dropped', 'empty message dropped')],
  },
  {
    name: 'C6.1 empty beginning before an answer → "(no content)" in its place',
    given: { messages: [user(), assistant(text('Hi')), user(text('Go'))] },
    want: { messages: [user(text('(no content)')), assistant(text('Hi')), user(text('Go'))] },
    notes: [one('empty-message-dropped', 'empty message dropped')],
  },
  {
    name: 'C7.1 last message is the assistant’s, model 4.6 → a user message goes on',
    given: { messages: [user(text('Go')), assistant(text('{'))] },
    want: { messages: [user(text('Go')), assistant(text('{')), user(text('Please continue.'))] },
    notes: [one('continue-message-added', 'prefill: continue message added')],
  },
  {
    name: 'file ids → a text note with the mark of what it stands for',
    given: {
      messages: [
        user(
          { type: 'document', source: { type: 'file', file_id: 'f' }, cache_control: mark },
          { type: 'container_upload', file_id: 'g' },
        ),
      ],
    },
    want: {
      messages: [
        user(
          text('[file left out: Copilot accepts no file ids]', { cache_control: mark }),
          text('[file left out: Copilot accepts no file ids]'),
        ),
      ],
    },
    notes: [many('file-reference-left-out', 'file reference left out', 2)],
  },
  {
    name: 'C10.2 more images than the model takes → the oldest leave, also inside results',
    given: {
      messages: [
        user(image('AAAA')),
        assistant(call('a')),
        user(result('a', [image('BBBB'), image('CCCC')]), image('DDDD')),
      ],
    },
    want: {
      messages: [
        user(text('[image left out: the model accepts 2]')),
        assistant(call('a')),
        user(result('a', [text('[image left out: the model accepts 2]'), image('CCCC')]), image('DDDD')),
      ],
    },
    notes: [many('images-left-out', 'images left out', 2)],
  },
  {
    name: 'C10.2 a model without vision takes none',
    given: { messages: [user(text('Look'), image())] },
    context: { model: claude('claude-sonnet-4.6', { limits: { images: null }, supports: { vision: false } }) },
    want: { messages: [user(text('Look'), text('[image left out: the model accepts none]'))] },
    notes: [one('images-left-out', 'images left out')],
  },
  {
    name: 'C10.2 image too large earlier in the conversation → a text note, with its mark',
    given: {
      messages: [user(text('Look'), { ...tooLarge, cache_control: mark }), assistant(text('Well')), user(text('And?'))],
    },
    want: {
      messages: [
        user(text('Look'), text('[image left out: 3.8 MB > 3 MB]', { cache_control: mark })),
        assistant(text('Well')),
        user(text('And?')),
      ],
    },
    notes: [one('image-left-out', 'image left out: 3.8 MB > 3 MB')],
  },
  {
    name: 'C10.2 image too large from a tool → a text note, and the work goes on',
    given: { messages: [user(text('Look')), assistant(call('a')), user(result('a', [tooLarge]), tooLarge)] },
    want: {
      messages: [
        user(text('Look')),
        assistant(call('a')),
        user(result('a', [text('[image left out: 3.8 MB > 3 MB]')]), text('[image left out: 3.8 MB > 3 MB]')),
      ],
    },
    notes: [many('image-left-out', 'image left out: 3.8 MB > 3 MB', 2)],
  },
  {
    name: 'C10.2 image too large where only tokens are counted → a text note',
    context: { purpose: 'count' },
    given: { messages: [user(text('Look'), tooLarge)] },
    want: {
      messages: [user(text('Look'), text('[image left out: 3.8 MB > 3 MB]'))],
      max_tokens: undefined,
      stream: undefined,
    },
    notes: [one('image-left-out', 'image left out: 3.8 MB > 3 MB'), one('count-only', 'max_tokens and stream removed')],
  },
  {
    name: 'C10.2 image of another type → a text note',
    given: { messages: [user(text('Look'), image('AAAA', 'image/tiff'))] },
    want: { messages: [user(text('Look'), text('[image left out: image/tiff is not taken]'))] },
    notes: [one('image-left-out', 'image left out: image/tiff is not taken')],
  },
];

function check({ given, context, want, notes }: Row, path: FitContext['path']) {
  const request = deepFreeze({ ...plain, ...given });
  const where = deepFreeze({ ...onNative(context), path });
  const all = Object.entries({ ...request, model: where.model.id, ...want });
  const expected = Object.fromEntries(all.filter(([, value]) => value !== undefined));
  const fitted = fitMessages(request, where);
  expect(fitted).toEqual({ ok: true, request: expected, betas: [], notes, vision: expect.any(Boolean) });
  expect(fitMessages(request, where)).toEqual(fitted);
  // What came out needs no further change.
  if (fitted.ok) expect(fitMessages(fitted.request, where)).toMatchObject({ request: fitted.request, notes: [] });
}

describe('every row of the table, on the Messages path', () => {
  it.each(rows)('$name', (row) => check(row, '/v1/messages'));
});

describe.each(['/chat/completions', '/responses'] as const)('the rows that hold on %s as well', (path) => {
  it.each(rows.filter((row) => !row.nativeOnly))('$name', (row) => check(row, path));
});

describe('what is left alone', () => {
  const same: { name: string; given: Partial<MessagesRequest>; context?: Partial<FitContext> }[] = [
    { name: 'a plain request', given: {} },
    {
      name: 'unknown fields and blocks',
      given: { tomorrow: { a: 1 }, messages: [user({ type: 'hologram', data: 1 })] },
    },
    { name: 'service_tier', given: { service_tier: 'auto' } },
    { name: 'thinking.display "omitted"', given: { thinking: { type: 'adaptive', display: 'omitted' } } },
    { name: 'temperature 1 with thinking', given: { thinking: { type: 'adaptive' }, temperature: 1 } },
    { name: 'sampling values without thinking', given: { temperature: 0.2, top_p: 0.9, top_k: 3 } },
    {
      name: 'output_config.format without structured_outputs',
      given: { output_config: { format: { type: 'json_schema' } } },
      context: { model: claude('claude-sonnet-4.6', { supports: { structuredOutputs: false } }) },
    },
    { name: 'a budget within the limits', given: { thinking: { type: 'enabled', budget_tokens: 10000 } } },
    {
      name: '$schema, strict, defer_loading',
      given: {
        tools: [
          tool('a', { strict: true, input_schema: { $schema: 's', type: 'object' } }),
          tool('b', { defer_loading: true }),
        ],
      },
    },
    {
      name: 'tool_reference in a result',
      given: {
        messages: [
          user(text('Go')),
          assistant(call('a')),
          user(result('a', [{ type: 'tool_reference', tool_name: 'b' }])),
        ],
      },
    },
    {
      name: 'exactly 4 cache marks',
      given: {
        system: [text('a', { cache_control: mark })],
        messages: [user(...'bcd'.split('').map((letter) => text(letter, { cache_control: mark })))],
      },
    },
    { name: 'two user messages in a row', given: { messages: [user(text('One')), user(text('Two'))] } },
    {
      name: 'results spread over two user messages',
      given: { messages: [user(text('Go')), assistant(call('a'), call('b')), user(result('a')), user(result('b'))] },
    },
    { name: 'as many images as the model takes', given: { messages: [user(image(), image())] } },
    { name: 'an empty list of messages, which is the upstream’s to refuse', given: { messages: [] } },
    {
      name: 'C7.1 prefill on a model before 4.6',
      given: { model: 'claude-sonnet-4.5', messages: [user(text('Go')), assistant(text('{'))] },
      context: { model: olderClaude },
    },
    {
      name: 'limits the catalog does not name',
      given: {
        max_tokens: 999999,
        thinking: { type: 'enabled', budget_tokens: 500000 },
        messages: [user(image('A'.repeat(5 * 2 ** 20), 'image/x'), image(), image())],
      },
      context: {
        model: claude('claude-sonnet-4.6', {
          limits: { outputTokens: null, images: null, imageBytes: null, imageTypes: [] },
          supports: { maxThinkingBudget: null },
        }),
      },
    },
  ];
  it.each(same)('$name: the same object, no note', ({ given, context }) => {
    const request = deepFreeze({ ...plain, ...given });
    const fitted = fitMessages(request, onNative(context));
    expect(fitted).toMatchObject({ ok: true, notes: [] });
    expect(fitted.ok && fitted.request).toBe(request);
  });

  it('what is not on the changed path is shared with the input', () => {
    const messages = [
      user(text('One')),
      assistant(text('ok')),
      user(text('Two', { cache_control: { ...mark, scope: 'x' } })),
    ];
    const fitted = fitMessages({ ...plain, messages }, onNative());
    expect(fitted.ok && fitted.request.messages.map((message, index) => message === messages[index])).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('what is refused', () => {
  const refusals: {
    name: string;
    given: Partial<MessagesRequest>;
    context: FitContext;
    want: Omit<Refusal, 'ok' | 'status'> & { status?: number };
  }[] = [
    {
      name: 'safeguards: a 400 that names the field, for the client to go on without it',
      given: { safeguards: [{ type: 'dangerous_tool_use', classifier_context: { home: '/home/dev' } }] },
      context: onNative(),
      want: {
        type: 'invalid_request_error',
        message: 'safeguards: Extra inputs are not permitted',
        code: 'safeguards-refused',
        shouldRetry: true,
      },
    },
    {
      name: 'C13.1 web search as the only tool',
      given: {
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        tool_choice: { type: 'tool', name: 'web_search' },
      },
      context: { ...onNative(), whySearchIsOff: () => 'Web search is off. Do this.' },
      want: {
        type: 'policy_blocked',
        message: 'Jumpseat: Web search is off. Do this.',
        code: 'server-tool-refused',
        shouldRetry: false,
      },
    },
    {
      name: 'image by URL',
      given: { messages: [user({ type: 'image', source: { type: 'url', url: 'http://10.0.0.1/secret' } })] },
      context: onNative(),
      want: {
        type: 'invalid_request_error',
        message: 'Jumpseat: Copilot accepts no image by URL. Send its data instead, as a base64 source.',
        code: 'url-source-refused',
        shouldRetry: false,
      },
    },
    {
      name: 'C10.2 an image that the person has just attached and that is too large, before a system message',
      given: { messages: [user(text('Look'), tooLarge), { role: 'system', content: 'Be brief.' }] },
      context: onNative(),
      want: {
        status: 413,
        type: 'request_too_large',
        message: 'Jumpseat: an image is 3.8 MB; Copilot accepts 3 MB.',
        code: 'image-too-large',
        shouldRetry: false,
      },
    },
    {
      name: 'C10.2 an image that the person has just attached and that is too large, before a system message',
      given: { messages: [user(text('Look'), tooLarge), { role: 'system', content: 'Be brief.' }] },
      context: onChat(),
      want: {
        status: 413,
        type: 'request_too_large',
        message: 'Jumpseat: an image is 3.8 MB; Copilot accepts 3 MB.',
        code: 'image-too-large',
        shouldRetry: false,
      },
    },
    {
      name: 'document by URL inside a tool result',
      given: {
        messages: [
          user(text('Go')),
          assistant(call('a')),
          user(result('a', [{ type: 'document', source: { type: 'url', url: 'https://a' } }])),
        ],
      },
      context: onChat(),
      want: {
        type: 'invalid_request_error',
        message: 'Jumpseat: Copilot accepts no document by URL. Send its data instead, as a base64 source.',
        code: 'url-source-refused',
        shouldRetry: false,
      },
    },
    {
      name: 'PDF on the chat path, with a model that reads it',
      given: {
        messages: [
          user({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } }),
        ],
      },
      context: onChat({ documentModel: 'claude-sonnet-4.6' }),
      want: {
        type: 'policy_blocked',
        message: 'Jumpseat: gpt-4.1 can’t read PDFs through Copilot. Switch to claude-sonnet-4.6 for it.',
        code: 'pdf-refused',
        shouldRetry: false,
      },
    },
    {
      name: 'PDF on the chat path, no such model known',
      given: {
        messages: [
          user({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } }),
        ],
      },
      context: onChat(),
      want: {
        type: 'policy_blocked',
        message: 'Jumpseat: gpt-4.1 can’t read PDFs through Copilot. Switch to a Claude model for it.',
        code: 'pdf-refused',
        shouldRetry: false,
      },
    },
    {
      name: 'more than 128 tools on the chat path, loaded ones counted',
      given: {
        tools: [
          ...Array.from({ length: 128 }, (_, index) => tool(`t${index}`)),
          tool('later', { defer_loading: true }),
          tool('never', { defer_loading: true }),
        ],
        messages: [
          user(text('Go')),
          assistant(call('a')),
          user(result('a', [{ type: 'tool_reference', tool_name: 'later' }])),
        ],
      },
      context: onChat(),
      want: {
        type: 'policy_blocked',
        message:
          'Jumpseat: gpt-4.1 takes at most 128 tools, and this request has 129. Set ' +
          'ENABLE_TOOL_SEARCH=true, or turn off MCP servers you don’t need.',
        code: 'too-many-tools',
        shouldRetry: false,
      },
    },
  ];
  it.each(refusals)('$name', ({ given, context, want }) => {
    expect(fitMessages(deepFreeze({ ...plain, ...given }), context)).toEqual({ ok: false, status: 400, ...want });
  });

  it('safeguards on the chat path as on the other', () => {
    expect(fitMessages({ ...plain, safeguards: [] }, onChat())).toMatchObject({ code: 'safeguards-refused' });
  });

  it('128 tools that are sent and any number of deferred ones pass on the chat path', () => {
    const tools = Array.from({ length: 300 }, (_, index) =>
      tool(`t${index}`, index < 128 ? {} : { defer_loading: true }),
    );
    expect(fitMessages({ ...plain, tools }, onChat())).toMatchObject({ ok: true, request: { tools } });
  });

  it.each([onNative(), onChat()])(
    'a tool, a system block or an inner block that is no object: 400 that names the place',
    (where) => {
      const broken: Record<string, unknown>[] = [
        { tools: [null] },
        { system: ['text'] },
        { messages: [user({ type: 'tool_result', tool_use_id: 'a', content: [7] })] },
      ];
      expect(broken.map((given) => fitMessages({ ...plain, ...given }, where))).toMatchObject([
        { ok: false, status: 400, message: 'tools.0: Input should be an object' },
        { ok: false, status: 400, message: 'system.0: Input should be an object' },
        { ok: false, status: 400, message: 'tool_result.content.0: Input should be an object' },
      ]);
    },
  );
});

describe.each([onChat, onResponses])('a translated path', (on) => {
  it('takes an unknown role for the user’s, so that its results answer their calls', () => {
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'done' };
    const messages = [user(text('Go')), assistant(call('a')), { role: 'critic', content: [result] }];
    expect(fitMessages({ ...plain, messages }, on({}))).toMatchObject({
      ok: true,
      request: { messages: [user(text('Go')), assistant(call('a')), user(result)] },
      notes: expect.arrayContaining([one('role', 'unknown role sent as user')]),
    });
  });

  it('gets what the translation cannot know, and no betas', () => {
    const request = deepFreeze<MessagesRequest>({
      model: 'gpt-4.1',
      max_tokens: 99999,
      system: 'x-anthropic-billing-header: cc_version=1;',
      metadata: { user_id: 'u' },
      thinking: { type: 'adaptive' },
      output_config: { effort: 'max' },
      tools: [tool('Bash'), { type: 'web_search_20250305', name: 'web_search' }],
      messages: [
        user(text('Go'), text(' ')),
        { role: 'system', content: 'Careful' },
        assistant(thought(chatSignature('opaque')), call('a')),
        user(text('Well?'), image(), image(), image()),
      ],
    });
    const fitted = fitMessages(request, on({ betas: ['context-management-2025-06-27'], model: claude('gpt-4.1') }));
    expect(fitted).toEqual({
      ok: true,
      request: {
        model: 'gpt-4.1',
        max_tokens: 32000,
        stream: true,
        thinking: { type: 'adaptive' },
        output_config: { effort: 'high' },
        tools: [tool('Bash')],
        messages: [
          user(text('Go'), text('<system-reminder>\nCareful\n</system-reminder>')),
          assistant(thought(chatSignature('opaque')), call('a')),
          user(noResult('a'), text('Well?'), text('[image left out: the model accepts 2]'), image(), image()),
        ],
      },
      betas: [],
      notes: [
        one('metadata-removed', 'metadata removed'),
        one('attribution-removed', 'attribution block removed'),
        one('server-tool-removed', 'server tool removed: web_search'),
        one('empty-text-dropped', 'empty text dropped'),
        one('system-messages-folded', 'system messages folded'),
        one('missing-tool-result-added', 'missing tool result added'),
        one('images-left-out', 'images left out'),
        one('max-tokens-clamped', 'max_tokens 99999 → 32000'),
        one('effort-clamped', 'effort max → high'),
        one('streamed-upstream', 'streamed upstream, collected'),
      ],
      vision: true,
    });
  });
});

describe('counting', () => {
  it.each([onNative(), onChat({ model: claude() })])(
    'takes max_tokens and stream out, and never refuses what only a message would',
    (where) => {
      const request = {
        ...plain,
        safeguards: [],
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        tool_choice: { type: 'any' },
      };
      expect(fitMessages(deepFreeze(request), { ...where, purpose: 'count' })).toEqual({
        ok: true,
        request: { model: plain.model, messages: plain.messages },
        betas: [],
        notes: [
          one('safeguards-removed', 'safeguards removed'),
          one('server-tool-removed', 'server tool removed: web_search'),
          one('count-only', 'max_tokens and stream removed'),
        ],
        vision: false,
      });
    },
  );
});

describe('B4.4 vision', () => {
  const vision = (messages: Message[], context = onNative()) => {
    const fitted = fitMessages({ ...plain, messages }, context);
    return fitted.ok && fitted.vision;
  };
  it('is true with an image in a message or in a tool result, false otherwise and when the image was left out', () => {
    expect(vision([user(image())])).toBe(true);
    expect(vision([user(text('Go')), assistant(call('a')), user(result('a', [image()]))])).toBe(true);
    expect(vision([user(text('Go'))])).toBe(false);
    expect(vision([user(text('Look'), image('AAAA', 'image/tiff'))])).toBe(false);
  });
});
