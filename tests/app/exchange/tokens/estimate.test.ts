import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../../app/exchange/tokens/estimate.ts';
import type { Block, MessagesRequest } from '../../../../app/formats/messages/request.ts';

const ask = (content: string | Block[], more: Partial<MessagesRequest> = {}) =>
  estimateTokens({ model: 'm', messages: [{ role: 'user', content }], ...more });

describe('estimateTokens', () => {
  it('counts o200k tokens of text', async () => {
    expect(await ask('Hello, world!')).toBe(4);
    expect(await ask([{ type: 'text', text: 'Hello, world!' }])).toBe(4);
    expect(await ask('')).toBe(0);
  });

  it('C4.2 counts system, schemas, calls, results and thinking, each for itself', async () => {
    const tools = [{ name: 'Bash', input_schema: { type: 'object' } }];
    const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls -la' } };
    const whole = await estimateTokens({
      model: 'm',
      system: [{ type: 'text', text: 'Be brief' }],
      tools,
      messages: [
        {
          role: 'assistant',
          content: [{ type: 'thinking', thinking: 'I should look', signature: 'x'.repeat(500) }, call],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'total 0' }] }],
        },
      ],
    });
    const parts = [
      'Be brief',
      JSON.stringify(tools[0]),
      'I should look',
      'Bash',
      JSON.stringify(call.input),
      'total 0',
    ];
    const counts = await Promise.all(parts.map((part) => ask(part)));
    expect(whole).toBe(counts.reduce((sum, count) => sum + count, 0));
    expect(Math.min(...counts)).toBeGreaterThan(0);
  });

  it('takes words that mean something to a tokenizer as text', async () => {
    expect(await ask('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('counts no base64 of an image or a PDF as text', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(400000) };
    expect(await ask([{ type: 'image', source }])).toBe(1334);
    expect(await ask([{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source }] }])).toBe(1334);
    const pdf = Buffer.from('%PDF-1.4 /Type /Pages /Type /Page x /Type/Page').toString('base64');
    expect(
      await ask([{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf } }]),
    ).toBe(3000);
  });

  it('counts the text of a plain document, and blocks it does not know as their JSON', async () => {
    expect(await ask([{ type: 'document', source: { type: 'text', data: 'Hello, world!' } }])).toBe(4);
    expect(await ask([{ type: 'hologram', data: 'Hello' }])).toBe(await ask('{"type":"hologram","data":"Hello"}'));
  });

  it('is whole, and close to the exact count, where only a part is encoded', async () => {
    const page = Array.from({ length: 400 }, (_, index) => `line ${index} says something of its own`).join('\n');
    const one = await ask(page);
    const many = await ask(Array.from({ length: 300 }, () => ({ type: 'text', text: page })));
    expect(page.length * 300).toBeGreaterThan(3 * 1024 * 1024);
    expect(Math.abs(many / (one * 300) - 1)).toBeLessThan(0.02);
    expect(Number.isInteger(many)).toBe(true);
  });

  it('lets other work run between its slices', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    await ask('words of all kinds, '.repeat(100000));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });

  it('neither cuts a character in half nor stumbles over a run without a break', async () => {
    expect(await ask('😀'.repeat(3000))).toBe(3000 * (await ask('😀')));
    expect(await ask('a'.repeat(100000))).toBeGreaterThan(1000);
  });

  it('does not throw at fields of the wrong type', async () => {
    const broken: Record<string, unknown> = { system: 7, tools: {} };
    const blocks: Record<string, unknown>[] = [{ text: 7 }, { type: 'image' }, { type: 'document', source: null }];
    expect(await ask([{ type: 'text' }, { type: 'tool_use' }, { type: 'tool_result', content: 7 }], broken)).toBe(0);
    expect(await ask(blocks.map((block) => ({ type: 'text', ...block })))).toBeGreaterThan(1300);
  });
});
