import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/**
 * Loaded before the product (`--import`): at each SIGUSR2 it writes to the file that RAN_CODE names which functions of
 * the product's sources ran since the last time, as V8 counts them: `{ [file]: functions }`.
 */
const file = process.env.RAN_CODE ?? '';
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('SIGUSR2', async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran: Record<string, number> = {};
  for (const { url, functions } of result) {
    const name = /\/(app\/[^?]*\.ts)$/.exec(url)?.[1];
    if (name === undefined || url.includes('node_modules')) continue;
    // What begins at 0 is the file itself, which runs when it is loaded.
    const count = functions.filter(({ ranges: [range] }) => range && range.count > 0 && range.startOffset > 0).length;
    if (count > 0) ran[name] = count;
  }
  writeFileSync(file, `${JSON.stringify(ran)}\n`);
});
