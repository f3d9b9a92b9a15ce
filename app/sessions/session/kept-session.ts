import { isDeepStrictEqual } from 'node:util';
import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import { agentNameSchema, type Session, turnStateSchema } from '../../api/sessions.ts';
import type { AgentName } from '../agents/agent.ts';
import {
  agentIdOf,
  backCopiesOf,
  type CutEdit,
  type ForkPoint,
  forkOf,
  isDismissed,
  keepsName,
  otherIdOf,
  pastCutOf,
  pluginsOffOf,
  putBackOf,
  type SessionPatch,
  type SessionRow,
} from '../store/session-rows.ts';
import type { SessionStore } from '../store/session-store.ts';
import type { Choices, SessionModes } from './choices.ts';
import { type Prompt, titleOf } from './messages.ts';

/** The start of a session in this host: by a person's choices, or from disk. */
export interface SessionBeginning {
  id: string;
  agent: AgentName;
  cwd: string;
  choices: Choices;
  /** The agent's own id of it, where it has a conversation already; null if it is new. */
  agentSessionId: string | null;
  title: string | null;
  /** What a session that was made elsewhere is called there. */
  name?: string | null;
  /** When that one began there, in ms since the epoch. */
  createdAt?: number | null;
  parent: string | null;
  /** Null if nothing of it is on disk. */
  row: SessionRow | null;
}

/** What a start needs to know of its session, as it is at that moment. */
export interface StartFacts {
  id: string;
  agent: AgentName;
  /** The agent's own id of it; null if it has none yet. */
  agentSessionId: string | null;
  /** The agent has said something in it, so that it has to know it. */
  hasConversation: boolean;
  cwd: string;
  title: string | null;
  /** The agent's message after which it goes on; null for the last one. */
  resumeAt: string | null;
  choices: Choices;
  /** Servers that a front brings along. */
  servers: readonly McpServer[];
}

/** What is known of one session beside its turns: in memory while it is provisional, then the row on disk. */
export class KeptSession {
  readonly #beginning: SessionBeginning;
  readonly #store: SessionStore;
  readonly #createdAt: number;
  #row: SessionRow | null;
  #cwd: string;
  #choices: Choices;
  /** The person's name for it, given before anything was on disk. */
  #title: string | null;
  context: Session['context'] = null;

  readonly #modes: SessionModes;

  constructor(beginning: SessionBeginning, store: SessionStore, modes: SessionModes) {
    this.#modes = modes;
    this.#beginning = beginning;
    this.#store = store;
    this.#row = beginning.row;
    this.#createdAt = beginning.createdAt ?? Date.now();
    this.#cwd = beginning.cwd;
    this.#choices = beginning.choices;
    this.#title = beginning.title;
  }

  /** True if it was begun here: its messages and turns are on disk. Of others only names and the like are stored. */
  get isKept(): boolean {
    return this.#row?.hosted === true;
  }

  get id(): string {
    return this.#beginning.id;
  }

  get agent(): AgentName {
    return this.#beginning.agent;
  }

  get cwd(): string {
    return this.#cwd;
  }

  get choices(): Choices {
    return this.#choices;
  }

  /** What a copy of it runs with. */
  get lastingChoices(): Choices {
    return this.#modes.lasting(this.#choices);
  }

  get title(): string | null {
    const row = this.#row;
    return row === null ? this.#title : (row.title ?? row.agentTitle ?? row.firstPrompt);
  }

  /** What it is called whatever the agent calls it; null: as the agent does. */
  get lastingTitle(): string | null {
    const row = this.#row;
    if (row === null) return this.#title;
    return row.title ?? (keepsName(row) ? row.agentTitle : null);
  }

  /** What a copy of it is named after. */
  get name(): string | null {
    return this.title ?? this.#beginning.name ?? null;
  }

  get resumeAt(): string | null {
    return this.#row?.resumeAt ?? null;
  }

