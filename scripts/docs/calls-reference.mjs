import { readFileSync, writeFileSync } from 'node:fs';
import { inProject } from '../lib/project.mjs';

/**
 * The tables of docs/dashboard.md: a row for each call of app/api/calls.ts. What a call does is written there by hand
 * and kept. Part of `npm run check`; `node scripts/docs/calls-reference.mjs --write` writes the rows.
 */
const path = inProject('docs', 'dashboard.md');
const before = readFileSync(path, 'utf8');
const index = readFileSync(inProject('app', 'api', 'calls.ts'), 'utf8');
const files = [...index.matchAll(/^import \{([^}]+)\} from '\.\/calls\/([\w-]+)\.ts';$/gm)];
const modules = new Map();
for (const [, names, file] of files)
  for (const [name] of names.matchAll(/\w+/g))
    modules.set(name, { file, table: (await import(`../../app/api/calls/${file}.ts`))[name] });
const order = [...index.matchAll(/^ {2}\.\.\.(\w+),$/gm)].map(([, name]) => modules.get(name));

const [head, ...parts] = before.split(/^(?=### )/m);
const meanings = new Map(
  [...before.matchAll(/^\| `(\w+)` \| \w* ?\| (.+) \|$/gm)].map(([, name, meaning]) => [name, meaning]),
);
const found = [];
if (parts.length !== order.length)
  found.push(`docs/dashboard.md has ${parts.length} tables of calls, and app/api/calls.ts ${order.length}.`);
const wanted = parts.map((part, at) => {
  const { file, table } = order[at] ?? { file: '', table: {} };
  if (!part.startsWith(`### \`${file}\``)) found.push(`A table of docs/dashboard.md is not below \`${file}\`.`);
  const rows = Object.entries(table).map(([name, { from }]) => {
    if (!meanings.has(name)) found.push(`docs/dashboard.md doesn’t say what ${name} does.`);
    return `| \`${name}\` | ${from === 'both' ? '' : `${from} `}| ${meanings.get(name) ?? ''} |\n`;
  });
  return part.replace(/^(\|[^\n]*\n\|---\|---\|---\|\n)(?:\|.*\n?)*/m, (_, columns) => `${columns}${rows.join('')}`);
});
const text = [head, ...wanted].join('');
if (process.argv.includes('--write')) writeFileSync(path, text);
else if (text !== before)
  found.push('docs/dashboard.md differs from the calls. Run "node scripts/docs/calls-reference.mjs --write".');
for (const sentence of found) console.log(sentence);
if (found.length > 0) process.exitCode = 1;
