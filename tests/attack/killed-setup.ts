import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Sets Claude Code up or undoes it (`ACTION SETTINGS HOME STEP`), and is killed before the step of that number that
 * changes the disk.
 */

const [action, settings = '', home = '', killedAt] = process.argv.slice(2);
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === Number(killedAt)) process.kill(process.pid, 'SIGKILL');
}

/** A kill in the middle of a text leaves half of it. */
function stepped(handle: FileHandle): FileHandle {
  const { writeFile, sync } = handle;
  handle.writeFile = async (text) => {
    const all = String(text);
    const half = Math.floor(all.length / 2);
    await Reflect.apply(writeFile, handle, [all.slice(0, half)]);
    step();
    await Reflect.apply(writeFile, handle, [all.slice(half)]);
  };
  handle.sync = async () => {
    step();
    await Reflect.apply(sync, handle, []);
  };
  return handle;
}

const real = { ...fs };
for (const name of ['mkdir', 'rename', 'rm', 'chmod'] as const) {
  Object.assign(fs, {
    [name]: async (...given: unknown[]) => {
      step();
      return Reflect.apply(real[name], fs, given);
    },
  });
}
fs.open = async (...given) => {
  step();
  return stepped(await real.open(...given));
};
syncBuiltinESMExports();

const { applySetup, applyUndo } = await import('../../app/claude-code/setup/apply.ts');
const { planSetup } = await import('../../app/claude-code/setup/plan-setup.ts');
const { planUndo } = await import('../../app/claude-code/setup/plan-undo.ts');
const place = { settings, paths: { home, backups: `${home}/backups` }, port: () => 4180 };
const variables = JSON.parse(process.env.VARIABLES ?? '{}');
if (action === 'setup') await applySetup(place, await planSetup(place, variables), { closed: true });
else await applyUndo(place, await planUndo(place, async () => variables));
