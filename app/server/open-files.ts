import { readFileSync } from 'node:fs';
import type { Problem } from '../api/call.ts';
import { msg } from '../language/messages.ts';
import { t, translated } from '../language/translate.ts';

/** For itself, its connections to Copilot, and what sessions start. */
const neededFiles = 256;
/** What Jumpseat has open without any client: threads, history, log, lock. */
const ownFiles = 64;

/**
 * How many files this process may have open at once; null: without a bound, or not known. Node has raised it as far as
 * it may by then, which outside Linux is plenty.
 */
export function openFilesLimit(): number | null {
  known ??= readLimit();
  return known;
}

/** Where no file is left, it can't be read any more. */
let known: number | null = null;

function readLimit(): number | null {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return found === null ? null : Number(found[1]);
  } catch {
    return null;
  }
}

/** Null if there are enough, as far as is known. */
export function tooFewFiles(limit = openFilesLimit()): Problem | null {
  if (limit === null || limit >= neededFiles) return null;
  return {
    code: 'files-too-few',
    text: t(
      'The system allows Jumpseat {count, plural, one {# open file} other {# open files}} at once, and it needs {needed}: connections break off.',
      { count: limit, needed: String(neededFiles) },
    ),
    remedy: translated(raiseLimit),
  };
}

const raiseLimit = msg(
  'Run "ulimit -n 1024" in this terminal and start Jumpseat again. Where that is refused, open a new terminal, or ask the administrator for a higher limit.',
);

/** The system opened no further file for this process (`EMFILE`), or for any (`ENFILE`). */
export function noFileLeft(code: string, limit = openFilesLimit()): Pick<Problem, 'text' | 'remedy'> {
  if (code === 'ENFILE')
    return {
      text: t('The system has no open file left (ENFILE).'),
      remedy: t('Close other programs, then start again.'),
    };
  const needed = String(neededFiles);
  const text =
    limit === null
      ? t('The system allows Jumpseat no further open file, and it needs {needed} (EMFILE).', { needed })
      : t(
          'The system allows Jumpseat only {count, plural, one {# open file} other {# open files}}, and it needs {needed} (EMFILE).',
          { count: limit, needed },
        );
  return { text, remedy: translated(raiseLimit) };
}

/**
 * How many connections are taken at once; each may need a second one, to Copilot. Where the system refuses one more
 * file, libuv closes the connection and nobody learns of it: so they are refused before that. Null: without a bound.
 */
export function mostConnections(limit = openFilesLimit()): number | null {
  return limit === null ? null : Math.max(1, Math.floor((limit - ownFiles) / 2));
}
