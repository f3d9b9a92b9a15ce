import { until } from '../soon.ts';
import { type Bus, dictionary, unwrap } from './bus.ts';

const watcher = { name: 'org.kde.StatusNotifierWatcher', path: '/StatusNotifierWatcher' };
const itemFace = 'org.kde.StatusNotifierItem';
const menuFace = 'com.canonical.dbusmenu';

/**
 * The part of a desktop that shows tray icons. Up before the program starts: it is looked for once, when the icon is
 * made.
 */
export class StatusNotifierHost {
  readonly #bus: Bus;
  readonly #items: { owner: string; path: string; at: number }[] = [];

  private constructor(bus: Bus) {
    this.#bus = bus;
  }

  static async start(bus: Bus): Promise<StatusNotifierHost> {
    const host = new StatusNotifierHost(bus);
    const values = {
      RegisteredStatusNotifierItems: [],
      IsStatusNotifierHostRegistered: true,
      ProtocolVersion: 0,
      RegisterStatusNotifierItem: (service: string, message: { sender: string }) => {
        const path = service.startsWith('/') ? service : '/StatusNotifierItem';
        host.#items.push({ owner: message.sender, path, at: performance.now() });
      },
      RegisterStatusNotifierHost: () => {},
    };
    bus.offer(
      watcher.path,
      watcher.name,
      values,
      { RegisteredStatusNotifierItems: 'as', IsStatusNotifierHostRegistered: 'b', ProtocolVersion: 'i' },
      { RegisterStatusNotifierItem: ['s', ''], RegisterStatusNotifierHost: ['s', ''] },
    );
    await bus.own(watcher.name);
    return host;
  }

  /** The newest icon, and when it was registered on `performance.now()`. @param of the process that must own it */
  async icon({ of, explain }: { of?: number; explain?: () => unknown } = {}): Promise<TrayIcon> {
    const newest = async () => {
      const item = this.#items.at(-1);
      if (item === undefined || of === undefined) return item;
      return (await this.#bus.processOf(item.owner)) === of ? item : undefined;
    };
    const { owner, path, at } = await until(newest, explain ?? (() => 'No tray icon was registered.'));
    return new TrayIcon(this.#bus, owner, path, at);
  }
}

export interface Picture {
  width: number;
  height: number;
  /** Alpha, red, green, blue of each pixel. */
  argb: Buffer;
}

export interface MenuNode {
  id: number;
  label: string;
  separator: boolean;
  enabled: boolean;
  checked: boolean;
  children: MenuNode[];
}

/** One icon in the tray, as the desktop sees it. */
export class TrayIcon {
  readonly registeredAt: number;
  readonly #bus: Bus;
  readonly #owner: string;
  readonly #path: string;

  constructor(bus: Bus, owner: string, path: string, registeredAt: number) {
    this.#bus = bus;
    this.#owner = owner;
    this.#path = path;
    this.registeredAt = registeredAt;
  }

  async tooltip(): Promise<string> {
    const toolTip = (await this.#properties()).get('ToolTip');
    return Array.isArray(toolTip) ? String(toolTip[2] || toolTip[3]) : '';
  }

  async pictures(): Promise<Picture[]> {
    const pixmaps = (await this.#properties()).get('IconPixmap');
    if (!Array.isArray(pixmaps)) return [];
    return pixmaps.map(([width, height, argb]) => ({ width, height, argb: Buffer.from(argb) }));
  }

  async menu(): Promise<MenuNode[]> {
    const [, root] = await this.#menu('GetLayout', 'iias', [0, -1, []]);
    return readNode(root).children;
  }

  /** The menu as a page of text: `(a line that cannot be clicked)`, `─`, and what a submenu holds after `▸`. */
  async lines(): Promise<string[]> {
    return (await this.menu()).map(textOf);
  }

  /** Waits until the menu holds such a line, and gives the whole of it. */
  async shows(line: string | RegExp): Promise<string[]> {
    const fits = (text: string) => (typeof line === 'string' ? text === line : line.test(text));
    return until(
      async () => {
        const lines = await this.lines();
        return lines.some(fits) ? lines : null;
      },
      async () => ({ wanted: String(line), menu: await this.lines() }),
    );
  }

  /**
   * Clicks an entry by its label, or by those of the submenus on the way to it, as soon as it can be clicked. Ids
   * change whenever the menu is set, which may be between looking and clicking: then it is looked up anew.
   */
  async click(...labels: string[]): Promise<void> {
    let refused: unknown;
    await until(
      async () => {
        const found = find(await this.menu(), labels);
        if (!found?.enabled) return false;
        try {
          await this.#menu('Event', 'isvu', [found.id, 'clicked', ['s', ''], 0]);
          return true;
        } catch (error) {
          refused = error;
          return false;
        }
      },
      async () => ({ wanted: labels.join(' ▸ '), menu: await this.lines(), refused: String(refused) }),
    );
  }

  /** A click on the icon itself. */
  async activate(): Promise<void> {
    const call = { to: this.#owner, path: this.#path, face: itemFace };
    await this.#bus.call({ ...call, member: 'Activate', signature: 'ii', body: [0, 0] });
  }

  /** Whether the program that owns it is still on the bus. */
  isThere(): Promise<boolean> {
    return this.#bus.hasOwner(this.#owner);
  }

  async #properties(): Promise<Map<string, unknown>> {
    const [pairs] = await this.#bus.call({
      to: this.#owner,
      path: this.#path,
      face: 'org.freedesktop.DBus.Properties',
      member: 'GetAll',
      signature: 's',
      body: [itemFace],
    });
    return dictionary(pairs);
  }

  async #menu(member: string, signature: string, body: unknown[]): Promise<unknown[]> {
    const path = String((await this.#properties()).get('Menu'));
    return this.#bus.call({ to: this.#owner, path, face: menuFace, member, signature, body });
  }
}

function readNode(node: unknown): MenuNode {
  const [id, pairs, children] = Array.isArray(node) ? node : [];
  const facts = dictionary(pairs);
  return {
    id: Number(id),
    label: plain(String(facts.get('label') ?? '')),
    separator: facts.get('type') === 'separator',
    enabled: facts.get('enabled') !== false,
    checked: facts.get('toggle-state') === 1,
    children: Array.isArray(children) ? children.map(unwrap).map(readNode) : [],
  };
}

function find(nodes: MenuNode[], [label, ...rest]: string[]): MenuNode | undefined {
  const found = nodes.find((node) => node.label === label);
  return rest.length === 0 ? found : find(found?.children ?? [], rest);
}

/** A single underline marks the key of an entry, a double one is an underline. */
const plain = (label: string): string => label.replaceAll(/_(_?)/g, '$1');

function textOf(node: MenuNode): string {
  if (node.separator) return '─';
  const text = node.children.length > 0 ? `${node.label} ▸ ${node.children.map(textOf).join(', ')}` : node.label;
  return node.enabled ? text : `(${text})`;
}
