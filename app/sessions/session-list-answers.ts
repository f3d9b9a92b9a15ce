import type { AnswersTo } from '../api/app.ts';
import type { sessionListCalls } from '../api/calls/session-list.ts';
import type { ListedSession } from '../api/session-list.ts';
import type { SessionFiles } from './session-files.ts';
import { agentIdOf, type SessionRow } from './store/session-rows.ts';
import type { TranscriptEntry } from './transcripts/transcripts.ts';

/** Answers from the transcripts and what is kept beside them; what runs now is told by who leads it. */
export function sessionListAnswers(
  files: SessionFiles,
  settings: { isSearchOn(): boolean },
): AnswersTo<typeof sessionListCalls> {
  let known: { sessions: ListedSession[]; entries: TranscriptEntry[] } | null = null;
  const list = async () => {
    const { entries, problem } = await files.transcripts.list();
    const sessions = listed(entries, files.store.sessions.all());
    known = { sessions, entries };
    if (settings.isSearchOn()) void files.search.build(entries, files.ending);
    else files.search.forget();
    return { sessions, entries, problem };
  };
  return {
    sessionList: async () => {
      const { sessions, problem } = await list();
      return { sessions, problem };
    },
    findSessions: async (words) => {
      const { sessions, entries } = known ?? (await list());
      const { places, searched, isComplete } = files.search.search(words, entries);
      return {
        titles: sessions.filter((session) => has(session, words)).map(({ id }) => id),
        places,
        searched,
        isComplete,
      };
    },
    transcript: async ({ id, agentId, before, limit }) => {
      const entry = await files.transcriptOf(id);
      if (entry === null) return null;
      const { history } = files;
      const read = agentId === null ? history.of(entry.path) : history.ofSubagent(entry.path, agentId);
      const { turns, unreadable } = await read;
      const end = Math.min(before ?? turns.length, turns.length);
      const from = Math.max(0, end - limit);
      return { turns: turns.slice(from, end), from, unreadable };
    },
    subagents: async (id) => {
      const entry = await files.transcriptOf(id);
      return entry === null ? [] : files.history.subagents(entry.path);
    },
  };
}

function listed(entries: readonly TranscriptEntry[], rows: readonly SessionRow[]): ListedSession[] {
  const byTranscript = new Map(rows.map((row) => [agentIdOf(row) ?? row.id, row]));
  const here = new Set(entries.map(({ id }) => id));
  const sessions = [
    ...entries.map((entry) => toListed(entry, byTranscript.get(entry.id) ?? null)),
    ...rows.filter((row) => row.hosted && !here.has(agentIdOf(row) ?? row.id)).map((row) => toListed(null, row)),
  ];
  return sessions.sort((left, right) => Number(right.pinned) - Number(left.pinned) || lastAt(right) - lastAt(left));
}

function toListed(entry: TranscriptEntry | null, row: SessionRow | null): ListedSession {
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
  };
}

function lastAt({ updatedAt, createdAt }: ListedSession): number {
  return updatedAt ?? createdAt ?? 0;
}

/** All words, each anywhere in what the list shows of a session. */
function has(session: ListedSession, words: string): boolean {
  const { id, title, agentTitle, firstPrompt, cwd, branch } = session;
  const shown = [id, title, agentTitle, firstPrompt, cwd, branch].join('\n').toLowerCase();
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return wanted.length > 0 && wanted.every((word) => shown.includes(word));
}
