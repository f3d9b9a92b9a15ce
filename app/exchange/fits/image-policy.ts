import type { CatalogModel } from '../../copilot/model.ts';

/**
 * What a model takes of images, for every client API: how many in one request, how large, and of which types.
 * The catalog says it; anything else fails the whole request.
 */
export type Unfit = { kind: 'too-large'; text: string; refusal: typeof tooLarge & { message: string } } | OfWrongType;

interface OfWrongType {
  kind: 'wrong-type';
  text: string;
}

const tooLarge = { status: 413, type: 'request_too_large', code: 'image-too-large', shouldRetry: false } as const;

/**
 * Why the model does not take an image; null: it does. An image that a person has just attached and that is too large
 * is refused with `refusal`: it is what they ask about. One from a tool or from earlier in the conversation becomes
 * `text`, so that the work goes on.
 */
export function unfitImage(image: { bytes: number; type: unknown }, { limits }: CatalogModel): Unfit | null {
  const { bytes } = image;
  const most = limits.imageBytes;
  if (most !== null && bytes > most) {
    // One digit after the point, away from the limit, so that the two never read alike.
    const [size, limit] = [megabytes(bytes, Math.ceil), megabytes(most, Math.floor)];
    const message = `Jumpseat: an image is ${size}; Copilot takes ${limit}.`;
    return { kind: 'too-large', text: `image left out: ${size} > ${limit}`, refusal: { ...tooLarge, message } };
  }
  const { type } = image;
  if (limits.imageTypes.length === 0 || typeof type !== 'string' || limits.imageTypes.includes(type)) return null;
  const named = /^image\/[a-z0-9.+-]{1,30}$/.test(type) ? type : 'its type';
  return { kind: 'wrong-type', text: `image left out: ${named} is not taken` };
}

/**
 * How many images of one request a model takes (Opus 4.6: one). The oldest leave: the newest are what the turn is
 * about.
 */
export function mostImages({ limits, supports }: CatalogModel): number {
  return limits.images ?? (supports.vision ? Number.POSITIVE_INFINITY : 0);
}

/** What stands in the place of an image above that number. */
export function surplusText(most: number): string {
  return `[image left out: the model takes ${most === 0 ? 'none' : most}]`;
}

/** The bytes that a base64 text stands for; it is not decoded. */
export function sizeOfBase64(data: string, from = 0): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.floor(((data.length - from) * 3) / 4) - padding;
}

function megabytes(bytes: number, round: (value: number) => number): string {
  return `${round((bytes / 2 ** 20) * 10) / 10} MB`;
}
