import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reach } from '../../../app/cli/commands/reach.ts';
import { status } from '../../../app/cli/commands/status.ts';
import { openApp } from '../../../app/cli/compose.ts';
import { paper } from './paper.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-reach-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function surroundings() {
  // Nobody is asked: nothing listens there.
  const github = { JUMPSEAT_GITHUB_URL: 'http://127.0.0.1:9', JUMPSEAT_GITHUB_API_URL: 'http://127.0.0.1:9' };
  const env = { JUMPSEAT_HOME: home, JUMPSEAT_SECRETS: 'memory', HOME: home, PATH: '', ...github };
  return { terminal: paper(), env, open: (more?: Parameters<typeof openApp>[1]) => openApp(env, more) };
}
const kept = () => JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8')).reach;

it('says how it is, and changes it by its name alone', async () => {
  const asked = surroundings();
  expect(await reach(asked)).toBe(0);
  expect(asked.terminal.text).toMatch(/^Copilot is reached directly\./);
  const changed = surroundings();
  expect(await reach(changed, 'through-vscode')).toBe(0);
  expect(changed.terminal.text).toMatch(/^Copilot is reached through VS Code\..*\n.*no window of VS Code serves/);
  expect(kept()).toBe('through-vscode');
  await expect(reach(surroundings(), 'vscode')).rejects.toMatchObject({ exitCode: 2 });
  expect(kept()).toBe('through-vscode');
  await reach(surroundings(), 'directly');
  expect(kept()).toBe('directly');
});

it('is what status says', async () => {
  await reach(surroundings(), 'through-vscode');
  const asked = surroundings();
  expect(await status(asked, {})).toBe(1);
  expect(asked.terminal.text).toContain(
    'Not ready: Requests go through VS Code, and no window of VS Code serves them.',
  );
  expect(asked.terminal.text).toMatch(/^Reached +through VS Code: /m);
  expect(asked.terminal.text).not.toMatch(/^Quota/m);
});
