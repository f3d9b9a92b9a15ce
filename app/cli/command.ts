import type { AddHelpTextContext, Command } from 'commander';
import type { Message } from '../language/messages.ts';
import { t, translated } from '../language/translate.ts';
import { hung } from './table.ts';

/** Words of an option or an argument as commander reads them, what it is for, and its value where none is given. */
type Given = readonly [words: string, text: string, usual?: string];

/** A command: one row of `command-list.ts`, and one function, loaded when it is asked for. */
export interface CommandRow {
  /** `use <name>`: its name, with arguments that its text explains. */
  name: string;
  text: string;
  /** Arguments with a text of their own. */
  takes?: readonly Given[];
  options?: readonly Given[];
  help?: Help;
  /** Gets its arguments, its options and commander's command. Resolves with the exit code. */
  run(...given: Parameters<Parameters<Command['action']>[0]>): Promise<number>;
  /** Commands of its own: `jumpseat accounts use`. */
  below?: readonly CommandRow[];
  /** Only programs run it. */
  isHidden?: true;
}

/** @param ended called with the exit code */
export function addCommands(to: Command, rows: readonly CommandRow[], ended: (exitCode: number) => void): void {
  for (const { name, text, takes = [], options = [], help, run, below = [], isHidden = false } of rows) {
    const command = to.command(name, { hidden: isHidden }).description(text);
    for (const argument of takes) command.argument(...argument);
    for (const option of options) command.option(...option);
    if (help !== undefined) command.addHelpText('after', helpBelow(...help));
    command.action(async (...given) => ended(await run(...given)));
    addCommands(command, below, ended);
  }
}

/** Below a command's options: a line to type, what it does, what comes next, and the fields of a format. */
type Help = [line: string, what: string, next: string, fields?: Readonly<Record<string, Message>>];

function helpBelow(...[line, what, next, fields = {}]: Help): (context: AddHelpTextContext) => string {
  return ({ command }) => {
    const most = command.configureOutput().getOutHelpWidth?.();
    const rows = Object.entries(fields).map(
      ([name, is]) => `\n  ${`{${name}}`.padEnd(12)}${hung(translated(is), 14, most)}`,
    );
    return `
${hung(what, 0, most)}

${t('Example:')}
  ${line}

${t('Next:')}
  ${hung(next, 2, most)}${rows.length === 0 ? '' : `\n\n${t('Fields:')}${rows.join('')}`}`;
  };
}
