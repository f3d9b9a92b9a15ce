/** A model name as a client asks for it. */
export interface AskedName {
  /** The 1M context by a suffix: `[1m]`, `-1m`. */
  longContext: boolean;
  /** Lower-case spellings, each with one thing less than the one before. */
  spellings: readonly string[];
  /** `-fast`, `-thinking` that had to go for the last spelling. */
  modifier: string | null;
}

export const contextSuffix = /\[[12]m\]$/;
const bareContextSuffix = /-1m$/;
const providerPrefix = /^(?:.*\/)?(?:(?:[a-z]{2,6}\.)?anthropic\.)?/;
const bedrockVersion = /(?:-v\d+)?:\d+$/;
const date = /(?:-|@)20\d{6}$/;
const modifiers = /-(fast|thinking)$/;

export function readName(asked: string): AskedName {
  let text = asked.trim().toLowerCase();
  let longContext = false;
  let modifier: string | null = null;
  const spellings: string[] = [];
  const keep = (next: string): void => {
    if (next !== text || spellings.length === 0) spellings.push(next);
    text = next;
  };
  if (contextSuffix.test(text)) {
    longContext = true;
    text = text.replace(contextSuffix, '');
  }
  keep(text);
  keep(text.replace(providerPrefix, '').replace(bedrockVersion, ''));
  for (let before = ''; before !== text; ) {
    before = text;
    keep(text.replace(date, '').replace(/[-@]latest$/, ''));
    if (bareContextSuffix.test(text)) {
      longContext = true;
      keep(text.replace(bareContextSuffix, ''));
    }
    const found = modifiers.exec(text)?.[1];
    if (found !== undefined) {
      modifier = found;
      keep(text.replace(modifiers, ''));
    }
  }
  return { longContext, spellings, modifier };
}
