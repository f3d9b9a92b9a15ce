import { z } from 'zod';
import { figure, json, type Row, Table, text, texts, toColumn } from './session-database.ts';

/** What is kept about a session beside its transcript. Times in ms since the epoch. */
export interface SessionRow {
  /** The agent's own id of it, and the name of its transcript. */
  id: string;
  /** `claude`, `codex` … */
  agent: string;
  /** Jumpseat runs it, or has; false: made elsewhere, and only decorated. */
  hosted: boolean;
  cwd: string | null;
  /** Further folders it may use. */
  directories: string[];
  /** The person's name for it. */
  title: string | null;
  /** The agent's name for it. */
  agentTitle: string | null;
  /** The beginning of the first prompt; shown in place of a missing title. */
  firstPrompt: string | null;
  pinned: boolean;
  /** The model that is wanted, which may differ from the one applied; null for the agent's own choice. */
  model: string | null;
  effort: string | null;
  mode: string | null;
  createdAt: number;
  /** When a person last sent something to it: the order of the list. */
  sentAt: number | null;
  endedAt: number | null;
  /** When a person last looked at it; what ended later was not seen. */
  seenAt: number | null;
  /** When a person last dismissed how a turn failed. */
  dismissedAt: number | null;
  /** How its last turn ended. */
  outcome: string | null;
  /** The session it was forked from. */
  parent: string | null;
  /** The message that it goes on after, where a person went back and has not sent anything since. */
  resumeAt: string | null;
  /** What only the host reads: servers, plugins and the like. */
  options: unknown;
}

export type SessionPatch = Partial<Omit<SessionRow, 'id'>>;

const columns = {
  agent: 'agent',
  hosted: 'hosted',
  cwd: 'cwd',
  directories: 'directories',
  title: 'title',
  agentTitle: 'agent_title',
  firstPrompt: 'first_prompt',
  pinned: 'pinned',
  model: 'model',
  effort: 'effort',
  mode: 'mode',
  createdAt: 'created_at',
  sentAt: 'sent_at',
  endedAt: 'ended_at',
  seenAt: 'seen_at',
  dismissedAt: 'dismissed_at',
  outcome: 'outcome',
  parent: 'parent',
  resumeAt: 'resume_at',
  options: 'options',
} as const satisfies Record<keyof SessionPatch, string>;

const names = Object.keys(columns).filter((name): name is keyof SessionPatch => name in columns);
const insertSql = `INSERT INTO sessions (id, ${names.map((name) => columns[name]).join(', ')})
  VALUES (?${', ?'.repeat(names.length)})`;

/** Everything that belongs to a session, and goes with it. */
const tables = [
  ...['drafts', 'queue', 'steered', 'turns', 'record', 'record_ends', 'questions', 'rules', 'edits'],
  ...['accepted_files', 'side_questions', 'customizations', 'customizations_off'],
];

export class SessionRows extends Table {
  all(): SessionRow[] {
    const rows = this.database.all('SELECT * FROM sessions');
    return rows.map(toSessionRow);
  }

  /** Ids of each session's conversation, without the rest, which takes time to read. */
  names(): { id: string; hosted: boolean; agentSessionId: string }[] {
    const sql = `SELECT id, hosted, coalesce(
        CASE WHEN json_valid(options) THEN json_extract(options, '$.agentSessionId') END, id
      ) AS agent_session FROM sessions`;
    return this.database.all(sql).map((row) => ({
      id: text(row.id) ?? '',
      hosted: row.hosted === 1,
      agentSessionId: text(row.agent_session) ?? '',
    }));
  }

  find(id: string): SessionRow | null {
    const row = this.database.first('SELECT * FROM sessions WHERE id = ?', id);
    return row === undefined ? null : toSessionRow(row);
  }

  /** Row with an agent's own id; the newest, if several sessions continue one conversation. */
  ofAgent(agentSessionId: string): SessionRow | null {
    const sql = `SELECT * FROM sessions WHERE coalesce(json_extract(options, '$.agentSessionId'), id) = ?
      ORDER BY created_at DESC LIMIT 1`;
    const row = this.database.first(sql, agentSessionId);
    return row === undefined ? null : toSessionRow(row);
  }

  /** Makes the row where there is none; else changes what the patch names. Returns it as it is now. */
  decorate(id: string, patch: SessionPatch): SessionRow {
    return this.database.change(() => {
      const found = this.find(id);
      if (found === null) {
        const row = { ...blank(id, this.database.now()), ...patch };
        this.database.run(insertSql, id, ...names.map((name) => toColumn(row[name])));
        return row;
      }
      const changed = names.filter((name) => patch[name] !== undefined && patch[name] !== found[name]);
      if (changed.length === 0) return found;
      const assignments = changed.map((name) => `${columns[name]} = ?`).join(', ');
      this.database.run(
        `UPDATE sessions SET ${assignments} WHERE id = ?`,
        ...changed.map((name) => toColumn(patch[name])),
        id,
      );
      return { ...found, ...patch };
    });
  }

