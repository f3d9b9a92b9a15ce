import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject } from '../../../formats/wire/json.ts';

/**
 * Claude Code reads and runs what lies in every folder above that of a session, and has no setting against it. So what
 * lies in those that the person doesn't trust is excluded piece by piece.
 */
interface ExcludedAbove {
  /** Settings of the session: files of instructions as patterns, servers of `.mcp.json` by name. */
  settings: { claudeMdExcludes?: string[]; disabledMcpjsonServers?: string[] };
  /** Folders whose skills, commands and agents have to be switched off once Claude Code has named them. */
  offerFrom: string[];
}

/** @param configFolder the person's own `.claude`, which is none of a folder's */
export async function excludeAbove(
  cwd: string,
  folders: readonly string[],
  configFolder: string,
): Promise<ExcludedAbove> {
  if (folders.length === 0) return { settings: {}, offerFrom: [] };
  const ofFolders = folders.map((folder) => join(folder, '.claude')).filter((path) => path !== configFolder);
  const instructions = folders.flatMap((folder) =>
    ['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md'].map((name) => join(folder, name)),
  );
  const trusted = new Set((await Promise.all(ancestors(cwd, folders).map(serverNames))).flat());
  const named = (await Promise.all(folders.map(serverNames))).flat();
  return {
    settings: {
      claudeMdExcludes: [...instructions.map(patternOf), ...ofFolders.map((path) => `${patternOf(path)}/**`)],
      // Of two of one name Claude Code takes the nearer one.
      disabledMcpjsonServers: [...new Set(named)].filter((name) => !trusted.has(name)),
    },
    offerFrom: ofFolders.filter((path) =>
      ['agents', 'commands', 'skills'].some((name) => existsSync(join(path, name))),
    ),
  };
}

/** The folder and those above it that are not in the list. */
function ancestors(folder: string, without: readonly string[]): string[] {
  const above = dirname(folder);
  const rest = above === folder ? [] : ancestors(above, without);
  return without.includes(folder) ? rest : [folder, ...rest];
}

/** Empty if there is no such file, or if Claude Code can't read it either. */
async function serverNames(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, '.mcp.json'), 'utf8').catch(() => '');
  try {
    const { mcpServers }: { mcpServers?: unknown } = Object(JSON.parse(text));
    return isObject(mcpServers) ? Object.keys(mcpServers) : [];
  } catch {
    return [];
  }
}

/**
 * A picomatch pattern that matches this path. Claude Code reads a backslash as a separator, so characters with a
 * meaning in patterns can't be escaped: each becomes `?`, which matches one character.
 */
function patternOf(path: string): string {
  return path.replaceAll('\\', '/').replace(/[()[\]{}*+@!$^|]/g, '?');
}
