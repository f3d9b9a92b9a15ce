import type { Preferences } from '../../app/api/settings.ts';
import { t } from '../../app/language/translate.ts';
import { Field } from './field.tsx';
import { Section, SwitchSetting } from './setting.tsx';

export function GeneralSection({ preferences }: { preferences: Preferences }) {
  const { closing, desktop } = preferences;
  return (
    <Section id="general">
      <Field name="theme" preferences={preferences} segmented />
      <Field name="language" preferences={preferences} />
      {desktop !== null && desktop.openAtLogin !== null && (
        <SwitchSetting
          title={t('Open at login')}
          help={t('Starts hidden, with the proxy as you left it.')}
          on={desktop.openAtLogin}
          changeFor={(on) => ({ openAtLogin: on })}
        />
      )}
      {desktop !== null && (
        <Field
          name="closing"
          preferences={preferences}
          help={
            closing === 'quit' ? t('Quits Jumpseat, and the proxy with it.') : t('Jumpseat keeps running in the tray.')
          }
        />
      )}
      <Field name="timeZone" preferences={preferences} />
      {desktop !== null && <Field name="trayFigure" preferences={preferences} segmented />}
      {desktop?.platform === 'linux' && <Field name="trayIcon" preferences={preferences} />}
    </Section>
  );
}
