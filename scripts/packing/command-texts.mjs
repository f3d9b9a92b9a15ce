import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completedShells, completion } from '../../app/cli/completion.ts';
import { commandsBelow, groups, helpAfter, program, usageOf } from '../docs/command-table.mjs';
import { manifest } from '../lib/project.mjs';

/**
 * What packages bring of the commands: the man page, and what shells complete. All of it is made from the program
 * itself, by Node 24: `command-texts.mjs FOLDER` writes `jumpseat.1` and `completion.SHELL`.
 */
export function manPage() {
  const title = `.TH JUMPSEAT 1 "" "Jumpseat ${manifest().version}" "User Commands"`;
  const parts = [
    [title, '.SH NAME', `jumpseat \\- ${inRoff(program.description().replace(/\.$/, ''))}`],
    ['.SH SYNOPSIS', '.B jumpseat', '[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]'],
    [
      '.SH DESCRIPTION',
      'Alone, jumpseat starts the tray app, or "serve" where there is no display.',
      inRoff('"jumpseat COMMAND --help" prints what is said of a command here.'),
    ],
    ...[...groups].flatMap(([group, commands]) => [
      [`.SH "COMMANDS: ${group.toUpperCase()}"`],
      ...commands.flatMap((command) => chapter(command, [])),
    ]),
    ['.SH "EXIT STATUS"', '0: it worked. 1: it did not; stderr has the reason and the next step. 2: wrong usage.'],
    ['.SH "SEE ALSO"', inRoff(manifest().homepage)],
  ];
  return `${parts.flat().join('\n')}\n`;
}

function chapter(command, names) {
  const { what, line } = helpAfter(command);
  const options = command.options.flatMap(({ flags, description }) => [
    '.RS',
    '.TP',
    `.B ${inRoff(flags)}`,
    inRoff(description),
    '.RE',
  ]);
  return [
    ['.TP', `.B jumpseat ${inRoff([...names, usageOf(command)].join(' '))}`],
    [
      inRoff(
        `${command.description()[0].toUpperCase()}${command.description().slice(1)}. ${what.replaceAll('\n', ' ')}`.trim(),
      ),
    ],
    options,
    line === '' ? [] : ['.RS', '.PP', `Example: ${inRoff(line)}`, '.RE'],
    ...commandsBelow(command).flatMap((each) => chapter(each, [...names, command.name()])),
  ].flat();
}

/** A line of text, in which nothing is a command of roff's. Characters beyond ASCII have names there. */
function inRoff(text) {
  const names = {
    '‘': '\\(oq',
    '’': '\\(cq',
    '“': '\\(lq',
    '”': '\\(rq',
    '→': '\\(->',
    '–': '\\(en',
    '·': '\\(pc',
    '…': '...',
  };
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/[^ -~]/g, (found) => names[found] ?? '');
  return escaped.replaceAll(/^(?=[.'])/gm, '\\&');
}

const [, , folder] = process.argv;
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'jumpseat.1'), manPage());
for (const shell of completedShells) writeFileSync(join(folder, `completion.${shell}`), completion(program, shell));
