import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { applySetup, applyUndo, sweepSetups } from '../../app/claude-code/setup/apply.ts';
import type { SetupPlace } from '../../app/claude-code/setup/plan.ts';
import { planSetup } from '../../app/claude-code/setup/plan-setup.ts';
import { planUndo } from '../../app/claude-code/setup/plan-undo.ts';
import { Started } from '../started.ts';

/** Claude Code's settings while the setup is killed (SIGKILL) at each of its steps. */

const script = fileURLToPath(new URL('killed-setup.ts', import.meta.url));
const key = 'k3y0f7h1sm4ch1n3';
const variables = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4181', ANTHROPIC_AUTH_TOKEN: `${key}.claude-code` };
const original = '{\n  "model": "opus", // mine\n  "env": { "ANTHROPIC_BASE_URL": "https://mine.example" }\n}\n';
/** Far more steps than there are. */
const mostSteps = 60;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newPlace(): SetupPlace {
  const folder = mkdtempSync(join(tmpdir(), 'jumpseat-killed-'));
  folders.push(folder);
  mkdirSync(join(folder, 'claude'));
  const settings = join(folder, 'claude', 'settings.json');
  writeFileSync(settings, original);
  chmodSync(settings, 0o644);
  return {
    settings,
    paths: { home: join(folder, 'home'), backups: join(folder, 'home', 'backups') },
    port: () => 4180,
  };
}

const setup = async (place: SetupPlace) => void (await applySetup(place, await planSetup(place, variables)));
const undo = async (place: SetupPlace) => applyUndo(place, await planUndo(place, async () => variables));
const read = (place: SetupPlace): string => readFileSync(place.settings, 'utf8');

/** Every file besides settings.json that holds the key. */
function leaks({ settings, paths }: SetupPlace): string[] {
  return [join(settings, '..'), paths.home].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'settings.json')
      .filter((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').includes(key))
      .map(({ name }) => name),
  );
}

it.each(['setup', 'undo'] as const)(
  'killed at each step of %s, settings.json is whole, nothing else keeps the key, and undo still finds the way back',
  async (action) => {
    const finished = newPlace();
    await setup(finished);
    const whole = [original, read(finished)];
    let left = 0;
    let kills = 0;
    for (let step = 1; step <= mostSteps; step++) {
      const place = newPlace();
      if (action === 'undo') await setup(place);
      else mkdirSync(place.paths.home);
      const child = new Started(process.execPath, [script, action, place.settings, place.paths.home, String(step)], {
        env: { VARIABLES: JSON.stringify(variables) },
      });
      const { code, signal, err } = await child.ended();
      if (signal === null) {
        expect([code, err]).toEqual([0, '']);
        break;
      }
      expect(signal).toBe('SIGKILL');
      kills += 1;
      expect(whole).toContain(read(place));
      left += leaks(place).length;
      await sweepSetups(place);
      expect(leaks(place)).toEqual([]);
      await setup(place);
      await undo(place);
      expect(read(place)).toBe(original);
    }
    expect(kills).toBeGreaterThan(4);
    expect(kills).toBeLessThan(mostSteps);
    // Otherwise nothing was there to be swept.
    if (action === 'setup') expect(left).toBeGreaterThan(0);
  },
);
