import { resolve } from 'node:path';
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionNotification,
  SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import type { Log } from '../../ports.ts';
import type { AgentExit, AgentHandlers } from '../agents/agent.ts';
import type { AgentFact, FactReader } from '../agents/agent-facts.ts';
import type { SessionCustomizations } from '../customizations/session-customizations.ts';
import type { CommandChanges } from '../edits/command-changes.ts';
import type { SessionEdits } from '../edits/session-edits.ts';
import type { SessionQuestions } from '../questions/questions.ts';
import type { RoutedSession, Routes } from '../running/dependencies.ts';
import type { Control } from '../session/choices.ts';
import type { KeptSession } from '../session/kept-session.ts';
import type { Recorder } from '../store/session-record.ts';
import type { Turns } from '../turns/turns.ts';
import type { Surroundings } from './surroundings.ts';

/** While a start is under way, so many messages of ids that are not known yet are held for it. */
const heldLimit = 500;

/** Finds the session of an agent's messages by the agent's own id, also for subagents. */
export class SessionRoutes implements Routes {
  readonly #log: Log;
  readonly #sessions = new Map<string, RoutedSession>();
  /** Subagents, by their id, with the agent's id of their session. */
  readonly #parents = new Map<string, string>();
  #starting = 0;
  #held: { sessionId: string; deliver: () => void }[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  lead(agentSessionId: string, session: RoutedSession): void {
    this.#sessions.set(agentSessionId, session);
    const held = this.#held.filter(({ sessionId }) => sessionId === agentSessionId);
    this.#held = this.#held.filter(({ sessionId }) => sessionId !== agentSessionId);
    for (const { deliver } of held) deliver();
  }

  leave(agentSessionId: string, session: RoutedSession): void {
    if (this.#sessions.get(agentSessionId) !== session) return;
    this.#sessions.delete(agentSessionId);
    for (const [child, parent] of this.#parents) if (parent === agentSessionId) this.#parents.delete(child);
  }

  starts(): () => void {
    this.#starting += 1;
    return () => {
      this.#starting -= 1;
      if (this.#starting === 0) this.#held = [];
    };
  }

  handlers(reader: FactReader): AgentHandlers {
    return {
      update: (notification) => this.#update(notification),
      extension: (method, params) => {
        const fact = reader.factOf(method, params);
        if (fact !== null) this.#deliver(fact.sessionId, (session) => session.onFact(fact));
      },
      requestPermission: (request, signal) => {
        const { session, child } = this.#find(request.sessionId);
        return session.askPermission(request, signal, child);
      },
      createElicitation: (request, signal) => {
        const { session, child } = this.#find(
          'sessionId' in request && typeof request.sessionId === 'string' ? request.sessionId : '',
        );
        return session.askForm(request, signal, child);
      },
    };
  }

  #update({ sessionId, update }: SessionNotification): void {
    if (update.sessionUpdate === 'subagent_update') this.#parents.set(update.sessionId, this.#root(sessionId));
    this.#deliver(sessionId, (session, child) => session.onUpdate(update, child));
  }

  #deliver(sessionId: string, deliver: (session: RoutedSession, child: string | null) => void): void {
    const root = this.#root(sessionId);
    const session = this.#sessions.get(root);
    if (session !== undefined) {
      try {
        deliver(session, root === sessionId ? null : sessionId);
      } catch (error) {
        // One message that can't be handled does not end the turn.
        this.#log.write('error', 'session-message-failed', { error: error instanceof Error ? error.name : 'unknown' });
      }
    } else if (this.#starting > 0 && this.#held.length < heldLimit) {
      this.#held.push({ sessionId, deliver: () => this.#deliver(sessionId, deliver) });
    }
  }

  #root(sessionId: string): string {
    return this.#parents.get(sessionId) ?? sessionId;
  }

  #find(sessionId: string): { session: RoutedSession; child: string | null } {
    const root = this.#root(sessionId);
    const session = this.#sessions.get(root);
    if (session === undefined) throw new Error('This session is not held any more.');
    return { session, child: root === sessionId ? null : sessionId };
  }
}

