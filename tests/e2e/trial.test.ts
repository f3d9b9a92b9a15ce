import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../soon.ts';
import { processesOf } from './processes.ts';
import { hasDesktop } from './tray-program.ts';

const run = promisify(execFile);
const name = `test-${process.pid}`;
const folder = join(tmpdir(), `jumpseat-trial-${name}`);

async function trial(...words: string[]): Promise<string> {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'trial.mjs');
  const { stdout } = await run(process.execPath, [script, ...words], {
    env: { ...process.env, JUMPSEAT_TRIAL: name },
  });
  return stdout.trimEnd();
}

const { JUMPSEAT_TEST_CLAUDE: claude, JUMPSEAT_TEST_CODEX: codex } = process.env;

describe.skipIf(!hasDesktop || claude === undefined || codex === undefined)('hands and eyes of a trial', () => {
  let home = '';

  beforeAll(async () => {
    const about = await trial('start');
    home = /home: (\S+)/.exec(about)?.[1] ?? '';
  });
  afterAll(async () => {
    if (existsSync(folder)) await trial('stop');
  });

  it('a terminal is typed into and read', async () => {
    await trial('terminal', 'one');
    await trial('terminal', 'one', 'type', 'jumpseat --version; cat src/weather.ts | xclip -selection clipboard');
    await trial('terminal', 'one', 'key', 'Enter');
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'));
    await until(async () => (await trial('terminal', 'one')).includes(`\n${version}\n`));
    await until(async () => (await trial('clipboard')).startsWith('export function weather'));
  });

  it('the tray app is opened, signed in by mouse and browser, and reads its clipboard as others do', async () => {
    await trial('open', 'tray');
    await until(async () => (await trial('tray').catch(() => '')).includes('Sign in to GitHub…'));
    await trial('tray', 'click', 'Sign in to GitHub…');
    await until(async () => (await trial('opened').catch(() => '')).includes('/login/device'));
    await trial('copilot', 'approve');
    await until(async () => (await trial('tray')).includes('octo-demo'));
    expect(await trial('notices')).toMatch(/^1 /);
    const picture = await trial('see');
    expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
  });

  it('a command that is not there is said', async () => {
    await expect(trial('constructor')).rejects.toThrow('"constructor" is no command.');
    await expect(trial('copilot', 'next', 'nonsense')).rejects.toThrow('"nonsense" is no status.');
  });

  it('ends with all that it started', async () => {
    await trial('stop');
    expect(processesOf(join(home, 'jumpseat'))).toEqual([]);
    expect(existsSync(home) ? readdirSync(home, { recursive: true }) : []).toEqual([]);
    await expect(trial('see')).rejects.toThrow('No trial is running.');
  });
});
