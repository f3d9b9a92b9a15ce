import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import { HandOver } from '../../vscode/hand-over.ts';
import { Jumpseat } from '../../vscode/jumpseat.ts';
import { startImpostor } from '../impostor.ts';
import { soon } from '../soon.ts';
import { FakeEditor } from './fake-editor.ts';
import { newFolder, serving } from './serving.ts';

/** Another process that lives as long as this one. */
const other = process.ppid;
/** No process has so high a number. */
const gone = 2 ** 30;

/** Another window of the same VS Code: the same secrets. */
function secondWindow(folder: string, key: string, port = 0): { editor: FakeEditor; jumpseat: Jumpseat } {
  const editor = new FakeEditor();
  editor.values = { ...editor.values, enabled: true, port };
  editor.allowed = true;
  editor.key = key;
  const jumpseat = new Jumpseat({ editor, folder, clock: nodeClock(), pid: other, lookEveryMs: 20 });
  onTestFinished(() => jumpseat.deactivate());
  return { editor, jumpseat };
}

const read = (folder: string) => JSON.parse(readFileSync(join(folder, 'vscode.json'), 'utf8'));

describe('of several windows', () => {
  it('F11 one serves, the others show it, and one takes over where it was', async () => {
    const first = await serving();
    const { port } = read(first.folder);
    // Of another profile, which has a key of its own.
    const { editor, jumpseat } = secondWindow(first.folder, 'another-key-of-a-window');
    await jumpseat.activate();
    expect(editor.bar?.text).toBe('$(multiple-windows) Jumpseat: other window');
    expect(editor.bar?.hover[0]).toContain(`http://127.0.0.1:${port}`);
    await first.jumpseat.deactivate();
    await soon(() => expect(editor.bar?.text).toBe('$(check) Jumpseat'));
    expect(read(first.folder)).toEqual({ port, key: first.key, pid: other });
    expect((await first.get('/v1/models')).status).toBe(200);
  });

  it('waits a moment for the port that clients know', async () => {
    const taker = createServer();
    await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve));
    const address = taker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const sleep = () => new Promise<void>((resolve) => taker.close(() => resolve()));
    const first = await serving(
      (editor) => {
        editor.port = port;
      },
      { clock: { ...nodeClock(), sleep } },
    );
    expect(read(first.folder).port).toBe(port);
  });

  it('F11 the one that wrote last serves', async () => {
    const first = await serving();
    const { editor, jumpseat } = secondWindow(newFolder(), first.key);
    await jumpseat.activate();
    const port = portIn(editor.bar?.hover[0]);
    new HandOver(first.folder).write({ port, key: first.key, pid: other });
    await soon(() => expect(first.editor.bar?.text).toContain('other window'));
    await expect(first.get('/healthz')).rejects.toThrow();
    expect(read(first.folder).pid).toBe(other);
  });

  it('of two that begin in the same moment the faster one serves', async () => {
    const folder = newFolder();
    const slow = secondWindow(folder, 'slow-key-of-a-window');
    const asked = Promise.withResolvers<void>();
    const key = Promise.withResolvers<string>();
    slow.editor.readKey = () => {
      asked.resolve();
      return key.promise;
    };
    const begun = slow.jumpseat.activate();
    await asked.promise;
    const fast = new FakeEditor();
    fast.values = { ...fast.values, enabled: true };
    const jumpseat = new Jumpseat({ editor: fast, folder, clock: nodeClock(), pid: process.pid, lookEveryMs: 60_000 });
    onTestFinished(() => jumpseat.deactivate());
    await jumpseat.activate();
    const served = read(folder);
    slow.editor.port = served.port;
    key.resolve('slow-key-of-a-window');
    await begun;
    expect(slow.editor.bar?.text).toContain('other window');
    expect(read(folder)).toEqual(served);
  });

  it('the next one is where the last one was, also after all were closed', async () => {
    const first = await serving();
    await first.jumpseat.deactivate();
    const again = await serving((editor) => {
      editor.port = first.editor.port;
      editor.key = first.key;
    });
    expect([again.base, again.key]).toEqual([first.base, first.key]);
  });

  it('each may copy the lines', async () => {
    const first = await serving();
    const { editor, jumpseat } = secondWindow(first.folder, first.key);
    await jumpseat.activate();
    await jumpseat.copyEnvironment();
    expect(editor.copied[0]).toContain(`ANTHROPIC_BASE_URL=${first.base}`);
  });
});

function portIn(text: string | undefined): number {
  return Number(/:(\d+)\./.exec(text ?? '')?.[1]);
}

describe('the file for the app', () => {
  it('is for this person alone, and goes with the window', async () => {
    const { folder, jumpseat, key } = await serving();
    expect(statSync(join(folder, 'vscode.json')).mode & 0o777).toBe(0o600);
    expect(read(folder)).toEqual({ port: expect.any(Number), key, pid: process.pid });
    expect(key.length).toBeGreaterThan(40);
    await jumpseat.deactivate();
    expect(new HandOver(folder).read()).toBeNull();
  });

  it('is written anew where it is taken away', async () => {
    const { folder } = await serving();
    const before = read(folder);
    new HandOver(folder).remove(process.pid);
    await soon(() => expect(new HandOver(folder).read()).toEqual(before));
  });

  it('is written anew where others may read it', async () => {
    const { folder } = await serving();
    const before = read(folder);
    chmodSync(join(folder, 'vscode.json'), 0o644);
    await soon(() => expect(statSync(join(folder, 'vscode.json')).mode & 0o777).toBe(0o600));
    expect(read(folder)).toEqual(before);
  });

  it.each([
    ['a process that is gone', JSON.stringify({ port: 9, key: 'k-key-of-a-window', pid: gone })],
    ['nobody who answers', JSON.stringify({ port: 9, key: 'k-key-of-a-window', pid: other })],
    ['no port', '{"port":0,"key":"k-key-of-a-window","pid":1}'],
    ['no key', '{"port":4180,"key":"","pid":1}'],
    ['no JSON', '{"port":'],
  ])('of %s keeps no window from serving', async (_what, text) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'vscode.json'), text);
    const { editor, jumpseat } = secondWindow(folder, 'kept-key-of-a-window');
    await jumpseat.activate();
    expect(editor.bar?.text).toBe('$(check) Jumpseat');
    expect(read(folder)).toMatchObject({ key: 'kept-key-of-a-window', pid: other });
  });
});

it('a program on the port of a window that is gone keeps no window from serving', async () => {
  const { port } = await startImpostor();
  const folder = newFolder();
  new HandOver(folder).write({ port, key: 'key-of-the-window-that-is-gone', pid: process.pid });
  const { editor, jumpseat } = secondWindow(folder, 'kept-key-of-a-window');
  await jumpseat.activate();
  expect(editor.bar?.text).toBe('$(check) Jumpseat');
  expect(read(folder)).toMatchObject({ key: 'kept-key-of-a-window', pid: other });
  expect(read(folder).port).not.toBe(port);
});

it('says that its port is taken, and serves once it is free', async () => {
  const taker = createServer((_request, response) => response.end('not Jumpseat'));
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve));
  const address = taker.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { editor, jumpseat } = secondWindow(newFolder(), 'kept-key-of-a-window', port);
  await jumpseat.activate();
  expect(editor.bar).toMatchObject({ text: '$(error) Jumpseat', isWarning: true });
  expect(editor.bar?.hover[0]).toBe(`Port ${port} is used by another program.`);
  await new Promise((resolve) => taker.close(resolve));
  await soon(() => expect(editor.bar?.text).toBe('$(check) Jumpseat'));
});
