import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { extractFile, listPackage, statFile } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../app/simulator/simulator.ts';
import { patienceMs, until } from '../soon.ts';
import { Desktop } from './desktop.ts';
import { iconName, showsIcon } from './icon-name.ts';
import { keychainEntries } from './keychain-entries.ts';
import { showsText } from './page-holds.ts';
import { processesOf, stillRunning, withDescendants } from './processes.ts';
import { electronPath, hasDesktop, TrayProgram } from './tray-program.ts';

const run = promisify(execFile);
const project = join(import.meta.dirname, '..', '..');
const model = 'claude-sonnet-4.6';

/** Everything a package may hold, and must. Hashes in names are stars here. */
const contents = [
  /^\/LICENSE$/,
  /^\/package\.json$/,
  /^\/dist\/main\/main\.js$/,
  // Sums of a long history, on a thread of their own.
  /^\/dist\/threads\/history-reader\.js$/,
  // A PAC script, on a thread with an engine of its own.
  /^\/dist\/threads\/pac-thread\.js$/,
  /^\/dist\/threads\/quickjs\.wasm\.br$/,
  // The readable text of a page of the web, in a process of its own.
  /^\/dist\/processes\/page-reader\.js$/,
  // An image that is too large, scaled in a process of its own.
  /^\/dist\/processes\/image-scaler\.js$/,
  /^\/dist\/processes\/launch-\*\.js$/,
  /^\/dist\/main\/[\w.-]+-\*\.js$/,
  // The table of OpenAI's tokens.
  /^\/dist\/main\/o200k_base\.txt\.br$/,
  // What leads hosted sessions, each in a process of its own.
  /^\/dist\/agents\/claude\.js$/,
  /^\/dist\/agents\/codex\.js$/,
  /^\/dist\/agents\/[\w-]+-\*\.js$/,
  /^\/dist\/preload\/preload\.cjs$/,
  /^\/dist\/renderer\/index\.html$/,
  /^\/dist\/renderer\/licenses\.txt$/,
  /^\/dist\/renderer\/assets\/[\w-]+-\*\.(js|css|svg)$/,
  /^\/resources\/app\/256x256\.png$/,
  /^\/resources\/tray\/tray-(on|busy|warning|waiting|off|signin|error)-(black|white)-(22|24|44|48)\.png$/,
  /^\/node_modules\/keytar\/(package\.json|LICENSE\.md|lib\/keytar\.js)$/,
  new RegExp(`^/node_modules/keytar/prebuilds/linux-${process.arch}/keytar\\.node$`),
];

const fuses = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
};

