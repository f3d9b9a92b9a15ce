import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentError, type Format, parseDocumentText, valueAt, withEdit } from '../../../app/clients/document.ts';

const own: Readonly<Record<Format, string>> = {
  json: '\uFEFF{\r\n\t// mine\r\n\t"a": 1, /* end */\r\n\t"list": [{ "name": "x" },],\r\n}\r\n',
  toml: '# mine\na = 1   # end\n\n[outer.inner]\nb = "x"\n\n# last\n',
  yaml: '# mine\na: 1 # end\nlist:\n- name: x # one\n\n# last\nouter:\n    # of inner\n    inner:\n        b: x # deep\n',
};
const formats = Object.keys(own) as Format[];

describe.each(formats)('a settings file in %s', (format) => {
  it('takes an entry, keeps all other text, and gives it back', () => {
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
      fc.property(fc.tuple(name, name), fc.boolean(), value, (names, isDeep, given) => {
        // What is there already is another test's. Our entries are keys at the top, and tables below one.
        fc.pre(!['a', 'list', 'outer'].includes(names[0]));
        fc.pre(format !== 'toml' || isDeep === (typeof given === 'object'));
        const path = isDeep ? names : names.slice(0, 1);
        const edited = withEdit(format, own[format], path, given);
        expect(valueAt(parseDocumentText(format, edited), path)).toEqual(given);
        for (const line of own[format].split(/\r?\n/)) expect(edited).toContain(line.replace(/\}$/, ''));
        const back = withEdit(format, edited, path, undefined);
        expect(valueAt(parseDocumentText(format, back), path)).toBeUndefined();
        for (const line of own[format].split(/\r?\n/)) expect(back).toContain(line);
      }),
      { numRuns: 80 },
    );
  });

  it('is created where there was none', () => {
    const path = ['outer', 'name'];
    const edited = withEdit(format, '', path, { key: 'x' });
    expect(valueAt(parseDocumentText(format, edited), path)).toEqual({ key: 'x' });
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

it.each(formats)('a table in %s has one more entry beside a person’s, replaced in place and taken out', (format) => {
  const at = ['outer', 'ours'];
  const one = withEdit(format, own[format], at, { v: '1' });
  const two = withEdit(format, one, at, { v: '2', list: ['x'] });
  expect(valueAt(parseDocumentText(format, two), at)).toEqual({ v: '2', list: ['x'] });
  if (format !== 'json') expect(withEdit(format, one, at, undefined)).toBe(own[format]);
  expect(withEdit(format, two, at, undefined)).toBe(withEdit(format, one, at, undefined));
});

it.each([
  ['{"list":[{"name":"x"}, {"name":"ours"}],"b":1}', '{"list":[{"name":"x"}],"b":1}'],
  ['{"list":[{"name":"ours"},{"name":"x"}],"b":1}', '{"list":[{"name":"x"}],"b":1}'],
  ['{"list":[\n  {"name":"x"}, // one\n  {"name":"ours"}\n],"b":1}', '{"list":[\n  {"name":"x"} // one\n],"b":1}'],
  ['{"list":[{"name":"ours"}],"b":1}', '{"list":[],"b":1}'],
])('takes an element out of a list in JSON wherever it stands: %s', (text, without) => {
  expect(withEdit('json', text, ['list', { name: 'ours' }], undefined)).toBe(without);
});

it('keeps lines as they are where nothing of ours stands', () => {
  const edited = withEdit('json', own.json, ['b'], 2);
  expect(edited.startsWith('\uFEFF{\r\n\t// mine\r\n\t"a": 1, /* end */\r\n')).toBe(true);
  expect(edited).toContain('\r\n\t"b": 2');
});

it.each([
  ['json', '{ "outer": "text" }', ['outer', 'name'], { a: 1 }],
  ['toml', 'outer = "text"\n', ['outer', 'name'], { a: 1 }],
  ['yaml', 'list: 3\n', ['list', { name: 'x' }], { name: 'x' }],
  ['yaml', 'outer: 3\n', ['outer', 'name'], { a: 1 }],
  ['yaml', 'outer: { b: 1 }\n', ['outer', 'name'], { a: 1 }],
  ['json', '{ "a": 1, "a": 2 }', ['b'], 1],
] as const)('refuses what it can’t put an entry into: %s %s', (format, text, path, value) => {
  expect(() => withEdit(format, text, path, value)).toThrow(DocumentError);
});

it.each([
  [
    'toml',
    'args = [\n  "a",\n]\nb = 1   # end\n\n# of the table\n[t]\nc = 2\n',
    ['model'],
    'x',
    'b = 1   # end\nmodel = "x"\n\n# of',
  ],
  ['toml', 'model = "o"   # best\n', ['model'], 'x', 'model = "x"   # best\n'],
  ['toml', '# c1\n[t]\nc = 2', ['outer', 'ours'], { v: 1 }, '# c1\n[t]\nc = 2\n\n[outer.ours]\nv = 1\n'],
  ['json', '{\n  "a": { "b": 1 }, // own\n}', ['c'], 1, '{\n  "a": { "b": 1 }, // own\n  "c": 1,\n}'],
  ['json', '{ "a": 1 }', ['b'], { c: 1 }, '{ "a": 1, "b": {"c":1} }'],
  [
    'yaml',
    'a: [x]   # one\nmodels:\n    - name: x\n\n# end\n',
    ['models', { name: 'y' }],
    { name: 'y' },
    '    - name: x\n    - name: y\n\n# end\n',
  ],
  ['yaml', 'model: own # mine\n', ['model'], 'x', 'model: x # mine\n'],
  ['yaml', 'models:\n', ['models', { name: 'y' }], { name: 'y' }, 'models:\n  - name: y\n'],
  ['yaml', 'models: []\n', ['models', { name: 'y' }], { name: 'y' }, 'models:\n  - name: y\n'],
  ['yaml', 'outer: {}\nb: 1\n', ['outer', 'ours'], { v: 1 }, 'outer:\n  ours:\n    v: 1\nb: 1\n'],
  ['yaml', 'outer:\n    a:\n        b: 1', ['outer', 'ours'], { v: 1 }, '        b: 1\n    ours:\n      v: 1\n'],
] as const)('puts an entry beside what is there: %s %j', (format, text, path, value, part) => {
  expect(withEdit(format, text, path, value)).toContain(part);
});
