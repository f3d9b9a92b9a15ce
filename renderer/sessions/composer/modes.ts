import type { OfferedMode } from '../../../app/api/session-surroundings.ts';
import { type ModeWords, modeWordsOf } from '../../../app/words/permission-modes.ts';

/** Of modes by any agent's names. */
const words: Readonly<Record<string, ModeWords>> = modeWordsOf;

const neverAsks: ModeWords = {
  name: 'Never ask…',
  text:
    'Claude can delete files, run anything and send your data anywhere, and you see it afterwards. Only where you ' +
    'can lose everything.',
};

/** One of those that everybody knows, all of which ask. */
export function isUsualMode(id: string | null): boolean {
  return id === null || Object.hasOwn(words, id);
}

export function modeWords({ id, name, asksNothing }: Pick<OfferedMode, 'id' | 'name' | 'asksNothing'>): ModeWords {
  return asksNothing ? neverAsks : (words[id] ?? { name, text: '' });
}

/** Why a mode can't be chosen; null: it can. */
export function refusalWords({ refusal }: Pick<OfferedMode, 'refusal'>, model: string): string | null {
  if (refusal === null) return null;
  return refusal === 'root' ? 'Claude Code refuses this for root.' : `${model} doesn’t offer this.`;
}

/** `Ask first`, `Never asks`: the mode in force. */
export function modeInForce(modes: readonly OfferedMode[], id: string | null): { name: string; asksNothing: boolean } {
  const mode = modes.find((one) => one.id === id) ?? (id === null ? modes[0] : undefined);
  if (mode?.asksNothing === true) return { name: 'Never asks', asksNothing: true };
  if (mode !== undefined) return { name: modeWords(mode).name, asksNothing: false };
  return { name: words[id ?? 'default']?.name ?? id ?? 'Ask first', asksNothing: false };
}
