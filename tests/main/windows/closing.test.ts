import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SettingsStore } from '../../../app/settings/settings.ts';
import { type ClosingWindow, keepRunningWithout } from '../../../main/windows/closing.ts';
import { soon } from '../../soon.ts';

let home: string;
let settings: SettingsStore;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'jumpseat-closing-'));
  settings = SettingsStore.open(join(home, 'settings.json'), { write: () => {} }).store;
});
afterEach(() => {
  settings.close();
  rmSync(home, { recursive: true, force: true });
});

/** A window, and what its closing leads to. */
function open(options: { tray: boolean; ending?: boolean; quits?: boolean; others?: boolean }) {
  const done: string[] = [];
  let closing = (_event: { preventDefault(): void }) => {};
  const window: ClosingWindow = {
    on(_event, listener) {
      closing = listener;
    },
    destroy: () => done.push('destroyed'),
  };
  keepRunningWithout(window, {
    settings,
    hasTray: () => options.tray,
    isLast: () => options.others !== true,
    isEnding: () => options.ending ?? false,
    platform: 'linux',
    notify: ({ title }) => done.push(title),
    ask: async ({ title, safe, action }) => {
      done.push(`${title} [${safe}] [${action}]`);
      return options.quits ?? false;
    },
    quit: () => done.push('quit'),
  });
  const close = () => {
    let stays = false;
    closing({
      preventDefault: () => {
        stays = true;
      },
    });
    done.push(stays ? 'stays' : 'closed');
  };
  return { close, done };
}

const question = 'Quit Jumpseat, or keep it running without a window? [Keep running] [Quit]';

describe('closing the window', () => {
  it('the first time it is said where Jumpseat goes on, then never again', async () => {
    const { close, done } = open({ tray: true });
    close();
    await soon(() => expect(settings.current().shownNotices.keepsRunning).toBe(true));
    close();
    open({ tray: true }).close();
    expect(done).toEqual(['Jumpseat keeps running', 'closed', 'closed']);
  });

  it('quits where a person chose so', async () => {
    await settings.update({ closing: 'quit' });
    const { close, done } = open({ tray: true });
    close();
    expect(done).toEqual(['quit', 'stays']);
  });

  it('without a tray it asks, once; what is kept running is not asked about again', async () => {
    const { close, done } = open({ tray: false });
    close();
    close();
    await soon(() => expect(done).toContain('destroyed'));
    close();
    expect(done).toEqual([question, 'stays', 'stays', 'destroyed', 'closed']);
    expect(settings.current().shownNotices.withoutWindow).toBe(true);
  });

  it('or quits, and asks again the next time', async () => {
    const { close, done } = open({ tray: false, quits: true });
    close();
    await soon(() => expect(done).toContain('quit'));
    expect([done, settings.current().shownNotices.withoutWindow]).toEqual([[question, 'stays', 'quit'], false]);
  });

  it('one of several closes without a word, with a tray or without', async () => {
    await settings.update({ closing: 'quit' });
    for (const tray of [true, false]) {
      const { close, done } = open({ tray, others: true });
      close();
      expect(done).toEqual(['closed']);
    }
    expect(settings.current().shownNotices).toMatchObject({ keepsRunning: false, withoutWindow: false });
  });

  it('at the end it closes', () => {
    const { close, done } = open({ tray: false, ending: true });
    close();
    expect(done).toEqual(['closed']);
  });
});
