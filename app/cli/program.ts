import { Command, CommanderError } from 'commander';
import type { Environment } from '../environment.ts';
import { accountCommands, keyCommands, ruleCommands } from './account-commands.ts';
import { endCommands, lookCommands, startCommands } from './command-list.ts';
import { failureLine, wrongUsage } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { hung } from './table.ts';
import type { Terminal } from './terminal.ts';
import { ownVersion } from './this-program.ts';

/** Runs one command line and returns its exit code: 0 fine, 1 it did not work, 2 wrong usage,
 * 130 ended by Ctrl-C. Never rejects. */
export async function run(args: readonly string[], terminal: Terminal, env: Environment): Promise<number> {
  let exitCode = 0;
  const surroundings: Surroundings = {
    terminal,
    env,
    open: async (options) => (await import('./compose.ts')).openApp(env, options),
  };
  const program = createProgram(surroundings, (code) => {
    exitCode = code;
  });
  try {
    const [first, helped] = args;
    if (first === 'help' && helped !== undefined && !isCommand(program, helped)) throw noCommand(helped);
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    terminal.progress(null);
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    terminal.err(failureLine(error));
    const code = error instanceof Error && 'exitCode' in error ? error.exitCode : 1;
    return typeof code === 'number' ? code : 1;
  }
}

/** Every command is loaded when it is asked for, so that the start stays short. */
export function createProgram(surroundings: Surroundings, ended: (exitCode: number) => void): Command {
  const { terminal } = surroundings;
  const program = new Command('jumpseat')
    .description('Claude Code on your GitHub Copilot subscription, through a proxy on this machine.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError(false)
    // Also in a narrow terminal descriptions are wrapped, in their own column.
    .configureHelp({ minWidthToWrap: 16 })
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => terminal.columns ?? 80,
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      outputError: (text, write) => write(usageError(text, commandIn(program))),
      getOutHasColors: () => false,
    })
    .action(async () => {
      const [unknown] = program.args;
      if (unknown !== undefined) throw noCommand(unknown);
      ended(await (await import('./commands/tray.ts')).tray(surroundings));
    });
  program.addHelpText(
    'after',
    () => `
For the first time:
  jumpseat login                  sign in to GitHub
  jumpseat serve                  start the proxy; leave it running
  eval "$(jumpseat env)"          in a second terminal, then run claude there

Without an account:
  jumpseat demo                   the same, with everything simulated

${hung(more, 0, terminal.columns ?? 80)}`,
  );

  program.commandsGroup('Start:');
  startCommands(program, surroundings, ended);
  accountCommands(program, surroundings, ended);
  keyCommands(program, surroundings, ended);
  ruleCommands(program, surroundings, ended);

  program.commandsGroup('Look:');
  lookCommands(program, surroundings, ended);

  program.commandsGroup('End:');
  endCommands(program, surroundings, ended);
  // Behind all others, which take no more than they name: the word may be a command that isn’t there.
  program.allowExcessArguments();
  return program;
}

const more =
  '"jumpseat COMMAND --help" says more. Alone, jumpseat starts the tray app, or "serve" where there is no display.';

function isCommand(program: Command, name: string): boolean {
  return name === 'help' || name.startsWith('-') || program.commands.some((each) => each.name() === name);
}

function noCommand(name: string): Error {
  return wrongUsage(`There is no command "${name}".`, 'Run "jumpseat --help".');
}

/** `error: unknown option '--x'\n(Did you mean --y?)` → one line in our words. */
function usageError(text: string, command: string): string {
  const line = text
    .trim()
    .replace(/^error: /, '')
    // What was given too much may be a token.
    .replace(/^(too many arguments .* but got \d+): .*$/s, '$1')
    .replace(/\s*\n\s*/g, ' ');
  return `jumpseat: ${line}${/[.?]$/.test(line) ? '' : '.'} Run "${command} --help".`;
}

/** The command that was given, as far as there is one: `jumpseat accounts use`. */
function commandIn(program: Command): string {
  const names = [program.name()];
  let at: Command | undefined = program;
  for (const word of program.args) {
    at = at.commands.find((each) => each.name() === word);
    if (at === undefined) break;
    names.push(word);
  }
  return names.join(' ');
}
