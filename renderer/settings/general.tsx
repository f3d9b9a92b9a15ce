import type { Preferences } from '../../app/api/settings.ts';
import { Segmented } from '../parts/choices.tsx';
import { Section, SelectSetting, Setting, SwitchSetting, useChange } from './setting.tsx';

export function GeneralSection({ preferences }: { preferences: Preferences }) {
  const { change, error } = useChange();
  const { theme, timeZone, closing, trayIcon, desktop } = preferences;
  return (
    <Section id="general" title="General">
      <Setting title="Appearance" help="Follows the system unless you choose." error={error}>
        <Segmented
          label="Appearance"
          segments={[
            { name: 'system', label: 'System' },
            { name: 'light', label: 'Light' },
            { name: 'dark', label: 'Dark' },
          ]}
          chosen={theme}
          choose={(chosen) => void change({ theme: chosen })}
        />
      </Setting>
      {desktop !== null && desktop.openAtLogin !== null && (
        <SwitchSetting
          title="Open at login"
          help="Starts hidden, with the proxy as you left it."
          on={desktop.openAtLogin}
          changeFor={(on) => ({ openAtLogin: on })}
        />
      )}
      {desktop !== null && (
        <SelectSetting
          title="Closing the window"
          help={closing === 'quit' ? 'Quits Jumpseat, and the proxy with it.' : 'Jumpseat keeps running in the tray.'}
          chosen={closing}
          choices={[
            { value: 'keep-running', label: 'Keep running' },
            { value: 'quit', label: 'Quit' },
          ]}
          changeFor={(chosen) => ({ closing: chosen })}
        />
      )}
      <SelectSetting
        title="Time zone"
        help="Used wherever times are shown."
        chosen={timeZone}
        choices={[
          { value: 'local', label: 'Local time' },
          { value: 'utc', label: 'UTC' },
        ]}
        changeFor={(chosen) => ({ timeZone: chosen })}
      />
      {desktop?.platform === 'linux' && (
        <SelectSetting
          title="Tray icon"
          help="Choose what is readable on your panel."
          chosen={trayIcon}
          choices={[
            { value: 'automatic', label: 'Automatic' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          changeFor={(chosen) => ({ trayIcon: chosen })}
        />
      )}
    </Section>
  );
}
