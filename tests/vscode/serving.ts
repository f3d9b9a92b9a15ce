import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { nodeClock } from '../../app/adapters/clock.ts';
import { Jumpseat, type JumpseatDependencies } from '../../vscode/jumpseat.ts';
import { FakeEditor } from './fake-editor.ts';

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jumpseat-vscode-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Serving {
  jumpseat: Jumpseat;
  editor: FakeEditor;
  folder: string;
  base: string;
  key: string;
  /** POST with the key. */
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<Response>;
}

/** The extension in a window that serves, with the consent given. */
export async function serving(
  change: (editor: FakeEditor) => unknown = () => undefined,
  more: Partial<JumpseatDependencies> = {},
): Promise<Serving> {
  const editor = new FakeEditor();
  editor.values.enabled = true;
  editor.allowed = true;
  change(editor);
  const folder = newFolder();
  const jumpseat = new Jumpseat({ editor, folder, clock: nodeClock(), pid: process.pid, lookEveryMs: 20, ...more });
  onTestFinished(() => jumpseat.deactivate());
  await jumpseat.activate();
  const { port, key } = JSON.parse(readFileSync(join(folder, 'vscode.json'), 'utf8'));
  const base = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${key}.test`, 'content-type': 'application/json' };
  return {
    ...{ jumpseat, editor, folder, base, key },
    post: (path, body, init = {}) =>
      fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body), ...init }),
    get: (path) => fetch(`${base}${path}`, { headers }),
  };
}
