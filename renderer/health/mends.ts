import type { AppState, Check } from '../../app/api.ts';
import type { Deeds } from '../frame/deeds.ts';
import { go } from '../state/moves.ts';
import type { Services } from '../state/services.ts';

/** What mends a finding, as a button where we can do it and in words for what is left. */
export interface Mend {
  words: string | null;
  action: { label: string; run: () => void } | null;
}

interface MendParts {
  app: AppState;
  deeds: Deeds;
  services: Services;
}

/** Null: it is fine, or nothing can be done about it. */
export function mendOf(check: Check, parts: MendParts): Mend | null {
  if (check.verdict !== 'failed' && check.verdict !== 'warning') return null;
  const action = actionFor(check, parts);
  // What the terminal is to be given stands for what the button does.
  const forTerminal = check.mend !== null && /^Run "jumpseat|^Check the connection/.test(check.mend);
  return { words: action !== null && forTerminal ? null : check.mend, action };
}

function actionFor(check: Check, { app, deeds, services }: MendParts): Mend['action'] {
  const { health } = services;
  const again = { label: 'Try again', run: () => void health.checkAll() };
  switch (check.id) {
    case 'account.signed-in':
      return { label: 'Sign in', run: () => go({ place: 'sign-in' }) };
    case 'account.storage':
    case 'server.key':
      return { label: 'Choose storage…', run: () => go({ place: 'settings', part: 'account' }) };
    case 'account.token': {
      const notice = app.account.kind === 'signed-in' ? app.account.notice : null;
      if (notice?.url) return { label: 'Open on GitHub', run: () => deeds.openOutside(notice.url ?? '') };
      return notice === null ? again : { label: 'Sign in again', run: () => go({ place: 'sign-in' }) };
    }
    case 'account.quota':
      return check.verdict === 'failed'
        ? { label: 'Open billing', run: () => deeds.openOutside('https://github.com/settings/billing') }
        : again;
    case 'copilot.connection':
    case 'copilot.models':
    case 'machine.clock':
      return again;
    case 'copilot.policy':
      return {
        label: 'Open GitHub settings',
        run: () => deeds.openOutside('https://github.com/settings/copilot/features'),
      };
    case 'copilot.last-success':
      return { label: 'Show requests', run: () => go({ place: 'requests', query: 'is:error' }) };
    case 'server.address': {
      const { takeFreePort } = deeds;
      if (check.verdict === 'failed' && takeFreePort !== null) {
        return { label: 'Use a free port', run: () => void takeFreePort() };
      }
      const { setProxy } = deeds;
      return setProxy === null ? null : { label: 'Turn proxy on', run: () => void setProxy(true) };
    }
    case 'server.database': {
      const { openFolder } = deeds;
      return openFolder === null ? null : { label: 'Open folder', run: () => openFolder('home') };
    }
    case 'claude-code.settings':
      return check.finding === 'Not set up.'
        ? { label: 'Set up Claude Code…', run: () => go({ place: 'settings', part: 'claude-code' }) }
        : { label: 'Show changes', run: () => go({ place: 'settings', part: 'claude-code' }) };
    default:
      return null;
  }
}
