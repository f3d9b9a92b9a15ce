import type { Script } from '../../../app/simulator/script.ts';

export interface HeldAnswer {
  /** It stands still in its middle. */
  readonly held: Promise<void>;
  goOn: () => void;
}

/**
 * The answer to the next request that ends with these words stands still in its middle. Others, such as those for a
 * title, are answered as always. @param at so many events have gone out then
 */
export function holdAnswer(script: Script, words: string, at = 8): HeldAnswer {
  const held = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const before = (index: number): Promise<void> | undefined => {
    if (index !== at) return undefined;
    held.resolve();
    return over.promise;
  };
  script.next({ kind: 'usual', before }, ({ service, body }) => service === 'copilot' && endsWith(body, words));
  return { held: held.promise, goOn: over.resolve };
}

function endsWith(body: unknown, words: string): boolean {
  if (typeof body !== 'object' || body === null || !('messages' in body) || !Array.isArray(body.messages)) return false;
  // What Claude Code says beside a prompt may come behind it.
  return 'tools' in body && JSON.stringify(body.messages.slice(-2)).includes(words);
}
