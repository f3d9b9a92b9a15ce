import { constants, inflateSync } from 'node:zlib';

/**
 * Tokens of images and PDFs as Anthropic documents them: width × height / 750, after the image was scaled down to an
 * edge of at most 1568 pixels and to about 1600 tokens.
 */

const longestEdge = 1568;
const mostTokens = 1600;

/** For an image whose size cannot be read: one of 1000 × 1000 pixels. */
export const unknownImage = 1334;

/** The lower end of what Anthropic names for the text of one page. */
const tokensPerPage = 1500;

/** `data`: base64. */
export function imageTokens(data: unknown): number {
  const size = typeof data === 'string' ? imageSize(data) : null;
  if (size === null) return unknownImage;
  const scale = Math.min(1, longestEdge / Math.max(size.width, size.height));
  return Math.min(mostTokens, Math.ceil((size.width * size.height * scale * scale) / 750));
}

/** `data`: base64. A PDF whose pages cannot be counted has at least one. */
export function pdfTokens(data: unknown): number {
  if (typeof data !== 'string') return tokensPerPage;
  return Math.max(1, pagesIn(Buffer.from(data.slice(0, pdfLooked), 'base64').toString('latin1'))) * tokensPerPage;
}

/**
 * Pages of all these PDFs (base64), also of those that keep their objects compressed. 0 where they can't be counted
 * within `mostInflated`. It reads all of them, so it is for what was refused.
 */
export function pdfPages(pdfs: readonly string[]): number {
  let pages = 0;
  let left = mostInflated;
  for (const data of pdfs) {
    const pdf = Buffer.from(data, 'base64');
    const text = pdf.toString('latin1');
    pages += pagesIn(text);
    for (const { index, 0: head } of text.matchAll(/\/Type\s*\/ObjStm[\s\S]{0,300}?stream\r?\n/g)) {
      const objects = inflated(pdf.subarray(index + head.length), left);
      if (objects === 'too-large') return 0;
      left -= objects.length;
      pages += pagesIn(objects.toString('latin1'));
    }
  }
  return pages;
}

/** Empty where it isn't compressed in this way, or is damaged. */
function inflated(bytes: Buffer, most: number): Buffer | 'too-large' {
  try {
    return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: most });
  } catch (error) {
    return error instanceof RangeError ? 'too-large' : Buffer.alloc(0);
  }
}

const pagesIn = (text: string): number => text.match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0;

/** Bytes of one request: a small file can unpack to a thousand times its size. */
const mostInflated = 32 * 1024 * 1024;
/** Characters of base64 that are looked at, to bound the time. */
const pdfLooked = 4 * 1024 * 1024;

interface ImageSize {
  width: number;
  height: number;
}

/**
 * Reads the size from the header of a PNG, GIF, WebP or JPEG; null for anything else and for what is cut short.
 * `base64` is not decoded whole.
 */
export function imageSize(base64: string): ImageSize | null {
  const head = Buffer.from(base64.slice(0, 64), 'base64');
  const size = pngSize(head) ?? gifSize(head) ?? webpSize(head) ?? jpegSize(head, base64);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

function pngSize(head: Buffer): ImageSize | null {
  if (head.length < 24 || head.readUInt32BE(0) !== 0x89504e47) return null;
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

function gifSize(head: Buffer): ImageSize | null {
  if (head.length < 10 || head.toString('latin1', 0, 4) !== 'GIF8') return null;
  return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
}

function webpSize(head: Buffer): ImageSize | null {
  if (head.length < 30 || head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WEBP')
    return null;
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/**
 * The size stands in the first frame segment, which metadata (a thumbnail, a colour profile) may push back by some 100
 * kB.
 */
function jpegSize(head: Buffer, base64: string): ImageSize | null {
  if (head.length < 4 || head.readUInt16BE(0) !== 0xffd8) return null;
  const bytes = Buffer.from(base64.slice(0, 512 * 1024), 'base64');
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (isFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** SOF0 … SOF15, without the three that are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
