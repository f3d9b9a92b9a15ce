import type { PromptResponse } from '@agentclientprotocol/sdk/unstable';
import { unlessAborted } from '../../account/unless-aborted.ts';
import { AgentError, type AgentExit } from '../agents/agent.ts';
import type { Control } from './control.ts';
import type { LiveSession } from './live-session.ts';
import type { Loader } from './loader.ts';
import type { Prompt } from './prompt.ts';
import type { SessionDependencies } from './session-dependencies.ts';
import type { Turn } from './turn.ts';
import { isUnknownSession } from './turn-problem.ts';
import type { Untold } from './untold.ts';

export interface Prompting {
  dependencies: Pick<SessionDependencies, 'clock'>;
  loader: Loader;
  control: Control;
  /** What the agent has to be told beside a message, once. */
  untold(prompt: Prompt): Untold;
}

/** An agent that is told to stop has so long, in ms; then its process is ended. Copilot's connection is free by 2 s. */
const stopMs = 800;

/** The process of the agent ended in the middle of a turn. */
export class ProcessGone extends Error {
  override readonly name = 'ProcessGone';
  readonly exit: AgentExit;
  constructor(exit: AgentExit, options: { cause: unknown }) {
    super('The process of the agent ended.', options);
    this.exit = exit;
  }
}

/**
 * Sends a turn's message to its agent, whose process it starts where none runs, and waits for the end of the turn.
 * Rejects with `ProcessGone`, with what the agent refused it with, or with the reason of a stop.
 */
export async function promptTurn(given: Prompting, turn: Turn, prompt: Prompt): Promise<PromptResponse> {
  const { loader, control, untold } = given;
  // Where a terminal has it open, the next load says so.
  const { needsRestart } = control;
  const reasons = needsRestart ? control.restartReasons() : [];
  const isStale = await unlessAborted(loader.isStale(), turn.signal);
  if (needsRestart || isStale || (await loader.isOpenInTerminal())) void loader.unload();
  control.restartsFor = reasons;
  const { note, told } = untold(prompt);
  const said = [...prompt, ...note];
  for (let attempt = 0; ; attempt++) {
    const live = await unlessAborted(loader.load(), turn.signal);
    turn.signal.throwIfAborted();
    try {
      const answer = await ask(given, turn, live, said);
      told();
      return answer;
    } catch (error) {
      // Its process ended while it was idle, which no request reports: nothing was sent.
      if (attempt > 0 || !isUnknownSession(error) || turn.isStopped) throw error;
      void loader.unload();
    }
  }
}

/** Stopped, the agent is told so, and its process is ended if it does not obey. */
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
