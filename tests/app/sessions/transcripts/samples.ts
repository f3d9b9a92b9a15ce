import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Line } from '../../../../app/sessions/transcripts/line.ts';

const folder = join(import.meta.dirname, '../../../samples/transcripts');

/** A transcript that Claude Code wrote; what it tells the model about itself is taken out. */
export function samplePath(name: string): string {
  return join(folder, `${name}.jsonl`);
}

export function sampleText(name: string): string {
  return readFileSync(samplePath(name), 'utf8');
}

export function sampleLines(name: string): Line[] {
  return sampleText(name)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** A projects folder that is gone when the test ends. */
export function projects() {
  const home = mkdtempSync(join(tmpdir(), 'jumpseat-transcripts-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const root = join(home, 'projects');
  const project = join(root, '-home-me-project');
  mkdirSync(project, { recursive: true });
  return {
    ...{ home, root, project },
    path: (id: string) => join(project, `${id}.jsonl`),
    add(name: string, id: string): string {
      copyFileSync(samplePath(name), join(project, `${id}.jsonl`));
      return join(project, `${id}.jsonl`);
    },
  };
}

export const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
