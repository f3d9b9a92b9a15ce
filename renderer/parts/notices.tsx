import classNames from 'classnames/bind';
import { type ReactNode, useState } from 'react';
import type { Way } from '../../app/api/account.ts';
import { t, translated } from '../../app/language/translate.ts';
import { riskAtLength, wayRisk } from '../../app/words/account.ts';
import { LinkButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Info, Warning } from './icons.tsx';
import styles from './notices.module.css';

const css = classNames.bind(styles);

/** What failed, what to do, and a button for it where there is one. */
export function Failure({ text, remedy, children }: { text: string; remedy: string; children?: ReactNode }) {
  return (
    <p className={css('shown-failure')} role="alert">
      <Warning size={16} />
      <span>
        <b>{text}</b> {remedy}
      </span>
      {children}
    </p>
  );
}

export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className={css('notes', 'small')}>
      {notes.map((note) => (
        <li key={note}>
          <Info size={14} /> <span>{note}</span>
        </li>
      ))}
    </ul>
  );
}

const terms = 'https://docs.github.com/site-policy/github-terms/github-terms-for-additional-products-and-features';

/** Shown before the first sign-in, wherever that is: each way in has its own risk. */
export function RiskNotice({ way, openOutside }: { way: Way; openOutside: (address: string) => void }) {
  const [isExplained, setExplained] = useState(false);
  return (
    <>
      <p className={css('risk', 'small', 'muted')}>
        <Info size={16} />
        <span>
          {translated(wayRisk[way])} <LinkButton onClick={() => setExplained(true)}>{t('Learn more')}</LinkButton>
        </span>
      </p>
      {isExplained && (
        <Dialog wide title={t('The risk')} close={() => setExplained(false)} action={null}>
          {riskAtLength.map((text) => (
            <p key={text}>{translated(text)}</p>
          ))}
          <p>
            <LinkButton onClick={() => openOutside(terms)}>{t('GitHub’s terms for Copilot')}</LinkButton>
          </p>
        </Dialog>
      )}
    </>
  );
}
