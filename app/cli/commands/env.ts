import type { Problem } from '../../api/call.ts';
import { linesFor, shells } from '../../api/names.ts';
import type { LinesFor } from '../../api/setup.ts';
import { renderEnvironment, type Shell, shellOf } from '../../claude-code/env-snippet.ts';
import type { Environment } from '../../environment.ts';
import { type Message, msg } from '../../language/messages.ts';
import { sentences } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import type { Paths } from '../../ports.ts';
import { callRunning, runningProxy, silentOwner } from '../../server/running-proxy.ts';
import { startProxy } from '../../words/status.ts';
import { CommandFailure, storageRemedy, wrongUsage } from '../failure.ts';
import { readName, requireClientLabel } from '../options.ts';
import { besideRunning, isInSettings } from '../running-jumpseat.ts';
import { type Opened, type Surroundings, withApp } from '../surroundings.ts';
import { ownCommand } from '../this-program.ts';

interface EnvOptions {
  shell?: string;
  client?: string;
  for?: string;
}

/** `jumpseat env`: nothing but the lines on stdout, so that a shell or a file can take them. */
export async function env(surroundings: Surroundings, options: EnvOptions): Promise<number> {
  const { terminal } = surroundings;
  const what = readName('--for', linesFor, options.for ?? 'claude-code');
  if (isFile(what) && options.shell !== undefined)
    throw wrongUsage(t('--shell means nothing with --for {what}: that is a file’s content.', { what }));
  const shell =
    options.shell === undefined
      ? shellOf(surroundings.env, process.platform)
      : readName('--shell', shells, options.shell);
  if (options.client !== undefined) requireClientLabel(options.client);
  const wanted: Wanted = { what, shell, client: options.client ?? null };
  const { text, notes, paths, port, isRunning, isKeyKept, policyProblem } =
    (await linesOfRunning(surroundings, wanted)) ??
    (await withApp(surroundings, {}, (opened) => linesOfApp(opened, wanted)));
  terminal.out(text.trimEnd());
  const beside = what === 'mcp' && shell === 'json' ? besideMcpJson : besides[what];
  for (const note of [...notes, ...beside.map(translated)]) terminal.err(note);
  if (!isKeyKept && holdsKey(wanted)) terminal.err(translated(endsWithJumpseat));
  if (what === 'claude-code' && options.client !== undefined && (await isInSettings(surroundings.env, paths, port)))
    terminal.err(translated(labelIsOverruled));
  // An editor starts Jumpseat by itself.
  if (!isRunning && !what.startsWith('acp')) {
    const problem = silentOwner(paths.lock) ?? policyProblem;
    terminal.err(
      problem === null
        ? sentences(t('The proxy is off.'), translated(startProxy))
        : sentences(problem.text, problem.remedy),
    );
  }
  if (terminal.isTty && shell !== 'json' && ['claude-code', 'openai', 'codex'].includes(what))
    terminal.err(t('In one step: {line}', { line: oneLine(surroundings.env, what, options.client) }));
  return 0;
}

interface Wanted {
  what: LinesFor;
  shell: Shell;
  client: string | null;
}

/** What goes to stdout, and what is said beside it. */
interface Lines {
  text: string;
  notes: string[];
  paths: Paths;
  port: number;
  isRunning: boolean;
  isKeyKept: boolean;
  /** Why nothing is served; null: the organization's policy can be used. */
  policyProblem: Problem | null;
}

/** Null if none runs, or JUMPSEAT_KEY is another key than its own. */
async function linesOfRunning(surroundings: Surroundings, { what, shell, client }: Wanted): Promise<Lines | null> {
  const beside = await besideRunning(surroundings);
  if (beside === null) return null;
  const { paths, variables, running } = beside;
  const lines = await callRunning(paths.lock, 'printedLines', shell, what, client);
  if (lines === null || !lines.text.includes(variables.key ?? '')) return null;
  // Who set the key has it for longer.
  return {
    ...lines,
    isKeyKept: lines.isKeyKept || variables.key !== null,
    paths,
    port: running.port,
    isRunning: true,
    policyProblem: null,
  };
}

