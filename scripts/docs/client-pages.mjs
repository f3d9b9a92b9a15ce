import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { withEdit } from '../../app/clients/document.ts';
import { labelOf, programs, usesOf } from '../../app/clients/programs.ts';
import { inProject } from '../lib/project.mjs';

/**
 * What a person pastes by hand, in the page of each client: made of the same table as `jumpseat setup`. Part of
 * `npm run check`; `node scripts/docs/client-pages.mjs --write` writes it.
 */
const [from, until] = ['<!-- values -->', '<!-- end of values -->'];
/** Pages that say more than one file and its lines: they are written by hand. */
const byHand = ['codex', 'vscode', 'claude-desktop'];
const wordsOf = { models: 'Models', mcp: 'Web search and pages', agent: 'Sessions' };

const machine = { platform: 'linux', home: '~', env: {} };
const limits = { promptTokens: 168000, outputTokens: 32000 };
const endpoints = ['/chat/completions', '/v1/messages'];
const supports = { vision: true, efforts: [], maxThinkingBudget: null };
const models = [{ id: 'claude-sonnet-4.6', name: 'Claude Sonnet 4.6', preview: false, endpoints, limits, supports }];

const found = [];
for (const [name, { title }] of Object.entries(programs)) {
  if (byHand.includes(name)) continue;
  const page = `docs/clients/${name}.md`;
  if (!existsSync(inProject(page))) {
    found.push(`${title} has no page. Write ${page}, with a part between ${from} and ${until}.`);
    continue;
  }
  const before = readFileSync(inProject(page), 'utf8');
  const [begin, end] = [before.indexOf(from), before.indexOf(until)];
  if (begin < 0 || end < begin) {
    found.push(`${page} has no part between ${from} and ${until}.`);
    continue;
  }
  const text = `${before.slice(0, begin + from.length)}\n\n${valuesOf(name)}\n${before.slice(end)}`;
  if (process.argv.includes('--write')) writeFileSync(inProject(page), text);
  else if (text !== before)
    found.push(`${page} differs from what is set up. Run "node scripts/docs/client-pages.mjs --write".`);
}
for (const sentence of found) console.log(sentence);
if (found.length > 0) process.exitCode = 1;

/** A part for each use: the table of values, and the lines of each file. */
function valuesOf(name) {
  const door = { baseUrl: 'http://127.0.0.1:4180', key: 'KEY', label: labelOf[name] };
  const uses = usesOf(name);
  return uses
    .map((use) => {
      const row = programs[name].uses[use];
      const files = ('files' in row ? row.files : [row]).map((file) => {
        const entries = file.entries({ door, models, machine, command: ['jumpseat'] });
        const text = entries.reduce((lines, { at, value }) => withEdit(file.format, lines, at, value), '');
        return { path: file.path(machine), format: file.format, text };
      });
      return [
        ...(uses.length > 1
          ? [`### ${wordsOf[use]}: \`jumpseat setup ${name}${use === uses[0] ? '' : ` --as ${use}`}\`\n`]
          : []),
        '| value | paste |',
        '|---|---|',
        ...files.map(({ path }) => `| file | \`${path}\` |`),
        ...valueRows(files.map(({ text }) => text).join('\n')),
        ...files.map(({ format, text }) => `\n\`\`\`${format}\n${text.trimEnd()}\n\`\`\``),
        '',
      ].join('\n');
    })
    .join('\n');
}

function valueRows(text) {
  const [address] = /http:\/\/127\.0\.0\.1:4180[^"'\s]*/.exec(text) ?? [];
  const [key] = /(?:Bearer )?KEY\.[\w-]+/.exec(text) ?? [];
  return [
    ...(address === undefined ? [] : [`| address | \`${address}\` |`]),
    ...(key === undefined ? [] : [`| key | \`${key}\` |`]),
  ];
}
