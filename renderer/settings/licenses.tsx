import classNames from 'classnames/bind';
import { useEffect, useState } from 'react';
import { t } from '../../app/language/translate.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Ring } from '../parts/icons.tsx';
import { Failure } from '../parts/notices.tsx';
import styles from './settings.module.css';

const css = classNames.bind(styles);

type Look = { kind: 'reading' } | { kind: 'text'; text: string } | { kind: 'failed'; text: string };

/** Licences of the software in this build, read from the file that the build made. */
export function LicensesDialog({ close }: { close: () => void }) {
  const [look, setLook] = useState<Look>({ kind: 'reading' });
  useEffect(() => {
    let gone = false;
    void read().then((found) => {
      if (!gone) setLook(found);
    });
    return () => {
      gone = true;
    };
  }, []);
  return (
    <Dialog wide title={t('Licenses')} action={null} close={close}>
      {look.kind === 'reading' && (
        <p className="muted">
          <Ring size={14} /> {t('Reading…')}
        </p>
      )}
      {look.kind === 'failed' && <Failure text={t('The licenses can’t be read.')} remedy={look.text} />}
      {look.kind === 'text' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        <pre className={css('licenses', 'verbatim', 'small')} tabIndex={0}>
          {look.text}
        </pre>
      )}
    </Dialog>
  );
}

async function read(): Promise<Look> {
  try {
    const response = await fetch('licenses.txt');
    if (response.ok) return { kind: 'text', text: await response.text() };
    return { kind: 'failed', text: t('They come with the build. Run "npm run build".') };
  } catch {
    return { kind: 'failed', text: t('Jumpseat doesn’t answer. Start it again.') };
  }
}
