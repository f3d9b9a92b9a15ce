import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { main, Stop, say } from '../lib/progress.mjs';
import { inProject, manifest } from '../lib/project.mjs';

/**
 * `node scripts/releasing/fill.mjs FOLDER REGISTRIES`: writes SHA256SUMS of a release's files into their folder, and
 * fills what lies in resources/registries with its version, addresses and hashes. GITHUB_REPOSITORY says where they
 * will be. Uses nothing but Node, because what it writes is attested.
 */
const sumsFile = 'SHA256SUMS';

/**
 * @param {string} folder of the release's files
 * @param {string} repository `owner/name` at GitHub
 * @returns {Record<string, string>} what was filled, by its path
 */
export function fill(folder, repository, { version, npmName } = manifest()) {
  const hashes = hashesIn(folder);
  const named = (end) => {
    const found = [...hashes.keys()].filter((name) => name.includes(version) && name.endsWith(end));
    if (found.length === 1) return found[0];
    throw new Stop(`${folder} has ${found.length} files of ${version} that end with ${end}. One is needed.`);
  };
  const values = {
    version: () => version,
    repository: () => repository,
    owner: () => repository.split('/')[0],
    npm: () => npmName,
    file: named,
    url: (end) => `https://github.com/${repository}/releases/download/v${version}/${named(end)}`,
    sha256: (end) => hashes.get(named(end)),
    SHA256: (end) => hashes.get(named(end)).toUpperCase(),
    sri: (end) => `sha256-${Buffer.from(hashes.get(named(end)), 'hex').toString('base64')}`,
  };
  const templates = inProject('resources', 'registries');
  const files = readdirSync(templates, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const file = join(entry.parentPath ?? entry.path, entry.name);
      const path = file.slice(templates.length + 1).replaceAll('\\', '/');
      const text = readFileSync(file, 'utf8').replace(/\{\{(\w+)(?: ([^{}]+))?\}\}/g, (whole, name, end) => {
        if (!Object.hasOwn(values, name)) throw new Stop(`${path} asks for ${whole}, which nothing fills.`);
        return values[name](end);
      });
      return [path, text];
    }),
  );
}

/** Of every file but the list itself, by name. */
export function hashesIn(folder) {
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== sumsFile,
  );
  const hash = (name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  return new Map(names.map(({ name }) => [name, hash(name)]).sort());
}

/** As `sha256sum --check` reads it. */
export const sumsOf = (hashes) => [...hashes].map(([name, hash]) => `${hash}  ${name}\n`).join('');

if (argv[1] === fileURLToPath(import.meta.url)) {
  await main(async ([folder, registries]) => {
    const repository = process.env.GITHUB_REPOSITORY ?? '';
    if (!folder || !registries || !/^[\w.-]+\/[\w.-]+$/.test(repository))
      throw new Stop('It needs a folder of files, one for what is filled, and GITHUB_REPOSITORY.');
    writeFileSync(join(folder, sumsFile), sumsOf(hashesIn(folder)));
    // Registries are for versions that everybody should get.
    const filled = manifest().version.includes('-') ? {} : fill(folder, repository);
    for (const [path, text] of Object.entries(filled)) {
      mkdirSync(dirname(join(registries, path)), { recursive: true });
      writeFileSync(join(registries, path), text);
    }
    say(`${Object.keys(filled).length} files for registries are in ${registries}.`);
    return 0;
  });
}
