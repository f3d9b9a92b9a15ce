import type { Preferences } from '../../app/api/settings.ts';
import { Field } from './field.tsx';
import { Section, SwitchSetting } from './setting.tsx';

export function GeneralSection({ preferences }: { preferences: Preferences }) {
  const { closing, desktop } = preferences;
  return (
    <Section id="general">
      <Field name="theme" preferences={preferences} segmented />
      {desktop !== null && desktop.openAtLogin !== null && (
        <SwitchSetting
          title="Open at login"
          help="Starts hidden, with the proxy as you left it."
          on={desktop.openAtLogin}
          changeFor={(on) => ({ openAtLogin: on })}
        />
      )}
      {desktop !== null && (
        <Field
          name="closing"
          preferences={preferences}
          help={closing === 'quit' ? 'Quits Jumpseat, and the proxy with it.' : 'Jumpseat keeps running in the tray.'}
        />
      )}
      <Field name="timeZone" preferences={preferences} />
      {desktop !== null && <Field name="trayFigure" preferences={preferences} segmented />}
      {desktop?.platform === 'linux' && <Field name="trayIcon" preferences={preferences} />}
    </Section>
  );
}
