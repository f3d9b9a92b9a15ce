import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { claudeCodeVariables } from '../../app/claude-code/env-snippet.ts';
import { type OwnPlaces, placeLines, placeNotes } from '../../app/clients/lines.ts';
import { temporaryFolder } from '../app/adapters/folder.ts';

/* What is copied or taken for containers, against the schemas of those that read it. */

const root = join(import.meta.dirname, '..', '..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Set by `npm test` where they are, or could be installed. */
const hasLinters = process.env.JUMPSEAT_TEST_LINTERS !== undefined;

function linted(program: string, args: string[]): [number | null, string] {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  return [status, `${stdout}${stderr}`];
}

/** What a schema says against a value; null: nothing. */
function faults(schema: string, value: unknown): unknown {
  const { $schema: _other, ...rules } = JSON.parse(text(`tests/resources/schemas/${schema}`));
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const validate = ajv.compile(rules);
  return validate(value) ? null : validate.errors;
}

const key = 'a-key-that-nobody-may-see.claude-code';
const variables = {
  ...Object.fromEntries(claudeCodeVariables.map((name) => [name, '1'])),
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:4180',
  ANTHROPIC_AUTH_TOKEN: key,
};
const own: OwnPlaces = {
  socket: '/home/a b/socket/jumpseat.sock',
  isSocketOn: true,
  wslAddress: null,
  platform: 'linux',
};
const places = ['docker', 'devcontainer', 'wsl', 'ssh'] as const;
const platforms = ['linux', 'darwin', 'win32'] as const;

describe('the lines for other places', () => {
  it.each(places)('hold no key, and name the port that is served (%s)', (place) => {
    for (const platform of platforms) {
      const lines = placeLines(place, variables, { ...own, platform });
      expect(lines, platform).not.toContain(key);
      const moved = placeLines(
        place,
        { ...variables, ANTHROPIC_BASE_URL: 'http://127.0.0.1:5000' },
        { ...own, platform },
      );
      expect(moved, platform).toContain('5000');
      expect(moved, platform).not.toContain('4180');
    }
  });

  it('tell the commands on the other side of SSH where Jumpseat is', () => {
    const ran = placeLines('ssh', variables, own)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    // A variable that a forward, doctor and status read alike.
    expect(ran.slice(-5)).toEqual([
      '. ~/.jumpseat/env',
      'export JUMPSEAT_SOCKET=~/.jumpseat/jumpseat.sock',
      'jumpseat forward &',
      'jumpseat doctor',
      'claude',
    ]);
  });

  it('say that the socket has to be on where they need it', () => {
    const needs = (place: (typeof places)[number], platform: NodeJS.Platform): boolean =>
      placeNotes(place, { ...own, isSocketOn: false, platform }).length > 0;
    expect(places.map((place) => platforms.map((platform) => needs(place, platform)))).toEqual([
      [true, false, false],
      [true, false, false],
      [false, false, false],
      [true, true, true],
    ]);
    expect(placeNotes('docker', own)).toEqual([]);
  });

  it('are a devcontainer.json whose values the schema takes', () => {
    for (const platform of platforms) {
      const lines = placeLines('devcontainer', variables, { ...own, platform });
      expect(faults('devContainer.base.schema.json', { image: 'node:24', ...JSON.parse(lines) })).toBe(null);
    }
  });

  it.skipIf(process.platform === 'win32')('give docker each word as it is meant', () => {
    const folder = temporaryFolder();
    const said = join(folder, 'said');
    for (const [name, script] of [
      ['docker', `printf '%s\\n' "$@" > '${said}'`],
      ['jumpseat', '[ "$1" != env ] || echo ANTHROPIC_AUTH_TOKEN=key'],
      ['claude', ':'],
    ] as const) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(folder, name), 0o755);
    }
    const env = { PATH: `${folder}:${process.env.PATH}` };
    execFileSync('sh', ['-euc', placeLines('docker', variables, own)], { env });
    const words = readFileSync(said, 'utf8').trim().split('\n');
    expect(words).toEqual([
      ...['run', '-it', '--rm', '--mount', 'type=bind,source=/home/a b/socket,target=/run/jumpseat'],
      ...['-e', 'JUMPSEAT_SOCKET=/run/jumpseat/jumpseat.sock'],
      ...Object.keys(variables).flatMap((name) => ['-e', name]),
      'IMAGE',
    ]);
  });
});

