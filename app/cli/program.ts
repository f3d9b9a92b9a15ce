import { Command, CommanderError, Help } from 'commander';
import type { Environment } from '../environment.ts';
import { inFrontLanguage } from '../language/front-language.ts';
import { t } from '../language/translate.ts';
import { addCommands, type CommandRow } from './command.ts';
import { endCommands, lookCommands, startCommands } from './command-list.ts';
import { failureLine, wrongUsage } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import { hung, width, wrapped } from './table.ts';
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
  try {
    // A command of the app's own process leaves the language with its first wait: help and wrong usage come before it.
    await inFrontLanguage(() => {
      const [first, helped] = args;
      const ended = (code: number): void => {
        exitCode = code;
      };
      // That one is about all others.
      const program = createProgram(surroundings, ended, first === 'completion' ? undefined : first);
      if (first === 'help' && helped !== undefined && !isCommand(program, helped)) throw noCommand(helped);
      return program.parseAsync(args, { from: 'user' });
    });
    return exitCode;
  } catch (error) {
    terminal.progress(null);
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    terminal.err(failureLine(error));
    const code = error instanceof Error && 'exitCode' in error ? error.exitCode : 1;
    return typeof code === 'number' ? code : 1;
  }
}

/**
 * Every command is loaded when it is asked for, so that the start stays short.
 * @param only the command that is asked for; if there is one of that name, the program has no other
 */
export function createProgram(surroundings: Surroundings, ended: (exitCode: number) => void, only?: string): Command {
  const { terminal } = surroundings;
  const program = new Command('jumpseat')
    .description(t('Claude Code on your GitHub Copilot subscription, through a proxy on this machine.'))
    .version(ownVersion(), '-V, --version', t('print the version'))
    .helpOption('-h, --help', t('print this help'))
    .helpCommand('help [command]', t('print the help of a command'))
    .showHelpAfterError(false)
    // Also in a narrow terminal descriptions are wrapped, in their own column.
    .configureHelp({ minWidthToWrap: leastRoom, ...shownHelp })
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
  program.addHelpText('after', () => firstSteps(terminal.columns ?? 80));

  const groups: [string, CommandRow[]][] = [
    [t('Start:'), startCommands(surroundings)],
    [t('Look:'), lookCommands(surroundings)],
    [t('End:'), endCommands(surroundings)],
  ];
  const asked = groups.flatMap(([, rows]) => rows).find(({ name }) => name === only);
  for (const [title, rows] of groups) {
    program.commandsGroup(title);
    addCommands(program, asked === undefined ? rows : rows.filter((row) => row === asked), ended);
  }
  // Behind all others, which take no more than they name: the word may be a command that isn’t there.
  program.allowExcessArguments();
  return program;
}

/** Below all commands: what a person types first. */
function firstSteps(most: number): string {
  const line = (command: string, what: string): string => `  ${command.padEnd(30)}  ${hung(what, 34, most)}`;
  return `
${t('For the first time:')}
${line('jumpseat login', t('sign in to GitHub'))}
${line('jumpseat serve', t('start the proxy; leave it running'))}
${line('eval "$(jumpseat env)"', t('in a second terminal, then run claude there'))}

${t('Without an account:')}
${line('jumpseat demo', t('the same, with everything simulated'))}

${hung(t('"jumpseat COMMAND --help" says more. Alone, jumpseat starts the tray app, or "serve" where there is no display.'), 0, most)}`;
}

/** Columns below which a description isn't wrapped. */
const leastRoom = 16;

/** Commander's own words of a help, and its lines, in the shown language. */
const shownHelp = {
  styleTitle: (title: string): string => {
    if (title === 'Usage:') return t('Usage:');
    if (title === 'Arguments:') return t('Arguments:');
    if (title === 'Options:') return t('Options:');
    return title === 'Commands:' ? t('Commands:') : title;
  },
  optionDescription: (option: Parameters<Help['optionDescription']>[0]): string =>
    withDefault(commanders.optionDescription(option)),
  argumentDescription: (argument: Parameters<Help['argumentDescription']>[0]): string =>
    withDefault(commanders.argumentDescription(argument)),
  displayWidth: width,
  boxWrap: (text: string, room: number): string => {
    if (room < leastRoom) return text;
    const lines = text.split('\n').flatMap((line) => wrapped(line, room));
    return lines.join('\n');
  },
};

const commanders = new Help();

function withDefault(description: string): string {
  return description.replace(/\(default: ("[^"]*")\)$/, (_, value: string) => t('(default: {value})', { value }));
}

function isCommand(program: Command, name: string): boolean {
  return name === 'help' || name.startsWith('-') || program.commands.some((each) => each.name() === name);
}

function noCommand(name: string): Error {
  return wrongUsage(
    t('There is no command "{name}".', { name }),
    t('Run "{command}".', { command: 'jumpseat --help' }),
  );
}

/** `error: unknown option '--x'\n(Did you mean --y?)` → one line in our words. */
function usageError(text: string, command: string): string {
  const line = text
    .trim()
    .replace(/^error: /, '')
    // What was given too much may be a token.
    .replace(/^(too many arguments .* but got \d+): .*$/s, '$1')
    .replace(/\s*\n\s*/g, ' ');
  const [wrong = '', meant = ''] = line.split(/ (?=\(Did you mean )/);
  const what = wrongWords(wrong.replace(/\.$/, ''));
  const guesses = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(meant)?.[1];
  const sentence =
    guesses === undefined
      ? t('{what}. Run "{command} --help".', { what, command })
      : guesses.includes(', ')
        ? t('{what} (Did you mean one of {guesses}?). Run "{command} --help".', { what, guesses, command })
        : t('{what} (Did you mean {guesses}?). Run "{command} --help".', { what, guesses, command });
  return `jumpseat: ${sentence}`;
}

/** Commander’s sentence in the shown language; one that isn’t known here stays as it is. */
function wrongWords(line: string): string {
  const of = (pattern: RegExp): string[] => pattern.exec(line)?.slice(1) ?? [];
  const [option] = of(/^unknown option '(.*)'$/);
  if (option !== undefined) return t("unknown option ''{option}''", { option });
  const [argument] = of(/^missing required argument '(.*)'$/);
  if (argument !== undefined) return t("missing required argument ''{argument}''", { argument });
  const [flags] = of(/^option '(.*)' argument missing$/);
  if (flags !== undefined) return t("option ''{flags}'' argument missing", { flags });
  const [command = '', expected, given] = of(
    /^too many arguments for '(.*)'\. Expected (\d+) arguments? but got (\d+)$/,
  );
  if (expected === undefined || given === undefined) return line;
  return t(
    "too many arguments for ''{command}''. Expected {expected, plural, one {# argument} other {# arguments}} but got {given}",
    {
      command,
      expected: Number(expected),
      given: Number(given),
    },
  );
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
