import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ToolNames } from '../../../../app/formats/translation/tool-names.ts';

it('leaves names that fit', () => {
  const names = new ToolNames(['Bash', 'mcp__github__list-issues']);
  expect(['Bash', 'mcp__github__list-issues'].map((name) => names.shorten(name))).toEqual([
    'Bash',
    'mcp__github__list-issues',
  ]);
  expect(names.shortened).toBe(0);
  expect(names.original('Bash')).toBe('Bash');
  expect(names.original('unheard')).toBe('unheard');
});

it('gives one short name per name, the same in every request', () => {
  const long = `mcp__server__${'x'.repeat(80)}`;
  const short = new ToolNames([long]).shorten(long);
  expect(short).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  const again = new ToolNames(['Bash', long]);
  expect(again.shorten(long)).toBe(short);
  expect(again.shorten(long)).toBe(short);
  expect(again.shortened).toBe(1);
  expect(again.original(short)).toBe(long);
});

it('never takes a name that another tool has', () => {
  const taken = new ToolNames([]).shorten('a.b');
  const names = new ToolNames([taken, 'a.b']);
  expect(names.shorten('a.b')).not.toBe(taken);
  expect(names.original(names.shorten('a.b'))).toBe('a.b');
  expect(names.original(taken)).toBe(taken);
});

it('leads back from any names', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 100 })), (all) => {
      const names = new ToolNames(all);
      const sent = all.map((name) => names.shorten(name));
      expect(new Set(sent).size).toBe(all.length);
      for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(sent.map((name) => names.original(name))).toEqual(all);
    }),
  );
});
