import { type DragEvent, useRef, useState } from 'react';
import type { CallResult } from '../../../app/api/calls.ts';
import { t } from '../../../app/language/translate.ts';
import { bytes } from '../../../app/words/numbers.ts';
import { within } from '../paths.ts';
import type { Attachment, Draft } from './draft.ts';

/** A pasted text of more lines than this isn't put into the field. */
const mostPastedLines = 60;

/** Larger files aren't read into a message, in bytes; Claude reads them from disk. */
const mostTextBytes = 1_000_000;

export function linesOf(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}

/** True if it becomes a chip instead of filling the field. */
export function isLongText(text: string): boolean {
  return linesOf(text) > mostPastedLines;
}

/** What can be taken from a file that was pasted, dropped or chosen. */
type Taken = { kind: 'taken'; attachment: Attachment } | { kind: 'refused'; name: string };

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

/** A file that was picked in the system's own dialog. */
export function fromDialog(chosen: CallResult<'chooseFiles'>[number], folder: string): Attachment {
  const id = crypto.randomUUID();
  return chosen.kind === 'image'
    ? { ...chosen, id }
    : { ...chosen, id, path: within(folder, chosen.path), lines: null };
}

/** UTF-8; null if it is none. */
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

/** The files of something that is pasted or dropped; a folder counts as one. */
export function dropsOf(data: DataTransfer): File[] {
  return [...data.files];
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer.types.includes('Files');
}

/** Takes files that are dropped on an element, and says whether they are over it. */
export function useDrop(take: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  /** Elements within it that the pointer is over: entering one comes before leaving another. */
  const depth = useRef(0);
  const count = (by: 1 | -1): void => {
    depth.current = Math.max(0, depth.current + by);
    setOver(depth.current > 0);
  };
  return {
    isOver,
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (hasFiles(event)) count(1);
      },
      onDragLeave: (event: DragEvent) => {
        if (hasFiles(event)) count(-1);
      },
      onDragOver: (event: DragEvent) => {
        if (hasFiles(event)) event.preventDefault();
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        take(dropsOf(event.dataTransfer));
      },
    },
  };
}

/** What Copilot takes of one image, in bytes, where the model's own limit isn't known. */
const mostImageBytes = 3_000_000;

/** Longer than this, in pixels, an image gains nothing. */
const longestSide = 2_048;

/** Size in bytes of base64's content. */
export function sizeOfBase64(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}

interface ImageFacts {
  size: number;
  /** The chosen model; null if unknown. */
  model: { name: string; takesImages: boolean } | null;
}

interface ImageProblem {
  kind: 'too-large' | 'not-taken';
  text: string;
}

/** What is wrong with an image that is attached; null if nothing. */
export function imageProblem({ size, model }: ImageFacts): ImageProblem | null {
  if (model !== null && !model.takesImages)
    return { kind: 'not-taken', text: t('{model} takes no images.', { model: model.name }) };
  if (size <= mostImageBytes) return null;
  const text = t('This image is {size}; Copilot accepts {most}.', {
    size: bytes(size),
    most: bytes(mostImageBytes).replace('.0', ''),
  });
  return { kind: 'too-large', text };
}

/** Contents in base64. Rejects if the file can't be read. */
async function readBase64(file: Blob): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => (typeof reader.result === 'string' ? resolve(reader.result) : reject(new Error('No text.')));
    reader.onerror = () => reject(reader.error ?? new Error('It can’t be read.'));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(',') + 1);
}

/** Sides to try, in pixels: the first that is small enough in bytes is taken. */
const tries = [
  { side: longestSide, quality: 0.9 },
  { side: 1_568, quality: 0.85 },
  { side: 1_024, quality: 0.8 },
  { side: 640, quality: 0.7 },
];

/** The image as JPEG that Copilot takes. Rejects where it is no image. */
export async function smaller(image: { mimeType: string; data: string }): Promise<{ mimeType: string; data: string }> {
  const source = await createImageBitmap(blobOf(image));
  try {
    for (const { side, quality } of tries) {
      const scale = Math.min(1, side / Math.max(source.width, source.height));
      const canvas = new OffscreenCanvas(
        Math.max(1, Math.round(source.width * scale)),
        Math.max(1, Math.round(source.height * scale)),
      );
      const context = canvas.getContext('2d');
      if (context === null) break;
      // JPEG has no transparency: what shines through is white.
      context.fillStyle = '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(source, 0, 0, canvas.width, canvas.height);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
      if (blob.size <= mostImageBytes) return { mimeType: 'image/jpeg', data: await readBase64(blob) };
    }
  } finally {
    source.close();
  }
  throw new Error('It stays too large.');
}

function blobOf({ mimeType, data }: { mimeType: string; data: string }): Blob {
  const text = atob(data);
  const content = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place += 1) content[place] = text.charCodeAt(place);
  return new Blob([content], { type: mimeType });
}
