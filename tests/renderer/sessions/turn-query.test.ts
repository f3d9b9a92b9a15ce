import { describe, expect, it } from 'vitest';
import type { SessionTurn } from '../../../app/api/sessions.ts';
import { noCost } from '../../../app/sessions/turns/costs.ts';
import { turnQuery } from '../../../renderer/sessions/use-transcript-actions.ts';

const row = (requestIds: string[]): SessionTurn => ({
  ...{ id: 't', number: 1, state: 'done', prompt: null, initiator: 'user', startedAt: 1, endedAt: 5 },
  ...{ stopReason: 'end_turn', problem: null, requestIds, promptIds: ['p'], canFork: true, cost: noCost },
});
const query = (rows: SessionTurn[], turn: Partial<Parameters<typeof turnQuery>[2]> = {}): Promise<string> =>
  turnQuery({ sessionTurns: async () => rows }, 's', {
    ...{ id: 't', number: 1, state: 'done', promptIds: [], requestIds: [], ...turn },
  });

describe('the requests of a turn, by its foot', () => {
  it('are those that its row counts, the refused one and that for a title, too', async () => {
    expect(await query([row(['answer', 'refused', 'title'])])).toBe('id:answer,refused,title');
  });

  it('are those of its prompts while it runs, of one that was led elsewhere, and of a very long one', async () => {
    expect(await query([row(['first'])], { state: 'running' })).toBe('session:s prompt:p');
    expect(await query([], { number: null, promptIds: ['q'] })).toBe('session:s prompt:q');
    expect(await query([row(Array.from({ length: 201 }, (_, at) => `r${at}`))])).toBe('session:s prompt:p');
  });
});
