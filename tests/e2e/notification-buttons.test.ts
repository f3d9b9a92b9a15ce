import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusNotifications } from '../../main/notices/bus-notifications.ts';
import { until } from '../soon.ts';
import { Bus } from './bus.ts';
import { Desktop } from './desktop.ts';
import { hasDesktop } from './tray-program.ts';

/** Buttons of notifications over a real message bus. */
describe.skipIf(!hasDesktop)('a notification with buttons', () => {
  let desktop: Desktop;
  let notifications: BusNotifications;
  let other: Bus;
  let pressed: string[];
  const show = (title = 'project asks to run a command') => {
    const press = (word: string) => () => void pressed.push(`${title}: ${word}`);
    return notifications.show({
      ...{ title, body: 'npm test && echo "<b>"', icon: '', click: press('clicked'), closed: press('closed') },
      buttons: [
        { label: 'Allow once', press: press('allowed') },
        { label: 'Deny', press: press('denied') },
      ],
    });
  };

  const begin = async (...capabilities: string[]): Promise<void> => {
    desktop = await Desktop.start({ tray: false, capabilities });
    other = new Bus(desktop.env.DBUS_SESSION_BUS_ADDRESS ?? '');
    notifications = new BusNotifications(desktop.env);
  };
  beforeEach(() => {
    pressed = [];
  });
  afterEach(async () => {
    notifications.close();
    other.close();
    await desktop.close();
  });

  it('tells which was pressed, or that it was closed, and is taken back', async () => {
    await begin('actions', 'body');
    const shown = [await show('a'), await show('b'), await show('c'), await show('d')];
    const [a, b, c, d] = desktop.notifications.shown;
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('Four were shown.');
    expect(a).toMatchObject({ title: 'a', body: 'npm test && echo "<b>"' });
    expect(a.buttons.map(({ label }) => label)).toEqual(['Allow once', 'Deny']);
    desktop.notifications.click(b, 'Deny');
    desktop.notifications.click(a, 'Allow once');
    desktop.notifications.click(c);
    await until(() => pressed.length === 6);
    expect(pressed).toEqual(['b: denied', 'b: closed', 'a: allowed', 'a: closed', 'c: clicked', 'c: closed']);
    shown[3]?.close();
    await until(() => desktop.notifications.closed.includes(d.id));
    // What was answered is answered once.
    desktop.notifications.click(a, 'Deny');
    desktop.notifications.click(d, 'Allow once');
    await show('e');
    expect(pressed.filter((line) => /allowed|denied/.test(line))).toEqual(['b: denied', 'a: allowed']);
  });

  it('hears the program alone that shows it', async () => {
    await begin('actions', 'body');
    await show('a');
    const [a] = desktop.notifications.shown;
    const name = 'org.freedesktop.Notifications';
    const path = '/org/freedesktop/Notifications';
    other.signalTo(a?.from ?? '', path, name, 'ActionInvoked', 'us', [a?.id, 'button-0']);
    // The bus passes on in order what one sends.
    await other.ask('GetId', '', []).catch(() => {});
    await show('b');
    expect(pressed).toEqual([]);
  });

  it('shows what is written also where a desktop reads markup', async () => {
    await begin('actions', 'body', 'body-markup');
    await show();
    expect(desktop.notifications.shown[0]?.body).toBe('npm test &amp;&amp; echo "&lt;b&gt;"');
  });

  it('is none where a desktop has no buttons, or there is no bus', async () => {
    await begin('body');
    expect(await show()).toBeNull();
    expect(desktop.notifications.shown).toEqual([]);
    expect(
      await new BusNotifications({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${desktop.folder}/none` }).show({
        ...{ title: '', body: '', icon: '', buttons: [], click: () => {}, closed: () => {} },
      }),
    ).toBeNull();
  });
});
