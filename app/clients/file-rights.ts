import { stat } from 'node:fs/promises';
import { closedFor } from '../claude-code/settings-file.ts';
import type { FileRecord } from './client-record.ts';

/** A file that others can read is closed for them when it gets the local key, and opened again by undo. */

export function fileIsClosed(shown: string, mode: string): string {
  return `${shown} becomes readable only for you (mode 0600 instead of ${mode}), because the local key is in it.`;
}

function fileIsOpened(shown: string, mode: string): string {
  return `${shown} gets its mode back (${mode}).`;
}

/** The rights that the setup took from others, where they are still as it left them. */
export async function openedAgain({ mode }: FileRecord, target: string, shown: string) {
  if (mode === undefined) return {};
  const now = (await stat(target)).mode & 0o7777;
  return now === closedFor(mode) ? { mode, modeNote: fileIsOpened(shown, mode.toString(8).padStart(4, '0')) } : {};
}
