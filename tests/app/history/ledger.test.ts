import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import { decideInitiator } from '../../../app/exchange/initiator/decide.ts';
import { PromptMemory } from '../../../app/exchange/initiator/memory.ts';
import { readPrompt } from '../../../app/exchange/initiator/reading.ts';
import { openHistory } from '../../../app/history/history.ts';
import type { Ledger } from '../../../app/history/ledger.ts';
import { Store } from '../../../app/history/store.ts';
import { collectingLog, fakeClock, temporaryFolder } from './surroundings.ts';

const day = 24 * 60 * 60 * 1000;

function open(path: string, clock = fakeClock()) {
  return { clock, ...openHistory(path, { clock, log: collectingLog() }) };
}

/** The verdict on a typed prompt of Claude Code. */
function judge(ledger: Ledger) {
  const reading = readPrompt({
    api: 'messages',
    headers: {
      'user-agent': 'claude-cli/2.1.328 (external, cli)',
      'x-claude-code-session-id': '7f3a91c2-0000-4000-8000-000000000000',
      'x-claude-code-request-class': 'main',
      'x-claude-code-prompt-id': '1ec20000-0000-4000-8000-000000000000',
    },
    body: { model: 'claude-opus-5-5', messages: [{ role: 'user', content: 'fix the test' }] },
    salt: ledger.salt,
  });
  const memory = new PromptMemory(ledger, () => []);
  const verdict = decideInitiator(reading, memory);
  return { ...verdict, key: verdict.ledgerKey ?? '', accept: () => memory.accept(reading, verdict, 'ex-1') };
}

describe('the ledger', () => {
  it('does not have a key that was never added', () => {
    const { history, ledger } = open(join(temporaryFolder(), 'history.db'));
    expect(ledger.accepted('key')).toBeNull();
    expect(ledger.refusals('key')).toEqual({ count: 0, lastStatus: null });
    history.close();
  });

  it('remembers acceptance, ending and refusals, in memory and in the file', () => {
    const path = join(temporaryFolder(), 'history.db');
    const first = open(path);
    first.ledger.refuse('key', 429);
    first.ledger.refuse('key', null);
    expect(first.ledger.accepted('key')).toBeNull();
    expect(first.ledger.refusals('key')).toEqual({ count: 2, lastStatus: null });
    first.ledger.accept('key', 'ex-3');
    expect(first.ledger.accepted('key')).toEqual({ ending: 'running' });
    first.ledger.settle('key', 'whole');
    first.ledger.settle('never-accepted', 'whole');
    expect(first.ledger.accepted('key')).toEqual({ ending: 'whole' });
    first.history.close();
    const second = open(path);
    expect(second.ledger.accepted('key')).toEqual({ ending: 'whole' });
    expect(second.ledger.accepted('never-accepted')).toBeNull();
    expect(second.ledger.refusals('key')).toEqual({ count: 2, lastStatus: null });
    second.history.close();
  });

  it.each(['whole', 'cut', 'left'] as const)('keeps the ending "%s" over a restart', (ending) => {
    const path = join(temporaryFolder(), 'history.db');
    const first = open(path);
    first.ledger.accept('key', 'ex-1');
    first.history.flush();
    first.ledger.settle('key', ending);
    first.history.close();
    const second = open(path);
    expect(second.ledger.accepted('key')).toEqual({ ending });
    second.history.close();
  });

  it('takes an answer that ran when the process ended as cut', () => {
    const path = join(temporaryFolder(), 'history.db');
    const first = open(path);
    first.ledger.accept('key', 'ex-1');
    first.history.close();
    const second = open(path);
    second.ledger.takeOver();
    expect(second.ledger.accepted('key')).toEqual({ ending: 'cut' });
    second.history.close();
  });

  it('A12.47 a restart between attempts keeps it: the repeat is still an agent’s', () => {
    const path = join(temporaryFolder(), 'history.db');
    const first = open(path);
    const verdict = judge(first.ledger);
    expect(verdict).toMatchObject({ initiator: 'user', code: 'prompt', key: expect.stringMatching(/./) });
    verdict.accept();
    first.ledger.settle(verdict.key, 'cut');
    first.history.close();
    const second = open(path);
    expect(judge(second.ledger)).toMatchObject({ initiator: 'agent', code: 'repeat' });
    second.history.close();
  });

  it('A12.48 a corrupt database forgets it: the repeat is a user’s', () => {
    const path = join(temporaryFolder(), 'history.db');
    const first = open(path);
    const { key, accept } = judge(first.ledger);
    accept();
    expect(judge(first.ledger)).toMatchObject({ initiator: 'agent', code: 'repeat' });
    first.history.close();
    writeFileSync(path, 'broken '.repeat(5_000));
    const second = open(path);
    expect(judge(second.ledger)).toMatchObject({ initiator: 'user', code: 'prompt' });
    expect(second.ledger.accepted(key)).toBeNull();
    second.history.close();
  });

  it('asks the table again for what memory has let go', () => {
    const { history, ledger } = open(join(temporaryFolder(), 'history.db'));
    for (let count = 0; count < 10_000; count++) {
      ledger.accept(`key-${count}`, 'ex');
      ledger.settle(`key-${count}`, 'whole');
      if (count % 1_000 === 999) history.flush();
    }
    expect(ledger.accepted('key-0')).toEqual({ ending: 'whole' });
    expect(ledger.accepted('key-9999')).toEqual({ ending: 'whole' });
    history.close();
  });

  it('forgets after 30 days, in memory and in the file', () => {
    const path = join(temporaryFolder(), 'history.db');
    const { history, ledger, clock } = open(path);
    const database = new DatabaseSync(path, { readOnly: true });
    const keys = () =>
      database
        .prepare('SELECT key FROM ledger ORDER BY first_seen')
        .all()
        .map((row) => row.key);
    ledger.accept('old', 'ex-1');
    history.flush();
    void clock.advance(20 * day);
    ledger.accept('young', 'ex-2');
    history.flush();
    expect(keys()).toEqual(['old', 'young']);
    void clock.advance(10 * day + 1);
    expect(ledger.accepted('old')).toBeNull();
    expect(ledger.accepted('young')).toEqual({ ending: 'running' });
    ledger.accept('new', 'ex-3');
    history.flush();
    expect(keys()).toEqual(['young', 'new']);
    database.close();
    history.close();
  });

  it('is kept when the history is deleted', () => {
    const { history, ledger } = open(join(temporaryFolder(), 'history.db'));
    ledger.accept('key', 'ex-1');
    history.prune(Number.POSITIVE_INFINITY);
    expect(ledger.accepted('key')).toEqual({ ending: 'running' });
    history.close();
  });
});

