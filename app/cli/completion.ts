import type { Command, Option } from 'commander';
import { reachSchema, waySchema } from '../api/account.ts';
import { linesFor, shells } from '../api/names.ts';
import { engineNameSchema } from '../api/search.ts';
import { clientNameSchema, clientUseSchema } from '../api/setup.ts';
import { agentNames } from '../sessions/agents/agent.ts';
import { planNames } from '../simulator/options.ts';
import { usageWays } from './commands/usage.ts';
import { wrongUsage } from './failure.ts';
import type { Surroundings } from './surroundings.ts';

/* What shells complete of a command line, made from the program's own table of commands. */

export const completedShells = ['bash', 'zsh', 'fish', 'powershell'] as const;
type CompletedShell = (typeof completedShells)[number];

/** `jumpseat completion SHELL`: what a shell reads to complete command lines. */
export function printCompletion({ terminal }: Surroundings, program: Command | null, name: string): number {
  const shell = completedShells.find((one) => one === name);
  if (shell === undefined || program === null)
    throw wrongUsage(`Jumpseat can complete in ${completedShells.join(', ')}, not in "${name}".`);
  terminal.out(completion(program, shell).trimEnd());
  return 0;
}

/** All values of an option or argument (`''`) that has no others, by its command. No option takes a file. */
const closedValues: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  login: { '--way': waySchema.options },
  env: { '--for': linesFor, '--shell': shells },
  setup: { '': ['claude-code', ...clientNameSchema.options], '--as': clientUseSchema.options },
  acp: { '--agent': agentNames },
  demo: { '--plan': planNames },
  usage: { '--by': usageWays },
  search: { '--engine': engineNameSchema.exclude(['off']).options },
  reach: { '': reachSchema.options },
  completion: { '': completedShells },
};

/** Commands whose first argument is the name of one of the person's accounts. */
const namesAccount: ReadonlySet<string> = new Set([
  'accounts use',
  'accounts bind',
  'accounts rename',
  'accounts remove',
]);
/** Prints those names, a line each, without a question to GitHub. */
const askForNames = 'command jumpseat accounts names 2>/dev/null';

/** What may follow a command. */
interface Level {
  /** As it is typed behind `jumpseat`: empty, `accounts`, `accounts use`. */
  path: string;
  commands: readonly { name: string; description: string }[];
  options: readonly CompletedOption[];
  /** Of its argument; empty if that may be anything, or there is none. */
  values: readonly string[];
  /** Something of the person's own is typed here. Its options are offered behind "-": a shell would insert one. */
  takesOwn: boolean;
}

interface CompletedOption {
  flags: readonly string[];
  takesValue: boolean;
  /** Empty if its value may be anything. */
  values: readonly string[];
  description: string;
}

export function completion(program: Command, shell: CompletedShell): string {
  const levels = levelsOf(program, []);
  switch (shell) {
    case 'bash':
      return forBash(levels);
    case 'zsh':
      return forZsh(levels);
    case 'fish':
      return forFish(levels);
    case 'powershell':
      return forPowershell(levels);
  }
}

function levelsOf(command: Command, names: readonly string[]): Level[] {
  const help = command.createHelp();
  const commands = help
    .visibleCommands(command)
    .map((each) => ({ name: each.name(), description: each.description() }));
  const path = names.join(' ');
  const options = help.visibleOptions(command).map((option) => ({
    flags: flagsOf(option),
    takesValue: option.required || option.optional,
    values: closedValues[path]?.[option.long ?? ''] ?? [],
    description: option.description,
  }));
  const below = help.visibleCommands(command).flatMap((each) => levelsOf(each, [...names, each.name()]));
  const argument = closedValues[path]?.[''] ?? [];
  const takesOwn = command.registeredArguments.length > 0 && commands.length === 0 && argument.length === 0;
  return [{ path, commands, options, values: argument, takesOwn }, ...below];
}