describe.skipIf(!hasDesktop)('the packed app', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'jumpseat-packed-'));
    await pack('release');
    await pack('e2e', '--e2e');
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** `npm run dist -- --dir`, without the npm. */
  async function pack(name: 'release' | 'e2e', ...options: string[]): Promise<void> {
    const output = `--config.directories.output=${join(folder, name)}`;
    await run(process.execPath, [join(project, 'scripts', 'dist.mjs'), '--dir', output, ...options], {
      env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: dirname(electronPath ?? '') },
    });
  }
  const unpacked = (name: 'release' | 'e2e'): string => {
    const [found] = readdirSync(join(folder, name)).filter((entry) => /^linux.*-unpacked$/.test(entry));
    return join(folder, name, found ?? '');
  };
  const resources = () => join(unpacked('release'), 'resources');
  const asar = () => join(resources(), 'app.asar');
  const executable = (name: 'release' | 'e2e') => join(unpacked(name), 'jumpseat-tray');
  const files = () =>
    listPackage(asar(), { isPack: false }).filter((path) => !('files' in statFile(asar(), path.slice(1))));

  it('holds what it needs and nothing else', () => {
    const plain = files().map((path) => path.replace(/-[\w-]{8}\.(js|css|svg)$/, '-*.$1'));
    expect(plain.filter((path) => !contents.some((wanted) => wanted.test(path)))).toEqual([]);
    for (const wanted of contents)
      expect(
        plain.some((path) => wanted.test(path)),
        String(wanted),
      ).toBe(true);
    expect(plain.filter((path) => path.startsWith('/resources/tray/'))).toHaveLength(7 * 2 * 4);
  });

  it('holds no simulator, no map and no trace of the machine that packed it', () => {
    for (const path of files().filter((name) => /\.(js|cjs|html|css|json)$/.test(name))) {
      const text = extractFile(asar(), path.slice(1)).toString();
      expect(text.includes('octo-demo'), `${path}: the simulated person`).toBe(false);
      expect(text.includes('sourceMappingURL=data:'), `${path}: a map`).toBe(false);
      expect(text.includes(project), `${path}: a path of this machine`).toBe(false);
    }
  });

  it('says who it is, and nothing of how it was made', () => {
    const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    expect(JSON.parse(extractFile(asar(), 'package.json').toString())).toEqual({
      name: 'jumpseat',
      productName: 'Jumpseat',
      desktopName: 'app.jumpseat.Jumpseat.desktop',
      version,
      description: expect.any(String),
      homepage: expect.stringMatching(/^https:/),
      license: 'MIT',
      author: expect.anything(),
      type: 'module',
      main: 'dist/main/main.js',
      dependencies: { keytar: expect.any(String) },
    });
  });

  it('has one native file outside of the archive for each front, of this platform', () => {
    const outside = readdirSync(resources(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.node'))
      .map((entry) => join(entry.parentPath, entry.name).slice(resources().length));
    const keytar = `node_modules/keytar/prebuilds/linux-${process.arch}/keytar.node`;
    expect(outside.sort()).toEqual([`/app.asar.unpacked/${keytar}`, `/cli/${keytar}`]);
    expect(machineOf(join(resources(), outside[0] ?? ''))).toBe(machineOf(executable('release')));
    expect(readdirSync(resources()).sort()).toEqual(['app.asar', 'app.asar.unpacked', 'cli']);
    expect(existsSync(join(unpacked('release'), 'version'))).toBe(false);
  });

  it('has the command, on a Node of its own and without a display', async () => {
    const { stdout } = await run(join(unpacked('release'), 'bin', 'jumpseat'), ['--version'], { env: {} });
    expect(stdout).toBe(`${JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version}\n`);
  });

  it('has the fuses of a release; those for tests differ in the one that lets a debugger in', async () => {
    expect(await fusesOf(executable('release'))).toMatchObject(fuses);
    expect(await fusesOf(executable('e2e'))).toMatchObject({ ...fuses, EnableNodeCliInspectArguments: true });
  });

  describe('driven', () => {
    let desktop: Desktop;
    let simulator: Simulator;
    beforeAll(async () => {
      desktop = await Desktop.start({ keyring: true });
      simulator = await startSimulator({ deviceInterval: 1 });
    });
    afterAll(async () => {
      await desktop?.close();
      await simulator?.close();
    });

    it('signs in, keeps the token in the keychain, serves a request, shows it, and is gone when it quits', async () => {
      const program = await TrayProgram.start({
        desktop,
        simulator,
        executable: executable('e2e'),
        args: ['--hidden'],
        env: { JUMPSEAT_KEY: 'key-of-this-test-alone' },
      });
      try {
        expect(await program.electron.evaluate(({ app }) => [app.isPackaged, app.name])).toEqual([true, 'Jumpseat']);
        const tray = await program.tray();
        await tray.click('Sign in to GitHub…');
        await tray.shows(/^\(Code/);
        simulator.script.approve();
        await desktop.notifications.titled('Signed in as octo-demo');
        await showsIcon(tray, 'tray-on');
        expect(Object.values(await keychainEntries(desktop)).join('\n')).toContain(simulator.githubToken);

        const answer = await fetch(`http://127.0.0.1:${program.port}/v1/messages`, {
          method: 'POST',
          signal: AbortSignal.timeout(patienceMs),
          headers: { authorization: 'Bearer key-of-this-test-alone.test', 'content-type': 'application/json' },
          body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: 'user', content: 'hello there' }] }),
        });
        expect(answer.status).toBe(200);
        await tray.click('Open Jumpseat');
        const page = await program.window();
        await showsText(page, model);
        expect(page.url()).toMatch(/^app:\/\/bundle\//);
        // What it writes for editors starts from any folder, though no jumpseat is on the PATH.
        const lines = await page.evaluate(() => window.jumpseat?.shownLines('bash', 'acp-zed'));
        const { command, args } = JSON.parse(lines?.ok ? lines.value : '{}').agent_servers.Jumpseat;
        expect(args).toEqual(['acp']);
        const { stdout } = await run(command, ['--version'], { cwd: '/', env: {} });
        expect(stdout).toMatch(/^\d+\.\d+\.\d+/);

        const processes = program.processes();
        await tray.click('Quit Jumpseat');
        await program.gone(processes);
      } finally {
        await program.close();
      }
    });

    it('as released: no debugger, no Node options, no Node in its place; the tray works', async () => {
      const home = join(desktop.home, 'jumpseat');
      const leak = join(desktop.home, 'leak');
      const child = spawn(executable('release'), ['--no-sandbox', '--disable-gpu', '--inspect=0', '--hidden'], {
        env: {
          ...desktop.env,
          JUMPSEAT_HOME: home,
          JUMPSEAT_PORT: '0',
          JUMPSEAT_GITHUB_URL: simulator.webUrl,
          JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
          ELECTRON_RUN_AS_NODE: '1',
          NODE_OPTIONS: `--report-on-fatalerror --trace-event-categories=v8 --trace-event-file-pattern=${leak}`,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk;
      });
      const gone = once(child, 'exit');
      try {
        const tray = await desktop.tray.icon({ of: child.pid ?? 0, explain: () => said });
        // Who signed in with the other build still is.
        await tray.shows(/credits left/);
        expect(await iconName(tray)).toBe('tray-on');
        const processes = [...withDescendants(child.pid ?? 0), ...processesOf(home)];
        await tray.click('Quit Jumpseat');
        expect(await gone).toEqual([0, null]);
        await until(() => stillRunning(processes).length === 0);
        expect(said).not.toContain('Debugger listening');
        expect(existsSync(leak)).toBe(false);
      } finally {
        child.kill('SIGKILL');
      }
    });
  });
});

async function fusesOf(path: string): Promise<Record<string, boolean>> {
  const wire = await getCurrentFuseWire(path);
  return Object.fromEntries(
    Object.entries(FuseV1Options)
      .filter((pair): pair is [string, FuseV1Options] => typeof pair[1] === 'number')
      .map(([name, option]) => [name, String.fromCharCode(wire[option] ?? 0) === '1']),
  );
}

/** The processor that an ELF file is for. */
function machineOf(path: string): number {
  const head = Buffer.alloc(20);
  const file = openSync(path, 'r');
  readSync(file, head);
  closeSync(file);
  expect(head.toString('latin1', 1, 4)).toBe('ELF');
  return head.readUInt16LE(18);
}
