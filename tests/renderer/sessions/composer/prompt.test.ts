import { describe, expect, it } from 'vitest';
import { isLongText } from '../../../../renderer/sessions/composer/attach.ts';
import { type Draft, emptyDraft, putBack, readDraft } from '../../../../renderer/sessions/composer/draft.ts';
import {
  findPaths,
  mentionsIn,
  pathsOf,
  readPath,
  typedCommand,
  typedMention,
  withMention,
} from '../../../../renderer/sessions/composer/mentions.ts';
import {
  draftOf,
  isLeftOut,
  promptLine,
  promptOf,
  withWords,
} from '../../../../renderer/sessions/composer/prompt-blocks.ts';
import { isOutside, shortFolder, within } from '../../../../renderer/sessions/paths.ts';

const cwd = '/home/ada/parcel-api';
const everything = () => true;
const nothing = () => false;

describe('files that a message names', () => {
  it('are read with their lines, and without the end of a sentence', () => {
    const text = 'See @src/a.ts:12-88, @src/b.ts:7 and (mail ada@example.com) @"my notes.md".';
    expect(mentionsIn(text).map(({ path, lines, start, end }) => [path, lines, text.slice(start, end)])).toEqual([
      ['src/a.ts', { from: 12, to: 88 }, '@src/a.ts:12-88'],
      ['src/b.ts', { from: 7, to: 7 }, '@src/b.ts:7'],
      ['my notes.md', null, '@"my notes.md"'],
    ]);
    expect(readPath('a.ts:9-3')).toEqual({ path: 'a.ts', lines: { from: 3, to: 9 } });
  });

  it('are typed where the caret stands, and nowhere within a word', () => {
    expect(typedMention('Look at @src/de', 15)).toEqual({ start: 8, query: 'src/de' });
    expect(typedMention('@', 1)).toEqual({ start: 0, query: '' });
    expect(typedMention('ada@example', 11)).toBeNull();
    expect(typedMention('@src/deliver.ts', 4)).toBeNull();
    expect(typedMention('@src done', 9)).toBeNull();
  });

  it('stand in place of what was typed; a folder stays open for its files', () => {
    expect(withMention('See @de please', { start: 4, query: 'de' }, 'src/deliver.ts')).toEqual({
      text: 'See @src/deliver.ts please',
      caret: 20,
    });
    expect(withMention('@sr', { start: 0, query: 'sr' }, 'src/')).toEqual({ text: '@src/', caret: 5 });
    expect(withMention('@my', { start: 0, query: 'my' }, 'my notes.md').text).toBe('@"my notes.md" ');
  });

  it('are found by parts of their path, with the lines that were typed', () => {
    const paths = pathsOf(['README.md', 'src/deliver.ts', 'src/pages/event.tsx', 'tests/deliver.test.ts']);
    expect(paths.slice(0, 3)).toEqual(['src/', 'src/pages/', 'tests/']);
    expect(findPaths(paths, '')).toEqual(['src/', 'tests/', 'README.md']);
    expect(findPaths(paths, 'src/')).toEqual(['src/pages/', 'src/deliver.ts']);
    expect(findPaths(paths, 'evtsx')).toEqual(['src/pages/event.tsx']);
    expect(findPaths(paths, 'pages/event.tsx:12-88')).toEqual(['src/pages/event.tsx:12-88']);
    expect(findPaths(paths, 'deliver')[0]).toBe('src/deliver.ts');
    expect(findPaths(paths, 'no such thing')).toEqual([]);
  });

  it('20,000 of them are searched within a key press', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => `packages/part-${index % 97}/src/module-${index}.ts`);
    const paths = pathsOf(many);
    findPaths(paths, 'warm');
    const began = performance.now();
    expect(findPaths(paths, 'module-19999')[0]).toBe('packages/part-17/src/module-19999.ts');
    expect(performance.now() - began).toBeLessThan(500);
  });
});

it('commands are typed at the beginning alone, and a path is none', () => {
  expect(typedCommand('/co', 3)).toEqual({ start: 0, query: 'co' });
  expect(typedCommand('/usr/bin', 8)).toBeNull();
  expect(typedCommand('say /co', 7)).toBeNull();
  expect(typedCommand('/co later', 9)).toBeNull();
});

