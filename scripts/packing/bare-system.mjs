import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../lib/lock.mjs';
import { Stop, step } from '../lib/progress.mjs';
import { cacheFolder } from '../lib/project.mjs';
import { quiet } from '../lib/run.mjs';

/** A Debian with nothing in it but what every Debian has, in a folder of its own. Needs root and debootstrap. */
export class BareSystem {
  /** @param {string} release `bookworm` */
  static async make(release) {
    const folder = mkdtempSync(join(tmpdir(), `jumpseat-${release}-`));
    await quiet('cp', ['-a', `${await fetchedSystem(release)}/.`, folder]);
    return new BareSystem(folder);
  }

  constructor(folder) {
    this.folder = folder;
  }

  /** Puts a file below /tmp. */
  put(file, name) {
    cpSync(file, join(this.folder, 'tmp', name));
  }

  /**
   * Runs a command of the shell; with its end, everything that it started ends too.
   * @param {{ user?: string, env?: Record<string, string> }} [options]
   * @returns {import('node:child_process').ChildProcess}
   */
  start(command, { user = 'root', env = {} } = {}) {
    const inside = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" su "$1" -c "$2"';
    const own = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', inside, this.folder, user, command];
    const home = user === 'root' ? '/root' : `/home/${user}`;
    const variables = { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: home, LC_ALL: 'C.UTF-8', ...env };
    return spawn('unshare', own, { env: variables, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  /** Ends what `start` started, at once and with all that it started: on a gentler signal unshare would wait. */
  async end(child) {
    const ended = child.exitCode ?? child.signalCode ?? once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** @returns {Promise<{ code: number, output: string }>} */
  async run(command, options) {
    const child = this.start(command, options);
    child.stdin.end();
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    const code = await new Promise((resolve) => child.once('close', (ended) => resolve(ended ?? 1)));
    return { code, output: Buffer.concat(chunks).toString() };
  }

  /** Like `run`; a command that fails ends the trial. @returns {Promise<string>} what it printed */
  async must(command, options) {
    const { code, output } = await this.run(command, options);
    if (code !== 0)
      throw new Stop(`"${command}" ended with ${code}:\n${output.trim().split('\n').slice(-15).join('\n')}`);
    return output;
  }

  async files() {
    return (await this.must('find / -xdev')).split('\n');
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A system made by debootstrap, once, from this machine's mirror. */
async function fetchedSystem(release) {
  const folder = join(cacheFolder(), 'systems', release);
  if (existsSync(folder)) return folder;
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(folder)) return folder;
    mkdirSync(join(cacheFolder(), 'systems'), { recursive: true });
    const part = mkdtempSync(`${folder}.part-`);
    await step(`Fetching a bare ${release} (first run only)`, async () => {
      const { code, output } = await quiet('debootstrap', ['--variant=minbase', release, part]);
      if (code !== 0) throw new Stop(`debootstrap failed:\n${output.trim().split('\n').slice(-5).join('\n')}`);
    });
    renameSync(part, folder);
    return folder;
  });
}
