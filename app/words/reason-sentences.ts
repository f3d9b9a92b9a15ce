/**
 * Sentences of verdicts that name something, and what they name: a row of the log keeps the sentence alone, so what
 * writes it and what reads it stand together.
 */

const results = 'results of ';

/** @param tools `Read, Bash`; empty where their names aren't known */
export function resultsSentence(tools: string): string {
  return `${results}${tools === '' ? 'tools' : tools}`;
}

/** `Read, Bash`; empty where the sentence names none. */
export function toolsIn(sentence: string): string {
  const tools = sentence.startsWith(results) ? sentence.slice(results.length) : '';
  return tools === 'tools' ? '' : tools;
}

/** @param how `auto`, `manual`; null where Claude Code doesn't say */
export function compactionSentence(how: string | null): string {
  return how === null ? 'compaction' : `compaction (${how})`;
}

/** `auto`, `manual`; null where the sentence doesn't say. */
export function compactionIn(sentence: string): string | null {
  return /\((.+)\)$/.exec(sentence)?.[1] ?? null;
}
