import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { t } from '../language/translate.ts';
import { fullDisk, type SecretName, type Secrets, SecretsError, type SecretsStatus } from '../ports.ts';
import { outOfLogs } from './redact.ts';

/**
 * Secrets in a JSON file of mode 0600 in a folder of mode 0700, for machines without a keychain and only with the
 * person's consent. A file that others may read, or a folder that others may write, is refused rather than set right:
 * what was in it may be known already. On Windows modes mean nothing; there the profile folder's rights protect the
 * file.
 */
export function fileSecrets(path: string, platform: NodeJS.Platform = process.platform): Secrets {
  sweepLeftOvers(path);
  const read = (): Record<string, unknown> => {
    // On Windows modes mean nothing: the rights of the person's own folder protect the file.
    if (platform !== 'win32') {
      refuseOpenFolder(dirname(path));
      refuseOpenFile(path);
    }
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return {};
      throw new SecretsError(
        t('The secrets file {path} can’t be read ({code}).', { path, code: codeOf(error) ?? 'unknown' }),
        t('Make it readable only for your user: chmod 600 {path}', { path }),
      );
    }
    const value = parse(text);
    if (value === null)
      throw new SecretsError(t('The secrets file {path} is broken.', { path }), t('Delete it, then sign in again.'));
    return value;
  };

  /** Atomic, by `conf`, which is loaded with the first write only. */
  const write = async (change: (values: Record<string, unknown>) => boolean): Promise<void> => {
    makeFolder(dirname(path));
    read();
    const { default: Conf } = await import('conf');
    // Again after the wait: from here to the end nothing else runs in this process.
    const values = read();
    if (!change(values)) return;
    try {
      const ending = extname(path);
      const file = new Conf<Record<string, unknown>>({
        cwd: dirname(path),
        configName: basename(path, ending),
        fileExtension: ending.slice(1),
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
      });
      file.store = values;
    } catch (error) {
      const full = fullDisk(error, dirname(path));
      throw new SecretsError(
        full === null
          ? t('The secrets file {path} can’t be written ({code}).', { path, code: codeOf(error) ?? 'unknown' })
          : t('The secrets file {path} can’t be written. {why}', { path, why: full.text }),
        full?.remedy ?? t('Make {folder} writable for your user.', { folder: dirname(path) }),
      );
    }
  };

  return outOfLogs({
    storage: 'file',

    async status(): Promise<SecretsStatus> {
      const probe = `${path}.probe-${process.pid}`;
      try {
        makeFolder(dirname(path));
        read();
        writeFileSync(probe, '', { mode: 0o600 });
        rmSync(probe, { force: true });
        return { kind: 'available' };
      } catch (error) {
        if (error instanceof SecretsError) return { kind: 'unavailable', reason: error.message, remedy: error.remedy };
        const full = fullDisk(error, dirname(path));
        return {
          kind: 'unavailable',
          reason:
            full?.text ??
            t('The folder {folder} can’t be written ({code}).', {
              folder: dirname(path),
              code: codeOf(error) ?? 'unknown',
            }),
          remedy: full?.remedy ?? t('Make {folder} writable for your user.', { folder: dirname(path) }),
        };
      }
    },

    async get(name) {
      const value = read()[name];
      return typeof value === 'string' ? value : null;
    },

    set: (name, value) =>
      write((values) => {
        values[name] = value;
        return true;
      }),

    delete: (name: SecretName) =>
      write((values) => {
        const present = Object.hasOwn(values, name);
        delete values[name];
        return present;
      }),
  });
}

/** Far longer than a write takes. */
const longestWriteMs = 60_000;

/**
 * What a process that was killed while it wrote left beside the file, with the secrets in it: the names of `conf` and
 * of the probe alone.
 */
function sweepLeftOvers(path: string): void {
  try {
    const folder = dirname(path);
    const stem = basename(path);
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(stem) || !/^\.(?:tmp-\d{10}[0-9a-f]{6}|probe-\d+)$/.test(name.slice(stem.length))) continue;
      const file = join(folder, name);
      const found = lstatSync(file, { throwIfNoEntry: false });
      if (found?.isFile() && Date.now() - found.mtimeMs > longestWriteMs) rmSync(file, { force: true });
    }
  } catch {
    // No folder yet, or one that can't be read: reading the secrets says so.
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const full = fullDisk(error, folder);
    throw new SecretsError(
      full?.text ?? t('The folder {folder} can’t be written ({code}).', { folder, code: codeOf(error) ?? 'unknown' }),
      full?.remedy ?? t('Make {folder} writable for your user.', { folder }),
    );
  }
}

function refuseOpenFolder(folder: string): void {
  const mode = modeOf(folder);
  if (mode !== null && (mode & 0o022) !== 0) {
    throw new SecretsError(
      t('Other users may write to the folder {folder}, so they could replace your secrets.', { folder }),
      t('Close it for others: chmod 700 {folder}', { folder }),
    );
  }
}

function refuseOpenFile(path: string): void {
  const mode = modeOf(path);
  if (mode !== null && (mode & 0o077) !== 0) {
    throw new SecretsError(
      t('Other users may read the secrets file {path}, so it isn’t used.', { path }),
      t('Close it for others: chmod 600 {path}. If others use this machine, sign out and in again afterwards.', {
        path,
      }),
    );
  }
}

function modeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mode ?? null;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
