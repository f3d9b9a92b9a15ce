import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { isRow, otherSettings, settingSections, windowSettings } from '../app/api/setting-table.ts';
import { ownSettings, settingsSchema } from '../app/settings/schema.ts';
import { inProject } from './lib/project.mjs';

/**
 * The tables of docs/settings.md and docs/settings.schema.json, made from the rows of settings. Part of
 * `npm run check`, which fails where they differ; `node scripts/settings-reference.mjs --write` writes them.
 */
const schema = z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' });

/** Rows with their names and what the schema says of each. */
const rowsOf = (table) =>
  Object.entries(table).flatMap(([name, entry]) => {
    const node = schema.properties[name];
    if (isRow(entry)) return [{ name, row: entry, node }];
    return Object.entries(entry).map(([key, row]) => ({ name: `${name}.${key}`, row, node: node.properties[key] }));
  });

function typeOf(node) {
  if (node.anyOf) return node.anyOf.map(typeOf).join(' or ');
  if (node.enum) return node.enum.map((value) => `\`${value}\``).join(', ');
  if (node.type === 'array' && node.items.properties)
    return `list of {${Object.keys(node.items.properties).join(', ')}}`;
  if (node.type === 'array') return `list of ${typeOf(node.items)}`;
  return { object: 'names with texts', integer: 'whole number', string: 'text' }[node.type] ?? node.type;
}

function boundsOf(node, unit) {
  const { maxLength, minimum, maximum, exclusiveMinimum } = node.anyOf?.find(({ type }) => type !== 'null') ?? node;
  const counted = unit === undefined ? '' : unit === 'MB' || unit === 'percent' ? ` ${unit}` : ` ${unit}s`;
  if (maxLength !== undefined) return `at most ${maxLength} characters`;
  if (exclusiveMinimum !== undefined) return `more than ${exclusiveMinimum}, at most ${maximum}${counted}`;
  return minimum === undefined ? '' : `${minimum} to ${maximum}${counted}`;
}

const cells = (...each) => `| ${each.join(' | ')} |`;

function meaningOf({ help, more, environment, takesEffect }) {
  const sentences = [
    help,
    more,
    takesEffect && `A change counts ${takesEffect}.`,
    environment && `\`${environment}\` counts more.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

function chosen({ name, row, node }) {
  const place = row.section === undefined ? '' : `${settingSections[row.section]}: ${row.label}`;
  const value = row.default === undefined ? 'not set' : `\`${JSON.stringify(row.default)}\``;
  return cells(`\`${name}\``, place, typeOf(node), value, boundsOf(node, row.unit), meaningOf(row));
}

const tables = {
  'What you choose': [
    cells('setting', 'in Settings', 'type', 'default', 'bounds', 'meaning'),
    cells(...Array(6).fill('---')),
    ...[windowSettings, otherSettings].flatMap(rowsOf).map(chosen),
  ],
  'What Jumpseat writes there itself': [
    cells('key', 'what'),
    cells('---', '---'),
    ...rowsOf(ownSettings).map(({ name, row }) => cells(`\`${name}\``, row.help)),
  ],
};

/** A table ends with its lines. */
function withTables(text) {
  return Object.entries(tables).reduce((page, [heading, lines]) => {
    const [before, after = ''] = page.split(`## ${heading}\n\n`);
    return `${before}## ${heading}\n\n${lines.join('\n')}\n${after.replace(/^(\|.*\n)*/, '')}`;
  }, text);
}

function withWords() {
  const plain = (words) => words.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  for (const { name, row, node } of [windowSettings, otherSettings, ownSettings].flatMap(rowsOf)) {
    node.description = plain([row.label ?? name, meaningOf(row)].filter(Boolean).join(': '));
  }
  // Editors name a key that is unknown here; Jumpseat itself keeps it.
  const groups = Object.entries({ ...windowSettings, ...otherSettings }).filter(([, entry]) => !isRow(entry));
  for (const [name] of groups) schema.properties[name].additionalProperties = false;
  const properties = { $schema: { type: 'string' }, ...schema.properties };
  const whole = { ...schema, title: 'settings.json of Jumpseat', properties, additionalProperties: false };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

const page = inProject('docs', 'settings.md');
const wanted = [
  [page, withTables(readFileSync(page, 'utf8'))],
  [inProject('docs', 'settings.schema.json'), withWords()],
];
for (const [path, text] of wanted) {
  if (process.argv.includes('--write')) writeFileSync(path, text);
  else if (readIfThere(path) !== text) {
    console.log(`${path} differs from the rows of settings. Run "node scripts/settings-reference.mjs --write".`);
    process.exitCode = 1;
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