describe('a prompt', () => {
  const draft: Draft = {
    ...emptyDraft,
    text: ' Compare @src/a.ts:12-88 with @old. ',
    attachments: [
      { kind: 'image', id: '1', name: 'page.png', mimeType: 'image/png', data: 'aGk=' },
      { kind: 'text', id: '2', name: null, text: 'one\ntwo' },
      { kind: 'text', id: '3', name: 'the log.txt', text: 'three' },
      { kind: 'path', id: '4', path: '/etc/100% sure.conf', lines: null },
      { kind: 'path', id: '5', path: 'docs/', lines: null },
    ],
  };

  it('is words, links to the files they name, and what is attached', () => {
    expect(promptOf(draft, cwd, (path) => path === 'src/a.ts')).toEqual([
      { type: 'text', text: 'Compare @src/a.ts:12-88 with @old.' },
      { type: 'resource_link', uri: 'file:///home/ada/parcel-api/src/a.ts#L12-88', name: 'src/a.ts:12-88' },
      { type: 'image', mimeType: 'image/png', data: 'aGk=', _meta: { jumpseat: { name: 'page.png' } } },
      { type: 'resource', resource: { uri: 'pasted:2', mimeType: 'text/plain', text: 'one\ntwo' } },
      { type: 'resource', resource: { uri: 'pasted:the%20log.txt', mimeType: 'text/plain', text: 'three' } },
      { type: 'resource_link', uri: 'file:///etc/100%25%20sure.conf', name: '/etc/100% sure.conf' },
      { type: 'resource_link', uri: 'file:///home/ada/parcel-api/docs/', name: 'docs/' },
    ]);
  });

  it('is a draft again, as it was written', () => {
    const back = draftOf(
      promptOf(draft, cwd, (path) => path === 'src/a.ts'),
      cwd,
      () => '',
    );
    expect(back.text).toBe(draft.text.trim());
    expect(back.attachments.map((one) => ({ ...one, id: '' }))).toEqual(
      draft.attachments.map((one) => ({ ...one, id: '' })),
    );
  });

  it('names a file once, and one of Windows with its drive', () => {
    const twice = { text: '@a.ts and @a.ts', attachments: [] };
    expect(promptOf(twice, cwd, everything)).toHaveLength(2);
    const path = { text: '', attachments: [{ kind: 'path', id: '', path: 'src\\a b.ts', lines: null }] } as const;
    expect(promptOf(path, 'C:\\code', nothing)).toEqual([
      { type: 'resource_link', uri: 'file:///C:/code/src/a%20b.ts', name: 'src\\a b.ts' },
    ]);
    expect(draftOf(promptOf(path, 'C:\\code', nothing), 'C:\\code', () => '').attachments).toEqual([
      { kind: 'path', id: '', path: 'src/a b.ts', lines: null },
    ]);
  });

  it('with other words keeps what is attached, and no link that only the old words made', () => {
    const image = { type: 'image', data: '', mimeType: 'image/png', _meta: { jumpseat: { name: 'a', leftOut: 3 } } };
    const link = (name: string) => ({ type: 'resource_link', uri: `file:///x/${name}`, name });
    const prompt = [{ type: 'text', text: 'See @a.ts and @b.ts' }, link('a.ts'), link('b.ts'), image, link('c.ts')];
    expect(withWords(prompt, 'See @b.ts alone')).toEqual([
      { type: 'text', text: 'See @b.ts alone' },
      ...[link('b.ts'), image, link('c.ts')],
    ]);
    expect(prompt.map(isLeftOut)).toEqual([false, false, false, true, false]);
  });

  it('is one line above the field', () => {
    expect(promptLine([{ type: 'text', text: 'Also log\n  every attempt.' }])).toBe('Also log every attempt.');
    expect(promptLine([{ type: 'image', data: '', mimeType: 'image/png' }])).toBe('1 attachment');
  });
});

describe('a draft', () => {
  it('is read as it was kept, without what can’t be read', () => {
    const kept = { text: 'Hi', attachments: [{ kind: 'path', id: 'a', path: 'x', lines: { from: 1, to: 2 } }, 7] };
    expect(readDraft(JSON.parse(JSON.stringify({ ...kept, choices: { model: 'opus', mode: 3 } })))).toEqual({
      text: 'Hi',
      attachments: [{ kind: 'path', id: 'a', path: 'x', lines: { from: 1, to: 2 } }],
      choices: { model: 'opus' },
      messageId: null,
    });
    for (const broken of [null, 'text', [], 7]) expect(readDraft(broken)).toEqual(emptyDraft);
  });

  it('that could not be sent comes back before what was written meanwhile, and with its id where nothing was', () => {
    const sent: Draft = { ...emptyDraft, text: 'First', messageId: 'one' };
    expect(putBack(sent, emptyDraft)).toEqual(sent);
    const back = putBack(sent, { ...emptyDraft, text: 'Second', choices: { model: 'opus' }, messageId: 'two' });
    expect(back).toEqual({ text: 'First\n\nSecond', attachments: [], choices: { model: 'opus' }, messageId: null });
  });
});

it('pasted text of more than 60 lines is attached', () => {
  expect(isLongText('line\n'.repeat(60))).toBe(false);
  expect(isLongText('line\n'.repeat(61))).toBe(true);
});

it('paths are shown from the session’s folder on, and known to lie outside of it', () => {
  expect(within(cwd, `${cwd}/src/a.ts`)).toBe('src/a.ts');
  expect(within(cwd, `${cwd}-old/a.ts`)).toBe(`${cwd}-old/a.ts`);
  expect(isOutside(`${cwd}-old/a.ts`, [cwd])).toBe(true);
  expect(isOutside('/data/a.ts', [cwd, '/data'])).toBe(false);
  expect(isOutside('src/a.ts', [cwd])).toBe(false);
  expect(shortFolder('/home/ada/code/x')).toBe('~/code/x');
  expect(shortFolder('/homes/ada')).toBe('/homes/ada');
});
