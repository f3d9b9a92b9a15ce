import type { FoundSessions, ListedSession } from '../../api/session-list.ts';
import { shownPath } from '../../claude-code/settings-file.ts';
import { t } from '../../language/translate.ts';
import type { Clock } from '../../ports.ts';
import { sessionTitle, titleParts } from '../../words/sessions.ts';
import { shortened } from '../../words/text.ts';
import { moment } from '../../words/times.ts';
import { readLimit } from '../options.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import { table } from '../table.ts';
import type { Terminal } from '../terminal.ts';

interface SessionsOptions {
  json?: boolean;
  limit?: string;
  find?: string;
}

const usualLimit = 20;

/** `jumpseat sessions`: newest at the top. Needs no account, no agent and no running Jumpseat. */
export async function sessions(surroundings: Surroundings, options: SessionsOptions): Promise<number> {
  const { terminal } = surroundings;
  const limit = options.limit === undefined ? usualLimit : readLimit(options.limit);
  const { find } = options;
  return withApp(surroundings, {}, async ({ app, ports }) => {
    const { sessions: all, problem } = await app.sessionList();
    const found = find === undefined ? all : await matching(all, terminal, ports.clock, () => app.findSessions(find));
    const shown = found.slice(0, limit);
    if (problem !== null) terminal.err(t('Not all sessions can be listed: {problem}.', { problem }));
    if (options.json) for (const session of shown) terminal.out(JSON.stringify(session));
    else if (all.length === 0) terminal.out(t('No sessions yet. Run "claude" in a folder; its sessions show up here.'));
    else if (shown.length === 0) terminal.out(t('No session has these words.'));
    else for (const line of sessionLines(shown, found.length, terminal, Date.now())) terminal.out(line);
    return 0;
  });
}

const lookEveryMs = 200;
/** How long the command waits for conversations that were not read before. */
const patienceMs = 20_000;

/** What was said is read in the background: it is waited for, within bounds. */
async function matching(
  all: readonly ListedSession[],
  terminal: Terminal,
  clock: Clock,
  find: () => Promise<FoundSessions>,
): Promise<ListedSession[]> {
  let found = await find();
  const beganAt = clock.ticks();
  while (!found.isComplete && clock.ticks() - beganAt < patienceMs && !terminal.left.aborted) {
    terminal.progress(t('Reading conversations, {searched} of {all}', { searched: found.searched, all: all.length }));
    await clock.sleep(lookEveryMs);
    found = await find();
  }
  terminal.progress(null);
  if (!found.isComplete) {
    terminal.err(
      t('Looked into {searched} of {all} conversations. Run it again to look into more.', {
        searched: found.searched,
        all: all.length,
      }),
    );
  }
  const ids = new Set([...found.titles, ...found.places.map(({ sessionId }) => sessionId)]);
  return all.filter(({ id }) => ids.has(id));
}

/** Room for an id with the least of time and title. */
const idColumns = 64;

/** Longest title in the table, which leaves room for the other columns. */
const longestTitle = 60;

export function sessionLines(
  shown: readonly ListedSession[],
  all: number,
  terminal: Pick<Terminal, 'style' | 'columns'>,
  now: number,
): string[] {
  const head = (text: string): string => terminal.style('dim', text);
  const rows = shown.map((session) => [
    lastOf(session, now),
    session.problem === null
      ? titleCell(session)
      : terminal.style('red', t('Can’t be read: {problem}', { problem: session.problem })),
    session.cwd === null ? '–' : oneLine(shownPath(session.cwd)),
    session.agent,
    session.id,
  ]);
  const columns = [
    { head: t('Last'), least: 8 },
    { head: t('Title'), least: 16 },
    { head: t('Folder'), least: 10, spare: 2 },
    { head: t('Agent'), spare: 1 },
    // A command takes it whole.
    { head: t('Id') },
  ];
  const more = all - shown.length;
  const last = more > 0 ? [head(t('{more} more: --limit {all}', { more, all: String(all) }))] : [];
  // Beside a whole id a narrow terminal has no room: there it stands below.
  const isNarrow = (terminal.columns ?? Number.POSITIVE_INFINITY) < idColumns;
  if (!isNarrow) return [...table(columns, rows, head, terminal.columns), ...last];
  const [heads = '', ...lines] = table(columns.slice(0, -1), rows, head, terminal.columns);
  return [heads, ...lines.flatMap((line, at) => [line, head(`  ${shown[at]?.id ?? ''}`)]), ...last];
}

/** Last activity; when it was created, if nothing was sent, as in the window. */
function lastOf({ updatedAt, createdAt }: ListedSession, now: number): string {
  const at = updatedAt ?? createdAt;
  return at === null ? '–' : moment(at, now);
}

/** The kind of a copy is at the end of its title and is not cut. */
function titleCell(session: ListedSession): string {
  const [name, copy] = titleParts(oneLine(sessionTitle(session)));
  return `${shortened(name, longestTitle - copy.length)}${copy}`;
}

/** A title is text of others: no character of it may control the terminal. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}
