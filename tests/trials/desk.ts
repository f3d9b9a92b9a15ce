import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { planNames } from '../../app/simulator/options.ts';
import { vendorRefusal } from '../../app/simulator/refusal.ts';
import { type Reply, type Simulator, startDemoSimulator } from '../../app/simulator/simulator.ts';
import { Terminal } from '../clients/terminal.ts';
import { Desktop } from '../e2e/desktop.ts';
import { processesOf, stillRunning, withDescendants } from '../e2e/processes.ts';
import { putClaudeOn } from '../e2e/sessions-day/sessions-desktop.ts';
import { freePort } from '../free-port.ts';
import { script } from '../scripts/script.ts';
import { until } from '../soon.ts';

/**
 * The desktop of one trial: a screen, a tray, a keychain, a browser, terminals, and a simulated Copilot. It runs in the
 * background and takes the commands of `npm run trial` on a Unix socket: a list of words in, text out. Nothing of it
 * reaches into Jumpseat: what is done goes through mouse, keys, clipboard and the desktop's bus, as a person's hands.
 */

const run = promisify(execFile);
const [folder = '', ...options] = process.argv.slice(2);
const { values: chosen } = parseArgs({
  args: options,
  options: {
    plan: { type: 'string', default: 'pro-plus' },
    size: { type: 'string', default: '1280x880' },
    'no-keychain': { type: 'boolean', default: false },
  },
});
const plan = planNames.find((name) => name === chosen.plan);
if (plan === undefined) throw new Error(`--plan must be one of ${planNames.join(', ')}.`);

interface Screen {
  display: string;
  close(): Promise<unknown>;
}
const { virtualScreen } = await script<{ virtualScreen(size: string): Promise<Screen | 'none' | null> }>(
  'virtual-screen',
);
const screen = await virtualScreen(chosen.size);
if (screen === null || screen === 'none') throw new Error('There is no virtual screen: Xvfb did not start.');
process.env.DISPLAY = screen.display;

const desktop = await Desktop.start({ keyring: !chosen['no-keychain'] });
const simulator = await startDemoSimulator(0, plan);
const project = join(desktop.home, 'project');
const port = await freePort();
const env: Record<string, string> = {
  ...desktop.env,
  JUMPSEAT_HOME: join(desktop.home, 'jumpseat'),
  JUMPSEAT_PORT: String(port),
  JUMPSEAT_GITHUB_URL: simulator.webUrl,
  JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
};
const children: ChildProcess[] = [];
const terminals = new Map<string, Terminal>();

await furnish();
start('openbox', []);

/** Jumpseat's, Claude Code's and Codex's commands, a browser, and a small project to work in. */
async function furnish(): Promise<void> {
  const bin = join(desktop.folder, 'bin');
  const program = (name: string, lines: string[]): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 });
  putClaudeOn(desktop);
  symlinkSync(process.env.JUMPSEAT_TEST_CODEX ?? '', join(bin, 'codex'));
  program('jumpseat', [`exec '${process.execPath}' '${process.env.JUMPSEAT_TEST_CLI}' "$@"`]);
  const flags = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  program('trial-browser', [
    `exec chromium --no-sandbox --disable-gpu --disable-quic ${flags.join(' ')} \\`,
    `  --user-data-dir='${join(desktop.folder, 'browser')}' "$1" >/dev/null 2>&1`,
  ]);
  // Only addresses of this machine: a browser that looks for another one would wait for it.
  program('xdg-open', [
    `printf '%s\\n' "$1" >> '${join(desktop.folder, 'opened')}'`,
    'case "$1" in http://127.0.0.1*|http://localhost*) trial-browser "$1" & ;; esac',
  ]);
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, 'README.md'), '# Weather\n\nPrints the weather of a city.\n');
  writeFileSync(
    join(project, 'src', 'weather.ts'),
    "export function weather(city: string): string {\n  return 'Sunny in ' + city;\n}\n",
  );
  writeFileSync(join(project, 'package.json'), '{\n  "name": "weather",\n  "version": "1.0.0"\n}\n');
  writeFileSync(join(desktop.home, '.gitconfig'), '[user]\n\tname = Octo\n\temail = octo@example.com\n');
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    ['commit', '-q', '-m', 'Print the weather'],
  ])
    await run('git', args, { env, cwd: project });
}

