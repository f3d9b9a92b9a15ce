import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentError, type Format, parseDocumentText, valueAt, withEdit } from '../../../app/clients/document.ts';

const own: Readonly<Record<Format, string>> = {
  json: '\uFEFF{\r\n\t// mine\r\n\t"a": 1, /* end */\r\n\t"list": [{ "name": "x" },],\r\n}\r\n',
  toml: '# mine\na = 1   # end\n\n[outer.inner]\nb = "x"\n\n# last\n',
  yaml: '# mine\na: 1 # end\nlist:\n- name: x # one\n\n# last\n',
};
const formats = Object.keys(own) as Format[];
const comments = {
  json: ['// mine', '/* end */'],
  toml: ['# mine', '# end', '# last'],
  yaml: ['# mine', '# end', '# last'],
};

describe.each(formats)('a settings file in %s', (format) => {
  it('takes a value at any depth, keeps its comments, and gives it back', () => {
    const name = fc.stringMatching(/^[a-z][a-z-]{0,8}$/);
    const value = fc.oneof(
      ...[fc.string(), fc.integer({ min: -1e9, max: 1e9 }), fc.boolean()],
      fc.dictionary(
        name,
        fc.oneof(fc.string({ minLength: 1 }), fc.array(fc.string(), { minLength: 1, maxLength: 3 })),
        {
          minKeys: 1,
          maxKeys: 4,
        },
      ),
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), value, (path, given) => {
        // What is there already is another test's.
        fc.pre(path[0] !== 'a' && path[0] !== 'list' && path[0] !== 'outer');
        const edited = withEdit(format, own[format], path, given);
        expect(valueAt(parseDocumentText(format, edited), path)).toEqual(given);
        for (const comment of comments[format]) expect(edited).toContain(comment);
        const back = withEdit(format, edited, path, undefined);
        expect(valueAt(parseDocumentText(format, back), path)).toBeUndefined();
        expect(valueAt(parseDocumentText(format, back), ['a'])).toBe(1);
      }),
      { numRuns: 60 },
    );
  });

  it('is created where there was none', () => {
    const edited = withEdit(format, '', ['outer', 'name'], { key: 'x' });
    expect(parseDocumentText(format, edited)).toEqual({ outer: { name: { key: 'x' } } });
    expect(edited.endsWith('\n')).toBe(true);
  });

  it('is refused where it can’t be read', () => {
    expect(() => withEdit(format, '{"a": [', ['b'], 1)).toThrow(DocumentError);
  });
});

describe.each(['json', 'yaml'] as const)('a list in %s', (format) => {
  it('has one more element, found by what it holds, replaced in place and taken out', () => {
    const at = ['list', { name: 'ours' }];
    const one = withEdit(format, own[format], at, { name: 'ours', v: 1 });
    const two = withEdit(format, one, at, { name: 'ours', v: 2 });
    expect(valueAt(parseDocumentText(format, two), ['list'])).toEqual([{ name: 'x' }, { name: 'ours', v: 2 }]);
    const back = withEdit(format, two, at, undefined);
    expect(valueAt(parseDocumentText(format, back), ['list'])).toEqual([{ name: 'x' }]);
  });
});

it('keeps lines as they are where nothing of ours stands', () => {
  const edited = withEdit('json', own.json, ['b'], 2);
  expect(edited.startsWith('\uFEFF{\r\n\t// mine\r\n\t"a": 1, /* end */\r\n')).toBe(true);
  expect(edited).toContain('\r\n\t"b": 2');
});
