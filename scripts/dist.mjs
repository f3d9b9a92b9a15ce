import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from './lib/build.mjs';
import { electronFolder, electronForTests, electronVersion, officialElectron } from './lib/electron.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main, Stop, say } from './lib/progress.mjs';
import { binOf, inProject, manifest } from './lib/project.mjs';
import { foreground } from './lib/run.mjs';
import { packNpm } from './packing/npm-package.mjs';
import { stageApp } from './packing/stage.mjs';
import { packExtension } from './packing/vsix.mjs';

/**
 * `npm run dist [-- ELECTRON-BUILDER OPTIONS]`: installers. `--dir` packs the app without an installer and takes the
 * Electron that is at hand; where Electron's own cannot be had that is the redistribution, which is for trying and
 * never for shipping. `--e2e` packs it so that a test can drive it. `--vsix` packs the extension for VS Code and
 * nothing else, `--npm` the npm package.
 */
await main(async (args) => {
  const node = await ensureNode24();
  await ensureBuild();
  if (args.includes('--vsix')) {
    await packExtension(inProject('release', `jumpseat-${manifest().version}.vsix`));
    return 0;
  }
  if (args.includes('--npm')) {
    say(await packNpm(inProject('release')));
    return 0;
  }
  const config = inProject(args.includes('--e2e') ? 'electron-builder.e2e.yml' : 'electron-builder.yml');
  const stage = mkdtempSync(join(tmpdir(), 'jumpseat-stage-'));
  try {
    stageApp(stage);
    const options = [`--config=${config}`, '--publish=never', `--config.directories.app=${stage}`];
    options.push(...(await electronOptions(args)), ...args.filter((arg) => arg !== '--e2e'));
    return await foreground(node, [binOf('electron-builder'), ...options]);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
});

/** Installers are made of Electron's own zips, one per target, which electron-builder fetches. */
async function electronOptions(args) {
  const official = await officialElectron();
  if (!args.includes('--dir')) {
    if (official) return [];
    throw new Stop(
      'Installers need Electron from its own download host, which cannot be reached.',
      'Try "npm run dist -- --dir".',
    );
  }
  const electron = official ? { path: official } : await electronForTests();
  if ('reason' in electron) throw new Stop(`There is nothing to pack: ${electron.reason}.`);
  const folder = electronFolder(electron.path);
  return [
    `--config.electronDist=${folder}`,
    `--config.electronVersion=${electronVersion(folder)}`,
    '--config.afterExtract=scripts/packing/clean-electron.mjs',
  ];
}
