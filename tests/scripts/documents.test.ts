import { describe, expect, it } from 'vitest';
import { script } from './script.ts';

const { missingIn, notInIndex, notInStep, withoutReason } = await script<{
  missingIn: (file: string, text: string, project: { files: string[]; read: (path: string) => string }) => string[];
  notInIndex: (index: string, text: string, files: string[]) => string[];
  notInStep: (english: string, translated: Record<string, string>) => string[];
  withoutReason: (text: string, used: string[]) => string[];
}>('documents');

const texts: Record<string, string> = {
  'README.md': '# Product\n\n## Who started it\n',
  'docs/clients.md': '# Clients\n\n## `--json`, and more\n\n## Twice\n\n## Twice\n\n```\n## not a heading\n```\n',
  'app/api/calls.ts': '',
  'app/history/history-answers.ts': '',
};
const read = (path: string) => texts[path] ?? '';
const missing = (text: string, file = 'docs/page.md') =>
  missingIn(file, text, { files: [...Object.keys(texts), file], read });

describe('what a document links to and names', () => {
  it('is there: files, folders, headings of this page and of others, addresses', () => {
    const text = `# Page
[a](clients.md) [b](../README.md#who-started-it) [c](#page) [d](clients.md#--json-and-more) [e](clients.md#twice-1)
[f](https://example.com/gone.md) ![g](../app/api/calls.ts) [h]
[h]: ../app/
\`app/api/calls.ts\`, \`app/history/\`, \`app/*/*-answers.ts\`, \`app/api/SUBJECT.ts\`, \`other/thing.ts\`
\`\`\`
[in a block](gone.md) \`app/gone.ts\`
\`\`\`
`;
    expect(missing(text)).toEqual([]);
  });

  it.each([
    ['[a](gone.md)', 'docs/page.md links to gone.md, which is not there.'],
    ['[a](README.md)', 'docs/page.md links to README.md, which is not there.'],
    ['[a](../../outside.md)', 'docs/page.md links to ../../outside.md, which is not there.'],
    ['[a](#gone)', 'docs/page.md links to #gone, and docs/page.md has no such heading.'],
    ['[a](clients.md#gone)', 'docs/page.md links to clients.md#gone, and docs/clients.md has no such heading.'],
    [
      '[a](clients.md#not-a-heading)',
      'docs/page.md links to clients.md#not-a-heading, and docs/clients.md has no such heading.',
    ],
    ['[a]: gone.md', 'docs/page.md links to gone.md, which is not there.'],
    ['`app/api/gone.ts`', 'docs/page.md names app/api/gone.ts, which is not there.'],
    ['`app/gone/*.ts`', 'docs/page.md names app/gone/*.ts, which is not there.'],
  ])('is missed: %s', (text, sentence) => {
    expect(missing(text)).toEqual([sentence]);
  });

  it('may be a path from the folder of the document', () => {
    expect(missing('`api/calls.ts`', 'app/LIST.md')).toEqual([]);
    expect(missing('`app/gone.ts`', 'app/LIST.md')).toEqual(['app/LIST.md names app/gone.ts, which is not there.']);
  });
});

it('an index links to every page below it', () => {
  const files = ['README.md', 'docs/README.md', 'docs/a.md', 'docs/more/b.md', 'docs/more/c.md', 'docs/picture.png'];
  expect(notInIndex('docs/README.md', '[a](a.md#part) [b](more/b.md) [up](../README.md)', files)).toEqual([
    'docs/README.md doesn’t link to docs/more/c.md.',
  ]);
});

it('a translated README stands for the beginning, the steps and the risk of the English one', () => {
  const english = (risk: string, more = ''): string =>
    `# A\n\nWhat.\n\n## What it does\n\nMore.\n\n## Three steps\n\nRun.\n\n## The risk\n\n${risk}\n\n## Next\n${more}`;
  const [said = ''] = notInStep(english('Some.'), { 'README.de.md': '# A\n' });
  const hash = / put ([\da-f]{16}) in its first line\.$/.exec(said)?.[1];
  const german = { 'README.de.md': `<!-- translates README.md ${hash} -->\n# A\n` };
  expect(notInStep(english('Some.'), german)).toEqual([]);
  expect(notInStep(english('Some.', 'Another.'), german)).toEqual([]);
  expect(notInStep(english('More.'), german)).toHaveLength(1);
  expect(notInStep(english('Some.').replace('Run', 'Go'), german)).toHaveLength(1);
  expect(notInStep(english('Some.').replace('What.', 'That.'), german)).toHaveLength(1);
});

describe('the table of libraries', () => {
  const text =
    '# A\n\n## Libraries\n\n| library | why |\n|---|---|\n| `a`, `@b/c` | `x` is ours |\n| `gone` | no more |\n\n## Next\n\n| `d` | |\n';

  it('has each one that is used, and no other', () => {
    expect(withoutReason(text, ['a', '@b/c', 'gone'])).toEqual([]);
    expect(withoutReason(text, ['a', '@b/c', 'd'])).toEqual([
      'docs/architecture.md gives no reason for d.',
      "docs/architecture.md names gone, which isn't used.",
    ]);
  });
});
