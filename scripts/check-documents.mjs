import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { missingIn, notInIndex, notInStep, withoutReason } from './lib/documents.mjs';
import { inProject, root } from './lib/project.mjs';

/** Part of `npm run check`: whether what the documents link to and name is there. */
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(inProject(file)));
const read = (path) => readFileSync(inProject(path), 'utf8');
// The changelog keeps the names that things had, and the sources of samples name files of other projects.
const documents = files.filter(
  (file) => file.endsWith('.md') && file !== 'CHANGELOG.md' && !file.startsWith('tests/samples/'),
);
const found = documents.flatMap((file) => missingIn(file, read(file), { files, read }));
const { dependencies } = JSON.parse(read('package.json'));
found.push(...withoutReason(read('docs/architecture.md'), Object.keys(dependencies)));
found.push(...notInIndex('docs/README.md', read('docs/README.md'), files));
const readmes = files.filter((file) => /^README\.[\w-]+\.md$/.test(file));
found.push(...notInStep(read('README.md'), Object.fromEntries(readmes.map((file) => [file, read(file)]))));
for (const sentence of found) console.log(sentence);
if (found.length > 0) process.exitCode = 1;
