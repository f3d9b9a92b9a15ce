import { useState } from 'react';
import { thresholdBounds } from '../../app/api/setting-bounds.ts';
import type { Preferences, QuotaThresholds } from '../../app/api/settings.ts';
import { NumberField } from '../parts/text-field.tsx';
import { Section, Setting, SwitchSetting, useChange } from './setting.tsx';

export function NotificationsSection({ preferences }: { preferences: Preferences }) {
  const { notifications, quotaThresholds, desktop } = preferences;
  return (
    <Section id="notifications" title="Notifications">
      {desktop !== null && (
        <>
          <SwitchSetting
            title="Quota and limits"
            help="Once for each threshold and cycle."
            on={notifications.quota}
            changeFor={(on) => ({ notifications: { quota: on } })}
          />
          <SwitchSetting
            title="Sign-in needed, proxy stopped, no connection"
            on={notifications.trouble}
            changeFor={(on) => ({ notifications: { trouble: on } })}
          />
          <SwitchSetting
            title="Updates"
            on={notifications.updates}
            changeFor={(on) => ({ notifications: { updates: on } })}
          />
          <SwitchSetting
            title="A session waits"
            on={notifications.sessionWaits}
            changeFor={(on) => ({ notifications: { sessionWaits: on } })}
          />
          <SwitchSetting
            title="A session is done"
            on={notifications.sessionDone}
            changeFor={(on) => ({ notifications: { sessionDone: on } })}
          />
          <SwitchSetting
            title="A session failed"
            on={notifications.sessionFailed}
            changeFor={(on) => ({ notifications: { sessionFailed: on } })}
          />
        </>
      )}
      <Thresholds thresholds={quotaThresholds} />
    </Section>
  );
}

const { least, most } = thresholdBounds;

function Thresholds({ thresholds }: { thresholds: QuotaThresholds }) {
  const { change, error, clear } = useChange();
  const [wrong, setWrong] = useState<'warning' | 'alarm' | null>(null);
  const field = (name: 'warning' | 'alarm', label: string) => (
    <span className="percent">
      <NumberField
        label={label}
        value={thresholds[name]}
        digits={3}
        invalid={wrong === name || error !== null}
        done={(value) => {
          const next = { ...thresholds, [name]: value ?? 0 };
          const allowed = next.warning >= least && next.alarm <= most && next.warning < next.alarm;
          setWrong(allowed ? null : name);
          if (allowed) void change({ quotaThresholds: next });
        }}
        typed={() => {
          setWrong(null);
          clear();
        }}
      />
      %
    </span>
  );
  return (
    <Setting
      title="Quota thresholds"
      help="From these shares used on the quota is said to be low, and nearly gone. Its end is always told."
      error={wrong === null ? error : `Choose two numbers from ${least} to ${most}, the first below the second.`}
    >
      {field('warning', 'Low from, percent used')}
      {field('alarm', 'Nearly gone from, percent used')}
    </Setting>
  );
}
