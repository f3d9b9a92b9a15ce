import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ensureBuild } from './lib/build.mjs';
import { electronFolder, electronForTests, electronVersion, isReachable, officialElectron } from './lib/electron.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main, Stop, say } from './lib/progress.mjs';
import { binOf, inProject, manifest, root } from './lib/project.mjs';
import { foreground } from './lib/run.mjs';
import { packNpm, stageApp, stageNodes, stageTerminal } from './packing/stage.mjs';
import { fpmOptions, stageShared } from './packing/system-files.mjs';
import { packExtension } from './packing/vsix.mjs';
import { commitTime, sbom } from './releasing/sbom.mjs';

/**
 * `npm run dist [-- ELECTRON-BUILDER OPTIONS]`: installers. `--dir` packs the app without an installer and takes the
 * Electron that is at hand, and so does `--trial` with installers; where Electron's own cannot be had that is the
 * redistribution, which is for trying and never for shipping. `--e2e` packs the app so that a test can drive it.
 * `--vsix` packs the extension for VS Code and nothing else, `--npm` the npm package, `--sbom` lists what is in them.
 * `--all` makes all of these that can be made here, and says what can't.
 */
await main(async (args) => {
  const node = await ensureNode24();
  await ensureBuild();
  const alone = Object.entries({ '--npm': makeNpm, '--vsix': makeExtension, '--sbom': makeList });
  for (const [option, make] of alone) {
    if (!args.includes('--all') && !args.includes(option)) continue;
    await make();
    if (!args.includes('--all')) return 0;
  }
  return args.includes('--all') ? allInstallers(node, args) : installers(node, args);
});

async function makeNpm() {
  say(await packNpm(inProject('release')));
}

function makeExtension() {
  return packExtension(inProject('release', `jumpseat-${manifest().version}.vsix`));
}

async function makeList() {
  mkdirSync(inProject('release'), { recursive: true });
  const list = sbom(inProject('dist'), await commitTime());
  writeFileSync(inProject('release', 'jumpseat.spdx.json'), `${JSON.stringify(list, null, 2)}\n`);
}

/** All that electron-builder.yml names; on Linux without the download hosts, what needs nothing of them. */
async function allInstallers(node, args) {
  const more = args.filter((arg) => arg !== '--all');
  if (process.platform !== 'linux' || (await isReachable())) return installers(node, more);
  const [hasRpm, hasAppImage] = [existsSync('/usr/bin/rpmbuild'), hasAppImageTools()];
  const kinds = ['deb', ...(hasRpm ? ['rpm'] : []), 'tar.gz', ...(hasAppImage ? ['AppImage'] : [])];
  const code = await installers(node, ['--trial', '--linux', ...kinds, ...more]);
  if (!hasRpm) say('Not made: rpm, since /usr/bin/rpmbuild is missing.');
  if (!hasAppImage) say('Not made: AppImage, which begins with a download.');
  say('dmg and exe are made on macOS and Windows.');
  return code;
}

/** electron-builder's own variable, for a folder with what it would fetch. */
function hasAppImageTools() {
  return Boolean(process.env.APPIMAGE_TOOLS_PATH);
}

async function installers(node, args) {
  if (args.includes('AppImage') && !hasAppImageTools() && !(await isReachable()))
    throw new Stop(
      'An AppImage begins with its runtime, a download from GitHub, which cannot be reached.',
      'With tools of your own, name their folder in APPIMAGE_TOOLS_PATH.',
    );
  const known = inProject(args.includes('--e2e') ? 'electron-builder.e2e.yml' : 'electron-builder.yml');
  const stage = mkdtempSync(join(tmpdir(), 'jumpseat-stage-'));
  const [app, terminal, nodes, shared] = ['app', 'terminal', 'nodes', 'share'].map((name) => join(stage, name));
  // The time of every file, so that the same sources make the same bytes.
  const time = Date.parse(await commitTime()) / 1000;
  try {
    const isHere = args.includes('--dir') || args.includes('--trial');
    stageApp(app);
    stageTerminal(terminal);
    const processors = isHere ? [process.arch] : ['x64', 'arm64'];
    const options = ['--publish=never', `--config.directories.app=${app}`];
    let config = known;
    const platform = targetOf(args);
    await stageNodes(
      nodes,
      processors.map((arch) => `${platform}-${arch}`),
    );
    if (platform === 'linux') {
      await stageShared(shared, node, time);
      const [deb, rpm] = ['deb', 'rpm'].map((kind) => ({ fpm: fpmOptions(shared, kind) }));
      config = join(stage, 'electron-builder.json');
      writeFileSync(config, JSON.stringify({ extends: relative(root, known), deb, rpm }));
    }
    options.push(...(await electronOptions(isHere)), ...args.filter((arg) => !['--e2e', '--trial'].includes(arg)));
    return await foreground(node, [binOf('electron-builder'), `--config=${config}`, ...options], {
      env: {
        ...process.env,
        ...{ JUMPSEAT_STAGE: relative(root, stage), SOURCE_DATE_EPOCH: String(time) },
        ...(await ownTools()),
      },
    });
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** What the packages are for: this system, unless another one is asked for. */
function targetOf(args) {
  if (args.some((arg) => ['--win', '-w', '--windows'].includes(arg))) return 'win32';
  if (args.some((arg) => ['--mac', '-m', '--macos'].includes(arg))) return 'darwin';
  return process.platform;
}

/** Installers are made of Electron's own zips, one per target, which electron-builder fetches. */
async function electronOptions(isHere) {
  const official = await officialElectron();
  if (!isHere) {
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
    `--${process.arch}`,
  ];
}

/** Where electron-builder's own tools can't be fetched: what the system has. */
async function ownTools() {
  if (process.platform !== 'linux' || (await isReachable())) return {};
  const seven = ['/usr/bin/7za', '/usr/bin/7zz'].find((path) => existsSync(path));
  return {
    CUSTOM_FPM_PATH: process.env.CUSTOM_FPM_PATH ?? inProject('scripts', 'packing', 'fpm.mjs'),
    ...(seven && { ELECTRON_BUILDER_7ZIP_PATH: process.env.ELECTRON_BUILDER_7ZIP_PATH ?? seven }),
  };
}
