import type { ListedSession, SessionHolder } from '../api/session-list.ts';
import { turnStateSchema } from '../api/sessions.ts';
import { shortened } from '../words/text.ts';
import { readProblem } from './session/error.ts';
import type { SessionFiles } from './session-files.ts';
import { agentIdOf, isDismissed, otherIdOf, type SessionRow } from './store/session-rows.ts';
import type { TranscriptEntry } from './transcripts/transcripts.ts';

/** Programs other than this Jumpseat that have sessions open, by the agent's own id of each. */
export type OpenElsewhere = ReadonlyMap<string, SessionHolder>;

type LastEnd = Pick<ListedSession, 'problemCode' | 'problemLimit' | 'wasAsking'>;
const noEnd: LastEnd = { problemCode: null, problemLimit: null, wasAsking: false };

/** What is known of sessions beside their transcripts and rows. */
interface Surrounding {
  open: OpenElsewhere;
  /** Folders that aren’t there any more. */
  gone: ReadonlySet<string>;
  /** How the last turn of a hosted session ended. */
  lastEnd(session: string): LastEnd;
}

export async function surroundingOf(
  files: Pick<SessionFiles, 'store' | 'goneFolders'>,
  open: OpenElsewhere,
  folders: Iterable<string | null | undefined>,
): Promise<Surrounding> {
  const gone = await files.goneFolders.among([...folders].filter((folder) => folder != null));
  const lastEnd = (session: string): LastEnd => {
    const { failure, wasAsking } = files.store.turns.lastEnd(session);
    const problem = readProblem(failure);
    return { problemCode: problem?.code ?? null, problemLimit: problem?.facts?.limit ?? null, wasAsking };
  };
  return { open, gone, lastEnd };
}

/** Longest title that a person can give. A program may write megabytes, which every list would carry. */
const longestTitle = 200;

function inList(title: string | null | undefined): string | null {
  return title == null ? null : shortened(title, longestTitle);
}

/** Sessions from their transcripts and stored rows. Pinned ones first, then the newest. */
export function listedSessions(
  entries: readonly TranscriptEntry[],
  rows: readonly SessionRow[],
  around: Surrounding,
): ListedSession[] {
  const byTranscript = new Map(rows.map((row) => [agentIdOf(row) ?? row.id, row]));
  const here = new Set(entries.map(({ id }) => id));
  // A fork without a conversation of its own goes on where its original is.
  const branches = new Map(entries.map(({ id, branch }) => [byTranscript.get(id)?.id ?? id, branch]));
  const sessions = [
    ...entries.map((entry) => listedSession(entry, byTranscript.get(entry.id) ?? null, around)),
    ...rows
      .filter((row) => row.hosted && !here.has(agentIdOf(row) ?? row.id))
      .map((row) => ({ ...listedSession(null, row, around), branch: branches.get(row.parent ?? '') ?? null })),
  ];
  return sessions.sort((left, right) => Number(right.pinned) - Number(left.pinned) || lastAt(right) - lastAt(left));
}

/** One of them: with a transcript, a row, or both. */
export function listedSession(
  entry: TranscriptEntry | null,
  row: SessionRow | null,
  { open, gone, lastEnd }: Surrounding,
): ListedSession {
  const agentId = entry?.id ?? agentIdOf(row) ?? row?.id ?? '';
  const cwd = row?.cwd ?? entry?.cwd ?? null;
  const outcome = row?.hosted === true ? (turnStateSchema.safeParse(row.outcome).data ?? null) : entry?.outcome;
  return {
    id: row?.id ?? entry?.id ?? '',
    ...otherIdOf(row),
    agent: row?.agent ?? 'claude',
    hosted: row?.hosted ?? false,
    cwd,
    branch: entry?.branch ?? null,
    title: inList(row?.title ?? entry?.title),
    agentTitle: inList(row?.agentTitle ?? entry?.agentTitle),
    firstPrompt: row?.firstPrompt ?? entry?.firstPrompt ?? null,
    lastPrompt: entry?.lastPrompt ?? null,
    createdAt: entry?.createdAt ?? row?.createdAt ?? null,
    updatedAt: entry?.updatedAt ?? row?.endedAt ?? row?.sentAt ?? null,
    sentAt: row?.sentAt ?? null,
    pinned: row?.pinned ?? false,
    size: entry?.size ?? null,
    version: entry?.version ?? null,
    problem: entry?.problem ?? null,
    openIn: open.get(agentId) ?? null,
    outcome: outcome ?? null,
    ...(row?.hosted === true && isBad(outcome) ? lastEnd(row.id) : noEnd),
    endedAt: row?.endedAt ?? null,
    seenAt: row?.seenAt ?? null,
    isDismissed: isDismissed(row, row?.hosted === true ? row.endedAt : (entry?.updatedAt ?? null)),
    isFolderGone: cwd !== null && gone.has(cwd),
  };
}

function isBad(outcome: ListedSession['outcome'] | undefined): boolean {
  return outcome === 'failed' || outcome === 'interrupted';
}

function lastAt({ updatedAt, createdAt }: ListedSession): number {
  return updatedAt ?? createdAt ?? 0;
}
