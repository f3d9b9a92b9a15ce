import { useState } from 'react';
import type { Preferences, QuotaThresholds } from '../../app/api/settings.ts';
import { t } from '../../app/language/translate.ts';
import { NumberField } from '../parts/text-field.tsx';
import { boundsOf, Field, isWithin, shownField } from './field.tsx';
import { Section, Setting, useChange } from './setting.tsx';

const noticed = ['quota', 'trouble', 'updates', 'sessionWaits', 'sessionDone', 'sessionFailed'] as const;

export function NotificationsSection({ preferences }: { preferences: Preferences }) {
  return (
    <Section id="notifications">
      {preferences.desktop !== null &&
        noticed.map((name) => <Field key={name} name={`notifications.${name}`} preferences={preferences} />)}
      <Thresholds thresholds={preferences.quotaThresholds} />
    </Section>
  );
}

const bounds = boundsOf('quotaThresholds.warning');

function Thresholds({ thresholds }: { thresholds: QuotaThresholds }) {
  const { change, error, clear } = useChange();
  const [wrong, setWrong] = useState<'warning' | 'alarm' | null>(null);
  const field = (name: 'warning' | 'alarm') => (
    <span className="percent">
      <NumberField
        label={shownField(`quotaThresholds.${name}`).label}
        value={thresholds[name]}
        digits={3}
        invalid={wrong === name || error !== null}
        done={(value) => {
          const next = { ...thresholds, [name]: value ?? 0 };
          const allowed = isWithin(next.warning, bounds) && isWithin(next.alarm, bounds) && next.warning < next.alarm;
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
      of="quotaThresholds.warning"
      title={t('Quota thresholds')}
      help={t('Warns when this much of the quota is used. You are always notified when it is used up.')}
      error={
        wrong === null
          ? error
          : t('Choose two numbers from {least} to {most}, the first below the second.', {
              least: bounds.least,
              most: bounds.most,
            })
      }
    >
      {field('warning')}
      {field('alarm')}
    </Setting>
  );
}
