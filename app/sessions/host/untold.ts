import type { SessionEdits } from '../edits/session-edits.ts';
import { type Prompt, textOf } from './prompt.ts';

/**
 * What an agent is told beside a message, once: of which files a person took its edits back, so that it does not build
 * on what is no longer there. A command of the agent's own goes out as it is.
 */
export function untoldTo(prompt: Prompt, edits: SessionEdits): Prompt {
  if (textOf(prompt).trimStart().startsWith('/')) return [];
  const { paths, told } = edits.untold();
  if (paths.length === 0) return [];
  told();
  const list = paths.map((path) => `- ${path}`).join('\n');
  return [
    { type: 'text', text: `Note: I took your edits to these files back; they are as they were before:\n${list}` },
  ];
}