  /** Forgets all that is kept about it; its transcript is another's. */
  delete(id: string): void {
    this.database.change(() => {
      for (const table of tables) this.database.run(`DELETE FROM ${table} WHERE session = ?`, id);
      this.database.run('DELETE FROM sessions WHERE id = ?', id);
    });
  }
}

/** The agent's own id of a session, where it is another one than ours; its transcript is named after it. */
export function agentIdOf(row: SessionRow | null): string | null {
  return optionsSchema.parse(row?.options).agentSessionId;
}

/** What fronts are told of the agent's own id of a session: it, where it is another; null for a fork without one. */
export function otherIdOf(row: SessionRow | null): { agentId?: string | null } {
  const own = agentIdOf(row);
  if (own !== null) return own === row?.id ? {} : { agentId: own };
  return forkOf(row) === null ? {} : { agentId: null };
}

/** Whether how its last turn failed was dismissed, which ended then. */
export function isDismissed(row: Pick<SessionRow, 'dismissedAt'> | null, endedAt: number | null): boolean {
  const dismissedAt = row?.dismissedAt ?? null;
  return dismissedAt !== null && dismissedAt >= (endedAt ?? 0);
}

/** Ids of plugins that a person switched off for the session. */
export function pluginsOffOf(row: Pick<SessionRow, 'options'> | null): string[] {
  return optionsSchema.parse(row?.options).pluginsOff;
}

/** Edits that were taken back when the session went back, by their turns. */
export function putBackOf(row: Pick<SessionRow, 'options'> | null): CutEdit[] {
  return optionsSchema.parse(row?.options).putBack;
}

/** Sessions that are copies of this one as it was before it went back. */
export function backCopiesOf(row: Pick<SessionRow, 'options'> | null): string[] {
  return optionsSchema.parse(row?.options).backCopies;
}

/** Where a conversation begins that is to be copied with the session's next start: of another one, up to a message. */
export type ForkPoint = z.infer<typeof forkPointSchema>;
const forkPointSchema = z.object({
  agentSessionId: z.string(),
  /** The uuid of the last line, as the transcript has it; null for its end. */
  last: z.string().nullable(),
});

/** What a session was copied from, or is to be; null if it is no copy. */
export function forkOf(row: Pick<SessionRow, 'options'> | null): ForkPoint | null {
  return optionsSchema.parse(row?.options).forkOf;
}

/** How many turns that Jumpseat did not lead a person went back behind. */
export function pastCutOf(row: Pick<SessionRow, 'options'> | null): number {
  return optionsSchema.parse(row?.options).pastCut;
}

/** True if it had a name before it was hosted here, and still has it. */
export function keepsName(row: Pick<SessionRow, 'options'>): boolean {
  return optionsSchema.parse(row.options).keepsName;
}

/** A file of which the edits of a turn were taken back; whether a person agreed to it as one outside of the folders. */
export type CutEdit = z.infer<typeof cutEditSchema>;
const cutEditSchema = z.object({ turn: z.string(), path: z.string(), isOutside: z.boolean().default(false) });

/** Contents of `options`; what can't be read counts as missing. */
const optionsSchema = z
  .object({
    agentSessionId: z.string().nullable().catch(null),
    pluginsOff: z.array(z.string()).catch([]),
    putBack: z.array(cutEditSchema).catch([]),
    backCopies: z.array(z.string()).catch([]),
    forkOf: forkPointSchema.nullable().catch(null),
    pastCut: z.number().int().catch(0),
    keepsName: z.boolean().catch(false),
  })
  .catch({
    ...{ agentSessionId: null, pluginsOff: [], putBack: [], backCopies: [], forkOf: null, pastCut: 0 },
    keepsName: false,
  });

function blank(id: string, now: number): SessionRow {
  return {
    ...{ id, agent: 'claude', hosted: false, cwd: null, directories: [], pinned: false, createdAt: now, options: {} },
    ...{ title: null, agentTitle: null, firstPrompt: null, model: null, effort: null, mode: null, sentAt: null },
    ...{ endedAt: null, seenAt: null, dismissedAt: null, outcome: null, parent: null, resumeAt: null },
  };
}

function toSessionRow(row: Row): SessionRow {
  return {
    id: text(row.id) ?? '',
    agent: text(row.agent) ?? '',
    hosted: row.hosted === 1,
    cwd: text(row.cwd),
    directories: texts(row.directories),
    title: text(row.title),
    agentTitle: text(row.agent_title),
    firstPrompt: text(row.first_prompt),
    pinned: row.pinned === 1,
    model: text(row.model),
    effort: text(row.effort),
    mode: text(row.mode),
    createdAt: figure(row.created_at) ?? 0,
    sentAt: figure(row.sent_at),
    endedAt: figure(row.ended_at),
    seenAt: figure(row.seen_at),
    dismissedAt: figure(row.dismissed_at),
    outcome: text(row.outcome),
    parent: text(row.parent),
    resumeAt: text(row.resume_at),
    options: json(row.options, {}),
  };
}