describe('the examples', () => {
  it('are what Compose and dev containers read, with the variables of Claude Code', () => {
    const compose = parseYaml(text('docs/examples/compose.yaml'));
    expect(faults('compose-spec.json', compose)).toBe(null);
    expect(faults('compose-spec.json', { services: { work: { imaje: 'x' } } })).not.toBe(null);
    const errors: never[] = [];
    const container = parseJsonc(text('docs/examples/devcontainer.json'), errors);
    expect(errors).toEqual([]);
    expect(faults('devContainer.base.schema.json', container)).toBe(null);
    expect(faults('devContainer.base.schema.json', { mounts: 'x' })).not.toBe(null);
    const models = /_MODEL$/;
    const wanted = claudeCodeVariables.filter((name) => !models.test(name)).toSorted();
    expect(Object.keys(container.remoteEnv).toSorted()).toEqual(wanted);
    expect(Object.keys(compose.services.work.environment).toSorted()).toEqual(
      ['JUMPSEAT_SOCKET', ...wanted].toSorted(),
    );
  });

  it.runIf(hasLinters)('are YAML that yamllint takes', () => {
    const rules = '{extends: default, rules: {line-length: {max: 120}, document-start: disable}}';
    const path = join(temporaryFolder(), 'compose.yaml');
    expect(linted('yamllint', ['--strict', '-d', rules, 'docs/examples/compose.yaml'])).toEqual([0, '']);
    writeFileSync(path, `${text('docs/examples/compose.yaml')}services: {}\n`);
    expect(linted('yamllint', ['--strict', '-d', rules, path])).toEqual([1, expect.stringContaining('duplication')]);
  });
});

describe('the feature for dev containers', () => {
  const folder = 'resources/registries/devcontainer/jumpseat';

  it('is what the schema of features takes', () => {
    const feature = JSON.parse(text(`${folder}/devcontainer-feature.json`).replaceAll('{{version}}', '1.2.3'));
    expect(faults('devContainerFeature.schema.json', feature)).toBe(null);
    expect(faults('devContainerFeature.schema.json', { ...feature, entrypiont: '' })).not.toBe(null);
  });

  it.runIf(hasLinters)('has scripts that shellcheck takes, as have the installers', () => {
    const out = temporaryFolder();
    for (const [name, script] of Object.entries(scripts())) writeFileSync(join(out, name), script);
    const installers = ['linux', 'mac', 'windows'].flatMap((system) => {
      const names = readdirSync(join(root, 'resources', system)).map((name) => `resources/${system}/${name}`);
      return names.filter((name) => text(name).startsWith('#!/bin/sh'));
    });
    expect(installers.length).toBeGreaterThan(3);
    const paths = [...readdirSync(out).map((name) => join(out, name)), ...installers];
    expect(linted('shellcheck', paths)).toEqual([0, '']);
    writeFileSync(join(out, 'install.sh'), scripts()['install.sh']?.replaceAll(/"\$(\w+)"/g, '$$$1') ?? '');
    expect(linted('shellcheck', [join(out, 'install.sh')])).toEqual([1, expect.stringContaining('SC2086')]);
  });

  it.skipIf(process.platform === 'win32')(
    'starts the forward where the folder is mounted, and always what the container runs',
    () => {
      const out = temporaryFolder();
      mkdirSync(join(out, 'mounted'));
      writeFileSync(join(out, 'forward.sh'), scripts()['forward.sh'] ?? '');
      writeFileSync(join(out, 'jumpseat'), `#!/bin/sh\necho "$@" > '${join(out, 'started')}'\n`);
      chmodSync(join(out, 'jumpseat'), 0o755);
      const run = (socket: string): string =>
        execFileSync(
          'sh',
          [
            'forward.sh',
            'sh',
            '-c',
            'n=0; until [ -s started ] || [ $n = 20 ]; do sleep 0.1; n=$((n+1)); done; cat started 2> /dev/null || echo not started',
          ],
          {
            cwd: out,
            encoding: 'utf8',
            env: { PATH: `${out}:${process.env.PATH}`, JUMPSEAT_SOCKET: socket },
          },
        );
      expect(run(join(out, 'elsewhere', 'a.sock'))).toBe('not started\n');
      expect(run(join(out, 'mounted', 'a.sock'))).toBe('forward\n');
    },
  );

  /** The script that installs it, and the one that this writes. */
  function scripts(): Record<string, string> {
    const install = text(`${folder}/install.sh`);
    const [, forward = ''] = /<< 'END'\n(.*)\nEND\n/s.exec(install) ?? [];
    return { 'install.sh': install, 'forward.sh': `${forward}\n` };
  }
});
