import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { linesTooLong, linesTooLongInDocument, most } from './lib/lines.mjs';
import { root } from './lib/project.mjs';

/** Part of `npm run check`: no line of code or of a document is wider than a reader's window. */
const files = execFileSync('git', ['ls-files', '--', '*.ts', '*.tsx', '*.mjs', '*.css', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !file.includes('/samples/'));
let found = 0;
for (const file of files) {
  let text;
  try {
    text = readFileSync(new URL(`file://${root}/${file}`), 'utf8');
  } catch {
    continue; // Deleted, and not committed yet.
  }
  const tooLong = file.endsWith('.md') ? linesTooLongInDocument : linesTooLong;
  for (const { number, columns } of tooLong(text)) {
    found += 1;
    console.log(`${file}:${number} has ${columns} columns.`);
  }
}
if (found > 0) {
  console.log(`A line has at most ${most} columns, unless it holds a text or pattern that cannot be parted.`);
  process.exitCode = 1;
}
