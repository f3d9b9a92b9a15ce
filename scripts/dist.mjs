import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureBuild } from './lib/build.mjs';
import { electronForTests, officialElectron } from './lib/electron.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main, Stop } from './lib/progress.mjs';
import { binOf } from './lib/project.mjs';
import { foreground } from './lib/run.mjs';

/**
 * `npm run dist [-- ELECTRON-BUILDER OPTIONS]`: installers. `--dir` packs the app without an installer and needs no download host: where
 * Electron's own cannot be had it packs the redistribution, which is for trying and never for shipping.
 */
await main(async (args) => {
  const node = await ensureNode24();
  await ensureBuild({ clean: true });
  const options = ['--publish=never', ...args];
  let copy = null;
  if (!(await officialElectron())) {
    if (!args.includes('--dir'))
      throw new Stop(
        'Installers need Electron from its own download host, which cannot be reached.',
        'Try "npm run dist -- --dir".',
      );
    const electron = await electronForTests();
    if ('reason' in electron) throw new Stop(`There is nothing to pack: ${electron.reason}.`);
    copy = mkdtempSync(join(tmpdir(), 'jumpseat-electron-'));
    // electron-builder does not clean a folder that it was given.
    cpSync(dirname(electron.path), copy, { recursive: true });
    for (const file of ['version', join('resources', 'default_app.asar')])
      if (existsSync(join(copy, file))) rmSync(join(copy, file));
    options.push(`--config.electronDist=${copy}`, `--config.electronVersion=${electron.version}`);
  }
  try {
    return await foreground(node, [binOf('electron-builder'), ...options]);
  } finally {
    if (copy) rmSync(copy, { recursive: true, force: true });
  }
});
