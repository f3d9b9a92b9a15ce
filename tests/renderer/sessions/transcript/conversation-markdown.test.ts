import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { english, showLanguage } from '../../../../app/language/language.ts';
import { pseudo } from '../../../../app/language/pseudo.ts';
import { agentWords } from '../../../../app/words/agents.ts';
import { showTimesIn } from '../../../../app/words/times.ts';
import { conversationMarkdown } from '../../../../renderer/sessions/transcript/conversation-markdown.ts';
import { began, conversation, said, shell, step, text, turn } from '../transcript-page/example.ts';

beforeAll(() => showTimesIn('utc'));
afterAll(() => showTimesIn('local'));
afterEach(() => showLanguage(english));

const about = { title: 'Retry\nwebhooks', folder: '/code/api', agent: agentWords('claude') };
const of = (...turns: Parameters<typeof conversation>[0]) => conversationMarkdown(about, conversation(turns));

it('has what was said as it was written, and a line for each step', () => {
  const answered = { by: 'person' as const, rule: null, answer: { answer: 'deny', words: 'use\nDisplays' } };
  const written = of(
    turn('t1', [
      { kind: 'thinking', id: 'th', message: null, text: 'secret', isOpen: false, startedAt: began, endedAt: began },
      text('a', 'I look.\n\n```sh\nls\n```\n'),
      shell('s1', 'npm test', 'all of its output', { exitCode: 1, state: 'failed' }),
      step('s2', { stepKind: 'read', tool: 'Read', input: { file_path: '/code/api/a.ts' }, content: said('a\nb') }),
      text('b', ' '),
      step('s3', { stepKind: 'edit', tool: 'Edit', state: 'denied', input: { file_path: '/code/api/b.ts' }, answered }),
      text('c', '# Done'),
    ]),
  );
  expect(written).toBe(`# Retry webhooks

\`/code/api\`

## You, 20 Nov 2026, 10:39 UTC

Prompt of t1

## Claude

I look.

\`\`\`sh
ls
\`\`\`

- Run \`npm test\` (exit 1)
- Read \`a.ts\` (2 lines)
- Edit \`b.ts\` (Denied by you)
  - You: use Displays

# Done
`);
});

it('says what was attached, who began a turn, and how it ended', () => {
  const prompt = [
    { type: 'text', text: 'Look:' },
    { type: 'resource_link', name: 'src/a.ts:1-3', uri: 'file:///code/api/src/a.ts' },
    { type: 'resource', resource: { uri: 'pasted:1', text: 'with ``` in it\n' } },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
  ];
  const problem = { code: 'refused', text: 'Copilot refused.\nWhy.', remedy: '', requestId: null, stderr: null };
  const written = of(
    turn('t1', [], { prompt, state: 'cancelled', startedAt: null }),
    turn('t2', [text('a', 'It ended.')], { prompt: null, begunBy: 'notification', startedAt: null }),
    turn('t3', [{ kind: 'steered', id: 's', prompt: [{ type: 'text', text: 'two\nlines' }], at: null }], {
      ...{ state: 'failed', problem, startedAt: null },
    }),
  );
  expect(written.split('\n\n').slice(2)).toEqual([
    '## You',
    'Look:',
    '@src/a.ts:1-3',
    '````\nwith ``` in it\n````',
    '(an image)',
    '*Stopped by you.*',
    '## A background task ended',
    'It ended.',
    '## You',
    'Prompt of t3',
    '## Claude',
    '> Steered: two\n> lines',
    '*Copilot refused. Why.*\n',
  ]);
});

it('keeps backticks in what is code', () => {
  const written = of(turn('t1', [shell('s', 'echo `date`', '')], { prompt: null, startedAt: null }));
  expect(written).toContain('- Run `` echo `date` ``');
});

it('is English in every language, the lines of its steps, too', () => {
  const turns = [turn('t1', [text('a', 'I look.'), shell('s1', 'true', '')], { state: 'cancelled' })];
  const written = of(...turns);
  showLanguage(pseudo);
  expect(of(...turns)).toBe(written);
});
