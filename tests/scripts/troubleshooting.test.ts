import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { script } from './script.ts';

interface Entry {
  heading: string;
  code: string | null;
  status: string | null;
  remedies: string[];
}
const { merged } = await script<{
  merged: (
    page: string,
    sections: { title: string; id: string | null; entries: Entry[] }[],
  ) => { text: string; missing: string };
}>('../docs/message-pages');

interface Message {
  texts: string[];
  remedies: string[];
  code: string | null;
  status: string | null;
}
const { clientMessagesIn, errorClasses, messagesIn, sharedTexts } = await script<{
  clientMessagesIn: (source: ts.SourceFile, shared: unknown) => Message[];
  errorClasses: (sources: ts.SourceFile[]) => unknown;
  messagesIn: (root: ts.Node, known: { shared: unknown; classes: unknown }) => Message[];
  sharedTexts: (sources: ts.SourceFile[]) => unknown;
}>('../docs/source-messages');

const entry = (heading: string, more: Partial<Entry> = {}): Entry => ({
  heading,
  code: null,
  status: null,
  remedies: [],
  ...more,
});

describe('a page of messages', () => {
  const page = '# Title\n\n## Part\n\nWhat it is.\n\n### It broke.\n\nCode `a`\n\nOurs.\n\n### It fell.\n';

  it('stays as it is where nothing changed', () => {
    const sections = [{ title: 'Part', id: null, entries: [entry('It broke.', { code: 'a' }), entry('It fell.')] }];
    expect(merged(page, sections)).toEqual({ text: page, missing: '' });
  });

  it('keeps what was written by hand below other words, and says which heading is missing', () => {
    const sections = [{ title: 'Part', id: null, entries: [entry('It is broken.', { code: 'a' }), entry('It fell.')] }];
    const { text, missing } = merged(page, sections);
    expect(text).toContain('### It is broken.\n\nCode `a`\n\nOurs.\n\n### It fell.');
    expect(missing).toBe(': “It is broken.”');
  });

  it('wants words for a check without messages', () => {
    const { missing } = merged(page, [{ title: 'New', id: 'machine.new', entries: [] }]);
    expect(missing).toBe(': “New (nothing is said of it)”');
  });
});

describe('messages in the sources', () => {
  const source = (text: string) => ts.createSourceFile('app/x.ts', text, ts.ScriptTarget.Latest, true);
  const found = (text: string) => {
    const file = source(text);
    return messagesIn(file, { shared: sharedTexts([file]), classes: errorClasses([file]) });
  };

  it('are those of findings, problems and errors, each with its next step', () => {
    expect(
      found(`
        class OwnError extends Error { constructor(code: string, message: string, remedy: string) { super(message); } }
        const next = 'Try it again.';
        const why = (port: number) => failed(\`Port \${port} is in use.\`, next);
        throw new OwnError('gone', off ? 'The folder is gone.' : 'The file is gone.', 'Look for it.');
        const problem = { code: 'slow', text: 'It took too long.', remedy: next };`),
    ).toMatchObject([
      { texts: ['Port … is in use.'], remedies: ['Try it again.'] },
      { texts: ['The folder is gone.', 'The file is gone.'], remedies: ['Look for it.'], code: 'gone' },
      { texts: ['It took too long.'], remedies: ['Try it again.'], code: 'slow' },
    ]);
  });

  it('take no constant for what a function is given under its name', () => {
    const file = `const where = 'here'; const f = (where: string) => failed(\`Nothing is in \${where}.\`, 'x');`;
    expect(found(file)).toMatchObject([{ texts: ['Nothing is in ….'] }]);
  });

  it('are for clients where they begin with our name, with the status beside them', () => {
    const file = source(
      "refuse(413, 'type', 'code', 'Jumpseat: the body is too large.'); log('Something else is here.');",
    );
    expect(clientMessagesIn(file, sharedTexts([file]))).toMatchObject([
      { texts: ['Jumpseat: the body is too large.'], status: '413' },
    ]);
  });
});
