import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { resampled } from '../../../app/images/resample.ts';
import { noiseJpeg, noisePng } from './pictures.ts';

describe('an image that is too large', () => {
  it('is the same picture in the same format, as large as its bytes allow, and the same bytes each time', async () => {
    const png = noisePng(600, 300);
    const most = 200_000;
    const made = await resampled(png, 'image/png', most);
    expect(made.bytes.length).toBeLessThanOrEqual(most);
    expect(made.bytes.length).toBeGreaterThan(most * 0.7);
    expect(made.width / made.height).toBeCloseTo(2, 1);
    const read = PNG.sync.read(made.bytes);
    expect([read.width, read.height]).toEqual([made.width, made.height]);
    expect((await resampled(png, 'image/png', most)).bytes).toEqual(made.bytes);
  });

  it('keeps what is transparent', async () => {
    const { bytes } = await resampled(noisePng(200, 200, 100), 'image/png', 60_000);
    const { data } = PNG.sync.read(bytes);
    expect(data.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 100)).toBe(true);
  });

  it('keeps how a photo lies and its colours, which stand beside its pixels', async () => {
    const photo = noiseJpeg(400, 300);
    const exif = Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0', 'latin1');
    const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif]);
    const lying = Buffer.concat([photo.subarray(0, 2), segment, photo.subarray(2)]);
    const made = await resampled(lying, 'image/jpeg', 50_000);
    expect(made.bytes.length).toBeLessThanOrEqual(50_000);
    expect(made.bytes.includes(segment)).toBe(true);
    expect(jpeg.decode(made.bytes)).toMatchObject({ width: made.width, height: made.height });
  });

  it('is given up where it cannot be read, has too many pixels, or is of another type', async () => {
    const huge = noisePng(4, 4);
    huge.writeUInt32BE(60_000, 16);
    huge.writeUInt32BE(60_000, 20);
    await expect(resampled(huge, 'image/png', 10)).rejects.toThrow('Too many pixels');
    await expect(resampled(noisePng(40, 40).subarray(0, 500), 'image/png', 100)).rejects.toThrow();
    await expect(resampled(Buffer.from('no image'), 'image/jpeg', 100)).rejects.toThrow();
    await expect(resampled(noisePng(4, 4), 'image/webp', 100)).rejects.toThrow('type');
    await expect(resampled(noisePng(300, 300), 'image/png', 20)).rejects.toThrow();
  });
});