const flagsOf = ({ short, long }: Option): string[] => [short, long].filter((flag) => flag !== undefined);
const wordsOf = ({ commands, options, values }: Level): string[] => [
  ...commands.map(({ name }) => name),
  ...values,
  ...options.flatMap(({ flags }) => flags),
];
const described = ({ commands, options, values }: Level): [word: string, description: string][] => [
  ...commands.map(({ name, description }): [string, string] => [name, description]),
  ...values.map((value): [string, string] => [value, value]),
  ...options.flatMap(({ flags, description }) => flags.map((flag): [string, string] => [flag, description])),
];
const naming = (levels: readonly Level[]): string[] =>
  levels.flatMap(({ path }) => (namesAccount.has(path) ? [path] : []));
const lastOf = (path: string): string => path.split(' ').at(-1) ?? path;
/** The word before the name is the command itself. */
const atName = (levels: readonly Level[]): string[] => naming(levels).map((path) => `${path} ${lastOf(path)}`);
const below = (levels: readonly Level[]): string[] => levels.flatMap(({ path }) => (path === '' ? [] : [path]));
/** Options behind which a value comes, with their commands, and what it may be. */
const valued = (levels: readonly Level[]): { place: string; values: readonly string[] }[] =>
  levels.flatMap(({ path, options }) =>
    options
      .filter((one) => one.takesValue)
      .flatMap(({ flags, values }) => flags.map((flag) => ({ place: `${path} ${flag}`, values }))),
  );
const madeFrom = '# Made from the commands of jumpseat: "jumpseat completion" prints it.';

function forBash(levels: readonly Level[]): string {
  return `${madeFrom}
_jumpseat() {
  local path="" words="" word last="\${COMP_WORDS[COMP_CWORD-1]}" typed="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  # bash takes "--for=x" for three words.
  if [ "$typed" = "=" ]; then typed=""; elif [ "$last" = "=" ]; then last="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${below(levels).map(quotedIn).join(' | ')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path $last" in
    ${atName(levels).map(quotedIn).join(' | ')})
      if [[ "$typed" != -* ]]; then
        # The shell itself closes a quote that was opened; elsewhere a space is written with a backslash.
        while IFS= read -r word; do
          case "$typed" in
            "'"* | '"'*) [[ "$word" == "\${typed:1}"* ]] && COMPREPLY+=("$word") ;;
            *)
              printf -v word %q "$word"
              [[ "$word" == "$typed"* ]] && COMPREPLY+=("$word")
              ;;
          esac
        done < <(${askForNames})
        return
      fi
      ;;
  esac
  case "$path $last" in
${valued(levels)
  .map(({ place, values }) => `    ${quotedIn(place)}) words="${values.join(' ')}" ;;`)
  .join('\n')}
    *)
      case "$path" in
${levels
  .map(
    (level) => `        ${quotedIn(level.path)}) ${behindDash(level, 'typed')}words="${wordsOf(level).join(' ')}" ;;`,
  )
  .join('\n')}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$typed"))
}
complete -F _jumpseat jumpseat
`;
}

function forZsh(levels: readonly Level[]): string {
  const entries = (level: Level): string =>
    described(level)
      .map(([word, text]) => `'${word}:${text.replaceAll("'", "'\\''").replaceAll(':', '\\:')}'`)
      .join(' ');
  return `#compdef jumpseat
${madeFrom}
_jumpseat() {
  local at="" word last="\${words[CURRENT-1]}"
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      (${below(levels).map(quotedIn).join('|')}) at="\${at:+$at }$word" ;;
    esac
  done
  if [[ "\${words[CURRENT]}" == --*=* ]]; then last="\${words[CURRENT]%%=*}"; compset -P '*='; fi
  case "$at $last" in
    (${atName(levels).map(quotedIn).join('|')})
      if [[ "\${words[CURRENT]}" != -* ]]; then
        found=(\${(f)"$(${askForNames})"})
        compadd -a found
        return
      fi ;;
${valued(levels)
  .map(({ place, values }) => `    (${quotedIn(place)}) compadd -- ${values.join(' ')}; return ;;`)
  .join('\n')}
  esac
  case "$at" in
${levels
  .map((level) => `    (${quotedIn(level.path)}) ${behindDash(level, 'words[CURRENT]')}found=(${entries(level)}) ;;`)
  .join('\n')}
  esac
  _describe -t commands jumpseat found
}
if [ "\${funcstack[1]}" = _jumpseat ]; then _jumpseat "$@"; else compdef _jumpseat jumpseat; fi
`;
}

