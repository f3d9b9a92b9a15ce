import { fileURLToPath } from 'node:url';
import type { Launcher } from '../processes/launch.ts';

/** An image that is larger than a model takes. */
export interface LargeImage {
  /** Base64. */
  data: string;
  /** `image/png` or `image/jpeg`. */
  type: string;
  /** Bytes. */
  most: number;
}

export interface ScaledImage {
  /** Base64, of the type that it had. */
  data: string;
  bytes: number;
  width: number;
  height: number;
}

/** Null where it can't be read, or not be made small enough. Never rejects. */
export type ScaleImage = (image: LargeImage) => Promise<ScaledImage | null>;

/** The process's file: beside this one in the sources, in `dist/processes/` in a build. */
const file = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './scale-process.ts' : '../processes/image-scaler.js', import.meta.url),
);
/** A photo of 12 megapixels takes about two seconds. */
const longestMs = 30_000;

/**
 * Scales an image down, in a process of its own: decoding one may take all memory, and does take a thread for a second
 * or two. Null where it can't be read, or not be made small enough. Never rejects.
 */
export async function scaleImage(image: LargeImage, launcher: Launcher): Promise<ScaledImage | null> {
  // Windows starts no program without it.
  const { SystemRoot } = process.env;
  const scaler = launcher({ file, env: SystemRoot === undefined ? {} : { SystemRoot } });
  const timer = setTimeout(() => scaler.kill(), longestMs);
  const printed: Buffer[] = [];
  scaler.stdout.on('data', (chunk: Buffer) => void printed.push(chunk));
  scaler.stderr.resume();
  scaler.stdin.end(JSON.stringify(image));
  const { code } = await scaler.exited;
  clearTimeout(timer);
  return code === 0 ? readPrinted(printed) : null;
}

function readPrinted(chunks: readonly Buffer[]): ScaledImage | null {
  try {
    const { data, bytes, width, height } = Object(JSON.parse(Buffer.concat(chunks).toString()));
    if (typeof data !== 'string') return null;
    return { data, bytes: Number(bytes), width: Number(width), height: Number(height) };
  } catch {
    return null;
  }
}