describe('what is noted beside the prompts', () => {
  it('survives a restart, and is written anew once a day so that it lasts as long as it is in use', () => {
    const path = join(temporaryFolder(), 'history.db');
    const { history, ledger, clock } = open(path);
    ledger.note('session', 'whole');
    for (let days = 0; days < 40; days++) {
      void clock.advance(day + 1);
      ledger.note('session', 'whole');
      ledger.note('place', 'cut');
      history.flush();
      const gathered = vi.spyOn(Store.prototype, 'gather');
      ledger.note('session', 'whole');
      expect(gathered).not.toHaveBeenCalled();
      gathered.mockRestore();
    }
    history.close();
    const second = open(path, clock);
    expect([second.ledger.accepted('session'), second.ledger.accepted('place')]).toEqual([
      { ending: 'whole' },
      { ending: 'cut' },
    ]);
    second.history.close();
  });
});

describe('the salt', () => {
  it('is made once per installation', () => {
    const path = join(temporaryFolder(), 'history.db');
    const first = open(path);
    expect(first.ledger.salt.byteLength).toBe(32);
    first.history.close();
    const second = open(path);
    expect(second.ledger.salt.equals(first.ledger.salt)).toBe(true);
    second.history.close();
    const elsewhere = open(join(temporaryFolder(), 'history.db'));
    expect(elsewhere.ledger.salt.equals(first.ledger.salt)).toBe(false);
    elsewhere.history.close();
  });

  it('is made anew, and the keys made with it forgotten, when it is gone', () => {
    const path = join(temporaryFolder(), 'history.db');
    const first = open(path);
    first.ledger.accept('key', 'ex-1');
    first.history.close();
    const hand = new DatabaseSync(path);
    hand.exec('DELETE FROM meta');
    hand.close();
    const second = open(path);
    expect(second.ledger.salt.equals(first.ledger.salt)).toBe(false);
    expect(second.ledger.accepted('key')).toBeNull();
    second.history.close();
  });

  it('is not touched by a second process before that owns the folder, and reads then what the first one wrote', () => {
    const path = join(temporaryFolder(), 'history.db');
    const first = open(path);
    const second = open(path);
    first.ledger.accept('running', 'ex-1');
    expect(second.ledger.accepted('whole')).toBeNull();
    first.ledger.accept('whole', 'ex-2');
    first.ledger.settle('whole', 'whole');
    first.history.flush();
    const third = open(path);
    expect(third.ledger.accepted('running')).toEqual({ ending: 'running' });
    third.history.close();
    second.ledger.takeOver();
    expect(second.ledger.accepted('running')).toEqual({ ending: 'cut' });
    expect(second.ledger.accepted('whole')).toEqual({ ending: 'whole' });
    second.history.close();
    first.history.close();
  });
});