interface AgentSideDependencies {
  kept: KeptSession;
  control: Control;
  turns: Turns;
  questions: SessionQuestions;
  edits: SessionEdits;
  commands: CommandChanges;
  surroundings: Surroundings;
  customizations: SessionCustomizations;
  recorder: Recorder;
  reader: FactReader;
  changed(): void;
  /** The process that the agent has for this session alone is gone. */
  ended(exit: AgentExit): void;
}

/** Takes in what the agent says of one session: updates, facts and questions. */
export class AgentSide implements RoutedSession {
  readonly #given: AgentSideDependencies;

  constructor(given: AgentSideDependencies) {
    this.#given = given;
  }

  onUpdate(update: SessionUpdate, child: string | null): void {
    const { turns, edits, commands, reader } = this.#given;
    // On record first: one that can't be made sense of is passed on all the same.
    turns.update(update, child);
    if (child === null) this.#learn(update);
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return;
    const turnId = turns.current?.id ?? null;
    const edit = reader.editOf(update);
    // An agent may name a file as seen from the session's folder.
    if (edit !== null) edits.made({ ...edit, path: resolve(this.#given.kept.cwd, edit.path) }, turnId);
    if (update.sessionUpdate === 'tool_call' && reader.changesFilesUnreported(update)) {
      edits.ran(update.toolCallId, turnId);
      void commands.begins(update.toolCallId, turnId);
    }
    const denied = reader.deniedCall(update);
    if (denied !== null) {
      edits.notRun(denied, turnId);
      commands.notRun(denied);
    }
    if (update.sessionUpdate === 'tool_call_update' && (update.status === 'completed' || update.status === 'failed'))
      void commands.ended(update.toolCallId);
  }

  onFact(fact: AgentFact): void {
    const { control, turns, surroundings, changed } = this.#given;
    if (fact.kind === 'mode' || fact.kind === 'begun') this.sees(() => control.sees('mode', fact.mode));
    else if (fact.kind === 'ended') this.#given.ended(fact.exit);
    else turns.fact(fact);
    if (surroundings.sees(fact)) changed();
    void this.#given.customizations.sees(fact).catch(() => undefined);
  }

  #learn(update: SessionUpdate): void {
    const { control, kept, surroundings, changed } = this.#given;
    if (update.sessionUpdate === 'available_commands_update') surroundings.seesCommands(update.availableCommands);
    else if (update.sessionUpdate === 'config_option_update')
      this.sees(() => control.seesOptions(update.configOptions));
    else if (update.sessionUpdate === 'current_mode_update') {
      this.sees(() => control.sees('mode', update.currentModeId));
    } else if (update.sessionUpdate === 'session_info_update') {
      if (typeof update.title === 'string' && kept.keepAgentTitle(update.title)) changed();
    } else if (update.sessionUpdate === 'usage_update') kept.context = { used: update.used, size: update.size };
  }

  /** Puts on record what is in force now, where a look finds something new. */
  sees(look: () => boolean): void {
    if (!look()) return;
    const { recorder, control, turns, changed } = this.#given;
    recorder.add('applied', control.view(), turns.current?.id ?? null);
    changed();
  }

  async askPermission(
    request: RequestPermissionRequest,
    signal: AbortSignal,
    child: string | null,
  ): Promise<RequestPermissionResponse> {
    const { questions, turns, edits, commands } = this.#given;
    const turnId = turns.current?.id ?? null;
    const { toolCallId } = request.toolCall;
    // It is reported before it is asked about, and runs only once it is allowed.
    const isCommand = edits.notRun(toolCallId, turnId);
    commands.notRun(toolCallId);
    const response = await questions.permission(request, { turnId, child, signal });
    if (isCommand && isAllowed(request, response)) {
      edits.ran(toolCallId, turnId);
      await commands.begins(toolCallId, turnId);
    }
    return response;
  }

  askForm(
    request: CreateElicitationRequest,
    signal: AbortSignal,
    child: string | null,
  ): Promise<CreateElicitationResponse> {
    const { questions, turns } = this.#given;
    return questions.form(request, { turnId: turns.current?.id ?? null, child, signal });
  }
}

function isAllowed({ options }: RequestPermissionRequest, { outcome }: RequestPermissionResponse): boolean {
  if (outcome.outcome !== 'selected') return false;
  return options.find(({ optionId }) => optionId === outcome.optionId)?.kind.startsWith('allow') === true;
}
