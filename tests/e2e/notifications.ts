import { until } from '../soon.ts';
import type { Bus } from './bus.ts';

const name = 'org.freedesktop.Notifications';
const path = '/org/freedesktop/Notifications';

export interface Notification {
  id: number;
  title: string;
  body: string;
}

/** The part of a desktop that shows notifications. */
export class NotificationServer {
  readonly shown: Notification[] = [];
  readonly #bus: Bus;

  private constructor(bus: Bus) {
    this.#bus = bus;
  }

  static async start(bus: Bus): Promise<NotificationServer> {
    const server = new NotificationServer(bus);
    bus.serve(path, name, 'GetCapabilities', 'as', () => ['actions', 'body']);
    bus.serve(path, name, 'GetServerInformation', 'ssss', () => ['test', 'test', '1', '1.2']);
    bus.serve(path, name, 'CloseNotification', '', () => undefined);
    bus.serve(path, name, 'Notify', 'u', ([_app, _replaces, _icon, title, body]) => {
      const id = server.shown.length + 1;
      server.shown.push({ id, title: String(title), body: String(body) });
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

  click({ id }: Notification): void {
    this.#bus.signal(path, name, 'ActionInvoked', 'us', [id, 'default']);
    this.#bus.signal(path, name, 'NotificationClosed', 'uu', [id, 2]);
  }
}
