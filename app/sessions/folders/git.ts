import { execFile } from 'node:child_process';
import { sparseEnvironment } from '../agents/sparse-environment.ts';

export interface GitSurroundings {
  environment: Readonly<Record<string, string | undefined>>;
}

/** The first is a list of the ways in which git may fetch. An old git doesn't know the second. */
const fetchesNothing = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' };

const longestMs = 5_000;
const mostBytes = 8 * 1024 * 1024;

/**
 * Asks git something of a folder. Null: there is no git, no repository, or no answer within seconds and megabytes. A
 * repository's own settings may name programs: the one that every command would run is off, an object that is missing
 * is not fetched, by whatever program, and no command is asked here that runs others, but `status`, which is for
 * trusted folders.
 */
export function askGit(folder: string, command: readonly string[], given: GitSurroundings): Promise<string | null> {
  const env = sparseEnvironment(given.environment, process.platform);
  const settings = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  return new Promise((resolve) => {
    execFile(
      'git',
      // Not as the process's folder: on Windows a git.exe that lies in it would be run.
      ['-C', folder, ...settings, ...command],
      {
        env: { ...env, ...fetchesNothing, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
        ...{ timeout: longestMs, maxBuffer: mostBytes, windowsHide: true, encoding: 'utf8' },
      },
      (error, stdout) => resolve(error === null ? stdout : null),
    );
  });
}
