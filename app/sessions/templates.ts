import { createHash, randomUUID } from 'node:crypto';
import {
  constants,
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { AnswersTo } from '../api/app.ts';
import type { TemplateFile, templateCalls } from '../api/calls/sessions.ts';
import { t } from '../language/translate.ts';
import { SessionError } from './session/error.ts';

interface TemplateDependencies {
  /** Claude Code's own: `~/.claude` */
  claudeFolder: string;
  folderOf(session: string): Promise<string>;
  isTrusted(folder: string): Promise<boolean>;
}

type Scope = TemplateFile['scope'];

const name = /^([A-Za-z][\w-]{0,63})\.md$/;
/** A folder with more has them listed by their names up to here. */
const mostFiles = 300;
/** Larger files are no prompts. */
const mostBytes = 64_000;

/**
 * Answers calls about templates. They are Claude Code's own files of commands: what is kept here works in a terminal
 * too, and the other way round. Of those, the files right below `commands` are read; nothing is kept of them.
 */
export function templateAnswers({
  claudeFolder,
  folderOf,
  isTrusted,
}: TemplateDependencies): AnswersTo<typeof templateCalls> {
  const commandsOf = async (scope: Scope, session: string): Promise<string> =>
    scope === 'all'
      ? join(claudeFolder, 'commands')
      : commandsBelow(await folderOf(session), join('.claude', 'commands'));
  return {
    templates: async (session) => {
      const folder = await folderOf(session);
      const own = await readAll('folder', await commandsOf('folder', session).catch(() => null));
      const all = await readAll('all', join(claudeFolder, 'commands'));
      // Where a session runs in the person's home, both are the same files.
      const files = [...own.filter((file) => !all.some(({ path }) => path === file.path)), ...all];
      return { files, isTrusted: await isTrusted(folder) };
    },
    writeTemplate: async ({ session, scope, name, raw, replaces }) => {
      const folder = await commandsOf(scope, session);
      const path = join(folder, `${name}.md`);
      if (replaces === null) {
        await mkdir(folder, { recursive: true });
        await create(path, raw).catch((error: unknown) => {
          throw isThere(error) ? changed(name, error) : error;
        });
      } else {
        const known = await readOne(scope, name, path);
        if (known?.version !== replaces) throw changed(name);
        await replace(path, raw);
      }
      return { scope, name, path, raw, version: versionOf(raw) };
    },
    deleteTemplate: async ({ session, scope, name, version }) => {
      const path = join(await commandsOf(scope, session), `${name}.md`);
      const known = await readOne(scope, name, path);
      if (known === null) return;
      if (known.version !== version) throw changed(name);
      await rm(path);
    },
  };
}

/** The folder of commands in a session's folder. Rejects where links lead out of that: nothing is written elsewhere. */
async function commandsBelow(folder: string, below: string): Promise<string> {
  const root = await realpath(folder);
  const wanted = join(root, below);
  let there = wanted;
  while (there !== root && (await stat(there).catch(() => null)) === null) there = dirname(there);
  const away = relative(root, await realpath(there));
  if (isAbsolute(away) || away.split(/[\\/]/, 1)[0] === '..')
    throw new SessionError(
      'not-possible',
      t('{below} is a link that leads out of the folder.', { below }),
      t('Save it for all folders.'),
    );
  return wanted;
}

async function readAll(scope: Scope, folder: string | null): Promise<TemplateFile[]> {
  if (folder === null) return [];
  const names = (await readdir(folder).catch(() => [])).flatMap((file) => name.exec(file)?.[1] ?? []);
  const found = names
    .sort()
    .slice(0, mostFiles)
    .map((one) => readOne(scope, one, join(folder, `${one}.md`)));
  return (await Promise.all(found)).filter((file) => file !== null);
}

async function readOne(scope: Scope, name: string, path: string): Promise<TemplateFile | null> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile() || found.size > mostBytes) return null;
  const raw = await readFile(path, 'utf8').catch(() => null);
  return raw === null ? null : { scope, name, path, raw, version: versionOf(raw) };
}

/** Rejects with EEXIST where a file is. What a terminal reads there is never a part of it. */
async function create(path: string, raw: string): Promise<void> {
  await throughTemporary(dirname(path), raw, 0o666, async (temporary) => {
    await link(temporary, path).catch((error: unknown) => {
      if (isThere(error)) throw error;
      // A file system without hard links.
      return copyFile(temporary, path, constants.COPYFILE_EXCL);
    });
  });
}

/** A file that is a link stays one. */
async function replace(path: string, raw: string): Promise<void> {
  const place = await realpath(path);
  const { mode } = await stat(place);
  await throughTemporary(dirname(place), raw, mode & 0o777, (temporary) => rename(temporary, place));
}

/** Whole or not at all: `place` gets a file with the whole text. */
async function throughTemporary(
  folder: string,
  raw: string,
  mode: number,
  place: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, raw, { flag: 'wx', mode });
    await place(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}

function versionOf(raw: string): string {
  return createHash('sha256').update(raw).digest('hex').slice(0, 32);
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}

function changed(name: string, cause?: unknown): SessionError {
  return new SessionError(
    'changed-since',
    t('{name}.md was made or changed by another program meanwhile.', { name }),
    t('Look at it as it is now, then save again.'),
    { cause },
  );
}
