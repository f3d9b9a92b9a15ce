import { ensureBuild } from './lib/build.mjs';
import { ensureAgentSdk, ensureClaudeCode } from './lib/client-programs.mjs';
import { ensureNode24, nodeFlags } from './lib/node24.mjs';
import { main } from './lib/progress.mjs';
import { inProject } from './lib/project.mjs';
import { foreground } from './lib/run.mjs';

/** `npm run bench`: measures the built product. */
await main(async (args) => {
  const node = await ensureNode24();
  await ensureBuild();
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...process.env,
    JUMPSEAT_TEST_CLI: inProject('dist', 'cli', 'jumpseat.js'),
    JUMPSEAT_BENCH_NODE_FLAGS: nodeFlags.join(' '),
  };
  if (wantsClaudeCode(args)) {
    const claude = await ensureClaudeCode();
    if ('path' in claude) {
      env.JUMPSEAT_TEST_CLAUDE = claude.path;
      env.JUMPSEAT_TEST_AGENT_SDK = await ensureAgentSdk();
    }
  }
  return foreground(node, ['--expose-gc', inProject('tests', 'bench', 'bench.ts'), ...args], { env });
});

/**
 * The part of sessions starts the real one.
 * @param {string[]} args
 */
function wantsClaudeCode(args) {
  const only = args.filter((_, at) => args[at - 1] === '--only');
  return only.length === 0 || only.some((word) => 'sessions'.includes(word.toLowerCase()));
}
