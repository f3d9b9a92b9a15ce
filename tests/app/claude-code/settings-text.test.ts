import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SettingsTextError } from '../../../app/claude-code/settings-nodes.ts';
import {
  isEmptySettings,
  putEnv,
  readEnv,
  removeEmptyEnv,
  removeEnv,
  settingsValue,
} from '../../../app/claude-code/settings-text.ts';

const put = (text: string, ...names: string[]) => names.reduce((now, name) => putEnv(now, name, `"${name}!"`), text);

describe('putEnv', () => {
  it('writes a first file', () => {
    expect(put('', 'A', 'B')).toBe('{\n  "env": {\n    "A": "A!",\n    "B": "B!"\n  }\n}\n');
  });

  it('C16.1 keeps order, comments and unknown keys', () => {
    const text = [
      '// mine',
      '{',
      '    "theme": "dark", // by night',
      '    "env": {',
      '        "FOO": "1", /* one */',
      '        "BAR": "2" // two',
      '        // more to come',
      '    },',
      '    "unknown": { "x" : [1,2 , 3] }',
      '}',
    ].join('\n');
    expect(put(text, 'A', 'FOO')).toBe(
      [
        '// mine',
        '{',
        '    "theme": "dark", // by night',
        '    "env": {',
        '        "FOO": "FOO!", /* one */',
        '        "BAR": "2", // two',
        '        "A": "A!"',
        '        // more to come',
        '    },',
        '    "unknown": { "x" : [1,2 , 3] }',
        '}',
      ].join('\n'),
    );
  });

  it('keeps tabs and CRLF, and a file without a last line end', () => {
    expect(put('{\r\n\t"a": 1\r\n}', 'A', 'B')).toBe(
      '{\r\n\t"a": 1,\r\n\t"env": {\r\n\t\t"A": "A!",\r\n\t\t"B": "B!"\r\n\t}\r\n}',
    );
  });

  it('stays on one line where the file is one line', () => {
    expect(put('{"a":1}', 'A', 'B')).toBe('{"a":1,"env":{"A":"A!","B":"B!"}}');
    expect(put('{ "a": 1 }\n', 'A')).toBe('{ "a": 1, "env": {"A": "A!"} }\n');
  });

  it('fills an empty object, with or without a comment in it', () => {
    expect(put('{}\n', 'A')).toBe('{\n  "env": {\n    "A": "A!"\n  }\n}\n');
    expect(put('{\n  // nothing yet\n}\n', 'A')).toBe('{\n  "env": {\n    "A": "A!"\n  }\n  // nothing yet\n}\n');
  });

  it('keeps a byte order mark', () => {
    expect(put('\uFEFF{\n  "env": {}\n}', 'A')).toBe('\uFEFF{\n  "env": {\n    "A": "A!"\n  }\n}');
  });
});

describe('removeEnv', () => {
  const text = '{\n  "env": {\n    "A": "1", // a\n    "B": "2",\n    "C": "3" // c\n  }\n}\n';
  it('takes a line out of the middle, the end and the beginning, and leaves the person’s comments', () => {
    expect(removeEnv(text, 'B')).toBe('{\n  "env": {\n    "A": "1", // a\n    "C": "3" // c\n  }\n}\n');
    expect(removeEnv(text, 'C')).toBe('{\n  "env": {\n    "A": "1", // a\n    "B": "2" // c\n  }\n}\n');
    expect(readEnv(removeEnv(text, 'A')).has('A')).toBe(false);
    expect(removeEnv(text, 'A')).toContain('// a');
  });

  it('never joins a value to a line comment', () => {
    const odd = '{\n  "env": { // note\n    "A": "1", "B": "2" }\n}';
    expect(removeEnv(odd, 'A')).toBe('{\n  "env": { // note\n    "B": "2" }\n}');
  });

  it('takes out an empty env only', () => {
    expect(removeEmptyEnv('{\n  "a": 1,\n  "env": {}\n}\n')).toBe('{\n  "a": 1\n}\n');
    expect(removeEmptyEnv('{\n  "env": { /* keep */ }\n}\n')).toBe('{\n  "env": { /* keep */ }\n}\n');
  });
});

