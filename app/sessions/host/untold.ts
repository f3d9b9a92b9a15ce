import type { SessionEdits } from '../edits/session-edits.ts';
import { type Prompt, textOf } from './prompt.ts';

/** Something that goes out beside a message. `told` is called once the agent has answered to it. */
export interface Untold {
  note: Prompt;
  told(): void;
}

const nothing: Untold = { note: [], told: () => undefined };

/**
 * What an agent is told beside a message, once: of which files a person took its edits back, so that it does not build
 * on what is no longer there. A command of the agent's own goes out as it is.
 */
export function untoldTo(prompt: Prompt, edits: SessionEdits): Untold {
  if (textOf(prompt).trimStart().startsWith('/')) return nothing;
  const { paths, told } = edits.untold();
  if (paths.length === 0) return nothing;
  const list = paths.map((path) => `- ${path}`).join('\n');
  const text = `Note: I took your edits to these files back; they are as they were before:\n${list}`;
  return { note: [{ type: 'text', text }], told };
}
