import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TranscriptHistory } from '../../../../app/sessions/transcripts/transcript-history.ts';
import { idOf, projects, samplePath, sampleText } from './samples.ts';

describe('the history of a session', () => {
  it('is the same wherever the file was cut while it was read on', async () => {
    const { path } = projects();
    const text = Buffer.from(`${sampleText('steered')}{"type":"user","uuid":"e","message":{"content":"é€😀"}}\n`);
    const file = path(idOf(1));
    writeFileSync(file, '');
    const history = new TranscriptHistory();
    for (let from = 0; from < text.length; from += 997) {
      appendFileSync(file, text.subarray(from, from + 997));
      await history.of(file);
    }
    expect(await history.everyTurn(file)).toEqual(await new TranscriptHistory().everyTurn(file));
    expect(await history.of(file)).toEqual(await new TranscriptHistory().of(file));
    expect((await history.of(file)).turns.at(-1)?.prompt).toEqual([{ type: 'text', text: 'é€😀' }]);
  });

  it('has what was first read for all turns, too', async () => {
    const { add, path } = projects();
    add('went-back', idOf(1));
    const history = new TranscriptHistory();
    const before = await history.of(path(idOf(1)));
    appendFileSync(path(idOf(1)), '{"type":"user","uuid":"new","message":{"content":"one more"}}\n');
    await history.everyTurn(path(idOf(1)));
    const after = await history.of(path(idOf(1)));
    expect(after).not.toEqual(before);
    expect(after).toEqual(await new TranscriptHistory().of(path(idOf(1))));
  });

  it('is not made again while nothing was added, and begins anew with another file', async () => {
    const { add, path } = projects();
    add('went-back', idOf(1));
    const history = new TranscriptHistory();
    const first = await history.of(path(idOf(1)));
    expect(await history.of(path(idOf(1)))).toBe(first);
    copyFileSync(samplePath('failed'), path(idOf(1)));
    expect((await history.of(path(idOf(1)))).turns).toMatchObject([{ state: 'failed' }]);
  });

  it('E25 leaves out broken lines, says how many, and waits for the end of one that is cut', async () => {
    const { add, path } = projects();
    add('edits', idOf(1));
    const history = new TranscriptHistory();
    const { turns, unreadable } = await history.of(path(idOf(1)));
    expect(unreadable).toBe(0);
    appendFileSync(path(idOf(1)), '{"type":"user", oh no\n\n{"type":"user","uuid":"z","message":{"content":"half');
    expect(await history.of(path(idOf(1)))).toEqual({ turns, unreadable: 1 });
    appendFileSync(path(idOf(1)), ' and half"}}\n');
    expect((await history.of(path(idOf(1)))).turns.at(-1)?.prompt).toEqual([{ type: 'text', text: 'half and half' }]);
  });

  it('rejects where the file is gone, and is asked by two at once', async () => {
    const { add, path } = projects();
    const history = new TranscriptHistory();
    await expect(history.of(path(idOf(9)))).rejects.toThrow('ENOENT');
    const file = add('parallel-tools', idOf(1));
    const [one, two] = await Promise.all([history.of(file), history.of(file)]);
    expect(one.turns).toHaveLength(1);
    expect(two).toEqual(one);
  });

  it('has the subagents of a session, and what each did', async () => {
    const { add, project } = projects();
    const file = add('background-agent', idOf(1));
    const folder = join(project, idOf(1), 'subagents');
    mkdirSync(folder, { recursive: true });
    copyFileSync(samplePath('background-agent.subagent'), join(folder, 'agent-a915ff3c40d754c7d.jsonl'));
    const meta = readFileSync(samplePath('background-agent.subagent').replace('.jsonl', '.meta.json'));
    writeFileSync(join(folder, 'agent-a915ff3c40d754c7d.meta.json'), meta);
    writeFileSync(join(folder, 'agent-b2.jsonl'), '');
    const history = new TranscriptHistory();
    const found = await history.subagents(file);
    expect(found.toSorted((left, right) => left.id.localeCompare(right.id))).toEqual([
      {
        ...{ id: 'a915ff3c40d754c7d', type: 'general-purpose', description: 'Ask another agent' },
        toolCallId: 'toolu_bdrk_0178LiPutPC6Uec16cdGPYT7',
      },
      { id: 'b2', type: null, description: null, toolCallId: null },
    ]);
    const { turns } = (await history.ofSubagent(file, 'a915ff3c40d754c7d')) ?? { turns: [] };
    expect(turns).toMatchObject([{ prompt: [{ text: 'run: echo sub' }], state: 'done', updates: [{}, {}, {}] }]);
    for (const id of ['../../x', '', 'never-heard-of', 'x'.repeat(5000)]) {
      expect(await history.ofSubagent(file, id)).toBeNull();
    }
    expect(await history.subagents(join(project, 'none.jsonl'))).toEqual([]);
  });
});
