import { describe, expect, it } from 'vitest';
import { askedFor, asksOf, asksWords } from '../../../app/words/session-questions.ts';
import { sessionTitle } from '../../../app/words/sessions.ts';
import { cutAt, oneLine, shortened, withoutHidden, withoutSpeaker } from '../../../app/words/text.ts';

describe('shortened', () => {
  it.each([
    ['as it is', 'abc', 3, 'abc'],
    ['one too many', 'abcd', 3, 'ab…'],
    ['no blank before the ellipsis', 'a bcd', 3, 'a…'],
    ['never half a character', 'a😀bcd', 3, 'a…'],
    ['a whole one', 'a😀bcd', 4, 'a😀…'],
  ])('%s', (_what, text, most, kept) => {
    expect(shortened(text, most)).toBe(kept);
  });
});

it('a text is cut before a pair that would be parted, and nowhere else before its place', () => {
  expect([0, 1, 2, 3, 4, 9].map((place) => cutAt('a😀😀', place))).toEqual([0, 1, 1, 3, 3, 9]);
});

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
  expect(asksOf(askedFor(tool(`mcp__${hostile}__x`)), null)).toBe('asks to use agnp.exe ]52;c;x b');
  expect(asksOf(askedFor(tool(hostile)), null)).toBe('asks to use agnp.exe ]52;c;x b');
  const properties = { one: { title: hostile } };
  const form = { kind: 'form' as const, child: null, request: { requestedSchema: { properties } } };
  expect(asksWords([form])).toBe('Asks: agnp.exe ]52;c;x b');
});

it('leaves out who speaks at the beginning of a sentence, and nothing else', () => {
  expect(withoutSpeaker('Jumpseat: too many requests. Wait.')).toBe('too many requests. Wait.');
  expect(withoutSpeaker('Copilot said: Jumpseat: no.')).toBe('Copilot said: Jumpseat: no.');
});
