import { beforeAll, expect, it } from 'vitest';
import type { WindowEvent } from '../../../app/api/events.ts';
import { rememberSentences } from '../../../app/language/remembered.ts';
import { t } from '../../../app/language/translate.ts';
import { eventFor } from '../../../main/windows/ipc.ts';
import { callChannel } from '../../../preload/calls.ts';
import { appState } from '../app-state.ts';
import { CallDesk, fromOurPage } from '../window-calls.ts';

/** The app's own sentences, for a window of the tray app that shows another language than English. */

class SettingsError extends Error {
  readonly code = 'settings';
  readonly remedy = t('Revoke one first.');
}

beforeAll(rememberSentences);

it('answers each window in the language that its page shows, and sends events in it from then on', async () => {
  const desk = new CallDesk({
    revokeKey: () => {
      throw new SettingsError(t('There is no key named "{name}".', { name: 'ci' }));
    },
  });
  const [german, english] = [fromOurPage(), fromOurPage()] as { sender: object }[];
  const revoke = (event: unknown, tag?: unknown) => desk.invoke(callChannel('revokeKey'), ['ci'], event, tag);
  const [one, other] = await Promise.all([revoke(german, 'de'), revoke(english, 'en')]);
  expect(one.problem).toEqual({
    code: 'settings',
    text: 'Es gibt keinen Schlüssel mit dem Namen "ci".',
    remedy: 'Widerrufen Sie zuerst einen.',
  });
  expect(other.problem).toMatchObject({ text: 'There is no key named "ci".', remedy: 'Revoke one first.' });
  expect((await revoke(fromOurPage())).problem).toEqual(other.problem);

  const warning = {
    code: 'x',
    text: t('There are {most} keys already.', { most: 50 }),
    remedy: t('Revoke one first.'),
  };
  const event: WindowEvent = { event: 'state', state: { ...appState(), warnings: [warning] } };
  expect(eventFor(english?.sender ?? {}, event)).toBe(event);
  expect(eventFor(german?.sender ?? {}, event)).toMatchObject({
    state: { warnings: [{ text: 'Es gibt bereits 50 Schlüssel.', remedy: 'Widerrufen Sie zuerst einen.' }] },
  });
  // A window that has made no call yet.
  expect(eventFor({}, event)).toBe(event);
});
