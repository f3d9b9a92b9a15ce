import classNames from 'classnames/bind';
import { useState } from 'react';
import type { SecretsStorage } from '../../app/api/settings.ts';
import type { AppState } from '../../app/api/state.ts';
import { t, translated } from '../../app/language/translate.ts';
import { storageWords } from '../../app/words/account.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failure } from '../parts/notices.tsx';
import { type CallFailure, callFailure } from '../state/asked.ts';
import { toast } from '../state/notices.ts';
import { useApp, useServices, useWindow } from '../state/services.ts';
import styles from './dialogs.module.css';

const css = classNames.bind(styles);

/** The choice of where secrets are kept, when it is asked for. */
export function StorageSlot() {
  const { store } = useServices();
  const isOpen = useWindow((state) => state.choosingStorage);
  return isOpen ? <StorageDialog close={() => store.setState({ choosingStorage: false })} /> : null;
}

const storages: readonly SecretsStorage[] = ['keychain', 'file', 'memory'];

/** The local key goes with the process, too. */
const memoryHelp = (): string =>
  t(
    'You sign in again after every start. Programs that were set up get error 401 after a restart, until they are set up again.',
  );

/** What works on this machine is recommended. */
function helpFor(storage: SecretsStorage, { needsFile, storage: now }: AppState['secrets']): string {
  if (storage === 'memory') return memoryHelp();
  if (storage === 'keychain' && needsFile) return t('Not found on this machine.');
  const facts =
    storage === 'file'
      ? t('Programs that run as your user can read it. It has mode 0600.')
      : t('The system guards it.');
  // While another store is in use nobody has looked whether there is a keychain.
  const recommended = needsFile ? 'file' : now === 'keychain' ? now : null;
  return storage === recommended ? t('{facts} Recommended here.', { facts }) : facts;
}

/** Where token and key are kept from now on. */
function StorageDialog({ close }: { close: () => void }) {
  const { bridge, store } = useServices();
  const { secrets } = useApp();
  const [chosen, setChosen] = useState<SecretsStorage>(secrets.needsFile ? 'file' : secrets.storage);
  const [moving, setMoving] = useState(false);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const { moveSecrets } = bridge;
  const same = chosen === secrets.storage && secrets.problem === null;

  const move = async (): Promise<void> => {
    setMoving(true);
    try {
      await moveSecrets(chosen);
      toast(store, t('Token and key moved.'));
      close();
    } catch (error) {
      setFailure(callFailure(error));
      setMoving(false);
    }
  };

  return (
    <Dialog
      title={t('Where is the token stored?')}
      close={close}
      action={{
        label:
          chosen === 'file'
            ? t('Store in a file')
            : chosen === 'memory'
              ? t('Store until I quit')
              : t('Use the keychain'),
        disabled: same || moving,
        run: () => void move(),
      }}
    >
      <fieldset className={css('storages')}>
        <legend className="sr">{t('Storage')}</legend>
        {storages.map((storage) => (
          <label key={storage}>
            <input
              type="radio"
              name="storage"
              checked={chosen === storage}
              onChange={() => {
                setChosen(storage);
                setFailure(null);
              }}
            />
            <span>
              {translated(storageWords[storage])}
              <span className="muted small">{helpFor(storage, secrets)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {/* As high as a failure, so that nothing moves where one comes. */}
      <div className={css('storage-note')}>
        {failure === null ? (
          <p className="muted small">{t('The token and the local key move there together.')}</p>
        ) : (
          <Failure text={failure.text} remedy={failure.remedy} />
        )}
      </div>
    </Dialog>
  );
}
