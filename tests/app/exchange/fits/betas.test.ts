import { describe, expect, it } from 'vitest';
import { filterBetas, splitBetas } from '../../../../app/exchange/fits/betas.ts';
import { fitMessages } from '../../../../app/exchange/fits/fit-messages.ts';
import type { MessagesRequest } from '../../../../app/formats/messages/request.ts';
import { claude, olderClaude, onNative } from './claude.ts';

const hour = { type: 'ephemeral', ttl: '1h' };
const markedFor = (cache_control: object) => ({ type: 'text', text: 'x', cache_control });
const plain: MessagesRequest = { model: 'claude-sonnet-4.6', messages: [{ role: 'user', content: 'Hello' }] };

describe('filterBetas', () => {
  const rows: { name: string; betas: string[]; body?: Partial<MessagesRequest>; want: string[] }[] = [
    {
      name: 'A8.2 interleaved-thinking passes',
      betas: ['interleaved-thinking-2025-05-14'],
      want: ['interleaved-thinking-2025-05-14'],
    },
    {
      name: 'interleaved-thinking leaves with adaptive thinking',
      betas: ['interleaved-thinking-2025-05-14'],
      body: { thinking: { type: 'adaptive' } },
      want: [],
    },
    { name: 'A8.3 unknown dropped', betas: ['quantum-2030-01-01'], want: [] },
    {
      name: 'A8.4 bare family dropped',
      betas: ['interleaved-thinking', 'interleaved-thinking-', 'advanced-tool-use'],
      want: [],
    },
    {
      name: 'A8.5 mixed list, spaces trimmed',
      betas: [' claude-code-20250219 , advanced-tool-use-2025-11-20', ' interleaved-thinking-2025-05-14 '],
      want: ['advanced-tool-use-2025-11-20', 'interleaved-thinking-2025-05-14'],
    },
    { name: 'A8.6 all dropped → none', betas: ['claude-code-20250219', 'oauth-2025-04-20'], want: [] },
    { name: 'A8.7 empty header → none', betas: ['', ' , '], want: [] },
    {
      name: 'context-management while the field is sent',
      betas: ['context-management-2025-06-27'],
      body: { context_management: { edits: [] } },
      want: ['context-management-2025-06-27'],
    },
    { name: 'context-management without the field leaves', betas: ['context-management-2025-06-27'], want: [] },
    {
      name: 'advanced-tool-use passes',
      betas: ['advanced-tool-use-2025-11-20'],
      want: ['advanced-tool-use-2025-11-20'],
    },
    {
      name: 'extended-cache-ttl while a mark asks for an hour: on a tool',
      betas: ['extended-cache-ttl-2025-04-11'],
      body: { tools: [{ name: 'Bash', input_schema: {}, cache_control: hour }] },
      want: ['extended-cache-ttl-2025-04-11'],
    },
    {
      name: 'extended-cache-ttl: in the system prompt',
      betas: ['extended-cache-ttl-2025-04-11'],
      body: { system: [{ type: 'text', text: 'x', cache_control: hour }] },
      want: ['extended-cache-ttl-2025-04-11'],
    },
    {
      name: 'extended-cache-ttl: inside a result',
      betas: ['extended-cache-ttl-2025-04-11'],
      body: { messages: [{ role: 'user', content: [{ type: 'tool_result', content: [markedFor(hour)] }] }] },
      want: ['extended-cache-ttl-2025-04-11'],
    },
    {
      name: 'extended-cache-ttl without such a mark leaves',
      betas: ['extended-cache-ttl-2025-04-11'],
      body: { messages: [{ role: 'user', content: [markedFor({ type: 'ephemeral' })] }] },
      want: [],
    },
    {
      name: 'A8.8 per-turn-control with its field',
      betas: ['per-turn-control-2026-07-01'],
      body: { messages: [{ role: 'system', content: 'x', output_config: { effort: 'low' } }] },
      want: ['per-turn-control-2026-07-01'],
    },
    { name: 'A8.8 per-turn-control without its field leaves', betas: ['per-turn-control-2026-07-01'], want: [] },
    {
      name: 'A8.8 never added',
      betas: [],
      body: { messages: [{ role: 'system', content: 'x', output_config: { effort: 'low' } }], context_management: {} },
      want: [],
    },
    {
      name: 'compact while an edit of that type is sent',
      betas: ['compact-2026-01-12'],
      body: { context_management: { edits: [{ type: 'compact_20260112' }] } },
      want: ['compact-2026-01-12'],
    },
    {
      name: 'compact without such an edit leaves',
      betas: ['compact-2026-01-12'],
      body: { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
      want: [],
    },
    ...[
      'effort-2025-11-24',
      'structured-outputs-2025-12-15',
      'context-1m-2025-08-07',
      'thinking-token-count-2026-05-13',
      'redact-thinking-2026-02-12',
      'thinking-display-updates-2026-08-18',
      'mid-conversation-tool-changes-2026-07-01',
      'dangerous-tool-use-2026-09-03',
      'afk-mode-2026-01-31',
      'fast-mode-2026-02-01',
      'fallback-credit-2026-06-01',
      'claude-code-20250219',
      'oauth-2025-04-20',
      'token-counting-2024-11-01',
      'files-api-2025-04-14',
      'mcp-client-2025-11-20',
      'code-execution-2025-08-25',
    ].map((beta) => ({ name: `${beta} is not for Copilot`, betas: [beta], want: [] })),
  ];
  it.each(rows)('$name', ({ betas, body, want }) => {
    const sent = betas.flatMap(splitBetas).length;
    const removed = sent - want.length;
    expect(filterBetas(betas, { ...plain, ...body })).toMatchObject({
      betas: want,
      notes: removed > 0 ? [{ code: 'betas-removed', count: removed }] : [],
    });
  });

  it('names what it removed, and nothing that isn’t spelled like a beta', () => {
    const textOf = (...betas: string[]) => filterBetas(betas, plain).notes.map(({ text }) => text);
    expect(textOf('context-1m-2025-08-07,afk-mode-2026-01-31', 'claude-code-20250219')).toEqual([
      'beta removed: context-1m-2025-08-07, afk-mode-2026-01-31, claude-code-20250219',
    ]);
    expect(textOf('gho_16C7e42F292c6912E7710c838347Ae178B4a', 'interleaved-thinking')).toEqual(['beta removed']);
    const many = Array.from({ length: 1000 }, (_, index) => `beta-${index}-2026-01-01`);
    expect(textOf(many.join(','))[0]?.split(', ')).toHaveLength(32);
  });

  it('A8.7 an absent header is an empty list', () => {
    expect([splitBetas(undefined), splitBetas(''), splitBetas('a-1, b-2')]).toEqual([[], [], ['a-1', 'b-2']]);
  });
});

describe('a beta and its field leave together', () => {
  const betas = ['interleaved-thinking-2025-05-14', 'context-management-2025-06-27', 'per-turn-control-2026-07-01'];
  const sent = (body: Partial<MessagesRequest>, model = claude()) => {
    const fitted = fitMessages({ ...plain, max_tokens: 8000, stream: true, ...body }, onNative({ betas, model }));
    return fitted.ok && fitted.betas;
  };
  it('context-management with the clearing of thinking that a forced tool ended', () => {
    const body = {
      thinking: { type: 'enabled', budget_tokens: 2000 },
      context_management: { edits: [{ type: 'clear_thinking_20251015' }] },
    };
    expect(sent(body)).toEqual(['interleaved-thinking-2025-05-14', 'context-management-2025-06-27']);
    expect(sent({ ...body, tool_choice: { type: 'any' } })).toEqual(['interleaved-thinking-2025-05-14']);
  });
  it('per-turn-control with the system message that was folded', () => {
    const body: Partial<MessagesRequest> = {
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'system', content: 'x', output_config: { effort: 'low' } },
      ],
    };
    expect(sent(body)).toEqual(['interleaved-thinking-2025-05-14']);
    expect(sent(body, claude('claude-opus-4.8'))).toEqual([
      'interleaved-thinking-2025-05-14',
      'per-turn-control-2026-07-01',
    ]);
  });
  it('interleaved-thinking stays where adaptive thinking became a budget', () => {
    expect(sent({ thinking: { type: 'adaptive' } })).toEqual([]);
    expect(sent({ thinking: { type: 'adaptive' } }, olderClaude)).toEqual(['interleaved-thinking-2025-05-14']);
  });
});
