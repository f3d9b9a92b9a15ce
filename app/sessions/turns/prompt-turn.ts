import type { PromptResponse } from '@agentclientprotocol/sdk/unstable';
import { unlessAborted } from '../../account/unless-aborted.ts';
import type { RestartReason } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import { AgentError, type AgentExit } from '../agents/agent.ts';
import type { SessionEdits } from '../edits/session-edits.ts';
import type { Control } from '../running/control.ts';
import type { SessionDependencies } from '../running/dependencies.ts';
import type { LiveSession } from '../running/live-session.ts';
import type { Loader } from '../running/loader.ts';
import { isUnknownSession } from '../session/problem.ts';
import { type Prompt, textOf } from '../session/prompt.ts';
import type { Turn } from './turn.ts';

export interface Prompting {
  dependencies: Pick<SessionDependencies, 'clock'>;
  loader: Loader;
  control: Control;
  customizations: { reasonsToRestart(): Promise<RestartReason[]> };
  /** What the agent has to learn with a message, once. */
  unreported(prompt: Prompt): UndoneEditsNote;
}

/** How long an agent may take to stop, in ms; then its process is ended. Copilot's connection is free by 2 s. */
const stopMs = 800;

/** The process of the agent ended in the middle of a turn. */
export class ProcessGone extends Error {
  override readonly name = 'ProcessGone';
  readonly exit: AgentExit;
  constructor(exit: AgentExit, options: { cause: unknown }) {
    super(t('The process of the agent ended.'), options);
    this.exit = exit;
  }
}

/**
 * Sends a turn's message to its agent, whose process it starts where none runs, and waits for the end of the turn.
 * Rejects with `ProcessGone`, with what the agent refused it with, or with the reason of a stop.
 */
export async function promptTurn(given: Prompting, turn: Turn, prompt: Prompt): Promise<PromptResponse> {
  const { loader, control, customizations, unreported } = given;
  // Where a terminal has it open, the next load says so.
  const { needsRestart } = control;
  const reasons = needsRestart ? control.restartReasons() : [];
  const isStale = await unlessAborted(loader.isStale(), turn.signal);
  const forAdded = await unlessAborted(customizations.reasonsToRestart(), turn.signal);
  if (needsRestart || isStale || forAdded.length > 0 || (await loader.isOpenInTerminal())) void loader.unload();
  control.restartsFor = [...new Set([...reasons, ...forAdded])];
  const { note, reported } = unreported(prompt);
  const said = [...prompt, ...note];
  for (let attempt = 0; ; attempt++) {
    const live = await unlessAborted(loader.load(), turn.signal);
    turn.signal.throwIfAborted();
    try {
      const answer = await ask(given, turn, live, said);
      reported();
      return answer;
    } catch (error) {
      // Its process ended while it was idle, which no request reports: nothing was sent.
      if (attempt > 0 || !isUnknownSession(error) || turn.isStopped) throw error;
      void loader.unload();
    }
  }
}

/** Tells the agent to stop, and ends its process if it does not. */
async function ask(
  { dependencies, loader }: Prompting,
  turn: Turn,
  live: LiveSession,
  said: Prompt,
): Promise<PromptResponse> {
  const answered = new AbortController();
  const disobeyed = Promise.withResolvers<never>();
  const obey = async (): Promise<void> => {
    await live.cancel().catch(() => undefined);
    await dependencies.clock.sleep(stopMs, answered.signal);
    await loader.unload();
    disobeyed.reject(turn.signal.reason);
  };
  const stop = (): void => void obey().catch(() => undefined);
  turn.signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([live.prompt(said), disobeyed.promise]);
  } catch (error) {
    if (!(error instanceof AgentError) || error.kind !== 'ended') throw error;
    throw new ProcessGone(error.exit ?? (await live.connection.exited), { cause: error });
  } finally {
    answered.abort();
    turn.signal.removeEventListener('abort', stop);
  }
}

/** What an agent has to learn with the next message. `told` is called once the agent has answered to it. */
interface UndoneEditsNote {
  note: Prompt;
  reported(): void;
}

const nothing: UndoneEditsNote = { note: [], reported: () => undefined };

/**
 * What an agent is told beside a message, once: of which files a person took its edits back, so that it does not build
 * on what is no longer there. A reminder: transcripts keep it, and these are no words of the person's. A command of the
 * agent's own goes out as it is.
 */
export function undoneEditsNoteFor(prompt: Prompt, edits: Pick<SessionEdits, 'unreported'>): UndoneEditsNote {
  if (textOf(prompt).trimStart().startsWith('/')) return nothing;
  const { paths, parts, reported } = edits.unreported();
  const texts: string[] = [];
  if (paths.length > 0)
    texts.push(`The user undid your edits to these files; they are as they were before:${list(paths)}`);
  if (parts.length > 0)
    texts.push(`The user undid a part of your edits to these files; read them again:${list(parts)}`);
  if (texts.length === 0) return nothing;
  return { note: [{ type: 'text', text: `<system-reminder>\n${texts.join('\n')}\n</system-reminder>` }], reported };
}

function list(paths: readonly string[]): string {
  return paths.map((path) => `\n- ${path}`).join('');
}
