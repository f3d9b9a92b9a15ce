import { t } from '../../app/language/translate.ts';
import { Dialog } from './dialog.tsx';

export interface ShortcutLine {
  /** Key for people: `Ctrl+N`. */
  key: string;
  does: string;
  /** Pressed without Ctrl, Cmd or Alt: it can be switched off. */
  letter?: boolean;
}

export interface KeyGroup {
  /** Null if there is one group alone. */
  heading: string | null;
  keys: readonly ShortcutLine[];
}

interface KeysDialogProps {
  groups: readonly KeyGroup[];
  /** Single letters and signs are keys. */
  letterKeys: boolean;
  setLetterKeys: (on: boolean) => void;
  close: () => void;
}

/** Every key there is, and the switch for those that are single letters or signs. */
export function ShortcutsDialog({ groups, letterKeys, setLetterKeys, close }: KeysDialogProps) {
  return (
    <Dialog title={t('Keys')} action={null} close={close}>
      {groups.map(({ heading, keys }) => (
        <section key={heading} className="keys-group">
          {heading !== null && <h3>{heading}</h3>}
          <dl className="keys">
            {keys.map(({ key, does, letter = false }) => (
              <div key={key} className={letter && !letterKeys ? 'off' : undefined}>
                <dt>{key}</dt>
                <dd>{letter && !letterKeys ? t('{does} (off)', { does }) : does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label className="choice-alone">
        <input type="checkbox" checked={letterKeys} onChange={(event) => setLetterKeys(event.target.checked)} />
        {t('Single letters and signs are keys, too')}
      </label>
    </Dialog>
  );
}
