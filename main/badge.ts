import { BrowserWindow, app as electron, nativeImage } from 'electron';
import { waitingWords } from '../app/words/session-asks.ts';
import { badgePicture } from './badge-picture.ts';

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
    window.setOverlayIcon(picture, waitingWords(this.#count));
  }
}
