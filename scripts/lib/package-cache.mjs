import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withLock } from './lock.mjs';
import { Stop, step } from './progress.mjs';
import { cacheFolder } from './project.mjs';
import { npm, quiet } from './run.mjs';

/**
 * A package of the npm registry, unpacked in the user's cache folder: fetched once, through the registry, proxy and
 * certificates that npm is configured with, and only kept when its bytes have the integrity that is written down here.
 * @param {{ name: string, version: string, integrity: string, files?: string[] }} wanted `files`: what of it is
 * unpacked; absent: all
 * @param {string} title what is being fetched, for the progress line
 * @returns {Promise<string>} the folder that holds the package's files
 */
export function cachedPackage(wanted, title) {
  const label = `${wanted.name.replace(/^@/, '').replace('/', '-')}-${wanted.version}`;
  return cached(label, title, async (work) => {
    const { name, version, integrity, files = [] } = wanted;
    const packed = await npm(['pack', `${name}@${version}`, '--pack-destination', work, '--ignore-scripts']);
    const archive = readdirSync(work).find((file) => file.endsWith('.tgz'));
    if (packed.code !== 0 || !archive) {
      throw new Stop(
        `npm could not fetch ${name}@${version}:\n${packed.output.trim()}`,
        'Check the connection to the npm registry and run the command again.',
      );
    }
    await verify(join(work, archive), integrity, `${name}@${version}`);
    return { archive, files: files.map((file) => `package/${file}`) };
  });
}

/**
 * The same of an archive at an address of its own. What is in it lies in one folder.
 * @param {{ url: string, archive: string, integrity: string }} wanted `archive`: the file's name
 */
export function cachedArchive({ url, archive, integrity }, title) {
  return cached(archive.replace(/\.(?:zip|tar\.gz)$/, ''), title, async (work) => {
    const answer = await fetch(url).catch((error) => {
      throw new Stop(`${url} can’t be fetched: ${error.cause?.message ?? error.message}`);
    });
    if (!answer.ok) throw new Stop(`${url} can’t be fetched: status ${answer.status}.`);
    await pipeline(answer.body, createWriteStream(join(work, archive)));
    await verify(join(work, archive), integrity, archive);
    return { archive, files: [] };
  });
}

/**
 * Everything happens in a temporary folder beside the final one; the last step is one rename, so a folder that is there
 * is whole.
 */
async function cached(label, title, fetchInto) {
  const folder = join(cacheFolder(), 'packages', label);
  if (existsSync(folder)) return folder;
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(folder)) return folder;
    await step(`Fetching ${title} (first run only)`, async () => {
      const work = mkdtempSync(`${folder}.part-`);
      try {
        const { archive, files } = await fetchInto(work);
        mkdirSync(join(work, 'unpacked'));
        const args = ['-xf', archive, '-C', 'unpacked', '--strip-components=1', ...files];
        const unpacked = await quiet(tar(), args, { cwd: work });
        if (unpacked.code !== 0) throw new Stop(`Unpacking ${label} failed:\n${unpacked.output.trim()}`);
        renameSync(join(work, 'unpacked'), folder);
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
    });
    return folder;
  });
}

/** Windows has a tar that reads zip as well; that of Git, which may come first in the PATH, does not. */
function tar() {
  const { platform, env } = process;
  return platform === 'win32' ? join(env.SystemRoot ?? 'C:\\Windows', 'System32', 'tar.exe') : 'tar';
}

/** Rejects when the file's bytes are not those that were chosen. */
export async function verify(file, integrity, label) {
  const [algorithm, expected] = [
    integrity.slice(0, integrity.indexOf('-')),
    integrity.slice(integrity.indexOf('-') + 1),
  ];
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file), hash);
  if (hash.digest('base64') !== expected) {
    throw new Stop(
      `${label} is not the file that was chosen: its ${algorithm} differs.`,
      'It was not used. Check which registry npm is configured with, and run the command again.',
    );
  }
}
