import type { Attachment, Draft } from './draft.ts';
import { readBase64 } from './image-file.ts';
import { within } from './paths.ts';

/** A pasted text of more lines than this isn't put into the field. */
const mostPastedLines = 60;

/** Larger ones aren't read into a message, in bytes; Claude reads them where they lie. */
const mostTextBytes = 1_000_000;

export function linesOf(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}

/** It becomes a chip instead of filling the field. */
export function isLongText(text: string): boolean {
  return linesOf(text) > mostPastedLines;
}

/** What can be taken from a file that was pasted, dropped or chosen. */
export type Taken = { kind: 'taken'; attachment: Attachment } | { kind: 'refused'; name: string };

/**
 * @param pathOf where a file lies on this machine; empty where this window can't know
 * @param folder the session's, which paths are shortened by
 */
export async function takeFile(file: File, pathOf: (file: File) => string, folder: string): Promise<Taken> {
  const id = crypto.randomUUID();
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(file.type)) {
    const { name, type } = file;
    return { kind: 'taken', attachment: { kind: 'image', id, name, mimeType: type, data: await readBase64(file) } };
  }
  const path = pathOf(file);
  if (path !== '') return { kind: 'taken', attachment: { kind: 'path', id, path: within(folder, path), lines: null } };
  const text = file.size > mostTextBytes ? null : await readText(file);
  if (text === null) return { kind: 'refused', name: file.name };
  return { kind: 'taken', attachment: { kind: 'text', id, name: file.name, text } };
}

/** UTF-8; null: it is none. */
async function readText(file: Blob): Promise<string | null> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

export function withAttachment(draft: Draft, attachment: Attachment): Draft {
  return { ...draft, attachments: [...draft.attachments, attachment] };
}

export function withoutAttachment(draft: Draft, id: string): Draft {
  return { ...draft, attachments: draft.attachments.filter((one) => one.id !== id) };
}

export function replaced(draft: Draft, attachment: Attachment): Draft {
  const attachments = draft.attachments.map((one) => (one.id === attachment.id ? attachment : one));
  return { ...draft, attachments };
}
