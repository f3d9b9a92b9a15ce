import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from './lib/build.mjs';
import {
  ensureAgentSdk,
  ensureClaudeCode,
  ensureClientPrograms,
  ensureCodex,
  ensureCodexAcp,
} from './lib/client-programs.mjs';
import { ensureCodeServer } from './lib/code-server.mjs';
import { electronForTests } from './lib/electron.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main, say } from './lib/progress.mjs';
import { binOf, inProject, manifest } from './lib/project.mjs';
import { foreground } from './lib/run.mjs';
import {
  desktopPackages,
  ensureSystemPackages,
  lintPackages,
  terminalPackages,
  trialPackages,
} from './lib/system-packages.mjs';
import { summarize, tiersWanted } from './lib/test-run.mjs';
import { ownScreen } from './lib/virtual-screen.mjs';
import { packExtension } from './packing/vsix.mjs';

/**
 * `npm test [-- FILTERS AND VITEST OPTIONS]`: every test there is, or a part. What a tier needs is fetched only when
 * one of its tests will run. The helpers of the tests find it in JUMPSEAT_TEST_CLI, JUMPSEAT_TEST_CLAUDE,
 * JUMPSEAT_TEST_AGENT_SDK, JUMPSEAT_TEST_CODEX, JUMPSEAT_TEST_CODEX_ACP, JUMPSEAT_TEST_PROGRAMS (JSON),
 * JUMPSEAT_TEST_TMUX, JUMPSEAT_TEST_EDITOR, JUMPSEAT_TEST_VSIX, JUMPSEAT_TEST_ELECTRON and JUMPSEAT_TEST_DISPLAYS.
 */
await main(async (args) => {
  const node = await ensureNode24();
  await ensureBuild();
  const env = {
    ...process.env,
    JUMPSEAT_TEST_CLI: inProject('dist', 'cli', 'jumpseat.js'),
    ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent',
    // Each test has a home, and so a cache, of its own: every program would be compiled anew.
    NODE_COMPILE_CACHE: inProject('node_modules', '.cache', 'compiled'),
  };
  const without = [];

  const wanted = tiersWanted(args, testFiles);
  if (wanted.clients) {
    const [claude, codex] = [await ensureClaudeCode(), await ensureCodex()];
    const remedy = await ensureSystemPackages(terminalPackages);
    if ('reason' in claude) without.push({ tier: 'tests/clients', reason: claude.reason });
    else if ('reason' in codex) without.push({ tier: 'tests/clients', reason: codex.reason });
    else {
      env.JUMPSEAT_TEST_CLAUDE = claude.path;
      env.JUMPSEAT_TEST_CODEX = codex.path;
      env.JUMPSEAT_TEST_AGENT_SDK = await ensureAgentSdk();
      env.JUMPSEAT_TEST_CODEX_ACP = await ensureCodexAcp();
      env.JUMPSEAT_TEST_PROGRAMS = JSON.stringify(await ensureClientPrograms());
      if (remedy) without.push({ tier: 'the terminal tests of tests/clients', reason: `tmux is missing. ${remedy}` });
      else env.JUMPSEAT_TEST_TMUX = 'tmux';
    }
  }
  if (wanted.editor) {
    const [claude, codex] = [await ensureClaudeCode(), await ensureCodex()];
    const remedy = await ensureSystemPackages();
    const editor = await ensureCodeServer();
    const lacking = [claude, codex, editor].find((found) => 'reason' in found);
    if (lacking) without.push({ tier: 'tests/editor', reason: lacking.reason });
    else if (remedy) without.push({ tier: 'tests/editor', reason: `system packages are missing. ${remedy}` });
    else {
      env.JUMPSEAT_TEST_CLAUDE = claude.path;
      env.JUMPSEAT_TEST_CODEX = codex.path;
      env.JUMPSEAT_TEST_EDITOR = editor.path;
      env.JUMPSEAT_TEST_VSIX = inProject('release', `jumpseat-${manifest().version}.vsix`);
      await packExtension(env.JUMPSEAT_TEST_VSIX);
    }
  }
  let screens = [];
  if (wanted.e2e) {
    const electron = await electronForTests();
    const remedy = await ensureSystemPackages([...desktopPackages, ...terminalPackages, ...trialPackages]);
    // One for each worker: programs on one screen share clipboard and focus.
    screens = await Promise.all([ownScreen(), ownScreen(), ownScreen(), ownScreen()]);
    if ('reason' in electron) without.push({ tier: 'tests/e2e', reason: electron.reason });
    else if (remedy) without.push({ tier: 'tests/e2e', reason: `system packages are missing. ${remedy}` });
    else if (screens.includes('none')) without.push({ tier: 'tests/e2e', reason: 'Xvfb does not start' });
    else {
      env.JUMPSEAT_TEST_ELECTRON = electron.path;
      env.JUMPSEAT_TEST_TMUX = 'tmux';
      env.JUMPSEAT_TEST_DISPLAYS = screens.map((screen) => screen?.display ?? '').join(' ');
    }
    const [claude, codex] = [await ensureClaudeCode(), await ensureCodex()];
    if ('reason' in claude) without.push({ tier: 'tests/e2e/sessions-day.test.ts', reason: claude.reason });
    else {
      env.JUMPSEAT_TEST_CLAUDE = claude.path;
      env.JUMPSEAT_TEST_AGENT_SDK = await ensureAgentSdk();
    }
    if ('reason' in codex) without.push({ tier: 'tests/e2e/trial.test.ts', reason: codex.reason });
    else env.JUMPSEAT_TEST_CODEX = codex.path;
  }

  if (wanted.resources) {
    const remedy = await ensureSystemPackages(lintPackages);
    const isThere = (name) => spawnSync(name, ['--version']).status === 0;
    if (isThere('shellcheck') && isThere('yamllint')) env.JUMPSEAT_TEST_LINTERS = '1';
    else without.push({ tier: 'lint of scripts and YAML', reason: `its programs are missing. ${remedy ?? ''}`.trim() });
  }

  const results = mkdtempSync(join(tmpdir(), 'jumpseat-test-'));
  const report = join(results, 'report.json');
  try {
    const code = await foreground(
      node,
      [
        binOf('vitest'),
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...without.flatMap(({ tier }) => ['--exclude', `${tier}/**`]),
        ...args,
      ],
      { env },
    );
    const { passed, failed, skipped } = summarize(
      existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null,
      code,
    );
    for (const { tier, reason } of without) say(`Not run on this machine: ${tier}, because ${reason}.`);
    console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
    return code !== 0 ? code : failed > 0 ? 1 : 0;
  } finally {
    for (const screen of screens) if (screen && screen !== 'none') await screen.close();
    rmSync(results, { recursive: true, force: true });
  }
});

function testFiles(folder) {
  const path = inProject(folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`);
}
