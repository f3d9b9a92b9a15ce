import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processStart } from '../../../../../app/processes/process-start.ts';
import { openSessions } from '../../../../../app/sessions/agents/claude/open-sessions.ts';
import { temporaryFolder } from '../../../history/surroundings.ts';

const openSession = async (folder: string, id: string) => (await openSessions(folder)).get(id) ?? null;

function folderWith(notes: Record<string, unknown>): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'sessions'));
  for (const [name, note] of Object.entries(notes)) {
    writeFileSync(join(folder, 'sessions', name), typeof note === 'string' ? note : JSON.stringify(note));
  }
  return folder;
}

describe('a session that another program may have open', () => {
  it('is open while the process of its note lives', async () => {
    const { pid } = process;
    const note = { pid, sessionId: 's', cwd: '/' };
    const start = await processStart(pid);
    const noted = [{ procStart: start }, { procStartFt: start }, {}, { procStart: '638000000000000000' }];
    for (const more of noted) {
      const folder = folderWith({ '7.json': { pid: 7, sessionId: 'other' }, [`${pid}.json`]: { ...note, ...more } });
      expect(await openSession(folder, 's')).toEqual({ pid, program: 'other' });
      expect(await openSession(folder, 'no-such')).toBeNull();
    }
  });

  it('is open in a terminal where Claude Code runs by itself, which is said before any other program', async () => {
    const note = { pid: process.pid, sessionId: 's' };
    const ended = { '1.json': { ...note, entrypoint: 'cli' }, '2.json': { ...note, entrypoint: 'sdk-ts' } };
    expect(await openSession(folderWith(ended), 's')).toEqual({ pid: process.pid, program: 'terminal' });
  });

  it('works, waits for its person, or rests in a terminal, as far as its note says that', async () => {
    const note = { pid: process.pid, sessionId: 's', entrypoint: 'cli' };
    const said = async (more: object) => openSession(folderWith({ '1.json': { ...note, ...more } }), 's');
    const there = { pid: process.pid, program: 'terminal' };
    expect(await said({ status: 'busy' })).toEqual({ ...there, state: 'works' });
    expect(await said({ status: 'waiting', waitingFor: 'permission prompt' })).toEqual({ ...there, state: 'waits' });
    expect(await said({ status: 'idle' })).toEqual({ ...there, state: 'rests' });
    for (const more of [{}, { status: 'other' }, { status: 7 }]) expect(await said(more)).toEqual(there);
  });

  it('is not open where the process is gone, or its number is another’s now', async () => {
    const folder = folderWith({ '1.json': { pid: 4_194_303, sessionId: 's' } });
    expect(await openSession(folder, 's')).toBeNull();
    const reused = folderWith({ '1.json': { pid: process.pid, sessionId: 's', procStart: '1' } });
    expect(await openSession(reused, 's')).toBeNull();
  });

  it('is not known where there are no notes, or they can’t be read', async () => {
    expect(await openSession(temporaryFolder(), 's')).toBeNull();
    const folder = folderWith({
      '1.json': '{"pid":',
      '2.json': 'null',
      '3.json': { pid: 'x', sessionId: 's' },
      'a.key': '',
    });
    expect(await openSession(folder, 's')).toBeNull();
  });
});
