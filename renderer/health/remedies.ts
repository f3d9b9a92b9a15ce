import type { SetupChoices } from '../../app/api/setup.ts';
import type { AppState, Check } from '../../app/api/state.ts';
import { t } from '../../app/language/translate.ts';
import { settingsOfUsedUp } from '../../app/words/own-limits.ts';
import { freePortHelps } from '../../app/words/status.ts';
import type { Actions } from '../state/actions.ts';
import { go } from '../state/routes.ts';
import type { Services } from '../state/services.ts';
import { showClient, showSetup as showSetupOf } from '../state/setup-plan.ts';

/** Shows what setting up Claude Code would change. */
export type ShowSetup = (choices?: SetupChoices) => void;

/** What fixes a finding, as a button where we can do it and in words for what is left. */
interface Remedy {
  words: string | null;
  action: { label: string; run: () => void } | null;
}

interface RemedyDependencies {
  app: AppState;
  actions: Actions;
  services: Services;
  showSetup: ShowSetup;
}

/** Null if it is fine, or nothing can be done about it. */
export function remedyOf(check: Check, dependencies: RemedyDependencies): Remedy | null {
  // Nothing to fix, and yet a person may want to see it and to take it back.
  if (check.id === 'copilot.learned' && check.found === 'lessons') {
    return { words: null, action: { label: t('Show'), run: () => go({ place: 'models', part: 'learned' }) } };
  }
  // Fine, and may be chosen otherwise.
  const isUsual = check.found === 'usual-days' || check.found === 'our-days';
  if (check.verdict !== 'failed' && check.verdict !== 'warning' && !isUsual) return null;
  const action = actionFor(check, dependencies);
  return { words: action !== null && check.remedyFor === 'terminal' ? null : check.remedy, action };
}

function actionFor(check: Check, { app, actions, services, showSetup }: RemedyDependencies): Remedy['action'] {
  const { health } = services;
  const again = { label: t('Try again'), run: () => void health.checkAll() };
  switch (check.id) {
    case 'account.signed-in':
      return { label: t('Sign in'), run: () => go({ place: 'sign-in' }) };
    case 'account.admission':
    case 'account.vscode':
      return { label: t('Open settings'), run: () => go({ place: 'settings', part: 'account' }) };
    case 'account.storage':
    case 'server.key':
      // Unlocked elsewhere meanwhile: it is looked at again.
      if (app.secrets.problem?.code === 'secrets-locked') {
        return { label: t('Try again'), run: actions.refresh };
      }
      return { label: t('Choose storage…'), run: actions.chooseStorage };
    case 'account.token': {
      const notice = app.account.kind === 'signed-in' ? app.account.notice : null;
      if (notice?.url) return { label: t('Open on GitHub'), run: () => actions.openOutside(notice.url ?? '') };
      return notice === null ? again : { label: t('Sign in again'), run: () => go({ place: 'sign-in' }) };
    }
    case 'account.quota':
      return check.verdict === 'failed'
        ? { label: t('Open billing'), run: () => actions.openGithub('/settings/billing') }
        : again;
    case 'account.limits':
      return { label: t('Open settings'), run: () => go({ place: 'settings', part: settingsOfUsedUp(app.ownLimits) }) };
    case 'copilot.models':
      if (app.health.autoOnly)
        return { label: t('See plans'), run: () => actions.openGithub('/features/copilot/plans') };
      return app.goneModels.length === 0 ? again : { label: t('Show models'), run: () => go({ place: 'models' }) };
    case 'copilot.connection':
    case 'machine.clock':
    case 'machine.proxy':
      return again;
    case 'copilot.policy':
      return {
        label: t('Open GitHub settings'),
        run: () => actions.openGithub('/settings/copilot/features'),
      };
    case 'copilot.last-success':
      return { label: t('Show request'), run: () => void showLastFailure(services) };
    case 'server.address': {
      const { takeFreePort } = actions;
      if (freePortHelps(app.proxy) && takeFreePort !== null) {
        return { label: t('Use a free port'), run: () => void takeFreePort() };
      }
      const { setProxy } = actions;
      return setProxy === null ? null : { label: t('Turn proxy on'), run: () => void setProxy(true) };
    }
    case 'server.settings': {
      const { openFile } = actions;
      return openFile === null ? null : { label: t('Open file'), run: () => openFile('settings') };
    }
    case 'server.database': {
      const { openFolder } = actions;
      return openFolder === null ? null : { label: t('Open folder'), run: () => openFolder('home') };
    }
    case 'claude-code.settings': {
      // A file that can't be read has no changes to show.
      const { openFile } = actions;
      if (check.verdict === 'failed' && check.found !== 'outdated') {
        return openFile === null ? null : { label: t('Open file'), run: () => openFile('claude-code') };
      }
      return {
        label: check.found === 'not-set-up' ? t('Set up Claude Code…') : t('Show changes'),
        run: () => showSetup(),
      };
    }
    case 'machine.clients': {
      const { client } = check;
      return client === undefined
        ? check.verdict === 'warning'
          ? { label: t('Open Clients'), run: () => go({ place: 'settings', part: 'clients' }) }
          : null
        : { label: t('Show changes'), run: () => showClient(services.store, { ...client, action: 'setup' }) };
    }
    case 'claude-code.webfetch':
      return { label: t('Show changes'), run: () => showSetup({ skipWebFetchPreflight: true }) };
    case 'claude-code.conversations':
      return check.found === 'our-days'
        ? { label: t('Undo…'), run: () => showSetupOf(services.store, 'undo', { keepDays: 365 }) }
        : { label: t('Keep for a year…'), run: () => showSetup({ keepDays: 365 }) };
    case 'claude-code.shell': {
      const { openFile } = actions;
      return openFile === null || check.found !== 'line'
        ? null
        : { label: t('Show line'), run: () => openFile('shell-variable') };
    }
    default:
      return null;
  }
}

const looked = 200;

/** The newest request that Copilot did not answer well; all that failed where it has gone from the list. */
async function showLastFailure({ bridge }: Services): Promise<void> {
  const recent = await bridge.exchanges({ limit: looked }).catch(() => []);
  const failed = recent.findLast(({ path, outcome }) => path !== null && (outcome === 'failed' || outcome === 'cut'));
  go(failed === undefined ? { place: 'requests', query: 'is:error' } : { place: 'requests', part: failed.id });
}
