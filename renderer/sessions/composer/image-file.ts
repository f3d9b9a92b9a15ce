import { bytes } from '../../../app/words/numbers.ts';

/** What Copilot takes of one image, in bytes, where the model's own limit isn't known. */
export const mostImageBytes = 3_000_000;

/** Longer than this, in pixels, an image gains nothing. */
const longestSide = 2_048;

/** How many bytes base64 stands for. */
export function sizeOfBase64(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}

export interface ImageFacts {
  size: number;
  /** The chosen model; null: not known. */
  model: { name: string; takesImages: boolean } | null;
}

export interface ImageProblem {
  kind: 'too-large' | 'not-taken';
  text: string;
}

/** What is wrong with an image that is attached; null: nothing. */
export function imageProblem({ size, model }: ImageFacts): ImageProblem | null {
  if (model !== null && !model.takesImages) return { kind: 'not-taken', text: `${model.name} takes no images.` };
  if (size <= mostImageBytes) return null;
  const text = `This image is ${bytes(size)}; Copilot takes ${bytes(mostImageBytes).replace('.0', '')}.`;
  return { kind: 'too-large', text };
}

/** As base64. Rejects where it can't be read. */
export async function readBase64(file: Blob): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => (typeof reader.result === 'string' ? resolve(reader.result) : reject(new Error('No text.')));
    reader.onerror = () => reject(reader.error ?? new Error('It can’t be read.'));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(',') + 1);
}

/** Sides to try, in pixels: the first that is small enough in bytes is taken. */
const tries = [
  { side: longestSide, quality: 0.9 },
  { side: 1_568, quality: 0.85 },
  { side: 1_024, quality: 0.8 },
  { side: 640, quality: 0.7 },
];

/** The image as JPEG that Copilot takes. Rejects where it is no image. */
export async function smaller(image: { mimeType: string; data: string }): Promise<{ mimeType: string; data: string }> {
  const source = await createImageBitmap(blobOf(image));
  try {
    for (const { side, quality } of tries) {
      const scale = Math.min(1, side / Math.max(source.width, source.height));
      const canvas = new OffscreenCanvas(
        Math.max(1, Math.round(source.width * scale)),
        Math.max(1, Math.round(source.height * scale)),
      );
      const context = canvas.getContext('2d');
      if (context === null) break;
      // JPEG has no transparency: what shines through is white.
      context.fillStyle = '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(source, 0, 0, canvas.width, canvas.height);
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
      if (blob.size <= mostImageBytes) return { mimeType: 'image/jpeg', data: await readBase64(blob) };
    }
  } finally {
    source.close();
  }
  throw new Error('It stays too large.');
}

function blobOf({ mimeType, data }: { mimeType: string; data: string }): Blob {
  const text = atob(data);
  const content = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place += 1) content[place] = text.charCodeAt(place);
  return new Blob([content], { type: mimeType });
}
