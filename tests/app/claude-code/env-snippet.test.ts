import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientLabelSchema } from '../../../app/api/account.ts';
import {
  claudeCodeEnvironment,
  claudeCodeVariables,
  environmentNotes,
  renderEnvironment,
  shellOf,
  UnwritableValueError,
  withStandIns,
} from '../../../app/claude-code/env-snippet.ts';

const models = { opus: 'claude-opus-4.8', sonnet: 'claude-sonnet-4.6', haiku: 'claude-haiku-4.5' };
const variables = (chosen: { opus: string | null; sonnet: string | null; haiku: string | null } = models) =>
  Object.fromEntries(
    claudeCodeEnvironment({ baseUrl: 'http://127.0.0.1:4180', key: 'KEY', label: 'claude-code', models: chosen }).map(
      ({ name, value }) => [name, value],
    ),
  );

describe('the lines for Claude Code', () => {
  it('are ten, in this order', () => {
    expect(Object.entries(variables())).toEqual([
      ['ANTHROPIC_BASE_URL', 'http://127.0.0.1:4180'],
      ['ANTHROPIC_AUTH_TOKEN', 'KEY.claude-code'],
      ['ANTHROPIC_API_KEY', ''],
      ['CLAUDE_CODE_GATEWAY_HINT_HEADERS', '1'],
      ['CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY', '1'],
      ['CLAUDE_CODE_ATTRIBUTION_HEADER', '0'],
      ['CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION', 'false'],
      ['ANTHROPIC_DEFAULT_OPUS_MODEL', 'claude-opus-4.8'],
      ['ANTHROPIC_DEFAULT_SONNET_MODEL', 'claude-sonnet-4.6'],
      ['ANTHROPIC_DEFAULT_HAIKU_MODEL', 'claude-haiku-4.5'],
    ]);
    expect(Object.keys(variables())).toEqual([...claudeCodeVariables]);
  });

  it('leave out a family that the account lacks, and say so', () => {
    const some = variables({ ...models, haiku: null });
    expect(some).not.toHaveProperty('ANTHROPIC_DEFAULT_HAIKU_MODEL');
    expect(environmentNotes(some)).toEqual(['This account has no enabled haiku model, so that line is left out.']);
    expect(environmentNotes(variables({ opus: null, sonnet: null, haiku: null }))).toEqual([
      'The models of this account are not known now, so the lines that name models are left out.',
    ]);
    expect(environmentNotes(variables())).toEqual([]);
  });

  it('C4.4 say why CLAUDE_CODE_MAX_CONTEXT_TOKENS is not set where a model takes less than Claude Code assumes', () => {
    const notes = environmentNotes(variables(), {
      'claude-opus-4.8': 936_000,
      'claude-sonnet-4.6': 168_000,
      'claude-haiku-4.5': 136_000,
    });
    expect(notes).toEqual([
      'Claude Code assumes that a model accepts 200k tokens, but claude-sonnet-4.6 accepts 168k, claude-haiku-4.5 ' +
        'accepts 136k. After jumpseat setup claude-code it compacts in time. With these lines alone it compacts once a ' +
        'request is refused as too long.',
    ]);
    expect(environmentNotes(variables(), { 'claude-opus-4.8': 936_000 })).toEqual([]);
  });

  it('notes hold nothing that a shell would take for more than text', () => {
    const notes = [
      ...environmentNotes(variables({ ...models, opus: null, haiku: null }), { 'claude-sonnet-4.6': 1 }),
      ...environmentNotes({}),
    ];
    for (const note of notes) expect(note).toMatch(/^[A-Za-z0-9_ .,:-]+$/);
  });

  it('C3.3 setup lets small tasks run on the sonnet where there is no haiku, and says so', () => {
    expect(withStandIns(variables({ ...models, haiku: null }))).toEqual({
      variables: variables({ ...models, haiku: 'claude-sonnet-4.6' }),
      notes: ['This account has no enabled haiku model, so Claude Code’s small tasks run on claude-sonnet-4.6.'],
    });
    expect(withStandIns(variables())).toEqual({ variables: variables(), notes: [] });
  });

  it('labels', () => {
    expect(
      ['claude-code', 'a.b_c', 'Ω', '', 'a b', '-x', 'a'.repeat(65)].map(
        (label) => clientLabelSchema.safeParse(label).success,
      ),
    ).toEqual([true, true, false, false, false, false, false]);
  });
});

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
