import type { Services } from '../../state/services.ts';
import type { TakenUp } from './draft-keeper.ts';

/**
 * Whether a session is being begun with this message, and then whether it was: a page that was loaded anew in the
 * middle of that has nobody else to ask. Null: none is.
 */
export async function takenUp(
  { bridge, store }: Pick<Services, 'store'> & { bridge: Pick<Services['bridge'], 'heldSessions'> },
  messageId: string,
): Promise<TakenUp | null> {
  const begun = (await bridge.heldSessions()).find(({ beginsWith }) => beginsWith?.id === messageId);
  if (begun === undefined) return null;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const look = async (): Promise<void> => {
    // Also a session that this window has not heard of yet.
    const now = (await bridge.heldSessions()).find(({ id }) => id === begun.id);
    if (now?.beginsWith?.id === messageId) return;
    stop();
    resolve(now !== undefined && now.state !== 'provisional');
  };
  const stop = store.subscribe(({ sessions }, before) => {
    if (sessions !== before.sessions) void look().catch(() => undefined);
  });
  void look().catch(() => undefined);
  return { isSent: promise };
}
