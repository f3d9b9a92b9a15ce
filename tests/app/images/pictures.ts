import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';

/** Noise that is the same each time: nothing compresses less. */
export function noise(width: number, height: number, alpha = 255): Buffer {
  const data = Buffer.alloc(width * height * 4);
  let state = 1;
  for (let at = 0; at < data.length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    data[at] = at % 4 === 3 ? alpha : state >>> 24;
  }
  return data;
}

export function noisePng(width: number, height: number, alpha = 255): Buffer {
  const png = new PNG({ width, height });
  png.data = noise(width, height, alpha);
  return PNG.sync.write(png, { colorType: alpha === 255 ? 2 : 6, filterType: 0, deflateLevel: 1 });
}

export function noiseJpeg(width: number, height: number): Buffer {
  return jpeg.encode({ data: noise(width, height), width, height }, 100).data;
}
