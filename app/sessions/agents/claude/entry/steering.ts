import type { Steered } from '../../agent-extras.ts';
import type { Adapter, AdapterSession } from './adapter.ts';

/** What the words that were pushed last are called, by session. */
const lastSteered = new WeakMap<AdapterSession['input'], string>();

/**
 * Words for a running turn join it at its next tool result. The adapter would end the turn for them, and while a
 * question is open have them wait for the turn's end.
 */
export function letWordsJoin({ input }: AdapterSession): void {
  const push = input.push.bind(input);
  input.push = (message) => {
    if (message.priority !== undefined) {
      message.priority = 'next';
      if (message.uuid !== undefined) lastSteered.set(input, message.uuid);
    }
    push(message);
  };
}

/** Reports Claude Code's id of steered words, so that they can be recognised. */
export function nameSteeredWords(adapter: Adapter): void {
  const steer = adapter.steer.bind(adapter);
  adapter.steer = oneOfSession()(async (params: { sessionId: string }) => {
    const input = adapter.sessions[params.sessionId]?.input;
    if (input !== undefined) lastSteered.delete(input);
    const answer = await steer(params);
    const now = adapter.sessions[params.sessionId]?.input;
    const promptId = now === undefined ? undefined : lastSteered.get(now);
    return promptId === undefined ? answer : { ...answer, _meta: { jumpseat: { promptId } satisfies Steered } };
  });
}

/** False: Claude Code has them already, or knows no way to give them back. */
export async function takeBack({ query, turnQueue }: AdapterSession, uuid: string): Promise<boolean> {
  if (query.cancelAsyncMessage === undefined) return false;
  // Else its turn would wait for them for ever. Were they read after all, the result of the turn names them.
  for (const turn of turnQueue ?? []) turn.steeredEchoes?.delete(uuid);
  return (await query.cancelAsyncMessage(uuid)) === true;
}

type OfSession = { sessionId: string };

/** Has requests wait for each other where they are of the same session, also where they ask for different things. */
export function oneOfSession() {
  const last = new Map<string, Promise<unknown>>();
  return <Params extends OfSession, Answer>(ask: (params: Params) => Promise<Answer>) => {
    return (params: Params): Promise<Answer> => {
      const before = last.get(params.sessionId) ?? Promise.resolve();
      const mine = before.then(
        () => ask(params),
        () => ask(params),
      );
      last.set(params.sessionId, mine);
      const forget = (): void => {
        if (last.get(params.sessionId) === mine) last.delete(params.sessionId);
      };
      mine.then(forget, forget);
      return mine;
    };
  };
}
