import { expect, it } from 'vitest';
import { encryptedRedacted, encryptedThinking, thinkingOf } from '../../../../app/formats/translation/reasoning.ts';

const summary = (...texts: string[]) => texts.map((text) => ({ type: 'summary_text', text }));

it.each([
  ['shown', encryptedThinking('why “so”', 'sig:1', true), summary('why “so”')],
  ['hidden', encryptedThinking('why “so”', 'sig:1', false), []],
  [
    'hidden, and a client that adds a summary of its own',
    encryptedThinking('why “so”', 'sig:1', false),
    summary('other'),
  ],
])('thinking that was %s goes back word for word', (_name, encrypted_content, given) => {
  expect(thinkingOf({ encrypted_content, summary: given })).toEqual({
    type: 'thinking',
    thinking: 'why “so”',
    signature: 'sig:1',
  });
});

it('thinking without words keeps its signature; redacted thinking its data', () => {
  expect(thinkingOf({ encrypted_content: encryptedThinking('', 'sig', false), summary: [] })).toEqual({
    type: 'thinking',
    thinking: '',
    signature: 'sig',
  });
  expect(thinkingOf({ encrypted_content: encryptedRedacted('dark') })).toEqual({
    type: 'redacted_thinking',
    data: 'dark',
  });
});

it('what carries nothing on is nothing: no signature, another API’s, none at all', () => {
  expect(encryptedThinking('words', '', true)).toBeNull();
  expect(thinkingOf({ encrypted_content: 'gAAAAABo' })).toBeNull();
  expect(thinkingOf({ encrypted_content: 'jumpseat-thought:half' })).toBeNull();
  expect(thinkingOf({ summary: summary('words') })).toBeNull();
});
