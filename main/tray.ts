import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeImage, nativeTheme, Tray } from 'electron';
import type { AppState } from '../app/api.ts';
import { trayIcon, trayIconFile } from './tray-icon.ts';
import { type TrayAction, type TrayEntry, trayMenu } from './tray-menu.ts';

/** Shows the state in the tray. Holds no state but the picture that is up. */
export class TrayFront {
  readonly #tray: Tray;
  readonly #folder: string;
  readonly #act: (action: TrayAction) => void;
  #shown = '';

  constructor(resources: string, state: AppState, act: (action: TrayAction) => void) {
    this.#folder = join(resources, 'tray');
    this.#act = act;
    this.#tray = new Tray(this.#image(state));
    this.show(state);
  }

  show(state: AppState): void {
    const menu = trayMenu(state);
    const { name, tooltip } = trayIcon(state);
    const shown = JSON.stringify([menu, name, tooltip, nativeTheme.shouldUseDarkColors]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#tray.setImage(this.#image(state));
    this.#tray.setToolTip(tooltip);
    // On Linux a menu is only seen to have changed when it is set again.
    this.#tray.setContextMenu(Menu.buildFromTemplate(menu.map((entry) => this.#item(entry))));
  }

  destroy(): void {
    this.#tray.destroy();
  }

  #image(state: AppState) {
    const { platform } = process;
    // Linux panels are dark almost everywhere, whatever the theme of the windows.
    const dark = platform === 'linux' || nativeTheme.shouldUseDarkColors;
    return nativeImage.createFromPath(join(this.#folder, trayIconFile(trayIcon(state).name, platform, dark)));
  }

  #item(entry: TrayEntry): MenuItemConstructorOptions {
    if (entry === 'separator') return { type: 'separator' };
    const { id, label, action } = entry;
    return action === null ? { id, label, enabled: false } : { id, label, click: () => this.#act(action) };
  }
}
