import type { App } from '../../api/app.ts';
import type { FoundSessions, ListedSession } from '../../api/session-list.ts';
import type { AgentSource, AgentState } from '../../api/sessions.ts';
import { shownPath } from '../../claude-code/settings-file.ts';
import { type Message, msg } from '../../language/messages.ts';
import { sentences } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import type { Clock } from '../../ports.ts';
import { bytes } from '../../words/numbers.ts';
import { sessionTitle, titleParts } from '../../words/sessions.ts';
import { shortened } from '../../words/text.ts';
import { moment } from '../../words/times.ts';
import { CommandFailure } from '../failure.ts';
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

interface SessionProgramOptions {
  json?: boolean;
  fetch?: boolean;
  checkNewer?: boolean;
  update?: boolean;
}

const places: Readonly<Record<AgentSource, Message>> = {
  own: msg('the claude on this machine'),
  fetched: msg('the copy that Jumpseat fetched'),
  file: msg('the file that was chosen'),
};

/**
 * `jumpseat sessions --program`: which Claude Code sessions run with. Nothing is fetched, and no registry is asked,
 * without the option that says so.
 */
export async function sessionProgram(surroundings: Surroundings, options: SessionProgramOptions): Promise<number> {
  const { terminal } = surroundings;
  return withApp(surroundings, {}, async ({ app }) => {
    const stop = app.listen((event) => {
      const fetching = event.event === 'agent' && event.agent.name === 'claude' ? event.agent.fetching : null;
      if (fetching === null || fetching.total === null) return;
      terminal.progress(
        t('Fetching, {received} of {total}', { received: bytes(fetching.received), total: bytes(fetching.total) }),
      );
    });
    const left = (): void => void app.stopFetching('claude').catch(() => undefined);
    terminal.left.addEventListener('abort', left);
    try {
      const newest = options.checkNewer ? await app.findNewerAgent('claude') : null;
      if (options.fetch) await app.fetchAgent('claude');
      if (options.update) await update(app);
      terminal.progress(null);
      const claude = await claudeOf(app);
      if (options.json) terminal.out(JSON.stringify(claude));
      else
        for (const line of programLines(claude, newest?.isNewer === false ? newest.version : null)) terminal.out(line);
      return claude.isAvailable ? 0 : 1;
    } finally {
      terminal.progress(null);
      terminal.left.removeEventListener('abort', left);
      stop();
    }
  });
}

/** Updates to the newer version if one is known; otherwise asks the registry. */
async function update(app: App): Promise<void> {
  const { from, sources } = await claudeOf(app);
  if (from !== 'fetched') {
    const remedy = from === null ? t('Fetch one first: --fetch.') : t('Run "{command}".', { command: 'claude update' });
    throw new CommandFailure(t('Sessions don’t run with a copy that Jumpseat fetched.'), remedy);
  }
  if (sources?.copy?.newer === null) await app.findNewerAgent('claude');
  await app.updateAgent('claude');
}

async function claudeOf(app: App): Promise<AgentState> {
  const claude = (await app.agents()).find(({ name }) => name === 'claude');
  if (claude === undefined) throw new CommandFailure(t('Jumpseat has no Claude Code here.'), '');
  return claude;
}

function programLines(claude: AgentState, newest: string | null): string[] {
  const { version, from, path, problem, fetchable, sources } = claude;
  if (problem !== null || from === null) {
    const size =
      fetchable === null ? [] : [t('jumpseat sessions --fetch   fetches {size}', { size: bytes(fetchable.bytes) })];
    return [sentences(problem?.text ?? '', problem?.remedy ?? ''), ...size];
  }
  const newer = from === 'fetched' ? (sources?.copy?.newer ?? null) : null;
  return [
    t('Claude Code {version}, {place}', { version: version ?? '', place: translated(places[from]) }),
    ...(path === null ? [] : [shownPath(path)]),
    ...(newer === null
      ? []
      : [
          t('Newer: {version} ({size}). jumpseat sessions --update', {
            version: newer.version,
            size: bytes(newer.bytes),
          }),
        ]),
    ...(newest === null ? [] : [t('{version} is the newest.', { version: newest })]),
  ];
}
