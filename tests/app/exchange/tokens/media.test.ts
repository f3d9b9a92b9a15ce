import { describe, expect, it } from 'vitest';
import { imageSize, imageTokens, pdfTokens } from '../../../../app/exchange/tokens/media.ts';

const base64 = (...bytes: (number | string)[]) =>
  Buffer.concat(
    bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from([part]))),
  ).toString('base64');

const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(33);
  bytes.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  bytes.writeUInt32BE(13, 8);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
};

describe('imageSize reads the header of', () => {
  const rows: [name: string, data: string, want: { width: number; height: number } | null][] = [
    ['PNG', png(640, 480), { width: 640, height: 480 }],
    ['GIF', base64('GIF89a', 0x80, 0x02, 0xe0, 0x01, 0, 0), { width: 640, height: 480 }],
    [
      'WebP, lossy',
      base64('RIFF', 0, 0, 0, 0, 'WEBPVP8 ', 0, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0xe0, 0x01),
      { width: 640, height: 480 },
    ],
    [
      'WebP, lossless',
      base64('RIFF', 0, 0, 0, 0, 'WEBPVP8L', 0, 0, 0, 0, 0x2f, 0x7f, 0xc2, 0x77, 0x00, 0, 0, 0, 0, 0),
      { width: 640, height: 480 },
    ],
    [
      'WebP, extended',
      base64('RIFF', 0, 0, 0, 0, 'WEBPVP8X', 10, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0x02, 0, 0xdf, 0x01, 0),
      { width: 640, height: 480 },
    ],
    [
      'JPEG behind other segments',
      base64(
        0xff,
        0xd8,
        0xff,
        0xe0,
        0,
        6,
        'JFIF',
        0xff,
        0xc4,
        0,
        3,
        0,
        0xff,
        0xc2,
        0,
        17,
        8,
        0x01,
        0xe0,
        0x02,
        0x80,
        3,
        0,
        0,
        0,
      ),
      { width: 640, height: 480 },
    ],
    ['a JPEG cut short: none', base64(0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 'JFIF'), null],
    ['anything else: none', base64('BM', 0, 0, 0, 0), null],
    ['nothing: none', '', null],
  ];
  it.each(rows)('%s', (_name, data, want) => expect(imageSize(data)).toEqual(want));
});

describe('imageTokens', () => {
  it('is width × height / 750', () => expect(imageTokens(png(300, 250))).toBe(100));
  it('is never more than what a scaled-down image has', () => {
    expect(imageTokens(png(4000, 3000))).toBe(1600);
    expect(imageTokens(png(10000, 100))).toBe(Math.ceil((1568 * 15.68) / 750));
  });
  it('has a default for what cannot be read', () =>
    expect([imageTokens('AAAA'), imageTokens(7)]).toEqual([1334, 1334]));
});

describe('pdfTokens', () => {
  it('counts pages, at least one', () => {
    expect(pdfTokens(base64('<< /Type /Pages >> << /Type /Page >> << /Type/Page/Parent 1 >>'))).toBe(3000);
    expect([pdfTokens('AAAA'), pdfTokens(null)]).toEqual([1500, 1500]);
  });
});
