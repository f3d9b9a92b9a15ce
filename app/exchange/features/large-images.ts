import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import type { LargeImage, ScaledImage, ScaleImage } from '../../images/scale-image.ts';
import type { Changed, Part } from '../feature.ts';
import { mapKeeping } from '../fits/fit.ts';
import { megabytes, sizeOfBase64 } from '../fits/images.ts';
import { LruMap } from '../lru-map.ts';

/** Clients send an image again with every request of its conversation. */
const mostKept = 16;
const atOnce = 2;
const dataUrl = /^data:(image\/(?:png|jpeg));base64,/i;

/**
 * Images that are larger than the model takes are scaled down, whichever API their client speaks. The same image
 * becomes the same bytes, so that it keeps its place in Copilot's prompt cache.
 */
export class LargeImages {
  readonly #scale: ScaleImage;
  readonly #kept = new LruMap<Promise<ScaledImage | null>>(mostKept);
  readonly #limit = pLimit(atOnce);

  constructor(scale: ScaleImage) {
    this.#scale = scale;
  }

  join(): Part {
    return { change: (request, model) => this.#change(request, model) };
  }

  async #change<Request extends object>(request: Request, { limits }: CatalogModel): Promise<Changed<Request> | null> {
    const most = limits.imageBytes;
    if (most === null) return null;
    const large = new Map<string, LargeImage>();
    const look: Change = (data, type) => {
      if (sizeOfBase64(data) > most) large.set(data, { data, type, most });
      return null;
    };
    withImages(request, look);
    const made = new Map<string, ScaledImage>();
    await Promise.all(
      [...large.values()].map(async (image) => {
        const scaled = await this.#scaled(image);
        if (scaled !== null) made.set(image.data, scaled);
      }),
    );
    const [first] = made;
    if (first === undefined) return null;
    const sizes = `${megabytes(sizeOfBase64(first[0]), Math.ceil)} → ${megabytes(first[1].bytes, Math.ceil)}`;
    const changed = withImages(request, (data) => made.get(data)?.data ?? null);
    return { request: changed, note: { code: 'image-scaled', count: made.size, text: `image scaled down: ${sizes}` } };
  }

  #scaled(image: LargeImage): Promise<ScaledImage | null> {
    const key = createHash('sha256').update(`${image.type} ${image.most} `).update(image.data).digest('base64');
    const scaled = this.#kept.takeOut(key) ?? this.#limit(() => this.#scale(image));
    this.#kept.keep(key, scaled);
    return scaled;
  }
}

/** Other data for an image; null leaves it. */
type Change = (data: string, type: string) => string | null;

/** The members that hold what was said, in requests of the three APIs. */
const lists = ['messages', 'input'] as const;

/** The request with other images; the request itself where none changes. */
function withImages<Request extends object>(request: Request, change: Change): Request {
  let changed = request;
  for (const name of lists) {
    const list: unknown = Reflect.get(request, name);
    const next = inValue(list, change);
    if (next !== list) changed = { ...changed, [name]: next };
  }
  return changed;
}

/** An image in a tool's result is six levels below the list. */
const deepest = 8;

/** The value with other images; the value itself where none changes. */
function inValue(value: unknown, change: Change, depth = 0): unknown {
  if (depth > deepest || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return mapKeeping(value, (item) => inValue(item, change, depth + 1));
  const { type, media_type, data } = Object(value);
  if (type === 'base64' && typeof data === 'string' && canScale(media_type)) {
    const other = change(data, media_type);
    return other === null ? value : { ...value, data: other };
  }
  let copy: Record<string, unknown> | null = null;
  for (const [name, member] of Object.entries(value)) {
    const next = typeof member === 'string' ? inUrl(member, change) : inValue(member, change, depth + 1);
    if (next === member) continue;
    copy ??= { ...value };
    copy[name] = next;
  }
  return copy ?? value;
}

function inUrl(url: string, change: Change): string {
  const [head, type] = dataUrl.exec(url) ?? [];
  if (head === undefined || type === undefined) return url;
  const other = change(url.slice(head.length), type.toLowerCase());
  return other === null ? url : head + other;
}

const canScale = (type: unknown): type is string => type === 'image/png' || type === 'image/jpeg';
