import { app as electron, powerMonitor } from 'electron';
import type { Quit } from './quit.ts';
import type { AppWindows } from './windows/window.ts';

interface LifeCycleDependencies {
  windows: AppWindows;
  quit: Quit;
  /** The machine has slept. */
  resumed: () => void;
}

/** Shows a window or quits, when the system, the person or a second start asks for it. */
export function followLifeCycle({ windows, quit, resumed }: LifeCycleDependencies): void {
  powerMonitor.on('resume', resumed);
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    // The system waits for the end of the process then.
    event?.preventDefault();
    void quit.bySystem();
  });

  electron.on('second-instance', (_event, argv) => {
    if (!argv.includes('--hidden')) windows.show();
  });
  electron.on('activate', () => windows.show());
  // With a listener the app stays when its last window is closed.
  electron.on('window-all-closed', () => {});
  electron.on('before-quit', (event) => {
    if (quit.isOver) return;
    event.preventDefault();
    void quit.byPerson();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void quit.bySystem());
}
