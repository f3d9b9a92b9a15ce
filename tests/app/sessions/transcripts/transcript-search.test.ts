import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeClock } from '../../../../app/adapters/clock.ts';
import type { Clock } from '../../../../app/ports.ts';
import { TranscriptIndex } from '../../../../app/sessions/transcripts/transcript-index.ts';
import { TranscriptSearch } from '../../../../app/sessions/transcripts/transcript-search.ts';
import { Transcripts } from '../../../../app/sessions/transcripts/transcripts.ts';
import { collectingLog } from '../../history/surroundings.ts';
import { idOf, projects } from './samples.ts';

const clock: Clock = { ...nodeClock(), sleep: (_ms, signal) => nodeClock().sleep(0, signal) };

function opened(place = projects()) {
  const log = collectingLog();
  const path = join(place.home, 'transcripts.db');
  const index = new TranscriptIndex(path, { log });
  const transcripts = new Transcripts({ folder: place.root, index, log });
  const wanted = { isOn: true };
  const search = new TranscriptSearch({ index, clock, log, isOn: () => wanted.isOn });
  const build = async (signal?: AbortSignal) => {
    const { entries } = await transcripts.list();
    await search.build(entries, signal);
    return entries;
  };
  const find = async (words: string) => search.search(words, (await transcripts.list()).entries);
  return { ...place, index, indexPath: path, search, build, find, wanted };
}

const line = (type: 'user' | 'assistant', text: string, uuid = `${type}-1`) =>
  `${JSON.stringify({ type, uuid, message: { role: type, content: [{ type: 'text', text }] } })}\n`;

describe('finding what was said', () => {
  it('finds words of a person and of the model, with the place, and nothing that neither said', async () => {
    const { add, build, find, path } = opened();
    add('tools-image-title', idOf(1));
    add('compaction', idOf(2));
    writeFileSync(
      path(idOf(3)),
      line('user', 'Café "quoted" déjà-vu') + line('assistant', 'The migration runs at noon.'),
    );
    await build();
    expect(await find('cafe quot')).toEqual({
      ...{ searched: 3, isComplete: true },
      places: [
        {
          ...{ sessionId: idOf(3), message: 'user-1', who: 'user', at: null, excerpt: 'Café "quoted" déjà-vu' },
          marks: [
            [0, 4],
            [6, 12],
          ],
        },
      ],
    });
    expect((await find('migra')).places).toMatchObject([{ sessionId: idOf(3), who: 'agent' }]);
    expect((await find('hello after')).places.map(({ sessionId }) => sessionId)).toEqual([idOf(2)]);
    for (const words of ['DISALLOWED local-command', 'environment snapshot', '', '"*', 'NEAR(', 'a OR b AND']) {
      expect((await find(words)).places).toEqual([]);
    }
  });

  it('reads only what was added, forgets what went, and reads a file anew that is another', async () => {
    const { build, find, path, index } = opened();
    const rows = () => index.use((prepare) => prepare('SELECT count(*) AS n FROM said').get()?.n, null);
    writeFileSync(path(idOf(1)), line('user', 'alpha words'));
    await build();
    appendFileSync(
      path(idOf(1)),
      `${line('assistant', 'beta words')}{"type":"user","uuid":"h","message":{"content":"gam`,
    );
    await build();
    expect([rows(), (await find('gam')).places.length]).toEqual([2, 0]);
    appendFileSync(path(idOf(1)), 'ma words"}}\n');
    await build();
    expect([rows(), (await find('gamma')).places.length]).toEqual([3, 1]);
    writeFileSync(path(idOf(1)), line('user', 'other'));
    await build();
    expect([rows(), (await find('alpha')).places.length, (await find('other')).places.length]).toEqual([1, 0, 1]);
    rmSync(path(idOf(1)));
    await build();
    expect(rows()).toBe(0);
  });

  it('passes over a line of many MB, and finds what stands behind it', async () => {
    const { build, find, path } = opened();
    const huge = `{"type":"assistant","uuid":"x","message":{"content":"${'h'.repeat(20_000_000)}"}}\n`;
    writeFileSync(path(idOf(1)), line('user', 'before it') + huge + line('user', 'behind it', 'b'));
    await build();
    expect((await find('before')).places).toHaveLength(1);
    expect((await find('behind')).places).toHaveLength(1);
  });

  it('is off where it is not wanted, stops in the middle, and leaves no word behind when forgotten', async () => {
    const { build, find, path, wanted, search, indexPath } = opened();
    writeFileSync(path(idOf(1)), line('user', 'the title') + line('assistant', 'a secretword here'));
    wanted.isOn = false;
    await build();
    expect(await find('secretword')).toEqual({ places: [], searched: 0, isComplete: false });
    wanted.isOn = true;
    const stopped = new AbortController();
    stopped.abort();
    await build(stopped.signal);
    expect((await find('secretword')).isComplete).toBe(false);
    await build();
    expect((await find('secretword')).places).toHaveLength(1);
    search.forget();
    expect((await find('secretword')).places).toEqual([]);
    // Also while it is open.
    for (const ending of ['', '-wal']) {
      const bytes = (() => {
        try {
          return readFileSync(indexPath + ending, 'latin1');
        } catch {
          return '';
        }
      })();
      expect(bytes).not.toContain('a secretword here');
    }
  });
});
