import type { Finding } from '../../app/health/finding.ts';
import { msg } from '../../app/language/messages.ts';
import { t } from '../../app/language/translate.ts';
import type { NamedCheck } from '../../app/words/checks.ts';
import { sessionBusPath, watchName } from '../session-bus.ts';

const watcherName = 'org.kde.StatusNotifierWatcher';

interface TrayHostDependencies {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** There is a place for the icon, now or again: it has to be made anew. */
  found: () => void;
  /** Called when no tray came in time, or it left and did not return in time: a desktop may restart its panel. */
  missing: () => void;
}

/** How long a desktop may take at login until its tray is there. */
export function patienceMs(env: Readonly<Record<string, string | undefined>>): number {
  return env.WAYLAND_DISPLAY || env.XDG_SESSION_TYPE === 'wayland' ? 15_000 : 3_000;
}

/**
 * Looks for a program that shows tray icons. Only Linux has desktops without: an icon that is made there before its
 * host is never seen, and nothing says so. Goes on looking after `missing`. Returns the way to stop.
 */
export function watchTrayHost({ platform, env, found, missing }: TrayHostDependencies): () => void {
  if (platform !== 'linux') {
    found();
    return () => {};
  }
  let state: 'looking' | 'found' | 'missing' = 'looking';
  let patience: NodeJS.Timeout | undefined;
  const lose = () => {
    if (state === 'missing') return;
    state = 'missing';
    missing();
  };
  const look = () => {
    state = 'looking';
    clearTimeout(patience);
    patience = setTimeout(() => {
      if (state === 'looking') lose();
    }, patienceMs(env));
  };
  look();
  const path = sessionBusPath(env);
  const watch =
    path === null
      ? null
      : watchName(path, watcherName, {
          owned(owned) {
            if (owned) {
              state = 'found';
              found();
            } else if (state === 'found') look();
          },
          lost() {
            if (state === 'looking') lose();
          },
        });
  if (watch === null) setImmediate(lose);
  return () => {
    clearTimeout(patience);
    watch?.close();
  };
}

export const trayCheck: NamedCheck = { id: 'machine.tray', group: 'machine', title: msg('Tray') };

/** @param hasTray whether the desktop shows our icon */
export function trayFinding(hasTray: boolean): Finding {
  return hasTray
    ? { verdict: 'passed', finding: t('The desktop shows tray icons'), remedy: null }
    : {
        verdict: 'warning',
        finding: t('This desktop shows no tray icons.'),
        remedy: t('Use the window, or install an AppIndicator extension.'),
      };
}
