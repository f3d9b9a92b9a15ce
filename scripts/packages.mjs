import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { main, Stop, say, step } from './lib/progress.mjs';
import { inProject, manifest } from './lib/project.mjs';
import { foreground } from './lib/run.mjs';
import { virtualScreen } from './lib/virtual-screen.mjs';
import { BareSystem } from './packing/bare-system.mjs';

const releases = ['bookworm', 'trixie'];
const user = 'person';

/**
 * `npm run packages [-- RELEASE …]`: makes a package for Debian, and tries it on bare systems: installed, asked in a
 * terminal, a request to the demo, the tray app on a screen, removed again. `--made` takes the package that is there.
 */
await main(async (args) => {
  const missing = whatIsMissing();
  if (missing.length > 0) throw new Stop(`Packages can't be tried here: ${missing.join('; ')}.`);
  if (!args.includes('--made')) {
    const options = ['--trial', '--linux', 'deb', '-c.deb.compression=gz'];
    const code = await foreground(process.execPath, [inProject('scripts', 'dist.mjs'), ...options]);
    if (code !== 0) return code;
  }
  const file = readdirSync(inProject('release')).find(
    (name) => name.includes(`-${manifest().version}-`) && name.endsWith('.deb'),
  );
  if (file === undefined) throw new Stop('There is no package of this version in release/.');
  const screen = await virtualScreen();
  if (screen === 'none') throw new Stop('Xvfb does not start.');
  const display = screen?.display ?? process.env.DISPLAY;
  const chosen = args.filter((arg) => !arg.startsWith('--'));
  try {
    for (const release of chosen.length > 0 ? chosen : releases) {
      const system = await BareSystem.make(release);
      try {
        await tryOn(system, { release, file: inProject('release', file), display });
      } finally {
        system.remove();
      }
    }
  } finally {
    await screen?.close();
  }
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

async function tryOn(system, { release, file, display }) {
  const part = (title, work) => step(`${release}: ${title}`, work);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  system.put(file, 'jumpseat.deb');
  await system.must('apt-get update -q', { env });
  await system.must(`useradd -m ${user}`);
  const before = new Set(await system.files());
  await part('install', () => system.must('apt-get install -y -q --no-install-recommends /tmp/jumpseat.deb', { env }));
  await part('ask', async () => {
    const version = await system.must('jumpseat --version', { user });
    if (version.trim() !== manifest().version) throw new Stop(`jumpseat --version printed ${version}`);
    const { output } = await system.run('jumpseat doctor', { user });
    if (!output.includes('Not signed in.')) throw new Stop(`jumpseat doctor printed:\n${output}`);
  });
  await part('a request to the demo', () => demo(system));
  await part('the tray app on a screen', () => tray(system, display));
  await part('remove', () => system.must('apt-get purge -y -q jumpseat', { env }));
  const left = (await system.files()).filter((path) => !before.has(path) && /jumpseat/i.test(path));
  const persons = left.filter((path) => path.startsWith(`/home/${user}/`));
  const others = left.filter((path) => !persons.includes(path) && path !== '/tmp/jumpseat.deb');
  if (others.length > 0) throw new Stop(`${release}: removing it left\n${others.join('\n')}`);
  say(`${release}: all of it works, and nothing is left but ${persons.length} files and folders of the person.`);
}

/** Ends in order when its stdin does, and deletes its folder. */
async function demo(system) {
  const child = system.start('jumpseat demo --json --port 0 & read -r stop; kill $!; wait $!', { user });
  const ended = once(child, 'exit');
  try {
    const { value } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
    const { baseUrl, authToken } = JSON.parse(value ?? '{}');
    const answer = await fetch(`${baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${authToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-sonnet-4.6',
        max_tokens: 50,
        messages: [{ role: 'user', content: 'hello' }],
      }),
      signal: AbortSignal.timeout(20_000),
    });
    const { type } = await answer.json();
    if (type !== 'message') throw new Stop(`The demo answered with ${answer.status} ${type}.`);
  } finally {
    child.stdin.end();
    await ended;
  }
}

/** `jumpseat` alone is the tray app, and in it the sandbox's helper runs or the kernel's user namespaces do. */
async function tray(system, display) {
  const child = system.start('jumpseat', { user, env: { DISPLAY: display, JUMPSEAT_PORT: '0' } });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  try {
    for (let tries = 0; tries < 60; tries++) {
      const { output } = await system.run('jumpseat status', { user });
      if (/^Proxy +http:\/\/127\.0\.0\.1:\d+ /m.test(output)) return;
      if (child.exitCode !== null) break;
      await sleep(500);
    }
    throw new Stop(`The tray app did not start:\n${said.trim().split('\n').slice(-15).join('\n')}`);
  } finally {
    await system.end(child);
  }
}
