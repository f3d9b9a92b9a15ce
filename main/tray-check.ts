import type { Finding } from '../app/health/finding.ts';
import type { NamedCheck } from '../app/words/checks.ts';

export const trayCheck: NamedCheck = { id: 'machine.tray', group: 'machine', title: 'Tray' };

/** @param hasTray whether the desktop shows our icon */
export function trayFinding(hasTray: boolean): Finding {
  return hasTray
    ? { verdict: 'passed', finding: 'The desktop shows tray icons', mend: null }
    : {
        verdict: 'warning',
        finding: 'This desktop shows no tray icons.',
        mend: 'Use the window, or install an AppIndicator extension.',
      };
}
