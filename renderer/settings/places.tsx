import { useState } from 'react';
import type { Preferences } from '../../app/api/settings.ts';
import { t } from '../../app/language/translate.ts';
import { addressConsent, placesOf, placeWords } from '../../app/words/reach.ts';
import { TextField } from '../parts/text-field.tsx';
import { ask } from '../state/questions.ts';
import { useApp, useServices } from '../state/services.ts';
import { Field, shownField } from './field.tsx';
import { Setting, useChange } from './setting.tsx';

/** Where the proxy answers besides 127.0.0.1. */
export function Places({ preferences }: { preferences: Preferences }) {
  const { socket, socketPath } = preferences.proxy;
  return (
    <>
      <Field name="proxy.socket" preferences={preferences} help={<WithPlace kind="socket" name="proxy.socket" />} />
      {(socket || socketPath !== null) && <Field name="proxy.socketPath" preferences={preferences} />}
      <AddressSetting address={preferences.proxy.address} />
    </>
  );
}

/** What the setting is, and where it is open now, or why it isn't. */
function WithPlace({ kind, name }: { kind: 'socket' | 'address'; name: 'proxy.socket' | 'proxy.address' }) {
  const place = placesOf(useApp()).find((one) => one.kind === kind);
  return (
    <>
      {shownField(name).help}
      {place !== undefined && (
        <span
          className={place.problem === null ? undefined : 'bad'}
          role={place.problem === null ? undefined : 'alert'}
        >
          {' '}
          {place.problem === null ? t('Open: {place}.', { place: placeWords(place) }) : placeWords(place)}
        </span>
      )}
    </>
  );
}

/** Others can reach it: the person reads who before it is opened. */
function AddressSetting({ address }: { address: string | null }) {
  const { bridge, store } = useServices();
  const { change, error, clear } = useChange();
  const [refused, setRefused] = useState<string | null>(null);
  /** Drawn anew with the old address when the person thinks better of it. */
  const [round, setRound] = useState(0);
  const { label, empty } = shownField('proxy.address');

  const done = async (typed: string): Promise<void> => {
    const wanted = typed.trim();
    setRefused(null);
    if (wanted === '') {
      await change({ proxy: { address: null } });
      return;
    }
    try {
      const who = await bridge.whoReaches(wanted);
      setRound((before) => before + 1);
      ask(store, {
        title: t('Listen on {address}?', { address: wanted }),
        text: addressConsent(wanted, who),
        safe: t('Cancel'),
        action: t('Listen'),
        run: () => void change({ proxy: { address: wanted }, agreedAddress: wanted }),
      });
    } catch (reason) {
      const remedy = reason instanceof Error && 'remedy' in reason ? ` ${String(reason.remedy)}` : '';
      setRefused(`${reason instanceof Error ? reason.message : String(reason)}${remedy}`);
    }
  };
  const wrong = refused ?? error;
  return (
    <Setting of="proxy.address" title={label} help={<WithPlace kind="address" name="proxy.address" />} error={wrong}>
      <TextField
        key={round}
        label={label}
        placeholder={empty ?? ''}
        value={address ?? ''}
        size={26}
        invalid={wrong !== null}
        done={(typed) => void done(typed)}
        typed={() => {
          setRefused(null);
          clear();
        }}
      />
    </Setting>
  );
}
