import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completedShells } from '../../../app/cli/completion.ts';
import { run } from '../../../app/cli/program.ts';
import { paper } from './paper.ts';

/** What shells complete, asked of the shells themselves. */

const settings = {
  account: { login: 'octo-demo', signedInAt: 1 },
  accounts: [
    { id: 'a', slot: 1, name: null },
    { id: 'b', slot: 2, name: 'My side work' },
    { id: 'c', slot: 3, name: 'Work', signIn: { login: 'octo-work', signedInAt: 1, credential: null } },
    { id: 'd', slot: 4, name: null, signIn: { login: 'work', signedInAt: 1, credential: null } },
  ],
};

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'jumpseat-completion-'));
  for (const shell of completedShells) {
    const terminal = paper();
    expect(await run(['completion', shell], terminal, {})).toBe(0);
    writeFileSync(join(folder, shell), terminal.text);
  }
  // The program as shells find it, with what it prints for these settings.
  const home = join(folder, 'home');
  mkdirSync(home);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, ...settings }));
  const names = paper();
  expect(await run(['accounts', 'names'], names, { JUMPSEAT_HOME: home })).toBe(0);
  expect(names.text).toBe('octo-demo\nMy side work\nWork\nAccount 4\n');
  const script = `#!/bin/sh\n[ "$*" = "accounts names" ] && printf '%s' '${names.text}'\n`;
  writeFileSync(join(folder, 'bin', 'jumpseat'), script, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isThere = (name: string) => existsSync(`/usr/bin/${name}`) || existsSync(`/bin/${name}`);
const typedIn = (program: string, args: string[], input: string) =>
  execFileSync(program, args, {
    input,
    encoding: 'utf8',
    timeout: 10_000,
    cwd: folder,
    env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, TERM: 'dumb', HOME: folder },
  });

it.skipIf(process.platform !== 'linux' || !isThere('script'))('bash completes with the Tab key', () => {
  const lines = [
    `source ${folder}/bash`,
    'jumpseat() { echo "ran:$*."; }',
    'jumpseat uni\t--pu\t',
    'jumpseat accounts unb\tlabel',
    'jumpseat serve --port acc\t',
    'jumpseat env --for codex-\t',
    'jumpseat env --for=codex-\t',
    'jumpseat login --way cop\t--acc\tba\t',
    'jumpseat reach th\t',
    'jumpseat accounts use \t',
    'jumpseat accounts use --he\t',
    'jumpseat accounts use My\t',
    'jumpseat accounts use My\\ s\t',
    'jumpseat accounts use "My s\t',
    'jumpseat accounts bind Wo\tlabel',
    'jumpseat accounts bind Work Wo\t',
    'exit',
  ];
  const shown = typedIn('script', ['-qec', 'bash --norc --noprofile -i', '/dev/null'], `${lines.join('\n')}\n`);
  expect([...shown.matchAll(/^\W*ran:(.*)\.\r$/gm)].map(([, args]) => args)).toEqual([
    'uninstall --purge',
    'accounts unbind label',
    // A value of the person's is no command.
    'serve --port acc',
    'env --for codex-config',
    'env --for=codex-config',
    // The file "bash" is there, and an account's name is none.
    'login --way copilot-sdk --account ba',
    'reach through-vscode',
    // No "-" where a name is to be typed.
    'accounts use',
    'accounts use --help',
    'accounts use My side work',
    'accounts use My side work',
    'accounts use My side work',
    'accounts bind Work label',
    // The label is none.
    'accounts bind Work Wo',
  ]);
});

it.skipIf(!isThere('fish'))('fish completes commands, those below them, and options with what they do', () => {
  const asked = (line: string) =>
    typedIn('fish', ['--no-config', '-c', `source ${folder}/fish; complete -C '${line}'`], '')
      .trim()
      .split('\n');
  expect(asked('jumpseat uni')).toEqual([expect.stringMatching(/^uninstall\tundo what Jumpseat changed/)]);
  expect(asked('jumpseat accounts un')).toEqual([expect.stringMatching(/^unbind\t/)]);
  expect(asked('jumpseat login --in')).toEqual([expect.stringMatching(/^--insecure-storage\t/)]);
  expect(asked('jumpseat env --for codex-')).toEqual([expect.stringMatching(/^codex-config\b/)]);
  expect(asked('jumpseat reach th')).toEqual([expect.stringMatching(/^through-vscode\b/)]);
  expect(asked('jumpseat login --account ba')).toEqual(['']);
  expect(asked('jumpseat accounts use My')).toEqual(['My side work']);
  expect(asked('jumpseat accounts bind Wo')).toEqual(['Work']);
  expect(asked('jumpseat accounts bind Work Wo')).toEqual(['']);
});

it.skipIf(!isThere('zsh'))('zsh completes with the Tab key', () => {
  const script = `
zmodload zsh/zpty
zpty z 'zsh -f -i'
typed() { zpty -w z "$1"; zpty -r -m z shown '*ran:*.*'; print -r -- "\${shown##*ran:}"; }
zpty -w z 'autoload -U compinit; compinit -u -D; source ${folder}/zsh; jumpseat() { echo "ra""n:$*." }'
typed $'jumpseat uni\\t--pu\\t'
typed $'jumpseat accounts unb\\tlabel'
typed $'jumpseat env --for codex-\\t'
typed $'jumpseat env --for=codex-\\t'
typed $'jumpseat login --way cop\\t--acc\\tba\\t'
typed $'jumpseat reach th\\t'
typed $'jumpseat accounts use \\t'
typed $'jumpseat accounts use My\\t'
typed $'jumpseat accounts bind Wo\\tlabel'
`;
  const shown = typedIn('zsh', ['-f', '-c', script], '');
  expect(shown.split('\n').flatMap((line) => /^(.*)\.\r?$/.exec(line)?.[1] ?? [])).toEqual([
    'uninstall --purge',
    'accounts unbind label',
    'env --for codex-config',
    'env --for=codex-config',
    'login --way copilot-sdk --account ba',
    'reach through-vscode',
    'accounts use',
    'accounts use My side work',
    'accounts bind Work label',
  ]);
});

describe('completion', () => {
  it('has a script for PowerShell that holds every command', () => {
    const terminal = paper();
    return run(['completion', 'powershell'], terminal, {}).then(() => {
      expect(terminal.text).toContain("'accounts' = [ordered]@{ 'use' = ");
      expect(terminal.text).toContain("'login --way' = @('vscode', 'copilot-sdk')");
      expect(terminal.text).toContain("'serve --port' = @()");
      expect(terminal.text).toContain(
        "$atName = @('accounts use use', 'accounts bind bind', 'accounts rename rename', 'accounts remove remove')",
      );
      expect(terminal.text).not.toContain("'names'");
      // A quote within a text is written twice.
      expect(terminal.text).toContain('Copilot’’s refusals');
    });
  });

  it('names the shells it knows', async () => {
    const terminal = paper();
    expect(await run(['completion', 'tcsh'], terminal, {})).toBe(2);
    expect(terminal.errors).toBe('jumpseat: Jumpseat can complete in bash, zsh, fish, powershell, not in "tcsh".\n');
  });
});
