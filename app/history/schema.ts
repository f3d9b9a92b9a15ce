import type { DatabaseForm } from '../database/open-database.ts';
import { msg } from '../language/messages.ts';

/**
 * The first makes `firstVersion` out of nothing, each other one the next version out of the one before. Each runs in
 * one transaction with the change of `user_version`. A step stays as it is once it was released.
 */
const steps: readonly string[] = [
  `
  CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value ANY NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE exchanges (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    started_at INTEGER NOT NULL,
    api TEXT NOT NULL,
    client TEXT NOT NULL,
    session TEXT,
    prompt TEXT,
    request_class TEXT,
    agent_id TEXT,
    agent_type TEXT,
    asked_model TEXT,
    served_model TEXT,
    path TEXT,
    streamed INTEGER NOT NULL,
    initiator TEXT,
    reason_code TEXT,
    -- The number of rule and sentence among the words.
    reason_rule TEXT,
    fits TEXT NOT NULL,
    status INTEGER,
    outcome TEXT NOT NULL,
    stop_reason TEXT,
    failure_source TEXT,
    failure_status INTEGER,
    failure_code TEXT,
    failure_message TEXT,
    failure_told TEXT,
    attempts TEXT NOT NULL,
    sent_ms REAL,
    headers_ms REAL,
    first_event_ms REAL,
    last_event_ms REAL,
    input_tokens INTEGER,
    output_tokens INTEGER,
    cache_read_tokens INTEGER,
    cache_write_tokens INTEGER,
    charge_kind TEXT NOT NULL,
    charge_nano_aiu INTEGER,
    charge_premium_requests REAL,
    charge_partial INTEGER NOT NULL,
    charge_details TEXT NOT NULL,
    upstream_request_ids TEXT NOT NULL,
    read_ms REAL,
    held_from_ms REAL,
    held_until_ms REAL,
    shape TEXT,
    account INTEGER
  ) STRICT;
  CREATE INDEX exchanges_by_time ON exchanges (started_at);
  CREATE INDEX exchanges_by_session ON exchanges (session, started_at);
  CREATE INDEX exchanges_by_model ON exchanges (served_model, started_at);

  CREATE TABLE ledger (
    key TEXT PRIMARY KEY,
    first_seen INTEGER NOT NULL,
    accepted_at INTEGER,
    ending TEXT,
    exchange_id TEXT,
    refusals INTEGER NOT NULL,
    last_status INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ledger_by_age ON ledger (coalesce(accepted_at, first_seen));

  CREATE TABLE lessons (
    model TEXT NOT NULL,
    path TEXT NOT NULL,
    subject TEXT NOT NULL,
    value TEXT NOT NULL,
    learned_at INTEGER NOT NULL,
    PRIMARY KEY (model, path, subject)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE unfinished (
    id TEXT PRIMARY KEY,
    exchange TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- A number is never given twice.
  CREATE TABLE words (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    text TEXT NOT NULL UNIQUE,
    used_at INTEGER NOT NULL
  ) STRICT;

  -- Kept until a row of the quarter of an hour comes or goes; replacing a row inserts one.
  CREATE TABLE quarter_sums (
    quarter INTEGER NOT NULL,
    model TEXT NOT NULL,
    client TEXT NOT NULL,
    requests INTEGER NOT NULL,
    user INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    billed INTEGER NOT NULL,
    free INTEGER NOT NULL,
    unknown INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    reported INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    nano_aiu INTEGER NOT NULL,
    premium_requests REAL NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    PRIMARY KEY (quarter, model, client)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER exchange_came AFTER INSERT ON exchanges BEGIN
    DELETE FROM quarter_sums WHERE quarter = new.started_at / 900000;
  END;
  CREATE TRIGGER exchange_went AFTER DELETE ON exchanges BEGIN
    DELETE FROM quarter_sums WHERE quarter = old.started_at / 900000;
  END;

  CREATE TABLE searches (
    at INTEGER NOT NULL,
    engine TEXT NOT NULL,
    failed INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX searches_by_time ON searches (at);
  `,
  // They are added up again where they are asked for.
  `
  DELETE FROM quarter_sums;
  ALTER TABLE quarter_sums ADD COLUMN user_nano_aiu INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE quarter_sums ADD COLUMN agent_nano_aiu INTEGER NOT NULL DEFAULT 0;
  `,
  // Their user and agent counted requests that were refused or never sent, too.
  'DELETE FROM quarter_sums;',
  // The number of the key's name among the words; null: the first key.
  `
  ALTER TABLE exchanges ADD COLUMN local_key INTEGER;
  CREATE INDEX exchanges_by_key ON exchanges (local_key, started_at) WHERE local_key IS NOT NULL;
  `,
  // Our estimate where Copilot reported no charge, in nano-AIU.
  'ALTER TABLE exchanges ADD COLUMN charge_estimate INTEGER;',
  // The number among the words of what the person's rule that it followed is for; null: it followed none.
  'ALTER TABLE exchanges ADD COLUMN rule INTEGER;',
  // They are added up again where they are asked for.
  `
  DELETE FROM quarter_sums;
  ALTER TABLE quarter_sums ADD COLUMN estimate INTEGER NOT NULL DEFAULT 0;
  `,
  // How many unknown charges have no estimate; added up again, too.
  `
  DELETE FROM quarter_sums;
  ALTER TABLE quarter_sums ADD COLUMN unestimated INTEGER NOT NULL DEFAULT 0;
  `,
];

export const historyForm: DatabaseForm = {
  steps,
  // Versions before it were never released.
  firstVersion: 9,
  tables: ['meta', 'exchanges', 'ledger', 'lessons', 'unfinished', 'words', 'quarter_sums'],
  code: 'history',
  title: msg('The request history'),
  inMemory: msg('Requests work; their history is in memory until Jumpseat quits.'),
};
