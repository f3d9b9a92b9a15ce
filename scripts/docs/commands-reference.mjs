import { readFileSync, writeFileSync } from 'node:fs';
import { inProject } from '../lib/project.mjs';
import { commandsBelow, groups, helpAfter, usageOf } from './command-table.mjs';

/**
 * The commands in docs/commands.md, made from the program itself. Part of `npm run check`, which fails where they
 * differ; `node scripts/docs/commands-reference.mjs --write` writes them.
 */

const inTable = (text) => text.replaceAll('|', '\\|').replaceAll('<', '\\<');
function chapter(command, names) {
  const usage = [...names, usageOf(command)].join(' ');
  const { what, line, next, fields } = helpAfter(command);
  const description = `${command.description()[0].toUpperCase()}${command.description().slice(1)}`;
  const options = command.options.map(
    ({ flags, description, defaultValue }) => `| \`${flags}\` | ${inTable(description)}${byDefault(defaultValue)} |`,
  );
  const rows = options.length === 0 ? [] : ['| option | does |', '|---|---|', ...options, ''];
  const fieldRows = fields.map(({ name, is }) => `| \`${name}\` | ${inTable(is)} |`);
  const fieldTable = fields.length === 0 ? [] : ['| field | is |', '|---|---|', ...fieldRows, ''];
  const examples = line === '' ? [] : ['```sh', line, '```', ''];
  return [
    `### \`jumpseat ${[...names, command.name()].join(' ')}\``,
    '',
    ...(usage.includes('<') || usage.includes('[') ? ['```sh', `jumpseat ${usage}`, '```', ''] : []),
    ...wrapped(`${description}${/[.;]$/.test(description) ? '' : '.'}${what === '' ? '' : ` ${inText(what)}`}`),
    '',
    ...rows,
    ...fieldTable,
    ...examples,
    ...(next === '' ? [] : [...wrapped(`Next: ${nextStep(next)}`), '']),
    ...commandsBelow(command).flatMap((each) => chapter(each, [...names, command.name()])),
  ];
}

/** A command stands in front of what it is for. */
function nextStep(next) {
  const [command, why = ''] = next.split(/ {3,}/);
  const isTyped =
    why !== '' && command !== undefined ? !/^open /.test(command) : /^(?:jumpseat|claude|eval)\b/.test(next);
  return isTyped ? `\`${command}\`${why === '' ? '' : `, ${inText(why)}`}` : inText(next);
}

const byDefault = (value) => (value === undefined ? '' : ` (default: \`${value}\`)`);
const inText = (text) => text.replaceAll('\n', ' ').replaceAll('<', '\\<').replaceAll(/ {2,}/g, ' ');

function wrapped(text) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== '' && last.length + 1 + word.length > 120) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

const made = [...groups].flatMap(([group, commands]) => [
  `## ${group}`,
  '',
  ...commands.flatMap((command) => chapter(command, [])),
]);

const path = inProject('docs', 'commands.md');
const before = readFileSync(path, 'utf8');
const mark = '<!-- Made from app/cli by scripts/docs/commands-reference.mjs. -->\n';
const [head] = before.split(mark);
const wanted = `${head}${mark}\n${made.join('\n').trimEnd()}\n`;
if (process.argv.includes('--write')) writeFileSync(path, wanted);
else if (wanted !== before) {
  console.log('docs/commands.md differs from the commands. Run "node scripts/docs/commands-reference.mjs --write".');
  process.exitCode = 1;
}
