import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../app/adapters/folder.ts';
import { runPatienceMs } from '../soon.ts';
import { Started } from '../started.ts';
import { claudeBinary, claudeVariables } from './claude.ts';
import { builtCli, type Product, startProduct } from './product.ts';

/*
 * Clients in places of their own, as a container has them: a namespace of the network in which this machine’s 127.0.0.1
 * isn’t, and folders of its own.
 */

/** Why such a place can’t be made here; null: it can. */
function whyNone(...options: string[]): string | null {
  if (process.platform !== 'linux') return 'only Linux has namespaces';
  const made = spawnSync('unshare', [...options, 'ip', 'link', 'set', 'lo', 'up'], { encoding: 'utf8' });
  return made.status === 0 ? null : (made.error?.message ?? made.stderr.trim());
}
const alone = ['--map-root-user', '--net', '--mount'];
const noPlace = whyNone(...alone);
const noBridge = process.getuid?.() === 0 ? noPlace : 'only root makes a bridge between places';

let product: Product;
let inside: Started | null = null;
afterEach(async () => {
  inside?.child.kill('SIGKILL');
  inside = null;
  await product?.close();
});

/** Runs a script of sh in a place of its own. */
function place(script: string, env: Record<string, string>, ...args: string[]): Started {
  const program = { NODE: process.execPath, JUMPSEAT: builtCli(), ASK: ask };
  const variables = { PATH: process.env.PATH ?? '', ...program, ...env };
  return new Started('unshare', [...alone, 'sh', '-euc', script, 'place', ...args], {
    env: variables,
    withinMs: runPatienceMs,
  });
}

const ask = `
  const { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key } = process.env;
  const answer = await fetch(url + '/v1/messages', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-sonnet-4.6', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] }),
  }).catch((error) => error.cause);
  console.log('answer', answer.status ?? answer.code);`;

describe.skipIf(noPlace !== null)(`a container with the socket’s folder (${noPlace ?? 'here'})`, () => {
  it('runs Claude Code through the forward, where no other way leads out', async () => {
    product = await startProduct({}, { proxy: { socket: true } });
    const { home, baseUrl } = product;
    const mounted = join(home, 'mounted');
    mkdirSync(mounted);
    mkdirSync(join(home, 'project'));
    const { port } = new URL(baseUrl);
    const script = `
      ip link set lo up
      mount --bind "$1" "$2"
      cd "$3"
      "$NODE" --input-type=module -e "$ASK"
      "$NODE" "$JUMPSEAT" doctor --json > before.json || echo "doctor failed"
      "$NODE" "$JUMPSEAT" forward --port ${port} > forward.log 2>&1 &
      trap "kill $!" EXIT
      until grep -q leads forward.log; do sleep 0.1; done
      "$NODE" --input-type=module -e "$ASK"
      "$NODE" "$JUMPSEAT" doctor
      "$CLAUDE" -p "Say hello"`;
    inside = place(
      script,
      {
        ...claudeVariables(product),
        JUMPSEAT_SOCKET: join(mounted, 'jumpseat.sock'),
        CLAUDE: claudeBinary,
      },
      ...[join(home, 'jumpseat', 'socket'), mounted, join(home, 'project')],
    );
    const { code, out, err } = await inside.ended();
    expect({ code, err, out }).toEqual({ code: 0, err: '', out });
    expect(out).toContain('answer ECONNREFUSED\ndoctor failed\nanswer 200\n');
    expect(out).toMatch(/Claude Code can work.*4 passed/s);
    expect(out).toContain(`leads to Jumpseat`);
    await product.settled();
    expect(product.exchanges.map(({ client }) => client)).toContain('claude-code');
    expect(product.exchanges.every(({ status }) => status === 200)).toBe(true);
  });
});

describe.skipIf(noBridge !== null)(`a container on a bridge (${noBridge ?? 'here'})`, () => {
  it('reaches the address that was agreed to, under that address and Docker’s name for it', async () => {
    const net = `10.254.${process.pid % 250}`;
    const address = `${net}.1`;
    const link = `jst${process.pid % 100_000}`;
    const folder = temporaryFolder();
    const script = `
      cd "$1"
      echo $$
      until [ -f go ]; do sleep 0.1; done
      . ./go
      ip link set lo up
      ip addr add ${net}.2/30 dev ${link}b
      ip link set ${link}b up
      ask() { "$NODE" --input-type=module -e "$ASK"; }
      ask
      ANTHROPIC_AUTH_TOKEN=none.x ask
      echo "${address} host.docker.internal other.example" > hosts
      mount --bind hosts /etc/hosts
      ANTHROPIC_BASE_URL=http://host.docker.internal:$PORT ask
      ANTHROPIC_BASE_URL=http://other.example:$PORT ask
      "$NODE" "$JUMPSEAT" doctor --inside`;
    const held = place(script, {}, folder);
    inside = held;
    const pid = (await held.line()).trim();
    execFileSync('ip', ['link', 'add', `${link}a`, 'type', 'veth', 'peer', 'name', `${link}b`, 'netns', pid]);
    execFileSync('ip', ['addr', 'add', `${address}/30`, 'dev', `${link}a`]);
    execFileSync('ip', ['link', 'set', `${link}a`, 'up']);
    product = await startProduct({}, { proxy: { address }, addressAgreed: address });
    const { port } = new URL(product.baseUrl);
    const variables = { ...claudeVariables(product), ANTHROPIC_BASE_URL: `http://${address}:${port}`, PORT: port };
    const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
    writeFileSync(join(folder, 'new'), lines.join(''), { mode: 0o600 });
    renameSync(join(folder, 'new'), join(folder, 'go'));

    const { code, out, err } = await held.ended();
    expect({ code, err, out }).toEqual({ code: 0, err: '', out });
    expect(out).toContain('answer 200\nanswer 401\nanswer 200\nanswer 421\n');
    expect(out).toContain(`http://${address}:${port} leads to Jumpseat`);
    const status = await product.run(['status']).ended();
    expect(status.out).toContain(`Also at       http://${address}:${port}, for every machine`);
  });
});
