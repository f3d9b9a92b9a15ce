import type { OfferedMode } from '../../../app/api/session-surroundings.ts';
import type { AgentWords } from '../../../app/words/agents.ts';
import { type ModeWords, modeWordsOf } from '../../../app/words/permission-modes.ts';

/** Of modes by any agent's names. */
const words: Readonly<Record<string, ModeWords>> = modeWordsOf;

const neverAsks = (agent: AgentWords): ModeWords => ({
  name: 'Never ask…',
  text:
    `${agent.name} can delete files, run anything and send your data anywhere, and you see it afterwards. ` +
    'Only where you can lose everything.',
});

/** One of the usual modes, all of which ask. */
export function isUsualMode(id: string | null): boolean {
  return id === null || Object.hasOwn(words, id);
}

export function modeWords(
  { id, name, asksNothing }: Pick<OfferedMode, 'id' | 'name' | 'asksNothing'>,
  agent: AgentWords,
): ModeWords {
  return asksNothing ? neverAsks(agent) : (words[id] ?? { name, text: '' });
}

/** As it is called in a sentence. */
export function modeName({ id, name, asksNothing }: Pick<OfferedMode, 'id' | 'name' | 'asksNothing'>): string {
  return asksNothing ? 'Never ask' : (words[id]?.name ?? name);
}

/** Why a mode can't be chosen; null: it can. */
export function refusalWords(
  { refusal }: Pick<OfferedMode, 'refusal'>,
  model: string,
  agent: AgentWords,
): string | null {
  if (refusal === null) return null;
  return refusal === 'root' ? `${agent.title} refuses this for root.` : `${model} doesn’t offer this.`;
}

/** `Ask first`, `Never asks`: the mode in force. */
export function modeInForce(modes: readonly OfferedMode[], id: string | null): { name: string; asksNothing: boolean } {
  const mode = modes.find((one) => one.id === id) ?? (id === null ? modes[0] : undefined);
  if (mode?.asksNothing === true) return { name: 'Never asks', asksNothing: true };
  if (mode !== undefined) return { name: modeName(mode), asksNothing: false };
  return { name: words[id ?? 'default']?.name ?? id ?? 'Ask first', asksNothing: false };
}
