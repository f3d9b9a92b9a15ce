import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { script } from '../scripts/script.ts';

interface Picture {
  width: number;
  height: number;
  rgba: Buffer;
}
const { readPng } = await script<{ readPng(png: Buffer): Picture }>('png');

const resources = join(import.meta.dirname, '..', '..', 'resources');
const names = ['tray-on', 'tray-busy', 'tray-waiting', 'tray-warning', 'tray-off', 'tray-signin', 'tray-error'];
const colours = ['black', 'white'] as const;
const linuxSizes = [22, 24, 44, 48];
const windowsSizes = [16, 20, 24, 32];
const read = (...path: string[]) => readFileSync(join(resources, ...path));

/** The images of a Windows icon: kind and pixels. */
function readIco(ico: Buffer): { size: number; png: boolean; picture: Picture }[] {
  return Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + index * 16;
    const data = ico.subarray(ico.readUInt32LE(entry + 12)).subarray(0, ico.readUInt32LE(entry + 8));
    const size = ico.readUInt8(entry) || 256;
    const png = data.readUInt32BE(0) === 0x89504e47;
    return { size, png, picture: png ? readPng(data) : readBitmap(data) };
  });
}

function readBitmap(bitmap: Buffer): Picture {
  const [width, height] = [bitmap.readInt32LE(4), bitmap.readInt32LE(8) / 2];
  const rgba = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [blue, green, red, alpha] = bitmap.subarray(40 + ((height - 1 - y) * width + x) * 4);
      rgba.set([red ?? 0, green ?? 0, blue ?? 0, alpha ?? 0], (y * width + x) * 4);
    }
  }
  return { width, height, rgba };
}

function pixels({ rgba }: Picture): { r: number; g: number; b: number; a: number }[] {
  return Array.from({ length: rgba.length / 4 }, (_, index) => {
    const [r = 0, g = 0, b = 0, a = 0] = rgba.subarray(index * 4, index * 4 + 4);
    return { r, g, b, a };
  });
}

/** A drawing on nothing, of one colour, which does not touch the edge so hard that it looks cut. */
function expectDrawn(picture: Picture, size: number, colour: 'black' | 'white'): void {
  expect([picture.width, picture.height]).toEqual([size, size]);
  const all = pixels(picture);
  const clear = all.filter(({ a }) => a === 0).length / all.length;
  const solid = all.filter(({ a }) => a > 200).length / all.length;
  expect(clear, 'mostly clear').toBeGreaterThan(0.5);
  expect(solid, 'with a drawing').toBeGreaterThan(0.05);
  const wanted = colour === 'black' ? 0 : 255;
  expect(all.filter(({ r, g, b, a }) => a > 0 && ![r, g, b].every((value) => value === wanted))).toEqual([]);
}

const alphaOf = (picture: Picture): string =>
  pixels(picture)
    .map(({ a }) => String.fromCharCode(a))
    .join('');

describe('the icons of the tray', () => {
  it('are those of the three systems and no others', () => {
    const wanted = names.flatMap((name) => [
      `${name}Template.png`,
      `${name}Template@2x.png`,
      ...colours.flatMap((colour) => [
        `${name}-${colour}.ico`,
        ...linuxSizes.map((size) => `${name}-${colour}-${size}.png`),
      ]),
    ]);
    expect(readdirSync(join(resources, 'tray')).sort()).toEqual(wanted.sort());
  });

  it.each(names)('macOS: %s is black with alpha, 16 pixels and twice that', (name) => {
    expectDrawn(readPng(read('tray', `${name}Template.png`)), 16, 'black');
    expectDrawn(readPng(read('tray', `${name}Template@2x.png`)), 32, 'black');
  });

  it.each(names)('Linux: %s in black and in white, the same drawing', (name) => {
    for (const size of linuxSizes) {
      const [black, white] = colours.map((colour) => readPng(read('tray', `${name}-${colour}-${size}.png`)));
      expectDrawn(black as Picture, size, 'black');
      expectDrawn(white as Picture, size, 'white');
      expect(alphaOf(white as Picture)).toBe(alphaOf(black as Picture));
    }
  });

  it.each(names)('Windows: %s holds four sizes as bitmaps, in black and in white', (name) => {
    for (const colour of colours) {
      const images = readIco(read('tray', `${name}-${colour}.ico`));
      expect(images.map(({ size, png }) => ({ size, png }))).toEqual(
        windowsSizes.map((size) => ({ size, png: false })),
      );
      for (const { size, picture } of images) expectDrawn(picture, size, colour);
    }
  });

  it('differ in shape, not only in a shade', () => {
    for (const file of [...linuxSizes.map((size) => `-white-${size}.png`), 'Template.png']) {
      const drawings = names.map((name) => readPng(read('tray', `${name}${file}`)));
      for (const [index, one] of drawings.entries()) {
        for (const other of drawings.slice(index + 1)) {
          const [left, right] = [pixels(one), pixels(other)];
          const different = left.filter(({ a }, at) => Math.abs(a - (right[at]?.a ?? 0)) > 127).length;
          expect(different / left.length).toBeGreaterThan(0.02);
        }
      }
    }
  });
});

describe('the icon of the app', () => {
  it('is there in the sizes of Linux, opaque in its middle and clear in its corners', () => {
    const sizes = [16, 24, 32, 48, 64, 128, 256, 512];
    expect(readdirSync(join(resources, 'app')).sort()).toEqual(
      [...sizes.map((size) => `${size}x${size}.png`), 'icon.icns', 'icon.ico'].sort(),
    );
    for (const size of sizes) {
      const picture = readPng(read('app', `${size}x${size}.png`));
      expect([picture.width, picture.height]).toEqual([size, size]);
      const all = pixels(picture);
      expect(all[0]?.a).toBeLessThan(100);
      expect(all[(size / 2) * size + size / 2]?.a).toBe(255);
    }
  });

  it('is one file for Windows, whose largest image alone is a PNG', () => {
    const images = readIco(read('app', 'icon.ico'));
    expect(images.map(({ size, png, picture }) => [size, png, picture.width])).toEqual(
      [16, 24, 32, 48, 64, 128, 256].map((size) => [size, size === 256, size]),
    );
  });

  it('is one file for macOS, up to twice 512 pixels', () => {
    const icns = read('app', 'icon.icns');
    expect(icns.toString('latin1', 0, 4)).toBe('icns');
    expect(icns.readUInt32BE(4)).toBe(icns.length);
    const images: [string, number][] = [];
    for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) {
      const png = icns.subarray(at + 8, at + icns.readUInt32BE(at + 4));
      images.push([icns.toString('latin1', at, at + 4), readPng(png).width]);
    }
    expect(images).toEqual([
      ['ic07', 128],
      ['ic08', 256],
      ['ic09', 512],
      ['ic11', 32],
      ['ic12', 64],
      ['ic13', 256],
      ['ic14', 512],
      ['ic10', 1024],
    ]);
  });
});
