import { describe, expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Session } from '../../../../app/api/sessions.ts';
import { type Draft, emptyDraft, isSameMessage } from '../../../../renderer/sessions/composer/draft.ts';
import { DraftKeeper, type TakenUp, takenUp } from '../../../../renderer/sessions/composer/draft-keeper.ts';
import type { WindowState } from '../../../../renderer/state/window-state.ts';

/** A disk that answers when it is told to. */
function disk(kept: Record<string, unknown> = {}, takenUp: (messageId: string) => TakenUp | null = () => null) {
  const written: [string, unknown][] = [];
  const failures: unknown[] = [];
  const gates: (() => void)[] = [];
  let isSlow = false;
  const keeper = new DraftKeeper(
    {
      draft: async (key) => kept[key] ?? null,
      keepDraft: async ({ key, draft }) => {
        if (isSlow) await new Promise<void>((resolve) => gates.push(resolve));
        written.push([key, draft]);
      },
      takenUp: async (messageId) => takenUp(messageId),
    },
    (error) => failures.push(error),
  );
  const slow = () => {
    isSlow = true;
  };
  return { keeper, written, failures, gates, slow };
}

const says =
  (text: string) =>
  (draft: Draft): Draft => ({ ...draft, text });

it('a draft is there again as it was kept', async () => {
  const { keeper } = disk({ s1: { ...emptyDraft, text: 'Before', choices: { model: 'opus' }, messageId: 'm' } });
  await keeper.read('s1');
  expect(keeper.held('s1')).toEqual({
    ...{ isRead: true },
    draft: { text: 'Before', attachments: [], choices: { model: 'opus' }, messageId: 'm' },
  });
});

it('what is written before it was read comes behind what was there, and nothing is lost on disk', async () => {
  const { keeper, written } = disk({ s1: { ...emptyDraft, text: 'Before' } });
  keeper.change('s1', says('Now'));
  await keeper.read('s1');
  expect(keeper.held('s1').draft.text).toBe('Before\nNow');
  expect(written.map(([, draft]) => (draft as Draft).text)).toEqual(['Before\nNow']);
});

it('what is typed is on disk soon, once for many keys, and at once when the page goes', async () => {
  vi.useFakeTimers();
  try {
    const { keeper, written } = disk();
    await keeper.read('s1');
    for (const text of ['H', 'He', 'Hey']) keeper.change('s1', says(text));
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written.map(([key, draft]) => [key, (draft as Draft).text])).toEqual([['s1', 'Hey']]);
    keeper.change('s1', says('Hey you'));
    await keeper.flush();
    expect(written).toHaveLength(2);
    keeper.change('s1', says(''));
    await keeper.flush();
    expect(written.at(-1)).toEqual(['s1', null]);
  } finally {
    vi.useRealTimers();
  }
});

it('what stands in a field when the page goes is on disk, also where another window emptied it there', async () => {
  const { keeper, written } = disk({ s2: { ...emptyDraft, text: 'Of another window' } });
  for (const key of ['s1', 's2', 's3']) await keeper.read(key);
  for (const key of ['s1', 's3']) keeper.change(key, says('Here'));
  await keeper.flush();
  await keeper.sending('s3', keeper.held('s3').draft, async () => true);
  await keeper.flush();
  written.length = 0;
  await keeper.leave();
  expect(written.map(([key, draft]) => [key, (draft as Draft).text])).toEqual([['s1', 'Here']]);
});

it('an older write never comes after a newer one', async () => {
  const { keeper, written, gates, slow } = disk();
  await keeper.read('s1');
  slow();
  keeper.change('s1', says('one'));
  const first = keeper.flush();
  keeper.change('s1', says('two'));
  const second = keeper.flush();
  await vi.waitFor(() => expect(gates).toHaveLength(1));
  gates[0]?.();
  await vi.waitFor(() => expect(gates).toHaveLength(2));
  gates[1]?.();
  await Promise.all([first, second]);
  expect(written.at(-1)?.[1]).toMatchObject({ text: 'two' });
});

it('other words are another message; those that come back after a failure are the same one', async () => {
  const { keeper } = disk();
  await keeper.read('s1');
  keeper.change('s1', says('one'));
  const first = keeper.held('s1').draft;
  expect(first.messageId).toMatch(/^[0-9a-f-]{36}$/);
  keeper.change('s1', says('two'));
  expect(keeper.held('s1').draft.messageId).not.toBe(first.messageId);
  keeper.change('s1', (draft) => ({ ...draft, choices: { model: 'opus' } }));
  const sent = keeper.held('s1').draft;
  keeper.change('s1', () => emptyDraft);
  expect(keeper.held('s1').draft.messageId).toBeNull();
  keeper.change('s1', () => sent);
  expect(keeper.held('s1').draft.messageId).toBe(sent.messageId);
});

