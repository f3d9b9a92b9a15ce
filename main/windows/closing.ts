import type { SettingsStore } from '../../app/settings/settings.ts';
import { keepsRunningNotice } from '../notices/answer-notices.ts';
import type { SystemNotice } from '../notices/notice.ts';
import { type Question, withoutWindowQuestion } from '../questions.ts';

interface ClosingDependencies {
  settings: SettingsStore;
  hasTray: () => boolean;
  /** It has no other window beside it. */
  isLast: () => boolean;
  isEnding: () => boolean;
  platform: NodeJS.Platform;
  notify: (notice: SystemNotice) => void;
  ask: (question: Question) => Promise<boolean>;
  quit: () => void;
}

/** What of a window its closing touches. */
export interface ClosingWindow {
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown;
  destroy(): void;
}

/** Closing the last window ends nothing. What goes on is said the first time; where no tray shows it, it is asked. */
export function keepRunningWithout(window: ClosingWindow, dependencies: ClosingDependencies): void {
  const { settings, hasTray, isLast, isEnding, platform, notify, ask, quit } = dependencies;
  const reported = () => settings.current().shownNotices;
  const remember = (what: 'keepsRunning' | 'withoutWindow') =>
    settings.update({ shownNotices: { ...reported(), [what]: true } }).catch(() => undefined);
  let asking = false;
  window.on('close', (event) => {
    if (isEnding() || !isLast()) return;
    if (hasTray()) {
      if (settings.current().closing === 'quit') {
        event.preventDefault();
        quit();
        return;
      }
      if (reported().keepsRunning) return;
      notify(keepsRunningNotice(platform));
      void remember('keepsRunning');
      return;
    }
    if (reported().withoutWindow) return;
    event.preventDefault();
    if (asking) return;
    asking = true;
    void ask(withoutWindowQuestion())
      .then(async (quits) => {
        if (quits) return quit();
        await remember('withoutWindow');
        window.destroy();
      })
      .finally(() => {
        asking = false;
      });
  });
}
