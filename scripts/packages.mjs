import { existsSync, readdirSync } from 'node:fs';
import { isReachable } from './lib/electron.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main, Stop, say, step } from './lib/progress.mjs';
import { inProject, manifest } from './lib/project.mjs';
import { foreground } from './lib/run.mjs';
import { virtualScreen } from './lib/virtual-screen.mjs';
import { BareSystem } from './packing/bare-system.mjs';
import { ask, demo, tray, user } from './packing/trial.mjs';
import { trials } from './packing/trials.mjs';

const releases = ['bookworm', 'trixie'];

/**
 * `npm run packages [-- RELEASE … KIND …]`: makes packages and tries each on bare Debians: installed, asked in a
 * terminal, a request to the demo, a prompt of an editor, a click in the tray app, `uninstall`, removed again.
 * `--made` takes the packages that are there.
 */
await main(async (args) => {
  const missing = whatIsMissing();
  if (missing.length > 0) throw new Stop(`Packages can't be tried here: ${missing.join('; ')}.`);
  const node = await ensureNode24();
  const chosen = (all) => (all.some((name) => args.includes(name)) ? all.filter((name) => args.includes(name)) : all);
  const canMakeAppImage = Boolean(process.env.APPIMAGE_TOOLS_PATH) || (await isReachable());
  const why = {
    ...(existsSync('/usr/bin/rpm') ? {} : { rpm: '/usr/bin/rpm is missing' }),
    ...(canMakeAppImage ? {} : { AppImage: 'what it begins with is a download, which can’t be reached' }),
  };
  const kinds = chosen(Object.keys(trials)).filter((kind) => why[kind] === undefined);
  if (!args.includes('--made')) {
    const made = kinds.filter((kind) => kind !== 'npm');
    // The best compression takes ten minutes.
    const quick = { ...process.env, ELECTRON_BUILDER_COMPRESSION_LEVEL: '1' };
    const desktop = ['--trial', '--linux', ...made, '-c.deb.compression=gz', '-c.rpm.compression=gzip'];
    for (const options of [...(made.length > 0 ? [desktop] : []), ...(kinds.includes('npm') ? [['--npm']] : [])]) {
      const code = await foreground(process.execPath, [inProject('scripts', 'dist.mjs'), ...options], { env: quick });
      if (code !== 0) return code;
    }
  }
  const screen = await virtualScreen();
  if (screen === 'none') throw new Stop('Xvfb does not start.');
  const display = screen?.display ?? process.env.DISPLAY;
  try {
    for (const release of chosen(releases)) {
      const system = await BareSystem.make(release);
      try {
        await system.must('apt-get update -q');
        await system.must(`useradd -m ${user}`);
        for (const kind of kinds) await tryOn(system, { release, kind, display, node });
      } finally {
        system.remove();
      }
    }
  } finally {
    await screen?.close();
  }
  for (const [kind, reason] of Object.entries(why)) say(`Not tried: ${kind}, since ${reason}.`);
  say('Not tried: macOS and Windows.');
  return 0;
});

function whatIsMissing() {
  if (process.platform !== 'linux') return ['they are tried on Linux alone'];
  const programs = { debootstrap: '/usr/sbin/debootstrap', 'dpkg-deb': '/usr/bin/dpkg-deb', Xvfb: '/usr/bin/Xvfb' };
  const absent = Object.entries(programs).filter(([, path]) => !existsSync(path));
  return [...(process.getuid() === 0 ? [] : ['root']), ...absent.map(([name]) => name)].map(
    (name) => `${name} is missing`,
  );
}

/** The package of this version in release/. */
function made(kind) {
  const { version, npmName } = manifest();
  const npm = `${npmName.replace('@', '').replace('/', '-')}-${version}.tgz`;
  const file = readdirSync(inProject('release')).find((name) =>
    kind === 'npm' ? name === npm : name.includes(`-${version}-`) && name.endsWith(`.${kind}`),
  );
  if (file === undefined) throw new Stop(`There is no ${kind} of this version in release/.`);
  return inProject('release', file);
}

async function tryOn(system, { release, kind, display, node }) {
  const part = (title, work) => step(`${release}, ${kind}: ${title}`, work);
  const trial = trials[kind];
  const file = made(kind);
  await system.must(`rm -rf /home/${user}/.claude && mkdir -p /tmp/jumpseat && chmod 755 /tmp/jumpseat`);
  await part('what it needs', () => trial.prepare(system, { file, node }));
  const before = new Set(await system.files());
  await part('install', () => trial.install(system, { file, node }));
  const command = await trial.command(system);
  if (command !== null) {
    await part('ask', () => ask(system, command));
    await part('a request to the demo, and a prompt of an editor', () => demo(system, command));
  }
  if (trial.tray !== undefined) {
    const program = await trial.tray(system);
    await part('the tray app, and a click in its window', () => tray(system, { command, program, display, node }));
  }
  const words = await part('uninstall and remove', async () => {
    if (command === null) return trial.remove(system);
    const setup = `JUMPSEAT_SECRETS=memory JUMPSEAT_KEY=key-of-this-trial-alone ${command} setup claude-code`;
    await system.must(setup, { user });
    const said = await system.must(`${command} uninstall --purge --yes`, { user });
    if (!said.includes(trial.removedBy)) throw new Stop(`jumpseat uninstall printed:\n${said}`);
    return trial.remove(system);
  });
  for (const sentence of trial.says ?? [])
    if (!words.includes(sentence)) throw new Stop(`Removing it did not say "${sentence}":\n${words}`);
  // Claude Code, which the editor's prompt started, keeps its own.
  const ofOthers = new RegExp(`^/home/${user}/\\.(?:cache/)?claude|^/tmp/jumpseat\\b`);
  const left = (await system.files()).filter((path) => !before.has(path) && /jumpseat|\.claude/i.test(path));
  const others = left.filter((path) => !ofOthers.test(path));
  if (others.length > 0) throw new Stop(`${release}, ${kind}: removing it left\n${others.join('\n')}`);
}
