import { runningOf, type SessionLine, sessionLines, waitingRows } from './session-lines.ts';
import { entry, type TrayEntry, type TrayFacts } from './tray-entry.ts';

/** Who waits for the person, and below `Sessions` all that ask for a look; nothing where none does. */
export function sessionEntries({ sessions: all, titlesOutside, now }: TrayFacts): TrayEntry[] {
  const lines = sessionLines(all, titlesOutside, now);
  if (lines.length === 0) return [];
  const opening = (kind: 'session' | 'waiting') => {
    return ({ id, label }: SessionLine): TrayEntry => ({ id: `${kind}-${id}`, label, action: `session-open-${id}` });
  };
  const stop: TrayEntry[] =
    runningOf(all).length === 0 ? [] : ['separator', entry('sessions-stop', 'Stop all running…')];
  const items = [entry('session-new', 'New session…'), 'separator' as const, ...lines.map(opening('session')), ...stop];
  return [
    ...waitingRows(all, titlesOutside).map(opening('waiting')),
    { id: 'sessions', label: 'Sessions', items },
    'separator',
  ];
}
