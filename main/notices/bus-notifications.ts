import { inFrontLanguage } from '../../app/language/front-language.ts';
import { t } from '../../app/language/translate.ts';
import { BusBody, type BusMessage, SessionBus, sessionBusPath, strings } from '../session-bus.ts';

/**
 * Notifications with buttons on Linux, where Electron's have none: the Desktop Notifications Specification, over the
 * session's bus.
 */

const name = 'org.freedesktop.Notifications';
const path = '/org/freedesktop/Notifications';

interface BusNotification {
  title: string;
  body: string;
  /** Of the app. */
  icon: string;
  buttons: readonly { label: string; press: () => void }[];
  click: () => void;
  /** It is gone, whoever closed it. */
  closed: () => void;
}

/** A desktop that shows buttons. */
interface Desktop {
  bus: SessionBus;
  /** The unique name of the program that shows them. Others may send the same signals. */
  owner: string;
  /** It reads the text as markup. */
  hasMarkup: boolean;
}

export class BusNotifications {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #shown = new Map<number, BusNotification>();
  #desktop: Promise<Desktop | null> | null = null;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** Returns the way to take it back; null where the desktop shows no buttons: then it shows nothing. */
  async show(notification: BusNotification): Promise<{ close: () => void } | null> {
    this.#desktop ??= this.#connect();
    const desktop = await this.#desktop;
    if (desktop === null) return null;
    const { bus, hasMarkup } = desktop;
    const { title, icon, buttons } = notification;
    const actions = buttons.flatMap(({ label }, index) => [`button-${index}`, label]);
    const body = new BusBody()
      .text('Jumpseat')
      .u32(0)
      .text(icon)
      .text(title)
      .text(hasMarkup ? escaped(notification.body) : notification.body)
      .texts(['default', inFrontLanguage(() => t('Open')), ...actions])
      .noEntries()
      // As long as the desktop has them.
      .u32(-1);
    try {
      const answer = await bus.call({ to: name, path, face: name, member: 'Notify', signature: 'susssasa{sv}i', body });
      const id = answer.u32(answer.body, 0);
      this.#shown.set(id, notification);
      return {
        close: () => {
          this.#forget(id);
          const closing = { to: name, path, face: name, member: 'CloseNotification', signature: 'u' };
          void bus.call({ ...closing, body: new BusBody().u32(id) }).catch(() => {});
        },
      };
    } catch {
      return null;
    }
  }

  close(): void {
    void this.#desktop?.then((desktop) => desktop?.bus.close());
  }

  async #connect(): Promise<Desktop | null> {
    const at = sessionBusPath(this.#env);
    if (at === null) return null;
    const bus = new SessionBus(at, { signal: (message) => void this.#hear(message), lost: () => this.#lose() });
    try {
      // The answer begins with the length of the list in bytes.
      const said = await bus.call({ to: name, path, face: name, member: 'GetCapabilities' });
      const capabilities = strings(said.body.subarray(4), said.body.length, said.u32);
      const owner = await bus.ask('GetNameOwner', name);
      const [found] = strings(owner.body, 1, owner.u32);
      if (found === undefined || !capabilities.includes('actions') || !capabilities.includes('body')) throw new Error();
      await bus.ask('AddMatch', `type='signal',sender='${name}',interface='${name}'`);
      return { bus, owner: found, hasMarkup: capabilities.includes('body-markup') };
    } catch {
      bus.close();
      this.#desktop = null;
      return null;
    }
  }

  /** A desktop may start its panel anew: the next one is asked for again. */
  #lose(): void {
    this.#desktop = null;
    for (const id of [...this.#shown.keys()]) this.#forget(id);
  }

  async #hear({ member, sender, body, u32 }: BusMessage): Promise<void> {
    const desktop = await this.#desktop;
    if (desktop === null || sender !== desktop.owner || body.length < 8) return;
    const id = u32(body, 0);
    const shown = this.#shown.get(id);
    if (shown === undefined) return;
    if (member === 'NotificationClosed') return this.#forget(id);
    if (member !== 'ActionInvoked') return;
    const [key] = strings(body.subarray(4), 1, u32);
    if (key === 'default') shown.click();
    else shown.buttons.find((_, index) => key === `button-${index}`)?.press();
    this.#forget(id);
  }

  #forget(id: number): void {
    const shown = this.#shown.get(id);
    this.#shown.delete(id);
    shown?.closed();
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
