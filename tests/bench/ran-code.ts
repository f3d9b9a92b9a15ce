import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

/**
 * Loaded before the product (`--import`): at each SIGUSR2 it writes to the file that RAN_CODE names which functions of
 * the product's sources ran since the last time, as V8 counts them: `{ [file]: functions }`.
 */
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Functions by file that ran since the last call. */
export function ranCode(): Record<string, number> {
  const ran: Record<string, number> = {};
  // In its own thread an inspector answers before `post` returns.
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error) throw error;
    for (const { url, functions } of result) {
      const name = /\/(app\/[^?]*\.ts)$/.exec(url)?.[1];
      if (name === undefined || url.includes('node_modules') || url.includes('/tests/')) continue;
      // What begins at 0 is the file itself, which runs when it is loaded.
      const count = functions.filter(({ ranges: [range] }) => range && range.count > 0 && range.startOffset > 0).length;
      if (count > 0) ran[name] = count;
    }
  });
  return ran;
}

const file = process.env.RAN_CODE;
if (file !== undefined) process.on('SIGUSR2', () => writeFileSync(file, `${JSON.stringify(ranCode())}\n`));
