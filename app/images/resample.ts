import jpeg from 'jpeg-js';
import { Pica } from 'pica/pica_main';
import { PNG } from 'pngjs';

/** Pixels with red, green, blue and alpha. */
interface Pixels {
  data: Uint8Array;
  width: number;
  height: number;
}

interface Codec {
  decode(bytes: Buffer): Pixels;
  /** `like`: what the pixels were read from. */
  encode(pixels: Pixels, like: Buffer): Buffer;
}

/** 4 bytes each: what is held of one image is at most three times 200 MB. */
const mostPixels = 50_000_000;
const jpegQuality = 85;
/** Each try aims at the limit, and a picture with much detail misses it by some percent. */
const mostTries = 6;
const aim = 0.95;

const codecs: Readonly<Record<string, Codec>> = {
  'image/png': {
    decode: (bytes) => {
      if (bytes.readUInt32BE(16) * bytes.readUInt32BE(20) > mostPixels) throw new Error('Too many pixels.');
      return PNG.sync.read(bytes);
    },
    encode: (pixels) => {
      const { data, width, height } = pixels;
      const png = new PNG({ width, height });
      png.data = Buffer.from(data.buffer, data.byteOffset, data.length);
      return PNG.sync.write(png, { colorType: isOpaque(pixels) ? 2 : 6, deflateLevel: 6 });
    },
  },
  'image/jpeg': {
    decode: (bytes) =>
      jpeg.decode(bytes, { useTArray: true, maxResolutionInMP: mostPixels / 1e6, maxMemoryUsageInMB: 1024 }),
    encode: (pixels, like) => withMetadata(jpeg.encode(pixels, jpegQuality).data, like),
  },
};

/**
 * The same picture in the same format with at most `most` bytes, as large as that allows. Throws where it can't be
 * read, has too many pixels, or stays too large.
 */
export async function resampled(
  bytes: Buffer,
  type: string,
  most: number,
): Promise<{ bytes: Buffer; width: number; height: number }> {
  const codec = Object.hasOwn(codecs, type) ? codecs[type] : undefined;
  if (codec === undefined) throw new Error('Not a type that can be scaled.');
  const whole = codec.decode(bytes);
  // Deterministic, so that the same image keeps its place in Copilot's prompt cache: no WebAssembly, no workers.
  const pica = new Pica({ features: ['js'] });
  let scale = 1;
  let size = bytes.length;
  for (let tries = 0; tries < mostTries; tries += 1) {
    scale *= Math.min(0.95, Math.sqrt(most / size) * aim);
    const width = Math.max(1, Math.floor(whole.width * scale));
    const height = Math.max(1, Math.floor(whole.height * scale));
    const sizes = { width: whole.width, height: whole.height, toWidth: width, toHeight: height };
    const data = await pica.resizeBuffer({ src: whole.data, ...sizes });
    const encoded = codec.encode({ data, width, height }, bytes);
    if (encoded.length <= most) return { bytes: encoded, width, height };
    size = encoded.length;
  }
  throw new Error('It stays too large.');
}

function isOpaque({ data }: Pixels): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

/** APP1 has the orientation, APP2 the colours. Without them the picture would lie on its side. */
function withMetadata(encoded: Buffer, like: Buffer): Buffer {
  const kept: Buffer[] = [];
  let at = 2;
  while (at + 4 <= like.length && like[at] === 0xff && like[at + 1] !== 0xda) {
    const end = at + 2 + like.readUInt16BE(at + 2);
    if (like[at + 1] === 0xe1 || like[at + 1] === 0xe2) kept.push(like.subarray(at, end));
    at = end;
  }
  return Buffer.concat([encoded.subarray(0, 2), ...kept, encoded.subarray(2)]);
}
