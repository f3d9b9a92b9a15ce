import { ensureBuild } from './lib/build.mjs';
import { ensureNode24, nodeFlags } from './lib/node24.mjs';
import { main } from './lib/progress.mjs';
import { inProject } from './lib/project.mjs';
import { inOurPlace } from './lib/run.mjs';

/** `npm run jumpseat -- ARGS` and `npm run demo`: the built terminal front. */
await main(async (args) => {
  const node = await ensureNode24();
  await ensureBuild();
  // In the folder the person is in, not in the project's: a command may name a file.
  return inOurPlace(node, [...nodeFlags, inProject('dist', 'cli', 'jumpseat.js'), ...args], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
  });
});
