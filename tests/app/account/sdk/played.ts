import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeDependencies, StepLimits } from '../../../../app/account/sdk/ask-runtime.ts';
import { nodeClock } from '../../../../app/adapters/clock.ts';
import { temporaryFolder } from '../../adapters/folder.ts';
import type { Notes, Play } from './fake-runtime.ts';

export interface Played {
  runtimePath: string;
  dependencies: RuntimeDependencies;
  notes(): Notes;
  /** The file they stand in, once it runs. */
  noted: string;
  /** Every file in the runtime's folder, with what it holds. */
  left(): Record<string, string>;
}

/** Long enough for any machine: only what is tested ends a step. */
export const patientLimits: StepLimits = { start: 40_000, signIn: 40_000, endpoint: 40_000, whole: 40_000 };

/** A program that plays the runtime, and what asks it. */
export function played(play: Omit<Play, 'notes'> = {}, more: Partial<RuntimeDependencies> = {}): Played {
  const place = temporaryFolder();
  const notes = join(place, 'notes.json');
  const runtimePath = join(place, 'copilot-runtime');
  const script = new URL('./fake-runtime.ts', import.meta.url);
  writeFileSync(
    runtimePath,
    `#!${process.execPath}\nprocess.env.FAKE_RUNTIME = ${JSON.stringify(JSON.stringify({ ...play, notes }))};\n` +
      `import(${JSON.stringify(script.href)});\n`,
  );
  chmodSync(runtimePath, 0o700);
  const folder = join(place, 'cache', 'copilot-runtime');
  return {
    runtimePath,
    dependencies: {
      clock: nodeClock(),
      dialer: {},
      environment: {},
      platform: process.platform,
      githubApi: new URL('https://api.github.com'),
      folder,
      limits: patientLimits,
      ...more,
    },
    notes: () => JSON.parse(readFileSync(notes, 'utf8')),
    noted: notes,
    left: () => filesBelow(folder),
  };
}

export function filesBelow(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  if (!existsSync(folder)) return found;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    found[path.slice(folder.length + 1)] = entry.isFile() ? readFileSync(path, 'latin1') : '';
  }
  return found;
}

/** Whether a process of this id is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
