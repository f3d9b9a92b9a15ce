import classNames from 'classnames/bind';
import { useEffect, useState } from 'react';
import type { Preferences, QuotaThresholds, SoundName } from '../../app/api/settings.ts';
import { t } from '../../app/language/translate.ts';
import { oneLine } from '../../app/words/text.ts';
import { BridgeError } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { NumberField } from '../parts/text-field.tsx';
import { useServices } from '../state/services.ts';
import { boundsOf, Field, isWithin, shownField } from './field.tsx';
import { Section, Select, Setting, useChange } from './setting.tsx';
import styles from './settings.module.css';

const css = classNames.bind(styles);

const noticed = ['quota', 'trouble', 'updates', 'sessionWaits', 'sessionDone', 'sessionFailed', 'answers'] as const;

export function NotificationsSection({ preferences }: { preferences: Preferences }) {
  return (
    <Section id="notifications">
      {preferences.desktop !== null &&
        noticed.map((name) => <Field key={name} name={`notifications.${name}`} preferences={preferences} />)}
      {preferences.desktop === null ? (
        <p className="muted small">
          {t('Notifications and sounds come from the tray app. They are chosen in its window.')}
        </p>
      ) : (
        sounds.map((name) => <SoundField key={name} name={name} chosen={preferences.notifications[name]} />)
      )}
      <Thresholds thresholds={preferences.quotaThresholds} />
    </Section>
  );
}

const sounds = ['soundWaits', 'soundDone', 'soundFailed'] as const satisfies SoundName[];
/** Among the choices: opens the system's dialog. No path begins so. */
const anotherFile = '\0';

/** No sound, that of the system, or a file that is chosen in the system's dialog. What is chosen is heard. */
function SoundField({ name, chosen }: { name: SoundName; chosen: string | null }) {
  const { bridge } = useServices();
  const { change, error, clear } = useChange();
  const [unusable, setUnusable] = useState<string | null>(null);
  const { playSound, chooseSound, checkSound } = bridge;
  const tried = async (work: () => Promise<unknown>): Promise<void> => {
    clear();
    setUnusable(null);
    await work().catch((error: unknown) => setUnusable(wordsOf(error)));
  };
  useEffect(() => {
    let isShown = true;
    setUnusable(null);
    if (chosen !== null)
      checkSound?.(name, chosen).catch((error: unknown) => {
        if (isShown) setUnusable(wordsOf(error));
      });
    return () => {
      isShown = false;
    };
  }, [checkSound, name, chosen]);
  if (playSound === null || chooseSound === null) return null;
  const { label, help, empty, choices } = shownField(`notifications.${name}`);
  const keep = (sound: string | null) => change({ notifications: { [name]: sound } });
  const choose = async (value: string): Promise<unknown> => {
    if (value === '') return await keep(null);
    if (value !== anotherFile) {
      await playSound(name, value);
      return await keep(value);
    }
    const path = await chooseSound(name);
    return path === null ? null : await keep(path);
  };
  const isFile = chosen !== null && !choices.some(({ value }) => value === chosen);
  return (
    <Setting of={`notifications.${name}`} title={label} help={help === '' ? undefined : help} error={error ?? unusable}>
      <Select
        label={label}
        chosen={chosen ?? ''}
        choices={[
          { value: '', label: empty ?? '' },
          ...choices,
          ...(isFile ? [{ value: chosen, label: oneLine(chosen.split(/[\\/]/).at(-1) ?? chosen, 40) }] : []),
          { value: anotherFile, label: isFile ? t('Another file…') : t('A file…') },
        ]}
        choose={(value) => void tried(() => choose(value))}
      />
      {chosen !== null && (
        <Button aria-label={t('Play: {label}', { label })} onClick={() => void tried(() => playSound(name, chosen))}>
          {t('Play')}
        </Button>
      )}
    </Setting>
  );
}

function wordsOf(error: unknown): string {
  const remedy = error instanceof BridgeError ? ` ${error.remedy}` : '';
  return `${error instanceof Error ? error.message : String(error)}${remedy}`;
}

const bounds = boundsOf('quotaThresholds.warning');

function Thresholds({ thresholds }: { thresholds: QuotaThresholds }) {
  const { change, error, clear } = useChange();
  const [wrong, setWrong] = useState<'warning' | 'alarm' | null>(null);
  const field = (name: 'warning' | 'alarm') => (
    <span className={css('percent')}>
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
