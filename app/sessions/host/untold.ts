import type { SessionEdits } from '../edits/session-edits.ts';
import { type Prompt, textOf } from './prompt.ts';

/** What an agent has to be told with the next message. `told` is called once the agent has answered to it. */
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
  const { paths, parts, told } = edits.untold();
  const texts: string[] = [];
  if (paths.length > 0)
    texts.push(`I took your edits to these files back; they are as they were before:${list(paths)}`);
  if (parts.length > 0) texts.push(`I took a part of your edits to these files back; read them again:${list(parts)}`);
  if (texts.length === 0) return nothing;
  return { note: [{ type: 'text', text: `Note: ${texts.join('\n')}` }], told };
}

function list(paths: readonly string[]): string {
  return paths.map((path) => `\n- ${path}`).join('');
}
