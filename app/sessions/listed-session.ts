import type { ListedSession, SessionHolder } from '../api/session-list.ts';
import { agentIdOf, type SessionRow } from './store/session-rows.ts';
import type { TranscriptEntry } from './transcripts/transcripts.ts';

/** Programs other than this Jumpseat that have sessions open, by the agent's own id of each. */
export type OpenElsewhere = ReadonlyMap<string, SessionHolder>;

/** Sessions as their transcripts tell them, with what is kept beside them. Pinned ones first, then the newest. */
export function listedSessions(
  entries: readonly TranscriptEntry[],
  rows: readonly SessionRow[],
  open: OpenElsewhere,
): ListedSession[] {
  const byTranscript = new Map(rows.map((row) => [agentIdOf(row) ?? row.id, row]));
  const here = new Set(entries.map(({ id }) => id));
  const sessions = [
    ...entries.map((entry) => listedSession(entry, byTranscript.get(entry.id) ?? null, open)),
    ...rows
      .filter((row) => row.hosted && !here.has(agentIdOf(row) ?? row.id))
      .map((row) => listedSession(null, row, open)),
  ];
  return sessions.sort((left, right) => Number(right.pinned) - Number(left.pinned) || lastAt(right) - lastAt(left));
}

/** One of them: with a transcript, a row, or both. */
export function listedSession(
  entry: TranscriptEntry | null,
  row: SessionRow | null,
  open: OpenElsewhere,
): ListedSession {
  const agentId = entry?.id ?? agentIdOf(row) ?? row?.id ?? '';
  return {
    id: row?.id ?? entry?.id ?? '',
    agent: row?.agent ?? 'claude',
    hosted: row?.hosted ?? false,
    cwd: row?.cwd ?? entry?.cwd ?? null,
    branch: entry?.branch ?? null,
    title: row?.title ?? entry?.title ?? null,
    agentTitle: row?.agentTitle ?? entry?.agentTitle ?? null,
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
  };
}

function lastAt({ updatedAt, createdAt }: ListedSession): number {
  return updatedAt ?? createdAt ?? 0;
}
