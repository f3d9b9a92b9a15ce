import type { AnswersTo, App } from '../api/app.ts';
import type { proxyCalls } from '../api/calls/health.ts';
import { windowSettings } from '../api/setting-table.ts';
import { StartError } from '../api/state.ts';
import { t } from '../language/translate.ts';
import type { Log } from '../ports.ts';
import { underRule } from '../settings/policy.ts';
import type { Settings, SettingsStore } from '../settings/settings.ts';
import type { LocalProxy } from './local-proxy.ts';
import type { ServedPort } from './served-port.ts';

interface ProxyAnswersDependencies {
  proxy: LocalProxy;
  port: ServedPort;
  settings: SettingsStore;
  log: Log;
}

type ProxyAnswers = AnswersTo<typeof proxyCalls> & Pick<App, 'startProxy' | 'stopProxy'>;

export function proxyAnswers({ proxy, port, settings, log }: ProxyAnswersDependencies): ProxyAnswers {
  /** A choice that can't be written down holds until the process ends. */
  const keep = async (choice: Partial<Settings>): Promise<void> => {
    try {
      await settings.update(choice);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      log.write('warn', 'settings.choice-not-kept', { choice: Object.keys(choice), reason });
    }
  };
  const startProxy: App['startProxy'] = (options = {}) => {
    const rule = settings.policy?.rules.port;
    if (
      rule !== undefined &&
      options.port !== undefined &&
      underRule(rule, windowSettings.port, options.port) !== options.port
    )
      return Promise.reject(
        new StartError(
          'port-refused',
          t('The port is set by your organization.'),
          t('Start Jumpseat without another port.'),
        ),
      );
    if (proxy.serving === null) port.isFromSettings = options.port === undefined && !port.isFixed;
    return proxy.start(options.port ?? port.chosen());
  };
  const stopProxy: App['stopProxy'] = (options = {}) => proxy.stop(options.graceMs);
  return {
    startProxy,
    stopProxy,
    setProxy: async (on, options = {}) => {
      await keep({ proxyOnAtStart: on });
      if (on) await startProxy();
      else await stopProxy(options);
    },
    moveToFreePort: async () => {
      await startProxy({ port: 0 });
      const { state } = proxy;
      if (state.kind !== 'on') return;
      port.isFromSettings = true;
      await keep({ port: state.port, proxyOnAtStart: true });
    },
  };
}
