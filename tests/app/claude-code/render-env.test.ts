import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderEnvironment, shellOf, UnwritableValueError } from '../../../app/claude-code/render-env.ts';

const entries = [
  { name: 'ANTHROPIC_BASE_URL', value: 'http://127.0.0.1:4180' },
  { name: 'ANTHROPIC_AUTH_TOKEN', value: 'KEY.claude-code' },
  { name: 'ANTHROPIC_API_KEY', value: '' },
];

describe('renderEnvironment', () => {
  it.each([
    [
      'bash',
      '# A note.\nexport ANTHROPIC_BASE_URL=http://127.0.0.1:4180\nexport ' +
        'ANTHROPIC_AUTH_TOKEN=KEY.claude-code\nexport ANTHROPIC_API_KEY=\n',
    ],
    [
      'zsh',
      ": 'A note.'\nexport ANTHROPIC_BASE_URL=http://127.0.0.1:4180\nexport " +
        'ANTHROPIC_AUTH_TOKEN=KEY.claude-code\nexport ANTHROPIC_API_KEY=\n',
    ],
    [
      'fish',
      '# A note.\nset -gx ANTHROPIC_BASE_URL http://127.0.0.1:4180\nset -gx ANTHROPIC_AUTH_TOKEN ' +
        "KEY.claude-code\nset -gx ANTHROPIC_API_KEY ''\n",
    ],
    [
      'powershell',
      "# A note.\n$env:ANTHROPIC_BASE_URL = 'http://127.0.0.1:4180'\n$env:ANTHROPIC_AUTH_TOKEN = " +
        "'KEY.claude-code'\n$env:ANTHROPIC_API_KEY = ''\n",
    ],
    [
      'cmd',
      'rem A note.\nset "ANTHROPIC_BASE_URL=http://127.0.0.1:4180"\nset ' +
        '"ANTHROPIC_AUTH_TOKEN=KEY.claude-code"\nset "ANTHROPIC_API_KEY="\n',
    ],
    [
      'json',
      '{\n  "env": {\n    "ANTHROPIC_BASE_URL": "http://127.0.0.1:4180",\n    "ANTHROPIC_AUTH_TOKEN": ' +
        '"KEY.claude-code",\n    "ANTHROPIC_API_KEY": ""\n  }\n}\n',
    ],
  ] as const)('%s', (shell, text) => {
    expect(renderEnvironment(entries, shell, ['A note.'])).toBe(text);
  });

  // Environment values hold no NUL and are UTF-8.
  const odd = fc
    .string({
      unit: fc.oneof(
        fc.constantFrom(...'\'"\\$`!%^&|;<>(){}[]*?~# \t\n=’'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
      maxLength: 30,
    })
    .filter((value) => !/[\0\uD800-\uDFFF]/.test(value));

  it('any value means itself in a POSIX shell', () => {
    fc.assert(
      fc.property(fc.array(odd, { minLength: 20, maxLength: 40 }), (values) => {
        const named = values.map((value, n) => ({ name: `V${n}`, value }));
        const script = `${renderEnvironment(named, 'bash')}env -0`;
        const out = execFileSync('/bin/sh', ['-c', script], { env: {} }).toString('utf8').split('\0');
        for (const { name, value } of named) expect(out).toContain(`${name}=${value}`);
      }),
      { numRuns: 15 },
    );
  });

  it('any value means itself in fish, PowerShell and JSON by their rules of quoting', () => {
    fc.assert(
      fc.property(odd, (value) => {
        const one = [{ name: 'V', value }];
        expect(fish(renderEnvironment(one, 'fish'))).toBe(value);
        expect(powershell(renderEnvironment(one, 'powershell'))).toBe(value);
        expect(JSON.parse(renderEnvironment(one, 'json'))).toEqual({ env: { V: value } });
      }),
    );
  });

  it('cmd writes what it can and refuses the rest without showing it', () => {
    fc.assert(
      fc.property(odd, (value) => {
        if (!/["%!\r\n]/.test(value))
          expect(renderEnvironment([{ name: 'V', value }], 'cmd')).toBe(`set "V=${value}"\n`);
        else
          expect(() => renderEnvironment([{ name: 'V', value }], 'cmd')).toThrow(
            new UnwritableValueError('The value of V cannot be written for cmd.'),
          );
      }),
    );
  });
});

/** fish: inside single quotes only \\ and \' are escapes. */
function fish(line: string): string {
  const word = line.slice('set -gx V '.length, -1);
  if (!word.startsWith("'")) return word;
  expect(word).toMatch(/^'(?:[^'\\]|\\[\\'])*'$/s);
  return word.slice(1, -1).replace(/\\([\\'])/g, '$1');
}

/** PowerShell: inside single quotes two quotes of any kind are one. */
function powershell(line: string): string {
  const word = line.slice('$env:V = '.length, -1);
  expect(word).toMatch(/^'(?:[^'‘’‚‛]|['‘’‚‛]{2})*'$/s);
  return word.slice(1, -1).replace(/(['‘’‚‛])['‘’‚‛]/g, '$1');
}

it('knows the shell of the person', () => {
  expect([
    shellOf({ SHELL: '/usr/bin/zsh' }, 'darwin'),
    shellOf({ SHELL: '/bin/bash' }, 'linux'),
    shellOf({ SHELL: '/opt/fish' }, 'linux'),
    shellOf({}, 'linux'),
    shellOf({ SHELL: '/bin/dash' }, 'linux'),
    shellOf({ PSModulePath: 'x' }, 'win32'),
    shellOf({ PSModulePath: 'x', PROMPT: '$P$G' }, 'win32'),
    shellOf({ SHELL: 'C:/Program Files/Git/usr/bin/bash.exe' }, 'win32'),
  ]).toEqual(['zsh', 'bash', 'fish', 'bash', 'bash', 'powershell', 'cmd', 'bash']);
});