  /** The agent's own id of it; null if it has none yet. */
  get agentSessionId(): string | null {
    return agentIdOf(this.#row) ?? this.#beginning.agentSessionId;
  }

  /** Edits that went with the turns that were cut off. */
  get putBack(): readonly CutEdit[] {
    return putBackOf(this.#row);
  }

  keepPutBack(putBack: readonly CutEdit[]): void {
    this.#keepOptions({ putBack });
  }

  /** Copies of it as it was before it was cut off, for as long as that can be undone. */
  get backCopies(): readonly string[] {
    return backCopiesOf(this.#row);
  }

  keepBackCopies(backCopies: readonly string[]): void {
    this.#keepOptions({ backCopies });
  }

  /** How many turns that Jumpseat did not lead were cut off, which can still come back. */
  get pastCut(): number {
    return pastCutOf(this.#row);
  }

  keepPastCut(pastCut: number): void {
    if (pastCut !== this.pastCut) this.#keepOptions({ pastCut });
  }

  /** The conversation that has to be copied first. */
  get forkOf(): ForkPoint | null {
    return this.agentSessionId === null ? forkOf(this.#row) : null;
  }

  copied(agentSessionId: string): void {
    this.#keepOptions({ agentSessionId });
  }

  #keepOptions(options: Record<string, unknown>): void {
    this.keep({ options: { ...Object(this.#row?.options), ...options } });
  }

  /** A conversation of another program: what is cut off from it, and how it goes on, is on disk from now on. */
  adopt(): void {
    const { id, agent, agentSessionId, name = null } = this.#beginning;
    if (this.isKept) return;
    const { model, effort, directories, pluginsOff } = this.#choices;
    const options = { ...Object(this.#row?.options), agentSessionId, pluginsOff: [...pluginsOff], ...this.#ownName };
    this.#row = this.#store.sessions.decorate(id, {
      ...{ agent, cwd: this.#cwd, hosted: true, directories: [...directories], options },
      ...{ model, effort, mode: this.#modes.lasting(this.#choices).mode },
      ...(this.#row?.firstPrompt == null && { firstPrompt: name }),
      ...(name !== null && { agentTitle: name }),
      createdAt: this.#createdAt,
    });
  }

  startFacts(): Omit<StartFacts, 'choices' | 'title' | 'servers'> {
    const { id, agent } = this.#beginning;
    const { cwd } = this;
    const { agentSessionId, resumeAt } = this;
    const isForeign = this.#beginning.agentSessionId !== null || resumeAt !== null || forkOf(this.#row) !== null;
    const turns = this.#store.turns.of(id);
    // Not every agent tells the ids of its messages.
    const hasAnswer = turns.some(({ lastMessage, state }) => lastMessage !== null || state === 'done');
    const hasConversation = isForeign || hasAnswer;
    return { id, agent, cwd, agentSessionId, resumeAt, hasConversation };
  }

  /** Puts it on disk with its first messages, all or nothing. Throws `SessionStoreError`. */
  begin(agentSessionId: string, choices: Choices, messages: readonly { id: string; prompt: Prompt }[]): void {
    const { id, agent, parent } = this.#beginning;
    const { cwd } = this;
    const title = this.#title;
    const store = this.#store;
    // What was made elsewhere is still called what it was there.
    const { name = null } = this.#beginning;
    const firstPrompt = name ?? (messages[0] === undefined ? null : titleOf(messages[0].prompt));
    this.#row = store.atOnce(() => {
      const known = store.sessions.find(id);
      const row = store.sessions.decorate(id, {
        ...{ agent, cwd, parent, hosted: true, directories: [...choices.directories] },
        ...{ model: choices.model, effort: choices.effort, mode: this.#modes.lasting(choices).mode },
        ...(title === null ? undefined : { title }),
        ...(known?.firstPrompt == null ? { firstPrompt } : undefined),
        ...(name !== null && { agentTitle: name }),
        options: { agentSessionId, pluginsOff: [...choices.pluginsOff], ...this.#ownName },
        createdAt: this.#createdAt,
      });
      for (const { id: messageId, prompt } of messages) store.queue.add({ id: messageId, sessionId: id, prompt });
      return row;
    });
  }

  /** Changes what is on disk; nothing where nothing is. Throws `SessionStoreError`. */
  keep(patch: SessionPatch): void {
    if (this.#row !== null) this.#row = this.#store.sessions.decorate(this.#beginning.id, patch);
  }

  /** What a person does with it: on disk also where it was made elsewhere, in memory while it has no message. */
  decorate(decoration: Pick<SessionPatch, 'title' | 'pinned' | 'seenAt' | 'dismissedAt' | 'cwd'>): void {
    const { id, agent, agentSessionId } = this.#beginning;
    const { cwd } = this;
    if (this.#row !== null) this.keep(decoration);
    else if (agentSessionId !== null) {
      this.#row = this.#store.sessions.decorate(id, {
        agent,
        cwd,
        hosted: false,
        createdAt: this.#createdAt,
        ...decoration,
      });
    } else if (decoration.title !== undefined) this.#title = decoration.title;
  }

  /** Continues in another folder. */
  move(cwd: string): void {
    this.decorate({ cwd });
    this.#cwd = cwd;
  }

  keepChoices(choices: Choices): void {
    if (isDeepStrictEqual(choices, this.#choices)) return;
    this.#choices = choices;
    const { model, effort, directories, pluginsOff } = choices;
    this.keep({ model, effort, mode: this.#modes.lasting(choices).mode, directories: [...directories] });
    this.#keepOptions({ pluginsOff: [...pluginsOff] });
  }

  /** Claude Code names what it resumes after the next prompt, also where it has been called something else before. */
  get #ownName(): { keepsName?: true } {
    return this.#beginning.name == null ? {} : { keepsName: true };
  }

  /** Returns whether it is another one. One with fences is no name, but the message as it was sent. */
  keepAgentTitle(agentTitle: string): boolean {
    if (this.#row === null || keepsName(this.#row) || this.#row.agentTitle === agentTitle) return false;
    if (/`{3}|~{3}/.test(agentTitle)) return false;
    this.keep({ agentTitle });
    return true;
  }

  view(): Pick<
    Session,
    | 'id'
    | 'agentId'
    | 'agent'
    | 'cwd'
    | 'directories'
    | 'context'
    | 'pinned'
    | 'createdAt'
    | 'sentAt'
    | 'endedAt'
    | 'seenAt'
  > &
    Pick<Session, 'isDismissed' | 'parent' | 'isBack' | 'cutTurns'> & { outcome: Session['outcome'] } {
    const { id, agent } = this.#beginning;
    const { cwd } = this;
    const row = this.#row;
    return {
      ...{ id, agent, cwd, directories: [...this.#choices.directories], context: this.context },
      ...otherIdOf(row),
      pinned: row?.pinned ?? false,
      createdAt: row?.createdAt ?? this.#createdAt,
      sentAt: row?.sentAt ?? null,
      endedAt: row?.endedAt ?? null,
      seenAt: row?.seenAt ?? null,
      isDismissed: isDismissed(row, row?.endedAt ?? null),
      parent: row?.parent ?? this.#beginning.parent,
      isBack: row?.resumeAt != null,
      cutTurns: row?.resumeAt == null ? 0 : this.#store.cut.count(id) + pastCutOf(row),
      outcome: turnStateSchema.safeParse(row?.outcome).data ?? null,
    };
  }
}

/** Origin of a session that was not made from another one. */
export const noOrigin = { parent: null };
export const noChoices: Choices = { model: null, effort: null, mode: null, directories: [], pluginsOff: [] };

/** A session of this host that lies on disk. */
export function beginningOf(row: SessionRow): SessionBeginning {
  const { id, cwd, parent } = row;
  const agent = agentNameSchema.safeParse(row.agent).data ?? 'claude';
  return {
    id,
    agent,
    cwd: cwd ?? '/',
    choices: choicesOf(row),
    agentSessionId: null,
    title: null,
    parent,
    row,
  };
}

/** What was chosen for it. */
export function choicesOf(row: SessionRow): Choices {
  const { model, effort, mode, directories } = row;
  return { model, effort, mode, directories, pluginsOff: pluginsOffOf(row) };
}
