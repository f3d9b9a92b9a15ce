import { expect, it } from 'vitest';
import { contextWindows } from '../../../app/claude-code/context-windows.ts';

it('leaves 13,000 tokens below Copilot’s limit, by the names of Claude Code’s settings', () => {
  expect(contextWindows({ 'claude-haiku-4.5': 136_000, 'gpt-5.4': 272_000, 'claude-opus-4.8': 936_000 })).toEqual({
    'claude-haiku-4-5': 156_000,
    'gpt-5.4': 292_000,
    'claude-opus-4-8': 956_000,
  });
});

it('has none for a limit that is not known or below what Claude Code takes, nor for a model of two sizes', () => {
  const limits = { a: null, b: 64_000, 'claude-opus-4.6': 168_000, 'claude-opus-4.6-1m': 936_000 };
  expect(contextWindows(limits)).toEqual({});
});
