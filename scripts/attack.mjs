import { main } from './lib/progress.mjs';
import { inProject } from './lib/project.mjs';
import { foreground } from './lib/run.mjs';

/**
 * What is run where no filter was given: the suites of the rooms, the soak with faults, and those that drive the real
 * clients.
 */
const suites = ['tests/attack', 'tests/app/soak', 'tests/clients/attack'];

/** `npm run attack [-- FILTERS AND VITEST OPTIONS]`: the suites that attack the product, at their full length. */
await main((args) =>
  foreground(process.execPath, [inProject('scripts', 'test.mjs'), ...(args.length > 0 ? args : suites)], {
    env: { ...process.env, JUMPSEAT_ATTACK: 'long' },
  }),
);
