import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuild } from './lib/build.mjs';
import { ensureAgentSdk, ensureClaudeCode, ensureCodex } from './lib/client-programs.mjs';
import { electronForTests } from './lib/electron.mjs';
import { ensureNode24 } from './lib/node24.mjs';
import { main, Stop } from './lib/progress.mjs';
import { inProject } from './lib/project.mjs';
import { desktopPackages, ensureSystemPackages, terminalPackages, trialPackages } from './lib/system-packages.mjs';

const help = `npm run -s trial -- COMMAND: Jumpseat used from outside, by eyes and hands alone. See tests/trials.

  start [--plan NAME] [--size 1280x880] [--no-keychain]   a desktop with a simulated GitHub and Copilot
  open tray [NAME=VALUE …]       starts the tray app, as from the applications menu
  open ADDRESS                   opens a browser window
  see [FILE.png]                 a picture of the screen; prints where it lies
  click X Y [right|middle] [double]        drag X Y X Y        scroll X Y LINES (negative: up)
  move X Y                       the mouse, without a click
  type TEXT                      into what has the focus
  key KEY …                      ctrl+c, Escape, Return, Tab, shift+F10 …
  clipboard [TEXT]               prints it, or sets it
  tray                           the menu of the tray icon, and its tooltip
  tray click LABEL [LABEL …]     an entry, through its submenus
  tray activate                  a click on the icon
  notices                        the notifications shown so far
  notices click N                a click on one of them
  opened                         the addresses that were opened in the browser
  terminal NAME                  the screen of a terminal; opens a shell in the project's folder first
  terminal NAME type TEXT | key KEY …      Enter, C-c, Up, Tab, Escape …
  copilot next STATUS [WORDS] [after=SECONDS]     the next answer; also: next silence, next reset, next cut
  copilot always STATUS [WORDS]  every request, until: copilot usual
  copilot approve | deny | expire | revoke        the sign-in under way; tokens of Copilot; the GitHub token
  copilot left CREDITS           what is left of the month
  copilot requests               what Copilot was sent, one line each
  stop                           ends everything that was started

Several side by side: JUMPSEAT_TRIAL=NAME before the command.`;

/** `npm run trial -- COMMAND`: `start` leaves a desktop running in the background, the others ask it. */
await main(async ([command = 'help', ...args]) => {
  if (command === 'help' || command === '--help') return void console.log(help);
  const folder = join(tmpdir(), `jumpseat-trial-${process.env.JUMPSEAT_TRIAL ?? 'default'}`);
  if (command === 'start') return start(folder, args);
  if (!existsSync(join(folder, 'socket'))) throw new Stop('No trial is running.', 'Run: npm run -s trial -- start');
  const here =
    command === 'see' ? [resolve(process.env.INIT_CWD ?? process.cwd(), args[0] ?? nextPicture(folder))] : args;
  const { text, error } = await ask(join(folder, 'socket'), [command, ...here]);
  if (error !== undefined) throw new Stop(error);
  if (text !== '') console.log(text);
  if (command === 'stop') rmSync(folder, { recursive: true, force: true });
});

async function start(folder, args) {
  if (process.platform !== 'linux') throw new Stop('Trials need Linux: its desktop parts are started for them.');
  if (existsSync(join(folder, 'socket')) && (await ask(join(folder, 'socket'), ['ping']).catch(() => null)))
    throw new Stop('A trial is running already.', 'Run: npm run -s trial -- stop');
  const node = await ensureNode24();
  await ensureBuild();
  const remedy = await ensureSystemPackages([...desktopPackages, ...terminalPackages, ...trialPackages]);
  if (remedy) throw new Stop('System packages are missing.', remedy);
  const programs = { electron: await electronForTests(), claude: await ensureClaudeCode(), codex: await ensureCodex() };
  for (const found of Object.values(programs)) if ('reason' in found) throw new Stop(found.reason);
  const agentSdk = await ensureAgentSdk();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const log = openSync(join(folder, 'log'), 'w', 0o600);
  const desk = spawn(node, [inProject('tests', 'trials', 'desk.ts'), folder, ...args], {
    detached: true,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      DISPLAY: '',
      JUMPSEAT_TEST_TMUX: 'tmux',
      JUMPSEAT_TEST_ELECTRON: programs.electron.path,
      JUMPSEAT_TEST_CLAUDE: programs.claude.path,
      JUMPSEAT_TEST_CODEX: programs.codex.path,
      JUMPSEAT_TEST_AGENT_SDK: agentSdk,
      JUMPSEAT_TEST_CLI: inProject('dist', 'cli', 'jumpseat.js'),
    },
  });
  closeSync(log);
  let ended = false;
  desk.once('exit', () => {
    ended = true;
  });
  desk.unref();
  const deadline = Date.now() + 60_000;
  while (!existsSync(join(folder, 'socket'))) {
    if (ended || Date.now() > deadline)
      throw new Stop(`The desktop did not start.\n${readFileSync(join(folder, 'log'), 'utf8').trim()}`);
    await sleep(100);
  }
  const { text } = await ask(join(folder, 'socket'), ['about']);
  console.log(text);
}

/** The next free name for a picture. */
function nextPicture(folder) {
  let number = 1;
  while (existsSync(join(folder, `${number}.png`))) number++;
  return join(folder, `${number}.png`);
}

/** One line of JSON there, one back. */
function ask(socket, words) {
  return new Promise((answered, failed) => {
    const line = connect(socket, () => line.write(`${JSON.stringify(words)}\n`));
    let answer = '';
    line.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    line.on('end', () => {
      try {
        answered(JSON.parse(answer));
      } catch {
        failed(new Stop('The trial has ended.', 'Run: npm run -s trial -- start'));
      }
    });
    line.on('error', () => {
      rmSync(socket, { force: true });
      failed(new Stop('The trial has ended.', 'Run: npm run -s trial -- start'));
    });
  });
}
