import { expect, it, vi } from 'vitest';
import type { AppState } from '../../../../app/api/state.ts';
import { WaitingMessages } from '../../../../renderer/sessions/composer/waiting-messages.ts';
import { createWindowStore } from '../../../../renderer/state/window-state.ts';
import { appState } from '../../../main/app-state.ts';

function windowThatIs(status: AppState['status']) {
  const store = createWindowStore();
  const be = (next: AppState['status']) => store.setState({ app: { ...appState(), status: next } });
  store.setState({ connection: { kind: 'live' } });
  be(status);
  return { store, be };
}

it('a message waits until Copilot answers, and is sent once', () => {
  const { store, be } = windowThatIs('offline');
  const messages = new WaitingMessages(store);
  const send = vi.fn();
  messages.add('one', send);
  be('offline');
  expect([send.mock.calls.length, messages.has('one'), messages.has(null)]).toEqual([0, true, false]);
  be('on');
  be('offline');
  be('on');
  expect([send.mock.calls.length, messages.has('one')]).toEqual([1, false]);
});

it('it goes on waiting while something else is in the way', () => {
  const { store, be } = windowThatIs('offline');
  const messages = new WaitingMessages(store);
  const send = vi.fn();
  messages.add('one', send);
  be('signed-out');
  store.setState({ connection: { kind: 'lost', since: 0, retryAt: null } });
  be('on');
  expect(send).not.toHaveBeenCalled();
  store.setState({ connection: { kind: 'live' } });
  expect(send).toHaveBeenCalledOnce();
});
