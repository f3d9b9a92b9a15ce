import { expect, it } from 'vitest';
import { oneLine, withoutHidden } from '../../../app/words/one-line.ts';
import { asks, asksWords } from '../../../app/words/session-asks.ts';
import { sessionTitle } from '../../../app/words/session-title.ts';

const hostile = ' a\u202egnp.exe\u2066\u200b\u2028\u0007\u001b]52;c;x\u0007\n\tb\u3164 ';

it('names in one line what another wrote over many, with nothing hidden or turned around', () => {
  expect(oneLine(hostile)).toBe('agnp.exe ]52;c;x b');
  expect(oneLine('\u3164\u200b\n')).toBe('');
});

it('leaves words of every script and emoji as they are', () => {
  for (const words of ['שלום עולם', 'می‌خواهم', '👩‍👩‍👧 ❤️', 'Ünïcode']) expect(oneLine(words)).toBe(words);
});

it('cuts what is too long, and never within a pair', () => {
  expect(oneLine('x'.repeat(5_000_000), 10)).toBe(`${'x'.repeat(9)}…`);
  expect(oneLine(`${'x'.repeat(8)}😀😀`, 10)).toBe(`${'x'.repeat(8)}…`);
});

it('keeps the space between two pieces', () => {
  expect(`${withoutHidden('a\u202e \n')}${withoutHidden('b')}`).toBe('a b');
});

it('names a session with its whole title, and with the beginning of a prompt', () => {
  const long = `${'Move all dates to UTC '.repeat(5)}, fork`;
  const session = { id: '7f3a91c2-0000', title: null, agentTitle: null, firstPrompt: null };
  expect(sessionTitle({ ...session, title: long })).toBe(long);
  expect(sessionTitle({ ...session, agentTitle: long, firstPrompt: 'x' })).toBe(long);
  expect(sessionTitle({ ...session, firstPrompt: 'x'.repeat(61) })).toBe(`${'x'.repeat(59)}…`);
  expect(sessionTitle({ ...session, firstPrompt: '😀'.repeat(60) })).toBe('😀'.repeat(60));
});

it('is how a session is called, and what it asks', () => {
  const session = { id: '7f3a91c2-0000', title: null, agentTitle: hostile, firstPrompt: null };
  expect(sessionTitle(session)).toBe('agnp.exe ]52;c;x b');
  expect(sessionTitle({ ...session, agentTitle: '\u202e' })).toBe('Session 7f3a91c2');
  const tool = (name: string) => ({ kind: 'permission' as const, child: null, request: { toolCall: { name } } });
  expect(asks(tool(`mcp__${hostile}__x`))).toBe('asks to use agnp.exe ]52;c;x b');
  expect(asks(tool(hostile))).toBe('asks to use agnp.exe ]52;c;x b');
  const properties = { one: { title: hostile } };
  const form = { kind: 'form' as const, child: null, request: { requestedSchema: { properties } } };
  expect(asksWords([form])).toBe('Asks: agnp.exe ]52;c;x b');
});