it('a disk that fails is told of, and the words stay', async () => {
  const failures: unknown[] = [];
  const refuse = async (): Promise<never> => {
    throw new Error('The disk is full.');
  };
  const keeper = new DraftKeeper({ draft: async () => null, keepDraft: refuse, takenUp: async () => null }, (error) =>
    failures.push(error),
  );
  await keeper.read('s1');
  keeper.change('s1', says('Hello'));
  await keeper.flush();
  expect(failures).toEqual([new Error('The disk is full.')]);
  expect(keeper.held('s1').draft.text).toBe('Hello');
});

it('what is being sent is on disk until it is sent, before what is written meanwhile', async () => {
  const { keeper, written } = disk();
  await keeper.read('s1');
  keeper.change('s1', says('one'));
  const sent = keeper.held('s1').draft;
  const gate = Promise.withResolvers<boolean>();
  const sending = keeper.sending('s1', sent, () => gate.promise);
  expect(keeper.held('s1').draft).toEqual(emptyDraft);
  await keeper.flush();
  expect(written.at(-1)).toEqual(['s1', sent]);
  keeper.change('s1', says('two'));
  await keeper.flush();
  expect(written.at(-1)?.[1]).toMatchObject({ text: 'one\n\ntwo' });
  gate.resolve(true);
  await sending;
  await keeper.flush();
  expect(written.at(-1)?.[1]).toMatchObject({ text: 'two' });
});

it('what a session is being begun with stays out of the field of a page that is loaded anew, and is not lost', async () => {
  for (const isSent of [true, false]) {
    const ended = Promise.withResolvers<boolean>();
    const kept = { ...emptyDraft, text: 'one', choices: { model: 'opus' }, messageId: 'm1' };
    const { keeper, written } = disk({ s1: kept }, (id) => (id === 'm1' ? { isSent: ended.promise } : null));
    await keeper.read('s1');
    expect(keeper.held('s1').draft).toEqual({ ...emptyDraft, choices: { model: 'opus' } });
    keeper.change('s1', says('two'));
    await keeper.flush();
    expect(written.at(-1)?.[1]).toMatchObject({ text: 'one\n\ntwo' });
    keeper.change('s1', says(''));
    ended.resolve(isSent);
    await vi.waitFor(() => expect(keeper.held('s1').draft.text).toBe(isSent ? '' : 'one'));
    await keeper.flush();
    await vi.waitFor(() => expect(written.at(-1)?.[1]).toMatchObject({ text: isSent ? '' : 'one' }));
    if (!isSent) expect(keeper.held('s1').draft).toEqual(kept);
  }
});

it('what could not be sent is in the field again, as the same message, also where sending failed by a fault', async () => {
  const { keeper } = disk();
  await keeper.read('s1');
  keeper.change('s1', says('one'));
  const sent = keeper.held('s1').draft;
  await keeper.sending('s1', sent, async () => false);
  expect(keeper.held('s1').draft).toEqual(sent);
  const fault = keeper.sending('s1', sent, () => Promise.reject(new Error('The window lost the app.')));
  await expect(fault).rejects.toThrow('The window lost the app.');
  expect(keeper.held('s1').draft).toEqual(sent);
});

it('a message is the same one by what is said and attached, not by how much is attached', () => {
  const draft: Draft = {
    ...emptyDraft,
    text: 'Look',
    attachments: [{ kind: 'path', id: '1', path: 'a.ts', lines: null }],
  };
  const other = (change: object): Draft => ({
    ...draft,
    attachments: [{ ...draft.attachments[0]!, ...change }] as never,
  });
  expect(isSameMessage(draft, other({ id: '2' }))).toBe(true);
  expect(isSameMessage(draft, other({ path: 'b.ts' }))).toBe(false);
  expect(isSameMessage(draft, other({ lines: { from: 1, to: 2 } }))).toBe(false);
  expect(isSameMessage(draft, { ...draft, text: 'Look again' })).toBe(false);
});

describe('taken up', () => {
  /** An app that holds one session, and a window that hears of its changes. */
  function surroundings(first: Partial<Session> | null) {
    let held = first;
    const store = createStore<Pick<WindowState, 'sessions'>>(() => ({ sessions: new Map() }));
    const bridge = { heldSessions: async () => (held === null ? [] : [{ id: 's1', ...held } as Session]) };
    const becomes = (next: Partial<Session> | null): void => {
      held = next;
      store.setState({ sessions: new Map() });
    };
    return { given: { store, bridge } as never as Parameters<typeof takenUp>[0], becomes };
  }

  const begins = { state: 'starting' as const, beginsWith: { id: 'm1', prompt: [], queuedAt: 1 } };

  it.each([
    ['it is begun', { state: 'running' as const }, true],
    ['it could not be begun', { state: 'provisional' as const }, false],
    ['Jumpseat was started anew', null, false],
  ])('a message that a session begins with: %s', async (_, after, isSent) => {
    const { given, becomes } = surroundings(begins);
    const taken = await takenUp(given, 'm1');
    becomes(begins);
    becomes(after);
    expect(await taken?.isSent).toBe(isSent);
  });

  it('no session begins with another message', async () => {
    expect(await takenUp(surroundings(begins).given, 'm2')).toBeNull();
    expect(await takenUp(surroundings(null).given, 'm1')).toBeNull();
  });
});
