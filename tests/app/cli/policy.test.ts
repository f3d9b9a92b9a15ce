import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { soon } from '../../soon.ts';
import { Started } from '../../started.ts';
import { temporaryFolder } from '../adapters/folder.ts';

/* The policy in the system's own place: in a namespace of folders whose /etc is another one. */

const alone = ['--map-root-user', '--mount'];
const made = process.platform === 'linux' ? spawnSync('unshare', [...alone, 'true'], { encoding: 'utf8' }) : null;
const none =
  made === null ? 'only Linux has namespaces' : made.status === 0 ? null : (made.error?.message ?? made.stderr);
const entry = process.env.JUMPSEAT_TEST_CLI ?? join(import.meta.dirname, '../../../app/cli/jumpseat.ts');

describe.skipIf(none !== null)(`/etc/jumpseat/policy.json (${none?.trim() ?? 'here'})`, () => {
  /** Runs a command on a machine with this policy. */
  const on = (policy: string, mode: string, ...args: string[]) => run(temporaryFolder(), policy, mode, ...args).ended();

  function run(folder: string, policy: string, mode: string, ...args: string[]): Started {
    const script = `
      cd "$1"; shift
      mkdir -p etc/jumpseat home
      chmod 755 etc etc/jumpseat
      printf '%s' "$POLICY" > etc/jumpseat/policy.json
      chmod ${mode} etc/jumpseat/policy.json
      mount --bind etc /etc
      exec "$@"`;
    const env = {
      ...{ PATH: process.env.PATH ?? '', POLICY: policy, HOME: join(folder, 'home') },
      ...{ JUMPSEAT_HOME: join(folder, 'home', 'jumpseat'), JUMPSEAT_SECRETS: 'memory', JUMPSEAT_PORT: '5999' },
      ...{ JUMPSEAT_GITHUB_URL: 'http://127.0.0.1:9', JUMPSEAT_GITHUB_API_URL: 'http://127.0.0.1:9' },
    };
    return new Started('unshare', [...alone, 'sh', '-euc', script, 'on', folder, process.execPath, entry, ...args], {
      env,
    });
  }

  it('keeps "serve" from starting where it is broken, or others could write it', async () => {
    const broken = await on('{"version":1,"settings":{"theme":{"value":"pink"}}}', '644', 'serve', '--json');
    expect(broken).toMatchObject({ code: 1, out: '' });
    expect(broken.err).toContain(
      'The policy /etc/jumpseat/policy.json can’t be used: settings.theme.value is no value that theme can have. Ask those',
    );
    const open = await on('{"version":1,"settings":{}}', '666', 'serve', '--json');
    expect(open).toMatchObject({ code: 1, out: '' });
    expect(open.err).toContain('others than the administrator can write /etc/jumpseat/policy.json');
  });

  it('that is broken is the answer of the commands that would ask GitHub, Copilot or an engine', async () => {
    const why = 'The policy /etc/jumpseat/policy.json can’t be used: it isn’t valid JSON';
    for (const command of [
      ['search', 'x'],
      ['search', 'x', '--engine', 'duckduckgo'],
      ['models'],
      ['models', '--why', 'opus'],
      ['rules', 'try', 'opus'],
    ]) {
      const ended = await on('{"version":1,', '644', ...command);
      expect([command, ended]).toMatchObject([command, { code: 1, out: '', err: expect.stringContaining(why) }]);
    }
    const { out } = await on('{"version":1,', '644', 'doctor');
    expect(out).not.toContain('jumpseat serve');
    for (const what of ['claude-code', 'codex-config']) {
      const { err } = await on('{"version":1,', '644', 'env', '--for', what);
      expect([what, err]).toEqual([what, expect.stringContaining(why)]);
      expect(err).not.toContain('jumpseat serve');
    }
  });

  it('is named by doctor, and wins over variables and options', async () => {
    const policy = JSON.stringify({ version: 1, organization: 'Octo', settings: { port: { value: 4180 } } });
    const { out } = await on(policy, '644', 'doctor', '--json');
    const { checks } = JSON.parse(out);
    const found = checks.find(({ id }: { id: string }) => id === 'server.policy');
    expect(found).toMatchObject({ verdict: 'passed', finding: 'Set by Octo in /etc/jumpseat/policy.json: port' });
    const status = await on(policy, '644', 'status', '--json');
    expect(JSON.parse(status.out).warnings.map(({ text }: { text: string }) => text)).toContain(
      'JUMPSEAT_PORT isn’t followed: your organization set that in /etc/jumpseat/policy.json.',
    );
    const moved = await on(policy, '644', 'serve', '--json', '--port', '5998');
    expect(moved).toMatchObject({ code: 1, err: expect.stringContaining('The port is set by your organization.') });
  });

  it('that is broken while "serve" runs stops the proxy and not the process, which goes on once it is corrected', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'etc', 'jumpseat', 'policy.json');
    const [good, bad] = ['{"version":1,"settings":{}}', '{"version":1,'];
    const running = run(folder, good, '644', 'serve', '--port', '0');
    await soon(() => expect(running.out).toContain('  Proxy '));
    const answers = async (): Promise<boolean> => {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(running.out)?.[0] ?? '';
      return (await fetch(`${url}/healthz`).catch(() => null))?.ok === true;
    };
    expect(await answers()).toBe(true);
    writeFileSync(file, bad);
    await soon(async () => expect([running.err.includes('isn’t valid JSON'), await answers()]).toEqual([true, false]));
    writeFileSync(file, good);
    await soon(async () => expect(await answers()).toBe(true));
    running.child.kill('SIGINT');
    expect((await running.ended()).code).toBe(0);
  });
});
