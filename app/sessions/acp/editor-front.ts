import { randomUUID } from 'node:crypto';
import {
  type ForkSessionRequest,
  type InitializeResponse,
  type McpServer,
  type NewSessionRequest,
  PROTOCOL_VERSION,
  RequestError,
  type ResumeSessionRequest,
} from '@agentclientprotocol/sdk/unstable';
import type { ListedSession } from '../../api/session-list.ts';
import type { Log } from '../../ports.ts';
import { AgentError, type AgentName } from '../agents/agent.ts';
import type { HostedSession } from '../host/hosted-session.ts';
import type { SessionHost } from '../host/session-host.ts';
import type { Choices } from '../session/choices.ts';
import { SessionError } from '../session/error.ts';
import { SessionStoreError } from '../store/session-database.ts';
import { type EditorOptions, editorOptions, refuseUnknown } from './editor-options.ts';
import { type Editor, type EditorAbilities, EditorSession, type PastOfSession } from './editor-session.ts';

export interface EditorFrontDependencies extends PastOfSession {
  host: Pick<SessionHost, 'describe' | 'begin' | 'session' | 'fork' | 'listen' | 'dispose'>;
  version: string;
  log: Log;
  /** Agent of the sessions that this editor begins. */
  agent: AgentName;
  isSignedIn(): boolean | Promise<boolean>;
  /** All sessions of this machine. */
  list(): Promise<readonly ListedSession[]>;
  /** What a session is called. */
  title(session: ListedSession): string;
}

const pageOfSessions = 100;
const authMethod = {
  ...{ type: 'terminal' as const, id: 'jumpseat-login', name: 'Sign in to GitHub', args: ['login'] },
  description: 'Runs "jumpseat login" in a terminal: a code to enter at GitHub.',
};

/** The calls of one editor, on the sessions that the window sees. When it leaves, its sessions go on. */
export class EditorFront {
  abilities: EditorAbilities = { forms: false, subagents: false, notices: false };
  readonly #given: EditorFrontDependencies;
  readonly #sessions = new Map<string, EditorSession>();
  readonly #begun = new WeakSet<HostedSession>();
  readonly #stopListening: () => void;

