import { until } from '../soon.ts';
import type { Bus } from './bus.ts';

const name = 'org.freedesktop.Notifications';
const path = '/org/freedesktop/Notifications';

export interface Notification {
  id: number;
  title: string;
  body: string;
  /** The unique name of the program that it is from. */
  from: string;
  /** Its buttons: what each is called by the bus, and by its label. */
  buttons: { key: string; label: string }[];
}

/** The part of a desktop that shows notifications. */
export class NotificationServer {
  readonly shown: Notification[] = [];
  /** Taken back by the program that showed them. */
  readonly closed: number[] = [];
  readonly #bus: Bus;

  private constructor(bus: Bus) {
    this.#bus = bus;
  }

  static async start(bus: Bus, capabilities = ['actions', 'body']): Promise<NotificationServer> {
    const server = new NotificationServer(bus);
    bus.serve(path, name, 'GetCapabilities', 'as', () => capabilities);
    bus.serve(path, name, 'GetServerInformation', 'ssss', () => ['test', 'test', '1', '1.2']);
    bus.serve(path, name, 'CloseNotification', '', ([id]) => void server.closed.push(Number(id)));
    bus.serve(path, name, 'Notify', 'u', ([_app, _replaces, _icon, title, body, actions], from) => {
      const id = server.shown.length + 1;
      server.shown.push({ id, title: String(title), body: String(body), from, buttons: buttonsOf(actions) });
      return id;
    });
    await bus.own(name);
    return server;
  }

  /** Waits for one with this title. */
  titled(title: string): Promise<Notification> {
    return until(
      () => this.shown.find((notification) => notification.title === title),
      () => ({ wanted: title, shown: this.shown }),
    );
  }

  /** Presses one of its buttons; without a label, itself. */
  click({ id, buttons }: Notification, label?: string): void {
    const key = label === undefined ? 'default' : (buttons.find((button) => button.label === label)?.key ?? '');
    this.#bus.signal(path, name, 'ActionInvoked', 'us', [id, key]);
    this.#bus.signal(path, name, 'NotificationClosed', 'uu', [id, 2]);
  }
}

/** Without that of the notification itself. */
function buttonsOf(actions: unknown): Notification['buttons'] {
  const words = Array.isArray(actions) ? actions.map(String) : [];
  return words.flatMap((key, at) => (at % 2 === 0 && key !== 'default' ? [{ key, label: words[at + 1] ?? '' }] : []));
}
