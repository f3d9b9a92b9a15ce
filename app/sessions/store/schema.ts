import type { DatabaseForm } from '../../database/open-database.ts';
import { msg } from '../../language/messages.ts';

/** As in `app/history/schema.ts`: each step makes one version out of the one before it, and is never changed. */
const steps: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    hosted INTEGER NOT NULL,
    cwd TEXT,
    directories TEXT NOT NULL,
    title TEXT,
    agent_title TEXT,
    first_prompt TEXT,
    pinned INTEGER NOT NULL,
    model TEXT,
    effort TEXT,
    mode TEXT,
    created_at INTEGER NOT NULL,
    sent_at INTEGER,
    ended_at INTEGER,
    seen_at INTEGER,
    outcome TEXT,
    parent TEXT,
    resume_at TEXT,
    options TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE drafts (
    session TEXT PRIMARY KEY,
    draft TEXT NOT NULL,
    written_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE queue (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    place INTEGER NOT NULL,
    prompt TEXT NOT NULL,
    queued_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX queue_by_place ON queue (session, place);

  CREATE TABLE turns (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    prompt TEXT,
    initiator TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    stop_reason TEXT,
    failure TEXT,
    requests TEXT NOT NULL,
    prompt_ids TEXT NOT NULL,
    last_message TEXT,
    cost TEXT
  ) STRICT;
  CREATE UNIQUE INDEX turns_by_number ON turns (session, number);
  CREATE INDEX turns_under_way ON turns (state) WHERE ended_at IS NULL;

  CREATE TABLE record (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    turn TEXT,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    event TEXT NOT NULL,
    cut TEXT
  ) STRICT;
  CREATE INDEX record_by_session ON record (session, seq, bytes);

  CREATE TABLE record_ends (
    session TEXT PRIMARY KEY,
    forgotten INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE questions (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    turn TEXT,
    kind TEXT NOT NULL,
    request TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    answered_at INTEGER,
    answer TEXT
  ) STRICT;
  CREATE INDEX questions_open ON questions (session) WHERE answered_at IS NULL;

  CREATE TABLE rules (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    rule TEXT NOT NULL,
    given_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX rules_by_session ON rules (session);

  CREATE TABLE contents (
    hash TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL,
    packed INTEGER NOT NULL,
    content BLOB NOT NULL
  ) STRICT;

  CREATE TABLE edits (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    turn TEXT,
    tool_call TEXT,
    path TEXT NOT NULL,
    before TEXT,
    after TEXT,
    state TEXT NOT NULL,
    told INTEGER NOT NULL,
    made_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX edits_by_session ON edits (session, made_at);

  CREATE TABLE trusted_folders (
    path TEXT PRIMARY KEY,
    trusted_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE told_commands (
    agent TEXT NOT NULL,
    cwd TEXT NOT NULL,
    commands TEXT NOT NULL,
    told_at INTEGER NOT NULL,
    PRIMARY KEY (agent, cwd)
  ) STRICT;
  `,
  'ALTER TABLE sessions ADD COLUMN dismissed_at INTEGER;',
  `
  CREATE TABLE steered (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    prompt TEXT
  ) STRICT;
  CREATE INDEX steered_by_session ON steered (session);
  CREATE INDEX steered_unread ON steered (place) WHERE prompt IS NOT NULL;
  `,
  `
  CREATE INDEX turns_costs ON turns (
    session,
    json_extract(cost, '$.isPartlyUnknown'),
    json_extract(cost, '$.nanoAiu'),
    json_extract(cost, '$.premiumRequests'),
    json_extract(cost, '$.user'),
    json_extract(cost, '$.agent'),
    json_extract(cost, '$.input'),
    json_extract(cost, '$.cached'),
    json_extract(cost, '$.output')
  ) WHERE json_valid(cost);
  `,
  `
  CREATE TABLE window_drafts (
    session TEXT NOT NULL,
    window_id TEXT NOT NULL,
    draft TEXT NOT NULL,
    written_at INTEGER NOT NULL,
    PRIMARY KEY (session, window_id)
  ) STRICT;
  INSERT INTO window_drafts SELECT session, '', draft, written_at FROM drafts;
  DROP TABLE drafts;
  ALTER TABLE window_drafts RENAME TO drafts;
  `,
  `
  CREATE TABLE prompts (
    turn TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL,
    kept_at INTEGER NOT NULL,
    prompt TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER prompts_of_gone_turns AFTER DELETE ON turns BEGIN DELETE FROM prompts WHERE turn = old.id; END;
  CREATE TRIGGER prompts_of_cut_turns AFTER UPDATE OF prompt ON turns WHEN new.prompt IS NULL
  BEGIN DELETE FROM prompts WHERE turn = new.id; END;
  INSERT INTO prompts SELECT id, length(prompt), started_at, prompt FROM turns
    WHERE length(prompt) > 65536 AND json_valid(prompt);
  UPDATE turns SET prompt = (
    SELECT json_group_array(json(CASE
      WHEN length(json_extract(value, '$.data')) > 65536 THEN json_set(value, '$.data', '', '$._meta', json_patch(
        coalesce(json_extract(value, '$._meta'), '{}'),
        json_object('jumpseat', json_object('bytes', length(json_extract(value, '$.data')) * 3 / 4))
      ))
      WHEN length(json_extract(value, '$.text')) > 65536
        THEN json_set(value, '$.text', substr(json_extract(value, '$.text'), 1, 65536))
      WHEN length(json_extract(value, '$.resource.text')) > 65536
        THEN json_set(value, '$.resource.text', substr(json_extract(value, '$.resource.text'), 1, 65536))
      ELSE value END)) FROM json_each(turns.prompt)
  ) WHERE id IN (SELECT turn FROM prompts);
  UPDATE questions SET request = 'null' WHERE answered_at IS NOT NULL;
  `,
  `
  UPDATE turns SET failure = json_set(json_remove(failure, '$.mend'), '$.remedy', json_extract(failure, '$.mend'))
    WHERE json_extract(failure, '$.mend') IS NOT NULL;
  UPDATE record SET event =
    json_set(json_remove(event, '$.problem.mend'), '$.problem.remedy', json_extract(event, '$.problem.mend'))
    WHERE kind = 'turn-ended' AND json_extract(event, '$.problem.mend') IS NOT NULL;
  `,
  `
  CREATE TABLE accepted_files (
    session TEXT NOT NULL,
    path TEXT NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (session, path)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE side_questions (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    question TEXT,
    answer TEXT,
    state TEXT NOT NULL,
    problem TEXT,
    asked_at INTEGER NOT NULL,
    ended_at INTEGER,
    requests TEXT NOT NULL,
    cost TEXT
  ) STRICT;
  CREATE INDEX side_questions_by_session ON side_questions (session, asked_at);
  `,
  'ALTER TABLE edits ADD COLUMN mode INTEGER;',
  `
  DROP INDEX turns_costs;
  CREATE INDEX turns_costs ON turns (
    session,
    json_extract(cost, '$.isPartlyUnknown'),
    json_extract(cost, '$.nanoAiu'),
    json_extract(cost, '$.premiumRequests'),
    json_extract(cost, '$.user'),
    json_extract(cost, '$.agent'),
    json_extract(cost, '$.input'),
    json_extract(cost, '$.cached'),
    json_extract(cost, '$.output'),
    json_extract(cost, '$.estimate')
  ) WHERE json_valid(cost);
  `,
  `
  CREATE TABLE customizations (
    id TEXT PRIMARY KEY,
    session TEXT,
    folder TEXT,
    added TEXT NOT NULL,
    added_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE customizations_off (
    session TEXT NOT NULL,
    customization TEXT NOT NULL,
    PRIMARY KEY (session, customization)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  DROP INDEX turns_costs;
  CREATE INDEX turns_costs ON turns (
    session,
    json_extract(cost, '$.isPartlyUnknown'),
    json_extract(cost, '$.nanoAiu'),
    json_extract(cost, '$.premiumRequests'),
    json_extract(cost, '$.user'),
    json_extract(cost, '$.agent'),
    json_extract(cost, '$.input'),
    json_extract(cost, '$.cached'),
    json_extract(cost, '$.output'),
    json_extract(cost, '$.estimate'),
    json_extract(cost, '$.unestimated')
  ) WHERE json_valid(cost);
  `,
];

export const sessionsForm: DatabaseForm = {
  steps,
  tables: ['sessions', 'drafts', 'queue', 'turns', 'record', 'questions', 'rules', 'contents', 'edits'],
  code: 'sessions',
  title: msg('The record of sessions'),
  inMemory: msg('Titles, queues and drafts are in memory until Jumpseat quits; conversations are not touched.'),
  erasesDeleted: true,
};