  constructor(given: EditorFrontDependencies) {
    this.#given = given;
    this.#stopListening = given.host.listen((event) => {
      if (event.event === 'session-event') this.#sessions.get(event.entry.sessionId)?.event(event.entry);
      else if (event.event === 'session') this.#sessions.get(event.session.id)?.sees(event.session);
      else if (event.event === 'session-gone') this.#forget(event.id);
    });
  }

  about(): InitializeResponse {
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'jumpseat', title: 'Jumpseat', version: this.#given.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: this.#given.host.describe(this.#given.agent).mcp,
        sessionCapabilities: { list: {}, resume: {}, close: {}, fork: {}, additionalDirectories: {} },
      },
      authMethods: [authMethod],
    };
  }

  async refuseSignedOut(): Promise<void> {
    if (!(await this.#given.isSignedIn())) {
      throw RequestError.authRequired(undefined, 'Jumpseat: nobody is signed in to GitHub. Run "jumpseat login".');
    }
  }

  async begin(editor: Editor, { cwd, additionalDirectories, mcpServers }: NewSessionRequest) {
    await this.refuseSignedOut();
    const directories = additionalDirectories ?? [];
    const { host, agent: name } = this.#given;
    const session = await inWords(() => host.begin({ cwd, agent: name, choices: { directories } }));
    this.#begun.add(session);
    return { sessionId: session.id, ...(await this.#take(editor, session, mcpServers).options) };
  }

  async open(editor: Editor, request: ResumeSessionRequest, withReplay: boolean) {
    const { sessionId: id, mcpServers, additionalDirectories } = request;
    await this.refuseSignedOut();
    const session = await inWords(() => this.#given.host.session(id));
    await this.#workIn(session, additionalDirectories);
    const { reported, options } = this.#take(editor, session, mcpServers ?? []);
    if (withReplay) await reported.tellPast(this.#given);
    // The editor knows of the session once it has its answer.
    setImmediate(() => reported.askOpen());
    return options;
  }

  async fork(editor: Editor, { sessionId: id, mcpServers, additionalDirectories }: ForkSessionRequest) {
    await this.refuseSignedOut();
    const session = await inWords(() => this.#given.host.fork(id, null));
    this.#begun.add(session);
    await this.#workIn(session, additionalDirectories);
    return { sessionId: session.id, ...(await this.#take(editor, session, mcpServers ?? []).options) };
  }

  /** Folders that an editor names count instead of those from before; one that names none says nothing of them. */
  async #workIn(session: HostedSession, directories: readonly string[] | null | undefined): Promise<void> {
    if (directories == null || directories.length === 0) return;
    await inWords(() => session.choose({ directories }));
  }

  async list(cwd: string | null, cursor: string | null) {
    const from = Number(cursor ?? 0);
    if (!Number.isInteger(from) || from < 0) throw RequestError.invalidParams('The cursor is not one of Jumpseat’s.');
    const all = (await this.#given.list()).filter((session) => cwd === null || session.cwd === cwd);
    const sessions = all.slice(from, from + pageOfSessions).flatMap((session) =>
      session.cwd === null
        ? []
        : [
            {
              ...{ sessionId: session.id, cwd: session.cwd, title: this.#given.title(session) },
              updatedAt: session.updatedAt === null ? null : new Date(session.updatedAt).toISOString(),
            },
          ],
    );
    const next = from + pageOfSessions;
    return { sessions, nextCursor: next < all.length ? String(next) : null };
  }

  async prompt(editor: Editor, id: string, prompt: readonly { type: string }[]) {
    await this.refuseSignedOut();
    const session = await this.#session(editor, id);
    return inWords(() => session.prompt([...prompt], randomUUID()));
  }

  async choose(editor: Editor, id: string, choice: Partial<Choices>): Promise<EditorOptions> {
    const { session } = await this.#session(editor, id);
    refuseUnknown(session, await session.surroundings.choices(), choice);
    await inWords(() => session.choose(choice));
    return this.#options(session);
  }

  /**
   * What this editor sent and waits for its turn is taken back, and its turn is stopped. Where nothing is its own, what
   * runs is stopped.
   */
  async cancel(id: string): Promise<void> {
    const known = this.#sessions.get(id);
    if (known === undefined) return;
    const isTaken = known.takeBack();
    if (known.isOwnRunning || !isTaken) await known.session.stop();
  }

  /** Ends its process where no other front uses it; the conversation stays. */
  async close(id: string): Promise<void> {
    const known = this.#sessions.get(id);
    known?.takeBack();
    const mayEnd = known !== undefined && this.#mayEnd(known);
    this.#forget(id);
    if (mayEnd) await this.#given.host.dispose(id);
  }

  /** What it began and never used goes; the rest is left as it is, and a message that waits is sent in its turn. */
  left(): void {
    this.#stopListening();
    for (const [id, known] of this.#sessions) {
      const isUnused = known.session.view().state === 'provisional' && this.#mayEnd(known);
      this.#forget(id);
      if (isUnused) void this.#given.host.dispose(id);
    }
  }

  /** What another front has open, runs, or began and has not sent yet is not this editor's to end. */
  #mayEnd(known: EditorSession): boolean {
    const { session } = known;
    if (session.isOpenElsewhere(this) || known.isLedElsewhere) return false;
    return this.#begun.has(session) || session.view().state !== 'provisional';
  }

  async #session(editor: Editor, id: string): Promise<EditorSession> {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    return this.#take(editor, await inWords(() => this.#given.host.session(id))).reported;
  }

  #take(editor: Editor, session: HostedSession, servers: readonly McpServer[] | null = null) {
    session.openedBy(this, servers);
    const options = () => this.#options(session);
    const reported =
      this.#sessions.get(session.id) ??
      new EditorSession({ editor, session, abilities: this.abilities, options, log: this.#given.log });
    this.#sessions.set(session.id, reported);
    return { reported, options: options() };
  }

  async #options(session: HostedSession): Promise<EditorOptions> {
    return editorOptions(session, await session.surroundings.choices());
  }

  #forget(id: string): void {
    const known = this.#sessions.get(id);
    known?.end();
    known?.session.leftBy(this);
    this.#sessions.delete(id);
  }
}

/** An error of ours, as an editor shows it: with what to do. */
async function inWords<Made>(work: () => Made | Promise<Made>): Promise<Made> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AgentError || error instanceof SessionStoreError) {
      throw new RequestError(-32603, `Jumpseat: ${error.message} ${error.remedy}`);
    }
    if (!(error instanceof SessionError)) throw error;
    const isAsked = error.code === 'folder-gone' || error.code === 'no-answer';
    const code = error.code === 'no-session' ? -32002 : isAsked ? -32602 : -32603;
    throw new RequestError(code, `Jumpseat: ${error.message} ${error.remedy}`, { code: error.code });
  }
}
