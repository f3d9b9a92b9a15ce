import { BrowserWindow, app as electron, nativeImage } from 'electron';
import { inFrontLanguage } from '../../app/language/front-language.ts';
import { waitingWords } from '../../app/words/session-questions.ts';

/** A number in a disc, drawn here: Windows takes a picture over the taskbar's button in the place of a number. */

/** Three pixels wide and five high. */
const digits: Readonly<Record<string, readonly string[]>> = {
  '1': ['.#.', '##.', '.#.', '.#.', '###'],
  '2': ['##.', '..#', '.#.', '#..', '###'],
  '3': ['##.', '..#', '.#.', '..#', '##.'],
  '4': ['#.#', '#.#', '###', '..#', '..#'],
  '5': ['###', '#..', '##.', '..#', '##.'],
  '6': ['.##', '#..', '###', '#.#', '###'],
  '7': ['###', '..#', '.#.', '.#.', '.#.'],
  '8': ['###', '#.#', '###', '#.#', '###'],
  '9': ['###', '#.#', '###', '..#', '##.'],
  '+': ['...', '.#.', '###', '.#.', '...'],
};

/** The amber of what waits, on which black is easy to read. */
const disc = { red: 0xe3, green: 0xb3, blue: 0x41 } as const;
const side = 32;

interface BadgePicture {
  side: number;
  /** Blue, green, red, alpha for each pixel, the upper row first. */
  bgra: Buffer;
}

/** @param count more than 9 are `9+` */
export function badgePicture(count: number): BadgePicture {
  const text = count > 9 ? '9+' : String(count);
  const bgra = Buffer.alloc(side * side * 4);
  const middle = (side - 1) / 2;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const cover = Math.min(1, Math.max(0, side / 2 - Math.hypot(x - middle, y - middle)));
      const { red, green, blue } = disc;
      // Multiplied by its alpha, as the system takes it.
      bgra.set([blue * cover, green * cover, red * cover, 255 * cover], (y * side + x) * 4);
    }
  }
  const scale = text.length === 1 ? 4 : 3;
  const width = text.length * 3 * scale + (text.length - 1) * scale;
  const left = Math.round((side - width) / 2);
  const top = Math.round((side - 5 * scale) / 2);
  [...text].forEach((character, index) => {
    (digits[character] ?? []).forEach((row, down) => {
      [...row].forEach((pixel, across) => {
        if (pixel !== '#') return;
        const from = { x: left + (index * 4 + across) * scale, y: top + down * scale };
        for (let y = from.y; y < from.y + scale; y++)
          for (let x = from.x; x < from.x + scale; x++) bgra.set([0, 0, 0, 255], (y * side + x) * 4);
      });
    });
  });
  return { side, bgra };
}

/** How many sessions wait for a person, on the Dock, the taskbar or the launcher; nothing while none does. */
export class Badge {
  #count = 0;

  show(count: number): void {
    if (count === this.#count) return;
    this.#count = count;
    if (process.platform === 'win32') for (const window of BrowserWindow.getAllWindows()) this.#over(window);
    else electron.setBadgeCount(count);
  }

  /** Each button of a taskbar has its own. */
  made(window: BrowserWindow): void {
    if (process.platform === 'win32' && this.#count > 0) this.#over(window);
  }

  #over(window: BrowserWindow): void {
    if (this.#count === 0) {
      window.setOverlayIcon(null, '');
      return;
    }
    const { side, bgra } = badgePicture(this.#count);
    const picture = nativeImage.createFromBitmap(bgra, { width: side, height: side, scaleFactor: 2 });
    window.setOverlayIcon(
      picture,
      inFrontLanguage(() => waitingWords(this.#count)),
    );
  }
}