describe('what cannot be edited', () => {
  it.each([
    ['{\n  "a": 1,\n}', 'isn’t valid JSON (line 3: property name expected)', 3],
    ['{\n  "a" 1\n}', 'isn’t valid JSON (line 2: colon expected)', 2],
    ['{\n  "a": 1\n', 'isn’t valid JSON (line 3: close brace expected)', 3],
    ['[]', 'doesn’t hold a JSON object', 1],
    ['{ "env": [] }', 'holds an "env" that is no JSON object', null],
    ['{ "env": {}, "env": {} }', 'holds "env" twice (line 1)', 1],
    ['{ "env": {\n"A": "1",\n"A": "2" } }', 'holds "A" twice (line 3)', 3],
  ])('%j', (text, message, line) => {
    expect(() => readEnv(text)).toThrow(new SettingsTextError(message, line));
    try {
      readEnv(text);
    } catch (error) {
      expect(error).toMatchObject({ line });
    }
  });
});

/** JSON text with odd blanks and comments anywhere they are allowed. */
const looseJson = fc
  .record({
    value: fc.dictionary(
      fc.string({ maxLength: 5 }).filter((key) => key !== 'env'),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 4 },
    ),
    env: fc.option(fc.dictionary(fc.constantFrom('X', 'Y', 'A', 'B', 'Z'), fc.string(), { maxKeys: 4 })),
    indent: fc.constantFrom('', '  ', '\t', '    '),
    eol: fc.constantFrom('\n', '\r\n'),
    noise: fc.array(fc.constantFrom('', ' ', '/* c */', ' // c\n', '\n', '\t'), { minLength: 1, maxLength: 7 }),
    noisy: fc.boolean(),
  })
  .map(({ value, env, indent, eol, noise, noisy }) => {
    const whole = env === null ? value : { ...value, env };
    const text = JSON.stringify(whole, null, indent);
    if (!noisy) return text.replaceAll('\n', eol);
    let n = 0;
    // Blanks and comments after structural characters outside of strings.
    return text.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) => {
      if (token.startsWith('"')) return token;
      n += 1;
      return `${token}${noise[n % noise.length] ?? ''}`;
    });
  });

const others = (text: string) => {
  const value = settingsValue(text);
  const pairs = Array.isArray(value) ? value : [];
  return pairs.filter(([key]) => key !== 'env');
};

describe('any file', () => {
  it('holds exactly the new values after the edit, and everything else as it was', () => {
    fc.assert(
      fc.property(looseJson, fc.subarray(['A', 'B', 'C'], { minLength: 1 }), (text, names) => {
        const before = readEnv(text);
        const edited = put(text, ...names);
        const after = readEnv(edited);
        for (const name of names) expect(after.get(name)?.value).toBe(`${name}!`);
        expect([...after].filter(([name]) => !names.includes(name)).map(([name, { raw }]) => [name, raw])).toEqual(
          [...before].filter(([name]) => !names.includes(name)).map(([name, { raw }]) => [name, raw]),
        );
        expect(others(edited)).toEqual(others(text));
        const removed = names.reduce(removeEnv, edited);
        expect([...readEnv(removed).keys()]).toEqual([...before.keys()].filter((name) => !names.includes(name)));
        expect(others(removed)).toEqual(others(text));
      }),
      { numRuns: 500 },
    );
  });

  it('C16.2 is the same byte for byte after what was added is taken out again', () => {
    fc.assert(
      fc.property(looseJson, (text) => {
        const names = ['N1', 'N2', 'N3'];
        const before = readEnv(text);
        const had = /"env"/.test(text) && before.size > 0;
        const back = names.reduce(removeEnv, put(text, ...names));
        const undone = had ? back : removeEmptyEnv(back);
        // An empty object has one form less afterwards: the blanks in it are gone.
        fc.pre(had || (before.size === 0 && others(text).length > 0 && !/"env"/.test(text)));
        expect(undone).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('is empty only when it holds nothing at all', () => {
    expect(['', ' \n', '{}', '{ }\n', '\uFEFF{\n}'].map(isEmptySettings)).toEqual([true, true, true, true, true]);
    expect(['{ // mine\n}', '{"a":1}'].map(isEmptySettings)).toEqual([false, false]);
  });
});
