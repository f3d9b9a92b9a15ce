import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { root } from './lib/project.mjs';
import { mismatches, namedIn, offScale } from './lib/styles.mjs';

/**
 * Part of `npm run check`: spaces, sizes of type and heights are of the scale, breakpoints of the list, and every class
 * is both defined and used. How styles are written stands in docs/architecture.md, "Styles".
 */
const read = (file) => readFileSync(`${root}/${file}`, 'utf8');
const files = (pattern) =>
  globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
const sheets = files('renderer/**/*.css');
const isModule = (file) => file.endsWith('.module.css');
const isShared = (file) => read('renderer/style.css').includes(`./styles/${basename(file)}`);
const modules = sheets.filter(isModule);
const problems = [
  ...sheets.flatMap((file) => offScale(read(file)).map((sentence) => `${file}, ${sentence}`)),
  ...mismatches(
    Object.fromEntries(modules.map((file) => [file, read(file)])),
    sheets.filter(isShared).map(read),
    files('renderer/**/*.{ts,tsx}').map((file) => ({ file, ...namedIn(file, read(file)) })),
  ),
];
const names = modules.map((file) => basename(file));
for (const name of new Set(names)) {
  if (names.filter((one) => one === name).length > 1) problems.push(`Two modules are called ${name}.`);
}
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