async function linesOfApp({ app, ports }: Opened, { what, shell, client }: Wanted): Promise<Lines> {
  const lines = await app.printedLines(shell, what, client);
  const policyProblem = app.warnings().find(({ code }) => code === 'policy') ?? null;
  if (!lines.isKeyKept && holdsKey({ what, shell })) {
    const { secrets } = app.state();
    // Nothing runs until it can be used.
    if (policyProblem !== null) throw new CommandFailure(policyProblem.text, policyProblem.remedy);
    const why = secrets.problem?.text ?? t('No key is stored: secrets are in memory until Jumpseat quits.');
    // The one that runs has a key for as long as it does.
    const running = sentences(translated(startProxy), t('Then ask again.'));
    const remedy =
      secrets.problem === null ? running : sentences(storageRemedy(secrets), translated(untilItQuits), running);
    throw new CommandFailure(why, remedy);
  }
  const running = await runningProxy(ports.paths.lock);
  const port = running?.port ?? app.preferences().port;
  return { ...lines, paths: ports.paths, port, isRunning: running !== null, policyProblem };
}

/** True if the lines contain the key. Other lines name its variable, or start Jumpseat. */
function holdsKey({ what, shell }: Pick<Wanted, 'what' | 'shell'>): boolean {
  if (what === 'mcp') return shell !== 'json';
  return what === 'claude-code' || ['openai', 'codex', 'vscode', 'zed-key', 'form', 'mcp-zed'].includes(what);
}

const untilItQuits = msg('For a key that works until Jumpseat quits:');

const endsWithJumpseat = msg('The key in these lines isn’t stored. They work until Jumpseat quits.');

const labelIsOverruled = msg(
  'Claude Code’s settings.json holds Jumpseat’s key, and wins over these lines: the label isn’t used. ' +
    'Run "jumpseat setup claude-code --undo" first.',
);

/** Where the lines go, as far as it does not show. */
const besides: Readonly<Record<LinesFor, Message[]>> = {
  'claude-code': [],
  openai: [],
  codex: [msg('Codex also needs the lines of "jumpseat env --for codex-config" in ~/.codex/config.toml, once.')],
  'codex-config': [msg('The key is not in it: "jumpseat env --for codex" prints the line for the shell.')],
  vscode: [
    msg(
      'In VS Code: "Chat: Manage Language Models", "Add Models", "Custom Endpoint". This goes into the file it opens.',
    ),
  ],
  zed: [msg('This goes into Zed’s settings.json. The key is not in it: "jumpseat env --for zed-key" prints it.')],
  'zed-key': [
    msg('Paste the key in Zed: "agent: open settings", LLM Providers, Jumpseat. Or start Zed from this shell.'),
  ],
  form: [msg('Which address a program needs depends on the API that it speaks.')],
  mcp: [msg('The command is needed once, the variable wherever Claude Code starts: it puts the key in by itself.')],
  'mcp-codex': [msg('The key is not in it: "jumpseat env --for codex" prints the line for the shell.')],
  'mcp-zed': [msg('This goes into Zed’s settings.json. It holds your local key.')],
  acp: [msg('For the plugin of an editor that starts agents by a command, such as Neovim or Emacs. No key is in it.')],
  'acp-zed': [msg('This goes into Zed’s settings.json. No key is in it.')],
  'acp-jetbrains': [msg('This is ~/.jetbrains/acp.json. No key is in it.')],
  docker: [],
  devcontainer: [
    msg(
      'This goes into devcontainer.json. The key is not in it: start the editor in a terminal with the lines of ' +
        '"jumpseat env".',
    ),
  ],
  wsl: [],
  ssh: [],
};

/** A file for a project names the variable alone. */
const besideMcpJson = [
  msg(
    'This is .mcp.json of a project. The key is not in it: "jumpseat env --for mcp" prints the variable for the shell.',
  ),
];

function isFile(what: LinesFor): boolean {
  const files = [
    'codex-config',
    'vscode',
    'zed',
    'form',
    'mcp-codex',
    'mcp-zed',
    'acp-zed',
    'acp-jetbrains',
    'devcontainer',
  ];
  return files.includes(what);
}

export function renderLines(lines: { variables: Record<string, string>; notes: string[] }, shell: Shell): string {
  const entries = Object.entries(lines.variables).map(([name, value]) => ({ name, value }));
  return renderEnvironment(entries, shell, lines.notes).trimEnd();
}

/** The one line that points a client at the proxy, in the person's own shell. */
export function oneLine(env: Environment, what: LinesFor = 'claude-code', client?: string): string {
  const bare = `${ownCommand(env)} env`;
  const named = what === 'claude-code' ? bare : `${bare} --for ${what}`;
  const command = client === undefined ? named : `${named} --client ${client}`;
  switch (shellOf(env, process.platform)) {
    case 'fish':
      return `${command} --shell fish | source`;
    case 'powershell':
      return `${command} --shell powershell | Out-String | Invoke-Expression`;
    case 'cmd':
      return `for /f "delims=" %i in ('${command} --shell cmd') do %i`;
    default:
      return `eval "$(${command})"`;
  }
}
