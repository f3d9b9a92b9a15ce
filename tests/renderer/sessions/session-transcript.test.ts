import { describe, expect, it } from 'vitest';
import { beginningOf } from '../../../renderer/sessions/session-transcript.tsx';
import { emptyConversation, foldEvents } from '../../../renderer/sessions/state/fold.ts';
import { session } from './cards/cards-page.ts';

const prompt = [{ type: 'text', text: 'Hello' }];
const starting = { ...session, state: 'starting' as const, beginsWith: { id: 't1', prompt, queuedAt: 7 } };
const empty = emptyConversation('s1');

describe('a conversation whose process starts', () => {
  it('holds the first message as the turn that it will be, the same one each time', () => {
    const begun = beginningOf(empty, starting);
    expect(begun?.turns).toMatchObject([{ id: 't1', prompt, state: 'running', startedAt: 7, begunBy: 'prompt' }]);
    expect(beginningOf(empty, { ...starting })).toBe(begun);
    const other = { ...starting, beginsWith: { ...starting.beginsWith, id: 't2' } };
    expect(beginningOf(empty, other)?.turns[0]?.id).toBe('t2');
  });

  it('is what was told as soon as there is any of it, and where nothing starts', () => {
    const event = { initiator: 'user', prompt };
    const reported = { seq: 1, sessionId: 's1', turnId: 't1', at: 8, kind: 'turn-started' as const, event, cuts: null };
    const conversation = foldEvents(empty, [reported]);
    expect(beginningOf(conversation, starting)).toBe(conversation);
    expect(beginningOf(empty, session)).toBe(empty);
    expect(beginningOf(null, starting)).toBeNull();
  });
});
