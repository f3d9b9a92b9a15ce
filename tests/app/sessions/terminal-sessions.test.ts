import fs, { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TerminalSession } from '../../../app/api/session-list.ts';
import { until } from '../../soon.ts';
import { startStack } from '../stack.ts';
import { idOf, projects } from './transcripts/samples.ts';

/** An app that follows what terminals do, by notes as Claude Code writes them. */
async function following({ hasRun = true } = {}) {
  const place = projects();
  const home = join(dirname(place.home), `jumpseat-${idOf(1)}`);
  mkdirSync(home, { recursive: true });
  const claude = join(place.home, 'claude');
  const notes = join(claude, 'sessions');
  mkdirSync(hasRun ? notes : place.home, { recursive: true });
  const stack = await startStack({ home, idle: true, app: { environment: { CLAUDE_CONFIG_DIR: claude } } });
  onTestFinished(() => stack.close());
  const seen: (readonly TerminalSession[])[] = [];
  const note = (number: number, status: string, more: object = {}) =>
    writeFileSync(
      join(notes, `${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId: idOf(number), entrypoint: 'cli', cwd: '/x/web', status, ...more }),
    );
  const said = (number: number) => {
    const folder = join(claude, 'projects', '-x-web');
    mkdirSync(folder, { recursive: true });
    const line = {
      type: 'user',
      uuid: 'u',
      cwd: '/x/web',
      sessionId: idOf(number),
      message: { role: 'user', content: 'Hi' },
    };
    writeFileSync(join(folder, `${idOf(number)}.jsonl`), `${JSON.stringify(line)}\n`);
  };
  const last = () => seen.at(-1)?.map(({ id, is, cwd }) => [id, is, cwd]) ?? null;
  const shows = (wanted: unknown) =>
    until(
      () => JSON.stringify(last()) === JSON.stringify(wanted),
      () => JSON.stringify(last()),
    );
  return { ...stack, notes, note, said, last, shows, seen };
}

describe('sessions of terminals, for who asks for them', () => {
  it('one that waits, is done, works again and ends, each at once', async () => {
    const { app, note, said, notes, shows, seen } = await following();
    said(1);
    note(1, 'idle');
    const stop = app.onTerminals((sessions) => seen.push(sessions));
    note(1, 'busy');
    await until(async () => {
      note(1, 'waiting');
      return app.state().sessions.waiting === 1;
    });
    await shows([[idOf(1), 'waits', '/x/web']]);
    note(1, 'busy');
    await shows([]);
    expect(app.state().sessions.waiting).toBe(0);
    note(1, 'idle');
    await shows([[idOf(1), 'done', '/x/web']]);
    app.sawTerminal(idOf(1));
    await shows([]);
    rmSync(join(notes, `${process.pid}.json`));
    await shows([[idOf(1), 'ended', '/x/web']]);
    note(1, 'busy');
    await shows([]);
    rmSync(join(notes, `${process.pid}.json`));
    await shows([[idOf(1), 'cut', '/x/web']]);
    stop();
    const told = seen.length;
    note(1, 'waiting');
    expect(app.state().sessions.waiting).toBe(0);
    expect(seen).toHaveLength(told);
  });

  it('their notes are watched once, for them and for the list of sessions', async () => {
    const { app, note, notes, said, shows, seen } = await following();
    const watched = vi.spyOn(fs, 'watch');
    syncBuiltinESMExports();
    onTestFinished(() => {
      watched.mockRestore();
      syncBuiltinESMExports();
    });
    const times = () => watched.mock.calls.filter(([folder]) => folder === notes).length;
    said(1);
    const told: unknown[] = [];
    const stopList = app.listen((event) => {
      if (event.event === 'session-listed' && event.session.openIn !== null) told.push(event.session.id);
    });
    await app.sessionList();
    const stop = app.onTerminals((sessions) => seen.push(sessions));
    note(1, 'waiting');
    await shows([[idOf(1), 'waits', '/x/web']]);
    await until(() => told.includes(idOf(1)));
    expect(times()).toBe(1);
    // One of the two goes on with it.
    stop();
    told.length = 0;
    note(1, 'busy');
    await until(() => told.length > 0);
    expect(times()).toBe(1);
    stopList();
  });

  it('one that is idle right after its answer is done, too', async () => {
    const { app, note, said, shows, seen } = await following();
    said(1);
    note(1, 'waiting');
    app.onTerminals((sessions) => seen.push(sessions));
    await shows([[idOf(1), 'waits', '/x/web']]);
    note(1, 'idle');
    await shows([[idOf(1), 'done', '/x/web']]);
  });

  it('one that its terminal left for another, or that nothing was said in, is none of them', async () => {
    const { app, note, said, shows, seen } = await following();
    said(1);
    said(3);
    note(1, 'busy');
    app.onTerminals((sessions) => seen.push(sessions));
    note(1, 'waiting');
    await shows([[idOf(1), 'waits', '/x/web']]);
    note(2, 'busy');
    await shows([]);
    note(3, 'waiting');
    await shows([[idOf(3), 'waits', '/x/web']]);
  });

  it('they are found where Claude Code runs for the first time, and after its folder was made anew', async () => {
    const { app, note, notes, said, shows, seen } = await following({ hasRun: false });
    app.onTerminals((sessions) => seen.push(sessions));
    for (const number of [1, 2]) {
      mkdirSync(notes, { recursive: true });
      said(number);
      note(number, 'waiting');
      await shows([[idOf(number), 'waits', '/x/web']]);
      rmSync(dirname(notes), { recursive: true });
      await shows([]);
    }
  });
});
