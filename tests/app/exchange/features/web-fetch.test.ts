import { expect, it } from 'vitest';
import { webFetchNote } from '../../../../app/exchange/features/web-fetch.ts';
import { readPrompt } from '../../../../app/exchange/initiator/reading.ts';

const unverified =
  'Unable to verify if domain docs.example is safe to fetch. This may be due to network restrictions or enterprise ' +
  'security policies blocking claude.ai.';
const limited = 'The safety check for domain docs.example is rate-limited (too many domain checks from this network).';

const asked = (content: unknown, more: Record<string, unknown> = {}, name = 'WebFetch') => ({
  model: 'claude-sonnet-4.6',
  messages: [
    { role: 'user', content: 'read it' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name, input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content, ...more }] },
  ],
});
const noteOf = (body: object, agent = 'claude-cli/2.1.328 (external, cli)') => {
  const headers = { 'user-agent': agent, 'x-claude-code-session-id': '7f3a91c2' };
  return webFetchNote(body, readPrompt({ api: 'messages', headers, body, salt: Buffer.alloc(16) }));
};
const note = (...given: Parameters<typeof noteOf>) => noteOf(...given)?.code ?? null;

it.each<[string, object, string | null]>([
  ['blocked', asked(unverified), 'webfetch-unverified'],
  ['in parts', asked([{ type: 'text', text: unverified }]), 'webfetch-unverified'],
  ['rate-limited', asked(limited), 'webfetch-rate-limited'],
  ['another error', asked('connect ECONNREFUSED'), null],
  ['a page that says so', asked(unverified, { is_error: false }), null],
  ['another tool that says so', asked(unverified, {}, 'Bash'), null],
  ['quoted somewhere else', asked(`Error: ${unverified}`), null],
])('%s', (_what, body, code) => {
  expect(note(body)).toBe(code);
});

it('an earlier result is not told again, and of other clients nothing is known', () => {
  const { messages } = asked(unverified);
  const later = [...messages, { role: 'assistant', content: 'It failed.' }, { role: 'user', content: 'go on' }];
  expect(note({ messages: later })).toBeNull();
  expect(note(asked(unverified), 'other/1')).toBeNull();
});

it('the note holds no name of a domain', () => {
  expect(JSON.stringify(noteOf(asked(unverified)))).toMatch(/^(?!.*docs\.example).*webfetch/);
});
