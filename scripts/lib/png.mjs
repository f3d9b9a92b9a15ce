import { inflateSync } from 'node:zlib';

/**
 * The pixels of a PNG as our icons are: 8 bits of red, green, blue and alpha, not interlaced.
 * @param {Buffer} png @returns {{ width: number, height: number, rgba: Buffer }}
 */
export function readPng(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const kind = png.subarray(24, 29).toString('hex');
  if (kind !== '0806000000') throw new Error(`This PNG has another kind of pixels (${kind}).`);
  const packed = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') packed.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return { width, height, rgba: unfilter(inflateSync(Buffer.concat(packed)), width * 4, height) };
}

/** Each row begins with the filter that made its bytes differences to their neighbours. */
function unfilter(rows, stride, height) {
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x >= 4 ? pixels[at - 4] : 0;
      const up = y > 0 ? pixels[at - stride] : 0;
      const corner = x >= 4 && y > 0 ? pixels[at - stride - 4] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[at] = rows[y * (stride + 1) + 1 + x] + guess;
    }
  }
  return pixels;
}

function paeth(left, up, corner) {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
