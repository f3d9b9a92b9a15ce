import type { LmImagePart } from '../lm/request.ts';
import { NoPlace } from '../via-messages/no-place.ts';
import { dataUrl } from '../via-messages/parts.ts';
import { isObject } from '../wire/json.ts';

/**
 * An image of a data URL. VS Code decodes images and rejects one that it can't read with an error that has neither name
 * nor words, so what can be seen from outside is looked at here. Throws `NoPlace`.
 */
export function imageOf(named: unknown, place: string): LmImagePart {
  const url = isObject(named) ? named.url : named;
  if (typeof url !== 'string' || url === '') throw new NoPlace(place, 'an address is required.');
  const found = dataUrl(url);
  if (found === null) throw new NoPlace(place, 'VS Code takes no images by address. Send a data URL in base64.');
  const data = decoded(found.data);
  const type = data === null ? null : imageType(data);
  if (data === null || type === null)
    throw new NoPlace(place, 'it can’t be decoded: a whole PNG, JPEG, GIF, WebP or BMP image in base64 is required.');
  return { kind: 'image', type, data };
}

function decoded(base64: string): Uint8Array | null {
  const text = base64.replaceAll(/\s/g, '');
  if (text === '' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return null;
  return Buffer.from(text, 'base64');
}

/** What the bytes are, whatever the client called them. Null: no image, or a PNG or GIF that was cut. */
function imageType(data: Uint8Array): string | null {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const ascii = (from: number, to: number): string => bytes.toString('latin1', from, to);
  if (bytes.length < 16) return null;
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return bytes.includes('IEND') ? 'image/png' : null;
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return bytes.includes(0x3b) ? 'image/gif' : null;
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp';
  return ascii(0, 2) === 'BM' ? 'image/bmp' : null;
}
