import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TranscriptIndex } from '../../../../app/sessions/transcripts/transcript-index.ts';
import { Transcripts } from '../../../../app/sessions/transcripts/transcripts.ts';
import { collectingLog } from '../../history/surroundings.ts';
import { idOf, projects, sampleText } from './samples.ts';

function opened(place = projects()) {
  const log = collectingLog();
  const path = join(place.home, 'transcripts.db');
  const index = new TranscriptIndex(path, { log });
  return { ...place, log, index, indexPath: path, transcripts: new Transcripts({ folder: place.root, index, log }) };
}

const user = (text: string, more: object = {}) =>
  `${JSON.stringify({ type: 'user', uuid: 'u', message: { role: 'user', content: text }, ...more })}\n`;

describe('the list of transcripts', () => {
  it('tells of each session what it began with, how it ended, and what it is called', async () => {
    const { transcripts, add } = opened();
    const path = add('tools-image-title', idOf(1));
    add('compaction', idOf(2));
    const { entries, problem } = await transcripts.list();
    expect(problem).toBeNull();
    expect(entries.map(({ id }) => id)).toEqual([idOf(2), idOf(1)]);
    expect(entries[1]).toEqual({
      ...{ id: idOf(1), path, size: statSync(path).size, modifiedAt: statSync(path).mtimeMs, problem: null },
      ...{ cwd: '/home/me/project', branch: 'HEAD', version: '2.1.328', entrypoint: 'sdk-cli' },
      ...{ title: 'My own title', agentTitle: null, firstPrompt: 'run: echo jump42', lastPrompt: 'look at this' },
      ...{ createdAt: Date.parse('2026-11-22T11:42:08.804Z'), updatedAt: Date.parse('2026-11-22T11:42:10.688Z') },
      ...{ isSubagent: false, wasAsked: true, model: 'claude-opus-4.8', effort: 'high', outcome: 'done' },
    });
    expect(entries[0]).toMatchObject({ title: null, firstPrompt: 'hello first', lastPrompt: 'hello after' });
  });

  it.each<[string, string, object | null]>([
    ['cancelled', 'cancelled', { type: 'user', message: { content: '[Request interrupted by user]' } }],
    ['failed', 'failed', { type: 'assistant', isApiErrorMessage: true, message: { content: 'API Error' } }],
    ['open', 'running', { type: 'assistant', message: { stop_reason: 'tool_use', content: [] } }],
    ['answered', 'done', { type: 'assistant', message: { stop_reason: 'end_turn', content: 'Yes.' } }],
    ['asked', 'running', null],
  ])('says how a conversation ended: %s', async (_, outcome, last) => {
    const { transcripts, path } = opened();
    const aside = { type: 'system', subtype: 'turn_duration', timestamp: '2026-01-02T00:00:00Z' };
    const none = { type: 'assistant', message: { model: '<synthetic>', content: 'No response requested.' } };
    const lines = [...(last === null ? [] : [last]), none, aside].map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(path(idOf(1)), user('go') + lines.join(''));
    expect((await transcripts.list()).entries[0]?.outcome ?? '').toBe(outcome);
  });

  it.each([70_000, 600_000])('says how one ended whose last lines take %s bytes', async (bytes) => {
    const { transcripts, path } = opened();
    const message = { stop_reason: 'end_turn', content: [{ type: 'text', text: 'x'.repeat(bytes) }] };
    const aside = { type: 'attachment', attachment: { type: 'prompt_snapshot', text: 'y'.repeat(bytes) } };
    const lines = [{ type: 'assistant', message }, aside].map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(path(idOf(1)), user('count') + lines.join(''));
    expect((await transcripts.list()).entries[0]?.outcome).toBe('done');
  });

  it('finds the first words and the last title of a long file in its two ends', async () => {
    const { transcripts, path } = opened();
    const filler = `${JSON.stringify({ type: 'assistant', uuid: 'a', message: { content: 'x'.repeat(3_000) } })}\n`;
    writeFileSync(
      path(idOf(1)),
      `${JSON.stringify({ type: 'ai-title', aiTitle: 'Old' })}\n` +
        `${JSON.stringify({ type: 'attachment', attachment: { text: 'y'.repeat(40_000) } })}\n` +
        user('the   very\nfirst words', { timestamp: '2026-01-01T00:00:00Z', cwd: '/first' }) +
        filler.repeat(200) +
        user('the last words', { timestamp: '2026-01-02T00:00:00Z', cwd: '/second', gitBranch: 'topic' }) +
        `${JSON.stringify({ type: 'ai-title', aiTitle: 'New' })}\n${filler.repeat(5)}`,
    );
    const { entries } = await transcripts.list();
    expect(entries).toMatchObject([
      {
        firstPrompt: 'the very first words',
        lastPrompt: 'the last words',
        agentTitle: 'New',
        cwd: '/first',
        branch: 'topic',
      },
    ]);
    expect(entries[0]?.updatedAt).toBe(Date.parse('2026-01-02T00:00:00Z'));
  });

  it('E25 lets no broken, cut, empty or foreign file hide another', async () => {
    const { transcripts, add, path, project, root } = opened();
    add('tools-image-title', idOf(1));
    writeFileSync(path(idOf(2)), '');
    writeFileSync(path(idOf(3)), 'no JSON at all\n{"half": ');
    writeFileSync(
      path(idOf(4)),
      `\0\xff{{{\n${user('after the damage')}{"type":"user","message":{"content":"cut in mid-li`,
    );
    writeFileSync(path(idOf(5)), user('only Claude', { isMeta: true }));
    writeFileSync(path(idOf(6)), user('a subagent', { isSidechain: true }));
    writeFileSync(join(project, 'agent-a1.jsonl'), user('another subagent'));
    writeFileSync(join(project, 'notes.txt'), 'notes');
    mkdirSync(join(project, `${idOf(7)}.jsonl`));
    symlinkSync('/nowhere', join(root, 'gone'));
    const { entries, problem } = await transcripts.list();
    expect(entries.map(({ id, firstPrompt }) => [id, firstPrompt])).toEqual([
      [idOf(4), 'after the damage'],
      [idOf(1), 'run: echo jump42'],
    ]);
    expect(problem).toBeNull();
  });

  it.skipIf(process.getuid?.() === 0)('says of a file that may not be read why', async () => {
    const { transcripts, add } = opened();
    chmodSync(add('compaction', idOf(1)), 0);
    expect((await transcripts.list()).entries).toMatchObject([{ id: idOf(1), problem: /EACCES/ }]);
  });

  it('says that a folder can’t be read, and lists nothing where there is none', async () => {
    const { transcripts, root } = opened();
    rmSync(root, { recursive: true });
    expect(await transcripts.list()).toEqual({ entries: [], problem: null });
    symlinkSync(root, root);
    expect(await transcripts.list()).toMatchObject({ entries: [], problem: expect.stringContaining('ELOOP') });
  });

  it('opens a file once, also in the next process, and again when it has grown', async () => {
    const place = opened();
    const path = place.add('tools-image-title', idOf(1));
    utimesSync(path, 1_800_000_000, 1_800_000_000);
    await place.transcripts.list();
    place.index.close();
    // The same size and time, and other words: opening it would show it.
    const { size } = statSync(path);
    writeFileSync(path, sampleText('tools-image-title').replace('run: echo jump42', 'run: echo other!'));
    expect(statSync(path).size).toBe(size);
    utimesSync(path, 1_800_000_000, 1_800_000_000);
    const next = opened(place);
    expect((await next.transcripts.list()).entries).toMatchObject([{ firstPrompt: 'run: echo jump42' }]);
    appendFileSync(path, user('one more', { timestamp: '2026-11-23T00:00:00Z' }));
    expect((await next.transcripts.list()).entries).toMatchObject([{ lastPrompt: 'one more' }]);
    rmSync(path);
    expect((await next.transcripts.list()).entries).toEqual([]);
    expect(next.index.use((prepare) => prepare('SELECT * FROM files').all(), [])).toEqual([]);
  });

  it('begins a damaged index anew, and lists without one', async () => {
    const place = projects();
    place.add('compaction', idOf(1));
    writeFileSync(join(place.home, 'transcripts.db'), 'this is no database '.repeat(500));
    const { transcripts, index, indexPath } = opened(place);
    expect((await transcripts.list()).entries).toHaveLength(1);
    expect(readFileSync(indexPath).subarray(0, 15).toString()).toBe('SQLite format 3');
    expect(statSync(indexPath).mode & 0o777).toBe(0o600);
    index.close();
    expect((await transcripts.list()).entries).toHaveLength(1);
  });

  it('finds one session without the others, and looks at one file again', async () => {
    const { transcripts, add, path } = opened();
    add('compaction', idOf(1));
    expect(await transcripts.find(idOf(1))).toMatchObject({ firstPrompt: 'hello first' });
    expect(await transcripts.find(idOf(2))).toBeNull();
    expect(await transcripts.find('../../etc/passwd')).toBeNull();
    appendFileSync(path(idOf(1)), `${JSON.stringify({ type: 'custom-title', customTitle: 'Renamed' })}\n`);
    expect(await transcripts.look(path(idOf(1)))).toMatchObject({ title: 'Renamed' });
    rmSync(path(idOf(1)));
    expect(await transcripts.look(path(idOf(1)))).toBeNull();
  });

  it('takes a title that stands beside the transcript, and the newer one of two files of a session', async () => {
    const { transcripts, add, project, root } = opened();
    add('compaction', idOf(1));
    mkdirSync(join(project, idOf(1)));
    writeFileSync(join(project, idOf(1), 'custom-title.json'), '{"customTitle":"Beside"}');
    mkdirSync(join(root, 'moved'));
    writeFileSync(join(root, 'moved', `${idOf(1)}.jsonl`), '{"type":"user"}\n');
    utimesSync(join(root, 'moved', `${idOf(1)}.jsonl`), 1, 1);
    expect((await transcripts.list()).entries).toMatchObject([{ title: 'Beside' }]);
  });
});
