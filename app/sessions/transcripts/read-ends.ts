import { type FileHandle, open } from 'node:fs/promises';

/** Nearly every transcript has its first prompt in the first few kB, followed by what the model was told. */
const firstBytes = 16 * 1024;
/** Bytes read at the beginning for a first prompt, and at the end for names and times. */
const endBytes = 64 * 1024;
/** What Claude Code writes at the end may be longer: more of it is read, up to this. */
const mostOfEnd = 4 * 1024 * 1024;

interface Ends {
  head: string;
  tail: string;
}

/** Whether so little of a beginning or an end will do, so that most files are read twice and briefly. */
interface IsEnough {
  head: (head: string) => boolean;
  tail: (tail: string) => boolean;
}

/** The beginning and the end of a file. Rejects with Node's error. */
export async function readEnds(path: string, size: number, isEnough: IsEnough): Promise<Ends> {
  const file = await open(path, 'r');
  try {
    if (size <= endBytes) {
      const whole = await part(file, 0, size);
      return { head: whole, tail: whole };
    }
    const brief = await part(file, 0, firstBytes);
    const head = isEnough.head(brief) ? brief : await part(file, 0, endBytes);
    for (let length = endBytes; ; length = Math.min(size, length * 8)) {
      const read = await part(file, size - length, length);
      const tail = length === size ? read : withoutCutLine(read);
      if (length === size || length >= mostOfEnd || isEnough.tail(tail)) return { head, tail };
    }
  } finally {
    await file.close();
  }
}

async function part(file: FileHandle, from: number, length: number): Promise<string> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.toString('utf8', 0, filled);
}

function withoutCutLine(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}
