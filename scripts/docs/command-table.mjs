import { createProgram } from '../../app/cli/program.ts';

/** The commands with their options and help, as the program itself has them. */
const silent = { out: () => undefined, err: () => undefined, progress: () => undefined };
export const program = createProgram(
  { terminal: silent, env: {}, open: () => Promise.reject(new Error('Nothing runs.')) },
  () => undefined,
);

/** Without those that only programs run. */
export function commandsBelow(command) {
  const shown = command.createHelp().visibleCommands(command);
  return command.commands.filter((each) => shown.includes(each));
}

/** By the heading that they have in the help. */
export const groups = Map.groupBy(program.commands, (command) => command.helpGroup().replace(/:$/, ''));

/** `accounts bind <name> <label>` without the names above it */
export const usageOf = (command) => {
  const given = command.registeredArguments.map((argument) => {
    const shown = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${shown}>` : `[${shown}]`;
  });
  return [command.name(), ...given].join(' ');
};

/** What stands below the options: a sentence or more, a line to type, what comes next, and the fields of a format. */
export function helpAfter(command) {
  const said = [];
  command.emit('afterHelp', { error: false, command, write: (text) => said.push(text) });
  const [what = '', line = '', next = '', fields = ''] = said.join('').split(/\n+(?:Example|Next|Fields):\n/);
  const rows = fields.replaceAll(/\n {3,}/g, ' ').matchAll(/^ *(\{\w+\}) +(.*)$/gm);
  return {
    what: what.trim(),
    line: line.trim(),
    next: next.trim(),
    fields: [...rows].map(([, name, is]) => ({ name, is })),
  };
}
