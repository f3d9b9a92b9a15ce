import { useEffect, useState } from 'react';
import type { Preferences } from '../../app/api/settings.ts';
import type { UpdateState } from '../../app/api/state.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t } from '../../app/language/translate.ts';
import { percentage } from '../../app/words/numbers.ts';
import { moment } from '../../app/words/times.ts';
import { Button } from '../parts/button.tsx';
import { useActions } from '../state/actions.ts';
import { useApp, useServices, useWindow } from '../state/services.ts';
import { LicensesDialog } from './licenses.tsx';
import { Section, Setting } from './setting.tsx';

export function AboutSection({ preferences: { desktop } }: { preferences: Preferences }) {
  const { version } = useApp();
  const { openFolder } = useActions();
  const [licenses, setLicenses] = useState(false);
  return (
    <Section id="about">
      <VersionSetting version={desktop === null ? version : `${version} · ${desktop.runtime}`} />
      {openFolder !== null && (
        <Setting title={t('Logs and files')} help={t('Logs hold no content and no keys.')}>
          <Button onClick={() => openFolder('logs')}>{t('Open logs')}</Button>
          <Button onClick={() => openFolder('home')}>{t('Open folder')}</Button>
        </Setting>
      )}
      <Setting title={t('Licenses')} help={t('Licenses of the programs included in Jumpseat.')}>
        <Button onClick={() => setLicenses(true)}>{t('Licenses')}</Button>
      </Setting>
      {licenses && <LicensesDialog close={() => setLicenses(false)} />}
    </Section>
  );
}

function VersionSetting({ version }: { version: string }) {
  const { bridge, store } = useServices();
  const actions = useActions();
  const update = useWindow((state) => state.update);
  const [asking, setAsking] = useState(false);
  const { updateState, checkForUpdates, restartToUpdate } = bridge;

  useEffect(() => {
    if (updateState === null) return;
    void updateState()
      .then((found) => store.setState({ update: found }))
      .catch(() => undefined);
  }, [updateState, store]);

  const check = async (): Promise<void> => {
    if (checkForUpdates === null) return;
    setAsking(true);
    await actions.tried(checkForUpdates().then((found) => store.setState({ update: found })));
    setAsking(false);
  };
  const ready = update?.kind === 'ready';
  return (
    <Setting
      title={t('Version {version}', { version })}
      help={update === null ? undefined : updateWords(update)}
      error={update?.kind === 'failed' ? sentences(update.text, update.remedy) : null}
    >
      {ready && restartToUpdate !== null && (
        <Button look="primary" onClick={() => void actions.tried(restartToUpdate())}>
          {t('Restart to update to {version}', { version: update.version })}
        </Button>
      )}
      {!ready && checkForUpdates !== null && update !== null && update.kind !== 'off' && (
        <Button
          disabled={asking || update.kind === 'checking' || update.kind === 'loading'}
          onClick={() => void check()}
        >
          {t('Check for updates')}
        </Button>
      )}
    </Setting>
  );
}

function updateWords(update: UpdateState): string | undefined {
  switch (update.kind) {
    case 'off':
      return update.reason;
    case 'idle':
      return update.checkedAt === null
        ? t('Not checked yet.')
        : t('Up to date. Checked {checkedAt}.', { checkedAt: moment(update.checkedAt, Date.now()) });
    case 'checking':
      return t('Checking for updates…');
    case 'loading':
      return t('Loading {version}: {percent}', { version: update.version, percent: percentage(update.percent) });
    case 'ready':
      return t('Jumpseat {version} is ready.', { version: update.version });
    case 'failed':
      return undefined;
  }
}
