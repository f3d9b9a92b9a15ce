import type { FitNote } from '../../../api/exchange.ts';
import type { CatalogModel } from '../../../copilot/model.ts';
import { sizeAndLimit, sizeOfBase64 } from '../../fits/images.ts';
import { refuse } from '../../recover.ts';
import { Stopped } from '../../stopped.ts';
import { refuseField } from './fields.ts';

/** One image of a request, wherever it stands. */
export interface SeenImage {
  url: unknown;
  /** `messages[0].content[1].image_url` */
  place: string;
  /** It came with the newest message, and that is a person's. */
  attached: boolean;
}

/** What stands in the place of an image that is left out, by its number among all of them. */
export interface LeftOut {
  texts: ReadonlyMap<number, string>;
  notes: FitNote[];
}

const dataUrl = /^data:([a-z0-9.+-]{1,30}\/[a-z0-9.+-]{1,30});base64,/i;

/**
 * The catalog says how many images a model takes in one request, how large and of which types; anything else fails the whole request. The same as for
 * clients of the Messages API: what was just attached and is too large is refused by its size, what stood there before becomes a text.
 *
 * Throws `Stopped` also for an image by its address: Copilot refuses it (`error-400-external-image-url`), and fetching it for the client would turn the
 * proxy into a way to send requests into the network of the person who runs it.
 */
export function leaveOutImages(images: readonly SeenImage[], model: CatalogModel): LeftOut {
  const texts = new Map<number, string>();
  for (const [at, image] of images.entries()) {
    const text = unfit(image, model);
    if (text !== null) texts.set(at, text);
  }
  const unfitCount = texts.size;
  const most = model.limits.images ?? (model.supports.vision ? Number.POSITIVE_INFINITY : 0);
  let surplus = images.length - unfitCount - most;
  const leaving = Math.max(0, surplus);
  for (let at = 0; surplus > 0; at++) {
    if (texts.has(at)) continue;
    texts.set(at, `[image left out: the model takes ${most === 0 ? 'none' : most}]`);
    surplus--;
  }
  return {
    texts,
    notes: [
      ...(unfitCount > 0
        ? [{ code: 'image-left-out', count: unfitCount, text: counted('image left out', unfitCount) }]
        : []),
      ...(leaving > 0 ? [{ code: 'images-left-out', count: leaving, text: counted('images left out', leaving) }] : []),
    ],
  };
}

function unfit({ url, place, attached }: SeenImage, { limits }: CatalogModel): string | null {
  if (typeof url !== 'string') return null;
  if (!url.startsWith('data:'))
    throw refuseField(place, 'Copilot takes no images by address. Send a data URL.', 'unsupported_value');
  const [head, type = ''] = dataUrl.exec(url) ?? [];
  if (head === undefined) return null;
  const bytes = sizeOfBase64(url.slice(head.length));
  if (limits.imageBytes !== null && bytes > limits.imageBytes) {
    const [size, most] = sizeAndLimit(bytes, limits.imageBytes);
    if (!attached) return `[image left out: ${size} > ${most}]`;
    const message = `Jumpseat: an image is ${size}; Copilot takes ${most}.`;
    throw new Stopped({ ...refuse(413, 'request_too_large', 'image-too-large', message, false), param: place });
  }
  return limits.imageTypes.length > 0 && !limits.imageTypes.includes(type.toLowerCase())
    ? `[image left out: ${type} is not taken]`
    : null;
}

function counted(text: string, count: number): string {
  return count === 1 ? text : `${text} ×${count}`;
}
