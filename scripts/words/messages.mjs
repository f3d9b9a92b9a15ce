import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { inProject, root } from '../lib/project.mjs';
import { catalogFaults, messagesIn, nameOf } from './extract.mjs';

/**
 * The messages that people read, as the sources have them. Part of `npm run check`, which fails where they differ from
 * app/language/messages.json or a language lacks one; `node scripts/words/messages.mjs --write` writes that file, and
 * `--list` prints each message with its places.
 */
const list = 'app/language/messages.json';
const catalogs = 'app/language/catalogs';

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--', 'app', 'main', 'renderer'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && existsSync(inProject(file)));
const found = [...new Set(files)].flatMap((file) => messagesIn(file, readFileSync(inProject(file), 'utf8')));
const faults = found.flatMap(({ place, faults: each }) => each.map((fault) => `${place} ${fault}`));
const places = new Map();
for (const one of found.filter(({ text }) => text !== null))
  places.set(nameOf(one), [...(places.get(nameOf(one)) ?? []), one]);
const names = [...places.keys()].sort();

if (process.argv.includes('--list')) {
  for (const name of names)
    console.log(
      `${name}\t${places
        .get(name)
        .map(({ place }) => place)
        .join(' ')}`,
    );
} else if (process.argv.includes('--write')) {
  writeFileSync(inProject(list), `${JSON.stringify(names, null, 2)}\n`);
} else {
  const listed = existsSync(inProject(list)) ? JSON.parse(readFileSync(inProject(list), 'utf8')) : [];
  const missing = names.filter((name) => !listed.includes(name));
  const unused = listed.filter((name) => !places.has(name));
  for (const name of missing) faults.push(`${places.get(name)[0].place} has a message that is not in ${list}: ${name}`);
  for (const name of unused) faults.push(`${list} has a message that no source uses: ${name}`);
  if (missing.length + unused.length > 0)
    faults.push('Run node scripts/words/messages.mjs --write, and look at what it changed.');
  const folder = inProject(catalogs);
  for (const file of existsSync(folder) ? readdirSync(folder).sort() : [])
    faults.push(...catalogFaults(`${catalogs}/${file}`, JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')), names));
}
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
