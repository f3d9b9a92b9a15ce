import type { FitNote } from '../../../api/exchange.ts';
import type { CatalogModel } from '../../../copilot/model.ts';
import { mostImages, sizeOfBase64, surplusText, unfitImage } from '../../fits/image-policy.ts';
import { refuse } from '../../recover/refuse.ts';
import { Stopped } from '../../recover/stopped.ts';
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
 * By `fits/image-policy.ts`. Throws `Stopped` for an image that was just attached and is too large.
 *
 * Throws `Stopped` also for an image by its address: Copilot refuses it (`error-400-external-image-url`), and fetching
 * it for the client would turn the proxy into a way to send requests into the network of the person who runs it.
 */
export function leaveOutImages(images: readonly SeenImage[], model: CatalogModel): LeftOut {
  const texts = new Map<number, string>();
  for (const [at, image] of images.entries()) {
    const text = textInstead(image, model);
    if (text !== null) texts.set(at, text);
  }
  const unfitCount = texts.size;
  const most = mostImages(model);
  let surplus = images.length - unfitCount - most;
  const leaving = Math.max(0, surplus);
  for (let at = 0; surplus > 0; at++) {
    if (texts.has(at)) continue;
    texts.set(at, surplusText(most));
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

function textInstead({ url, place, attached }: SeenImage, model: CatalogModel): string | null {
  if (typeof url !== 'string') return null;
  if (!url.startsWith('data:'))
    throw refuseField(place, 'Copilot takes no images by address. Send a data URL.', 'unsupported_value');
  const [head, type] = dataUrl.exec(url) ?? [];
  if (head === undefined) return null;
  const unfit = unfitImage({ bytes: sizeOfBase64(url, head.length), type: type?.toLowerCase() }, model);
  if (unfit?.kind === 'too-large' && attached) {
    const { status, type: kind, code, message, shouldRetry } = unfit.refusal;
    throw new Stopped({ ...refuse(status, kind, code, message, shouldRetry), param: place });
  }
  return unfit === null ? null : `[${unfit.text}]`;
}

function counted(text: string, count: number): string {
  return count === 1 ? text : `${text} ×${count}`;
}
