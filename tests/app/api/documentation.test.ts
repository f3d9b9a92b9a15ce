import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { calls } from '../../../app/api/calls.ts';

const project = join(import.meta.dirname, '..', '..', '..');
const text = readFileSync(join(project, 'docs', 'dashboard.md'), 'utf8').split('\n## The calls\n')[1] ?? '';
const rows = text.split('\n### ').flatMap((part) => {
  const subject = /^`([\w-]+)`/.exec(part)?.[1];
  return [...part.matchAll(/^\| `(\w+)` \| (\w*) ?\| (.+) \|$/gm)].map(([, name = '', where]) => ({
    subject,
    name,
    from: where === '' ? 'both' : where,
  }));
});

it('docs/dashboard.md names every call of the table, with whose window may make it, and no other', () => {
  expect(rows.map(({ name, from }) => [name, from])).toEqual(
    Object.entries(calls).map(([name, { from }]) => [name, from]),
  );
});

it('docs/dashboard.md has each call below the file that it stands in', () => {
  const inFiles = rows.filter(({ subject, name }) => {
    const file = readFileSync(join(project, 'app', 'api', 'calls', `${subject}.ts`), 'utf8');
    return new RegExp(`^  ${name}: `, 'm').test(file);
  });
  expect(inFiles).toEqual(rows);
});