function start(name: string, args: string[], more: Record<string, string> = {}): ChildProcess {
  const child = spawn(name, args, {
    env: { ...env, ...more },
    cwd: desktop.home,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child.on('error', (error) => process.stderr.write(`${error.message}\n`));
  children.push(child);
  return child;
}

const about = [
  `Screen ${chosen.size}. The person is octo-demo; home: ${desktop.home}`,
  `A project to work in: ${project}`,
  `Jumpseat's port is ${port}. In terminals: jumpseat, claude, codex.`,
  `Sign-ins are approved on the page that the browser opens, or with: copilot approve`,
  'The simulated model does what a prompt says: "run: echo hi", "read: README.md", "count to 50", "think about it",',
  '"subagent: run: ls"; and turns of several answers, a line each:',
  '  step: read: src/weather.ts',
  '  step: edit: README.md | Prints | Shows',
  '  step: write: notes.txt | some words',
  '  step: ask: Which one? | This | That        step: plan: First this        step: todo: One | Two',
  '  step: search: node 24        step: fail: 429 Too many requests',
  'These name tools of Claude Code. In other clients name the tool: step: use: exec_command {"cmd":"echo hi"}',
].join('\n');

/** Text that it gives back is printed. */
type Command = (...words: string[]) => unknown;

const commands: Readonly<Record<string, Command>> = {
  ping: () => 'here',
  about: () => about,
  open: async (what = '', ...more) => {
    if (what === 'tray') {
      const electron = process.env.JUMPSEAT_TEST_ELECTRON ?? '';
      const given = Object.fromEntries(more.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
      const args = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
      start(electron, [...args, join(import.meta.dirname, '..', '..')], given);
      return 'The tray app starts. See the tray with: tray';
    }
    start('trial-browser', [what]);
    return 'The browser starts.';
  },
  see: async (file = '') => {
    await run('scrot', ['--overwrite', '--pointer', file], { env });
    return file;
  },
  click: async (x = '', y = '', ...how) => {
    const button = how.includes('right') ? '3' : how.includes('middle') ? '2' : '1';
    await hands('mousemove', '--sync', x, y);
    // A person's finger stays on the button for a moment, and between the two clicks of a double one.
    for (let times = how.includes('double') ? 2 : 1; times > 0; times--)
      await hands('mousedown', button, 'sleep', '0.08', 'mouseup', button, 'sleep', '0.08');
  },
  move: (x = '', y = '') => hands('mousemove', '--sync', x, y),
  drag: (x = '', y = '', toX = '', toY = '') =>
    hands(
      ...['mousemove', '--sync', x, y, 'mousedown', '1', 'sleep', '0.1', 'mousemove', '--sync', toX, toY],
      ...['sleep', '0.1', 'mouseup', '1'],
    ),
  scroll: async (x = '', y = '', lines = '') => {
    const count = Math.min(Math.abs(Number(lines)) || 0, 500);
    await hands('mousemove', '--sync', x, y);
    if (count > 0) await hands('click', '--repeat', String(count), '--delay', '15', Number(lines) < 0 ? '4' : '5');
  },
  type: (...text) => hands('type', '--delay', '15', '--', text.join(' ')),
  key: (...keys) => hands('key', '--delay', '60', '--', ...keys),
  clipboard: async (...text) => {
    if (text.length > 0) return setClipboard(text.join(' '));
    const asked = run('xclip', ['-selection', 'clipboard', '-o'], { env, timeout: 5_000 });
    const { stdout } = await asked.catch(() => ({ stdout: '(nothing that is text)' }));
    return stdout;
  },
  tray: async (verb, ...labels) => {
    const icon = await desktop.tray.icon();
    if (verb === 'click') return icon.click(...labels);
    if (verb === 'activate') return icon.activate();
    return [`tooltip: ${await icon.tooltip()}`, ...(await icon.lines())].join('\n');
  },
  notices: (verb, number) => {
    const { shown } = desktop.notifications;
    if (verb !== 'click') return shown.map(({ title, body }, at) => `${at + 1} ${title} | ${body}`).join('\n');
    const notice = shown[Number(number) - 1];
    if (notice === undefined) throw new Error(`There is no notification ${number}.`);
    desktop.notifications.click(notice);
  },
  opened: () => desktop.opened.join('\n'),
  terminal: async (name = '', verb, ...words) => {
    const known = terminals.get(name);
    const terminal = known ?? (await Terminal.open('/bin/bash', ['--norc', '-i'], { cwd: project, env }));
    terminals.set(name, terminal);
    if (known === undefined) await until(async () => (await terminal.screen()).trim() !== '');
    if (verb === 'type') return terminal.type(words.join(' '));
    if (verb === 'key') return terminal.pressKeys(...words);
    return (await terminal.screen()).trimEnd();
  },
  copilot: (verb = '', ...words) => steer(simulator, verb, words),
  stop: () => stop(),
};

async function hands(...words: string[]): Promise<void> {
  await run('xdotool', words, { env, timeout: 60_000 });
}

async function setClipboard(text: string): Promise<void> {
  const xclip = spawn('xclip', ['-selection', 'clipboard'], { env, stdio: ['pipe', 'ignore', 'ignore'] });
  xclip.stdin.end(text);
  await once(xclip, 'exit');
}

/** What Copilot and GitHub do next. */
function steer({ script, requests }: Simulator, verb: string, words: string[]): unknown {
  switch (verb) {
    case 'next':
      return void script.next(replyOf(words));
    case 'always':
      return void script.always(replyOf(words));
    case 'usual':
      return script.clear();
    case 'approve':
      return script.approve();
    case 'deny':
      return script.deny();
    case 'expire':
      return script.expireTokens();
    case 'revoke':
      return script.revokeGithubToken();
    case 'left':
      return script.setRemaining(Number(words[0]));
    case 'requests':
      return requests
        .map(({ at, method, path, initiator, status, bytes }) => {
          const time = new Date(at).toISOString().slice(11, 23);
          return `${time} ${method} ${path} initiator=${initiator ?? '-'} ${bytes} bytes → ${status ?? 'open'}`;
        })
        .join('\n');
    default:
      throw new Error(`copilot ${verb} is no command. See: npm run -s trial -- help`);
  }
}

function replyOf(words: string[]): Reply {
  const after = words.find((word) => word.startsWith('after='))?.slice('after='.length);
  const [what = '', ...text] = words.filter((word) => !word.startsWith('after='));
  if (what === 'silence' || what === 'reset') return { kind: what };
  if (what === 'cut') return { kind: 'usual', cutAfter: 6 };
  const status = Number(what);
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new Error(`"${what}" is no status.`);
  const { body } = vendorRefusal(text.join(' ') || 'The simulated Copilot was asked to fail.', 'api_error', status);
  return { kind: 'answer', status, body, ...(after !== undefined && { headers: { 'retry-after': after } }) };
}

async function stop(): Promise<void> {
  for (const terminal of terminals.values()) await terminal.close();
  const started = new Set<number>();
  // What ends may start a program yet, which writes into the home folder.
  const running = (): number[] => {
    for (const { pid } of children) if (pid !== undefined) for (const each of withDescendants(pid)) started.add(each);
    for (const pid of processesOf(env.JUMPSEAT_HOME ?? '')) started.add(pid);
    started.delete(process.pid);
    return stillRunning([...started]);
  };
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const told = new Set<number>();
    const deadline = Date.now() + 5_000;
    for (let left = running(); left.length > 0 && Date.now() < deadline; left = running()) {
      for (const pid of left.filter((one) => !told.has(one))) {
        told.add(pid);
        try {
          process.kill(pid, signal);
        } catch {
          // It ended in between.
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  await simulator.close();
  await desktop.close();
  // Seen once: the home folder was there again after its end.
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    rmSync(desktop.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const server = createServer((socket) => {
  socket.on('error', () => {});
  createInterface({ input: socket }).once('line', async (line) => {
    const [name = '', ...words]: string[] = JSON.parse(line);
    try {
      const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
      if (command === undefined) throw new Error(`"${name}" is no command. See: npm run -s trial -- help`);
      const text = await command(...words);
      socket.end(JSON.stringify({ text: typeof text === 'string' ? text : '' }));
    } catch (error) {
      socket.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
    }
    if (name !== 'stop') return;
    server.close();
    socket.once('close', () => process.exit());
  });
});
server.listen(join(folder, 'socket'));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop().then(() => process.exit()));
