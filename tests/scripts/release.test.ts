import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../app/history/surroundings.ts';
import { script } from './script.ts';

type Hashes = ReadonlyMap<string, string>;
const { fill, hashesIn, sumsOf } = await script<{
  fill(folder: string, repository: string, about: { version: string; npmName: string }): Record<string, string>;
  hashesIn(folder: string): Hashes;
  sumsOf(hashes: Hashes): string;
}>('../releasing/fill');
const { closeTransport } = await script<{ closeTransport(plist: string): void }>('../packing/same-bytes');
const { sbom } = await script<{
  sbom(
    dist: string,
    created: string,
  ): { packages: Record<string, unknown>[]; relationships: unknown[]; creationInfo: { created: string } };
}>('../releasing/sbom');

const root = join(import.meta.dirname, '..', '..');
const manifest = { version: '1.2.3', npmName: '@jumpseat/cli' };
const names = ['linux-amd64.deb', 'linux-arm64.deb', 'mac-arm64.dmg', 'mac-x64.dmg', 'win-arm64.exe', 'win-x64.exe'];

function release(): string {
  const folder = temporaryFolder();
  for (const name of [...names.map((end) => `Jumpseat-1.2.3-${end}`), 'jumpseat-cli-1.2.3.tgz', 'latest.yml'])
    writeFileSync(join(folder, name), name);
  return folder;
}

/** Where it is installed: a program that reads a file of this kind. */
function read(program: string, args: string[], cwd: string): string {
  return existsSync(`/usr/bin/${program}`)
    ? execFileSync(`/usr/bin/${program}`, args, { cwd, encoding: 'utf8', stdio: 'pipe' })
    : '';
}

describe('what a release fills for registries', () => {
  function made() {
    const folder = release();
    const filled = fill(folder, 'octo/jumpseat', manifest);
    return { folder, filled, hashes: hashesIn(folder), text: (path: string): string => filled[path] ?? '' };
  }

  it('has a version, an address and a hash of each file, and no place is left open', () => {
    const { filled, hashes, text } = made();
    expect(Object.keys(filled).length).toBeGreaterThan(10);
    for (const [path, content] of Object.entries(filled)) {
      expect(content, path).not.toContain('{{');
      if (!path.endsWith('.svg') && !path.endsWith('install.sh')) expect(content, path).toContain('1.2.3');
    }
    const all = Object.values(filled).join('\n').toLowerCase();
    for (const [name, hash] of hashes) expect(all.includes(hash), name).toBe(name !== 'latest.yml');
    const sri = `sha256-${Buffer.from(hashes.get('jumpseat-cli-1.2.3.tgz') ?? '', 'hex').toString('base64')}`;
    expect(text('nix/package.nix')).toContain(`hash = "${sri}"`);
    expect(text('winget/Jumpseat.Jumpseat.installer.yaml')).toContain(
      'https://github.com/octo/jumpseat/releases/download/v1.2.3/Jumpseat-1.2.3-win-arm64.exe\n' +
        `    InstallerSha256: ${hashes.get('Jumpseat-1.2.3-win-arm64.exe')?.toUpperCase()}\n`,
    );
  });

  it('can be read by those that it is for', () => {
    const { filled, text } = made();
    const out = temporaryFolder();
    for (const [path, content] of Object.entries(filled)) {
      mkdirSync(dirname(join(out, path)), { recursive: true });
      writeFileSync(join(out, path), content);
      if (path.endsWith('.json')) JSON.parse(content);
      if (path.endsWith('.rb')) read('ruby', ['-c', path], out);
    }
    read('bash', ['-n', 'aur/PKGBUILD'], out);
    read('sh', ['-n', 'devcontainer/jumpseat/install.sh'], out);
    read('nix-instantiate', ['--parse', 'nix/package.nix'], out);
    const agent = JSON.parse(text('acp/jumpseat/agent.json'));
    expect(agent.distribution.npx).toEqual({ package: '@jumpseat/cli@1.2.3', args: ['acp'] });
    const colours = [...text('acp/jumpseat/icon.svg').matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, value]) => value);
    expect(new Set(colours)).toEqual(new Set(['none', 'currentColor']));
  });

  it.skipIf(!existsSync('/usr/bin/bash'))('says the same in both files of the AUR', () => {
    const { text } = made();
    const show = `for each in "$@"; do declare -n values=$each; printf "$each = %s\\n" "\${values[@]}"; done`;
    const fields = ['pkgver', 'arch', 'license', 'depends', 'optdepends', 'provides', 'conflicts', 'options'];
    const files = ['source_x86_64', 'sha256sums_x86_64', 'source_aarch64', 'sha256sums_aarch64'];
    const args = ['-c', `${text('aur/PKGBUILD')}\n${show}`, 'PKGBUILD', 'pkgdesc', ...fields, 'url', ...files];
    const said = read('bash', args, root).trim().split('\n').sort();
    const listed = text('aur/.SRCINFO')
      .split('\n')
      .filter((line) => /^\t(?!pkgrel)/.test(line));
    expect(listed.map((line) => line.trim()).sort()).toEqual(said);
  });

  it('fails where a file is missing, or there are two', () => {
    const missing = release();
    rmSync(join(missing, 'Jumpseat-1.2.3-mac-x64.dmg'));
    expect(() => fill(missing, 'octo/jumpseat', manifest)).toThrow('0 files of 1.2.3 that end with -mac-x64.dmg');
    const two = release();
    writeFileSync(join(two, 'other-1.2.3.tgz'), '');
    expect(() => fill(two, 'octo/jumpseat', manifest)).toThrow('2 files of 1.2.3 that end with .tgz');
  });

  it.skipIf(!existsSync('/usr/bin/sha256sum'))(
    'is listed with hashes that sha256sum checks, the list itself not',
    () => {
      const { folder, hashes } = made();
      writeFileSync(join(folder, 'SHA256SUMS'), sumsOf(hashes));
      expect(read('sha256sum', ['--check', '--strict', 'SHA256SUMS'], folder).trim().split('\n')).toHaveLength(8);
      expect(sumsOf(hashesIn(folder))).toBe(sumsOf(hashes));
    },
  );
});