function forFish(levels: readonly Level[]): string {
  const lines = levels.flatMap((level) => {
    const when = `-n '${conditionIn(level, levels)}'`;
    const commands = level.commands.map(
      ({ name, description }) => `complete -c jumpseat ${when} -a ${name} -d ${inFish(description)}`,
    );
    const values = level.values.length === 0 ? [] : [`complete -c jumpseat ${when} -a '${level.values.join(' ')}'`];
    const options = level.options.map(({ flags, takesValue, values, description }) => {
      const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
      const given = takesValue ? ` -x -a '${values.join(' ')}'` : '';
      return `complete -c jumpseat ${when} ${names.join(' ')}${given} -d ${inFish(description)}`;
    });
    const names = namesAccount.has(level.path)
      ? [
          `complete -c jumpseat -n '${conditionIn(level, levels)}; and test (commandline -opc)[-1] = ${lastOf(level.path)}' -a '(${askForNames})'`,
        ]
      : [];
    return [...commands, ...values, ...names, ...options];
  });
  return `${madeFrom}\ncomplete -c jumpseat -f\n${lines.join('\n')}\n`;
}

/** Which words of the line lead to a level: its own, and none of those below it. */
function conditionIn({ path, commands }: Level, levels: readonly Level[]): string {
  if (path === '') return '__fish_use_subcommand';
  const seen = path.split(' ').map((name) => `__fish_seen_subcommand_from ${name}`);
  const deeper = commands
    .map(({ name }) => name)
    .filter((name) => levels.some((one) => one.path === `${path} ${name}`));
  return [...seen, ...(deeper.length === 0 ? [] : [`not __fish_seen_subcommand_from ${deeper.join(' ')}`])].join(
    '; and ',
  );
}

function forPowershell(levels: readonly Level[]): string {
  const table = levels.map((level) => {
    const words = described(level).map(([word, text]) => `${inPowershell(word)} = ${inPowershell(text)}`);
    return `    ${inPowershell(level.path)} = [ordered]@{ ${words.join('; ')} }`;
  });
  const values = valued(levels).map(
    (one) => `    ${inPowershell(one.place)} = @(${one.values.map(inPowershell).join(', ')})`,
  );
  return `${madeFrom}
Register-ArgumentCompleter -Native -CommandName jumpseat -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $table = @{
${table.join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $atName = @(${atName(levels).map(inPowershell).join(', ')})
  $path = ''
  $last = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $last = $element.ToString()
    $deeper = "$path $last".Trim()
    if ($table.ContainsKey($deeper)) { $path = $deeper }
  }
  if ($atName -contains "$path $last" -and -not $wordToComplete.StartsWith('-')) {
    $typed = $wordToComplete.Trim('"', "'")
    $names = @(& jumpseat accounts names 2>$null | Where-Object { $_.StartsWith($typed, 'OrdinalIgnoreCase') })
    # Nothing at all would be completed with names of files.
    if ($names.Count -eq 0) { '' }
    foreach ($name in $names) {
      $quoted = if ($name -match '^[w.-]+$') { $name } else { "'" + $name.Replace("'", "''") + "'" }
      [System.Management.Automation.CompletionResult]::new($quoted, $name, 'ParameterValue', $name)
    }
    return
  }
  if ($values.ContainsKey("$path $last")) {
    $found = @($values["$path $last"] | Where-Object { $_ -like "$wordToComplete*" })
    # Nothing at all would be completed with names of files.
    if ($found.Count -eq 0) { '' } else { $found }
    return
  }
  foreach ($entry in $table[$path].GetEnumerator()) {
    if ($entry.Key -like "$wordToComplete*") {
      [System.Management.Automation.CompletionResult]::new($entry.Key, $entry.Key, 'ParameterValue', $entry.Value)
    }
  }
}
`;
}

const behindDash = ({ takesOwn }: Level, typed: string): string => (takesOwn ? `[[ "\${${typed}}" == -* ]] && ` : '');
const quotedIn = (path: string): string => `"${path}"`;
const inFish = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
const inPowershell = (text: string): string => `'${text.replaceAll(/['‘’]/g, '$&$&')}'`;
