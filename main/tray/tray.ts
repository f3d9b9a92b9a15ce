import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, type NativeImage, nativeImage, nativeTheme, Tray } from 'electron';
import type { AppState } from '../../app/api/state.ts';
import { inFrontLanguage } from '../../app/language/front-language.ts';
import { quits, turnsOff } from '../../app/words/quit.ts';
import type { TrayAction, TrayEntry, TrayFacts } from './tray-entry.ts';
import { type TrayIconName, trayIcon, trayIconFiles } from './tray-icon.ts';
import { trayMenu } from './tray-menu.ts';

interface TrayDependencies {
  /** The folder of the pictures. */
  folder: string;
  /** Used on Linux, where the system doesn't say whether the panel is dark. */
  drawing: () => 'automatic' | 'light' | 'dark';
  facts: (state: AppState) => TrayFacts;
  act: (action: TrayAction) => void;
  /** A click on the icon where that does not open the menu. */
  clicked: () => void;
}

/** Shows the state in the tray. Holds nothing but the icon and menu that are shown now. */
export class TrayFront {
  readonly #dependencies: TrayDependencies;
  readonly #images = new Map<string, NativeImage>();
  #tray: Tray | null = null;
  #shown = '';

  constructor(dependencies: TrayDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes the icon, or makes it anew for a host that came later: only a new one looks for its host. */
  place(state: AppState): void {
    this.remove();
    const facts = this.#dependencies.facts(state);
    this.#tray = new Tray(this.#image(trayIcon(state, facts.running).name));
    // On macOS a click opens the menu.
    if (process.platform !== 'darwin') this.#tray.on('click', this.#dependencies.clicked);
    this.show(state);
  }

  show(state: AppState): void {
    const tray = this.#tray;
    if (tray === null) return;
    const facts = this.#dependencies.facts(state);
    const { menu, name, tooltip } = inFrontLanguage(() => ({
      menu: trayMenu(state, facts),
      ...trayIcon(state, facts.running, waitsTip(facts), facts.figure),
    }));
    const shown = JSON.stringify([menu, name, tooltip, this.#isDark()]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    tray.setImage(this.#image(name));
    tray.setToolTip(tooltip);
    if (process.platform === 'darwin') tray.setTitle(facts.figure ?? '');
    // On Linux a menu is only seen to have changed when it is set again.
    tray.setContextMenu(Menu.buildFromTemplate(menu.map((entry) => this.#item(entry))));
  }

  /** On Windows an icon outlives its program unless it is destroyed. */
  remove(): void {
    this.#tray?.destroy();
    this.#tray = null;
    this.#shown = '';
  }

  #isDark(): boolean {
    if (process.platform !== 'linux') return nativeTheme.shouldUseDarkColors;
    // Linux panels are dark almost everywhere, whatever the theme of the windows.
    return this.#dependencies.drawing() !== 'dark';
  }

  #image(name: TrayIconName): NativeImage {
    const { file, fine } = trayIconFiles(name, process.platform, this.#isDark());
    const known = this.#images.get(file);
    if (known) return known;
    const image = nativeImage.createFromPath(join(this.#dependencies.folder, file));
    if (fine !== null) {
      const twice = nativeImage.createFromPath(join(this.#dependencies.folder, fine));
      image.addRepresentation({ scaleFactor: 2, buffer: twice.toPNG() });
    }
    this.#images.set(file, image);
    return image;
  }

  #item(entry: TrayEntry): MenuItemConstructorOptions {
    if (entry === 'separator') return { type: 'separator' };
    if ('items' in entry) {
      return { id: entry.id, label: shownAs(entry.label), submenu: entry.items.map((item) => this.#item(item)) };
    }
    const { id, action, checked } = entry;
    const label = shownAs(entry.label);
    if (action !== null && checked !== undefined) {
      const click = () => {
        // The system has ticked it by itself; what is so is shown anew.
        this.#shown = '';
        this.#dependencies.act(action);
      };
      return { id, label, type: 'checkbox', checked, click };
    }
    return action === null ? { id, label, enabled: false } : { id, label, click: () => this.#dependencies.act(action) };
  }
}

/** The tooltip while the end of Jumpseat, or of its proxy, waits for work; else null. */
function waitsTip(facts: Pick<TrayFacts, 'quits' | 'turnsOff'>): string | null {
  if (facts.quits !== null) return quits(facts.quits, 'tip');
  return facts.turnsOff === null ? null : turnsOff(facts.turnsOff, 'tip');
}

/** A menu takes a single `&` for the mark of a key. */
function shownAs(label: string): string {
  return label.replaceAll('&', '&&');
}