it('what is in a release is listed as SPDX: every package of each part once, and what is packed beside them', () => {
  const dist = temporaryFolder();
  const lists = {
    cli: [{ name: 'zod', version: '4.6.7', identifier: 'MIT' }],
    main: [
      { name: 'zod', version: '4.6.7', identifier: 'MIT' },
      { name: '@bundled/in_another', version: '1.0.0', identifier: 'SEE LICENSE IN x/y' },
    ],
  };
  for (const [part, list] of Object.entries(lists)) {
    mkdirSync(join(dist, part));
    writeFileSync(join(dist, part, 'licenses.json'), JSON.stringify(list));
  }
  writeFileSync(join(dist, '.sources'), '');
  const { packages, relationships, creationInfo } = sbom(dist, '2026-11-26T18:00:00Z');
  const facts = packages.map(({ name, licenseDeclared }) => [name, licenseDeclared]);
  expect(facts).toEqual([
    ...[
      ['jumpseat', 'MIT'],
      ['@bundled/in_another', 'NOASSERTION'],
    ],
    ...[
      ['@github/keytar', 'MIT'],
      ['electron', 'MIT'],
      ['node', expect.any(String)],
      ['zod', 'MIT'],
    ],
  ]);
  expect(packages.at(-1)).toMatchObject({
    SPDXID: 'SPDXRef-zod-4.6.7',
    checksums: [{ algorithm: 'SHA512', checksumValue: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    externalRefs: [{ referenceLocator: 'pkg:npm/zod@4.6.7' }],
  });
  expect(relationships).toHaveLength(packages.length);
  expect(creationInfo.created).toBe('2026-11-26T18:00:00Z');
});

it('what the installer for Windows does besides can be compiled, where NSIS is installed', () => {
  const folder = temporaryFolder();
  const lines = ['Unicode true', '!include LogicLib.nsh', '!define isUpdated "1 == 0"', 'Name a', 'OutFile a.exe'];
  const sections = ['Section', '!insertmacro customInstall', 'WriteUninstaller b.exe', 'SectionEnd'];
  const removing = ['Section Uninstall', '!insertmacro customUnInstall', 'SectionEnd'];
  const added = `!include ${join(root, 'resources', 'windows', 'installer.nsh')}`;
  writeFileSync(join(folder, 'a.nsi'), [...lines, added, ...sections, ...removing].join('\n'));
  expect(read('makensis', ['-V2', '-WX', 'a.nsi'], folder)).toBe('');
});

describe('the workflows at GitHub', () => {
  const folder = join(root, '.github', 'workflows');
  const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

  it('name each action and image by its hash, and may nothing but what a job says', () => {
    for (const { name, text } of workflows) {
      const used = [...text.matchAll(/^ +(?:- )?uses: (.+)$/gm)].map(([, action]) => action);
      expect(used.length, name).toBeGreaterThan(0);
      for (const action of used) expect(action, name).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      for (const [image] of text.matchAll(/^ +image: .+$/gm)) expect(image).toMatch(/@sha256:[0-9a-f]{64}$/);
      expect(text).toMatch(/^permissions: \{\}$/m);
      const [, jobs = ''] = text.split('\njobs:\n');
      const count = (pattern: RegExp) => [...jobs.matchAll(pattern)].length;
      expect(count(/^ {4}permissions:$/gm), name).toBe(count(/^ {2}\w+:$/gm));
      expect(text).not.toMatch(/run: .*\$\{\{/);
      expect(count(/actions\/checkout@/g), name).toBe(count(/persist-credentials: false/g));
    }
  });

  it('run on the Node that everything else runs on, which the image of Docker brings too', () => {
    const { version, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const dockerfile = readFileSync(join(root, 'resources', 'registries', 'docker', 'Dockerfile'), 'utf8');
    const texts = [...workflows.map(({ text }) => text), dockerfile];
    const named = texts.flatMap((text) => [...text.matchAll(/(?:node-version: |node:)(\d+\.\d+\.\d+)/g)]);
    expect(named.map(([, node]) => node)).toEqual(Array(4).fill(devDependencies.node));
    expect(readFileSync(join(root, 'CITATION.cff'), 'utf8')).toContain(`\nversion: ${version}\n`);
  });

  it('are what actionlint takes', { timeout: 60_000 }, () => {
    const program = join(root, 'node_modules', '@tktco', 'node-actionlint', 'bin', 'node-actionlint.js');
    const said = execFileSync(process.execPath, [program, '.github/workflows/*.yml'], { cwd: root, encoding: 'utf8' });
    expect(said).toContain('All workflow files passed');
  });
});

it('macOS lets nothing be loaded unencrypted but from this machine', () => {
  const plist = join(temporaryFolder(), 'Info.plist');
  const local = '<key>NSAllowsLocalNetworking</key>\n<true/>';
  writeFileSync(plist, `${local}\n<key>NSAllowsArbitraryLoads</key>\n\t<true/>\n`);
  closeTransport(plist);
  expect(readFileSync(plist, 'utf8')).toBe(`${local}\n<key>NSAllowsArbitraryLoads</key>\n\t<false/>\n`);
  closeTransport(join(plist, '..', 'none'));
});
