import classNames from 'classnames/bind';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../../app/language/translate.ts';
import { Ring } from './icons.tsx';
import { useStalled } from './now.ts';
import styles from './view-frame.module.css';

const css = classNames.bind(styles);

/** The one heading of a view, with what belongs to all of it at the right. */
export function ViewHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className={css('view-head', 'in-row')}>
      <h1>{title}</h1>
      {children}
    </header>
  );
}

/** The title of the window or tab: several are told apart by it. Null: another part of the window names it. */
export function useWindowTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} – Jumpseat`;
  }, [title]);
}

/** Long enough that a fast machine shows nothing of it, ms. */
const loadingAfterMs = 400;

/**
 * Says that a view loads, if that takes more than a moment.
 * @param since when loading began, in ms after the page’s start
 */
export function Loading({ since }: { since?: number }) {
  const [begun] = useState(() => since ?? performance.now());
  const [afterMs] = useState(() => Math.max(0, begun + loadingAfterMs - performance.now()));
  const isLate = useStalled(true, afterMs);
  return (
    <div className={css('loading', 'muted')} role="status">
      {isLate && (
        <>
          <Ring size={16} /> {t('Loading…')}
        </>
      )}
    </div>
  );
}

/** What stands where there is nothing to show: why, and the way out. */
export function Empty(props: { icon: ReactNode; title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={css('empty')}>
      <div className={css('empty-inner')}>
        {props.icon}
        <h2>{props.title}</h2>
        {props.children !== undefined && <p>{props.children}</p>}
        {props.actions !== undefined && <div className={css('actions')}>{props.actions}</div>}
      </div>
    </div>
  );
}
