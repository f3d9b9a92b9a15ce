import { cpSync, readFileSync, rmdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Stop } from '../lib/progress.mjs';
import { inProject } from '../lib/project.mjs';
import { npm, quiet } from '../lib/run.mjs';
import { user } from './trial.mjs';

const apt = { env: { DEBIAN_FRONTEND: 'noninteractive' } };
const install = 'apt-get install -y -q --no-install-recommends';
const home = `/home/${user}`;
const pointsOn = 'Claude Code still points to it';

/**
 * How each package comes onto a bare system and goes again. `prepare` is what has to be there before, and stays;
 * `command` is null where it has none; `removedBy` is what `jumpseat uninstall` has to print; `says` what its removal
 * has to say.
 */
export const trials = {
  deb: {
    prepare: (system, { file }) => system.put(file, 'jumpseat.deb'),
    install: (system) => system.must(`${install} /tmp/jumpseat.deb`, apt),
    command: () => 'jumpseat',
    tray: () => '/opt/Jumpseat/jumpseat-tray',
    removedBy: 'sudo apt purge jumpseat',
    remove: (system) => system.must('apt-get purge -y -q jumpseat', apt),
    says: ['run "jumpseat uninstall"', pointsOn],
  },
  'tar.gz': {
    async prepare(system, { file }) {
      system.put(file, 'jumpseat.tar.gz');
      await system.must(`${install} ${libraries()}`, apt);
    },
    install: (system) => system.must(`tar -xzf /tmp/jumpseat.tar.gz -C ${home}`, { user }),
    command: async (system) => `${await unpacked(system)}/bin/jumpseat`,
    async tray(system) {
      const folder = await unpacked(system);
      // In a chroot no user has namespaces: as docs/installation.md says, its helper gets the rights of root.
      await system.must(`chown root:root ${folder}/chrome-sandbox && chmod 4755 ${folder}/chrome-sandbox`);
      return `${folder}/jumpseat-tray`;
    },
    removedBy: `delete the folder ${home}/Jumpseat-`,
    remove: async (system) => system.must(`rm -rf ${await unpacked(system)}`, { user }),
  },
  // Debian's rpm, into a Debian: files and scripts are tried, dependencies are not.
  rpm: {
    prepare: (system) => system.must(`${install} ${libraries()}`, apt),
    install: (system, { file }) => rpm(system, '--install', '--nodeps', file),
    command: () => 'jumpseat',
    tray: () => '/opt/Jumpseat/jumpseat-tray',
    removedBy: 'sudo dnf remove jumpseat',
    remove: (system) => rpm(system, '--erase', 'jumpseat'),
    says: ['run "jumpseat uninstall"', pointsOn],
  },
  // The tray app alone. Without FUSE, which a chroot has not, it unpacks itself.
  AppImage: {
    async prepare(system, { file }) {
      system.put(file, 'jumpseat.AppImage');
      await system.must(`${install} ${libraries()}`, apt);
    },
    install: (system) => system.must(`install -m 755 /tmp/jumpseat.AppImage ${home}/jumpseat.AppImage`, { user }),
    command: () => null,
    tray: () => `APPIMAGE_EXTRACT_AND_RUN=1 ${home}/jumpseat.AppImage`,
    // What it unpacked stays, since a trial kills it; and so does what the person has.
    remove: (system) =>
      system.must(`rm -rf ${home}/jumpseat.AppImage /tmp/appimage_extracted_* ${home}/.local/share/jumpseat`, { user }),
  },
  // By this machine's npm, since a bare Debian has none; on the Node that it is built for.
  npm: {
    prepare: (system, { node }) => cpSync(node, join(system.folder, 'usr', 'local', 'bin', 'node')),
    install: (system, { file }) => inNpm(system, 'install', file),
    command: () => 'jumpseat',
    removedBy: 'npm uninstall -g @jumpseat/cli',
    async remove(system) {
      await inNpm(system, 'uninstall', '@jumpseat/cli');
      // npm leaves the folder of the scope, empty.
      rmdirSync(join(system.folder, 'usr', 'local', 'lib', 'node_modules', '@jumpseat'));
      return '';
    },
  },
};

/** What the package for Debian depends on. Of two names apt finds the other one by the first. */
function libraries() {
  const [, list = ''] = /^deb:\n[\s\S]*?\n {2}depends:\n((?: {4}- .*\n)+)/m.exec(
    readFileSync(inProject('electron-builder.yml'), 'utf8'),
  );
  const names = list
    .trim()
    .split('\n')
    .map((line) => line.replace(/^ *- /, ''));
  return names.map((name) => name.split(' | ')[0]).join(' ');
}

async function unpacked(system) {
  const name = (await system.must(`ls ${home}`, { user })).split('\n').find((one) => one.startsWith('Jumpseat-'));
  return `${home}/${basename(name ?? '')}`;
}

async function rpm(system, ...args) {
  const { code, output } = await quiet('rpm', ['--root', system.folder, '--dbpath', '/var/lib/rpm', ...args]);
  if (code !== 0) throw new Stop(`rpm ended with ${code}:\n${output.trim()}`);
  return output;
}

async function inNpm(system, what, name) {
  const prefix = join(system.folder, 'usr', 'local');
  const { code, output } = await npm([what, '--global', '--ignore-scripts', '--offline', `--prefix=${prefix}`, name]);
  if (code !== 0) throw new Stop(`npm ${what} ended with ${code}:\n${output.trim()}`);
  return output;
}
