import { join } from 'node:path';
import type { FakeTurn } from '../../app/sessions/host/fake-agent.ts';
import type { Stage } from './stage.ts';

/** One session, how it comes to its state, and what the window says of it there. */
export interface Play {
  name: string;
  /** Of the person. Empty: nothing was said in it here. */
  prompt: string;
  /** Its folder. Default: `parcel-api`. */
  project?: string;
  /** What the agent does with the prompt; absent: the session is not led by Jumpseat. */
  play?: (turn: FakeTurn, stage: Stage) => Promise<'end_turn' | 'cancelled' | undefined>;
  before?: (stage: Stage, id: string) => Promise<unknown> | unknown;
  /** Until it is in its state. */
  after: (stage: Stage, id: string) => Promise<unknown>;
  /** Whether the window can read its conversation: not yet, or not at all. Default: it can. */
  reading?: 'goes on' | 'fails';
  /** The second line of its row; null: it has none. */
  row: string | RegExp | null;
  /** What stands in the transcript or the dock, each as a text of its own. */
  shows: readonly (string | RegExp)[];
  /** Buttons by their names. */
  offers?: readonly (string | RegExp)[];
  /** Buttons that can’t be pressed. */
  grey?: readonly string[];
  /** The foot, right. */
  process: string | RegExp;
}

/** Its turn counts as running a moment before the agent has the prompt; stopped then, nothing is sent. */
export const running = (name: string) => async (stage: Stage) => {
  await stage.asked(name, 'session/prompt');
  await stage.reaches(name, 'running');
};
export const waiting = (name: string) => (stage: Stage) => stage.reaches(name, 'waiting');
export const idle = (name: string) => (stage: Stage) => stage.reaches(name, 'idle', 'unloaded');

/** Does nothing more until it is stopped. */
export async function goesOn(turn: FakeTurn): Promise<'cancelled'> {
  await turn.stopped;
  return 'cancelled';
}

/** Of the folder that sessions without one of their own have. */
export const file = (stage: Stage, name: string, project = 'parcel-api'): string => join(stage.folder(project), name);
