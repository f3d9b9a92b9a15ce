import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { isRow, otherSettings, type SettingRow, windowSettings } from '../../../app/api/setting-table.ts';
import { readEnvironment } from '../../../app/environment.ts';
import { settingsSchema } from '../../../app/settings/schema.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const rows: SettingRow[] = Object.values({ ...windowSettings, ...otherSettings }).flatMap((entry): SettingRow[] =>
  isRow(entry) ? [entry] : Object.values(entry),
);

it('docs/settings.md and its schema say what the rows of settings say', () => {
  expect(execFileSync(process.execPath, [join(root, 'scripts', 'settings-reference.mjs')], { encoding: 'utf8' })).toBe(
    '',
  );
});

it('the schema for editors describes each key of the file, and knows no other', () => {
  const schema = JSON.parse(readFileSync(join(root, 'docs', 'settings.schema.json'), 'utf8'));
  const { $schema, ...properties } = schema.properties;
  expect(Object.keys(properties).sort()).toEqual(Object.keys(settingsSchema.shape).sort());
  expect(schema.additionalProperties).toBe(false);
  expect(properties.sessions.properties.atOnce).toMatchObject({
    maximum: 16,
    description: expect.stringMatching(/^Running at once: /),
  });
});

it('the schema for editors takes the file as Jumpseat writes it, and names what is unknown or out of bounds', () => {
  const schema = JSON.parse(readFileSync(join(root, 'docs', 'settings.schema.json'), 'utf8'));
  const validate = new Ajv2020({ allErrors: true }).compile(schema);
  const problems = (file: object) => {
    validate(file);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
  const written = { $schema: './settings.schema.json', ...settingsSchema.parse({}) };
  expect(problems(written)).toEqual([]);
  expect(problems({ ...written, port: 80, sesions: {}, sessions: { ...written.sessions, atonce: 2 } })).toEqual([
    ' must NOT have additional properties',
    '/port must be >= 1024',
    '/port must be null',
    '/port must match a schema in anyOf',
    '/sessions must NOT have additional properties',
  ]);
});

it.each([
  'JUMPSEAT_PORT',
  'JUMPSEAT_SECRETS',
  'JUMPSEAT_GITHUB_URL',
  'JUMPSEAT_SEARCH_ENGINES',
  'JUMPSEAT_SEARXNG_URL',
])('the row of a setting names %s, which is read from outside', (name) => {
  expect(rows.filter(({ environment }) => environment === name)).toHaveLength(1);
  expect(() => readEnvironment({ [name]: '///' })).toThrow(name);
});
