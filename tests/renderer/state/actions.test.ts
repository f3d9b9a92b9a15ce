import { afterEach, expect, it, vi } from 'vitest';
import { actionsOf } from '../../../renderer/state/actions.ts';
import type { Services } from '../../../renderer/state/services.ts';
import { createWindowStore } from '../../../renderer/state/window-state.ts';

afterEach(() => vi.unstubAllGlobals());

it('in a browser a confirmed address is opened as in the tray app: none with a user name in front', () => {
  const open = vi.fn();
  vi.stubGlobal('window', { open });
  const store = createWindowStore();
  const { openConfirmed } = actionsOf({ bridge: { openAddress: null }, store } as Services);
  openConfirmed('https://example.com@evil.example/');
  expect(open).not.toHaveBeenCalled();
  expect(JSON.stringify(store.getState().toasts)).toContain('This address isn’t one that is opened from here.');
  openConfirmed('https://example.com/a?b=c');
  expect(open.mock.calls).toEqual([['https://example.com/a?b=c', '_blank', 'noopener']]);
});
