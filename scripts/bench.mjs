import { ensureBuild } from './lib/build.mjs';
import { nodeFlags } from './lib/node-flags.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main } from './lib/progress.mjs';
import { inProject } from './lib/project.mjs';
import { foreground } from './lib/run.mjs';

/** `npm run bench`: measures the built product. */
await main(async (args) => {
  const node = await ensureNode24();
  await ensureBuild();
  const env = {
    ...process.env,
    JUMPSEAT_TEST_CLI: inProject('dist', 'cli', 'jumpseat.js'),
    JUMPSEAT_BENCH_NODE_FLAGS: nodeFlags.join(' '),
  };
  return foreground(node, ['--expose-gc', inProject('tests', 'bench', 'bench.ts'), ...args], { env });
});
