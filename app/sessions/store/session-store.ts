import type { Problem } from '../../api/call.ts';
import type { DatabaseDependencies } from '../../database/owned-database.ts';
import { AcceptedFiles, FileEdits } from './file-edits.ts';
import { CustomizationRows, OfferedCommands, TrustedFolders } from './folders.ts';
import { Questions, SessionRules, SideQuestionRows } from './questions.ts';
import { SessionDatabase } from './session-database.ts';
import { type RecordLimits, SessionRecord } from './session-record.ts';
import { SessionRows } from './session-rows.ts';
import { CutTurns, Drafts, MessageQueue, SteeredWords, TurnRows, WholePrompts } from './turn-rows.ts';

/**
 * What Jumpseat keeps about sessions, in sessions.db. Conversations themselves lie in the transcripts of the agents:
 * without this file they are still there, and are listed.
 *
 * Opening never throws: a damaged file or one of a newer version is kept aside under a telling name, and where no file
 * can be used all of it lives in memory. A process that does not own the folder reads alone, until `own`.
 */
export class SessionStore {
  readonly sessions: Omit<SessionRows, 'delete'>;
  readonly drafts: Drafts;
  readonly queue: MessageQueue;
  readonly steered: SteeredWords;
  readonly record: SessionRecord;
  readonly prompts: Pick<WholePrompts, 'forgetOld'>;
  readonly turns: TurnRows;
  /** Turns cut off by going back, by session. */
  readonly cut: CutTurns;
  readonly questions: Questions;
  readonly rules: SessionRules;
  readonly edits: FileEdits;
  readonly side: SideQuestionRows;
  /** Accepted against the branch. */
  readonly accepted: AcceptedFiles;
  readonly trusted: TrustedFolders;
  readonly customizations: CustomizationRows;
  readonly offeredCommands: OfferedCommands;
  readonly #database: SessionDatabase;
  readonly #rows: SessionRows;

  constructor(path: string, dependencies: DatabaseDependencies & { limits?: Partial<RecordLimits> }) {
    const database = new SessionDatabase(path, dependencies);
    this.#database = database;
    this.#rows = new SessionRows(database);
    this.sessions = this.#rows;
    this.drafts = new Drafts(database);
    this.queue = new MessageQueue(database);
    this.steered = new SteeredWords(database);
    this.record = new SessionRecord(database, dependencies.log, dependencies.limits);
    const prompts = new WholePrompts(database);
    this.prompts = prompts;
    this.turns = new TurnRows(database, prompts);
    this.cut = new CutTurns(database);
    this.questions = new Questions(database);
    this.rules = new SessionRules(database);
    this.edits = new FileEdits(database);
    this.side = new SideQuestionRows(database);
    this.accepted = new AcceptedFiles(database);
    this.trusted = new TrustedFolders(database);
    this.customizations = new CustomizationRows(database);
    this.offeredCommands = new OfferedCommands(database);
  }

  /** The folder is this process's from now on. */
  own(): void {
    if (this.#database.own()) this.record.renewed();
  }

  /** Whether this process may change anything now. */
  get mayWrite(): boolean {
    return this.#database.mayWrite;
  }

  get warnings(): Problem[] {
    return this.#database.warnings;
  }

  /** What is wrong now, or null. */
  problem(): Problem | null {
    return this.#database.problem();
  }

  /** Makes several changes, all or none. */
  atOnce<Made>(work: () => Made): Made {
    return this.#database.change(work);
  }

  /** Erases all that is stored about a session. Its transcript is not touched. */
  forget(session: string): void {
    this.record.flush();
    this.#database.change(() => {
      this.#rows.delete(session);
      this.cut.forget(session);
      this.edits.forgetVersions(0);
    });
    this.#database.emptyLog();
  }

  close(): void {
    try {
      if (this.mayWrite) this.record.close();
    } catch {
      // It was said when writing failed.
    }
    this.#database.close();
  }
}
