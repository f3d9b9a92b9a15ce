import classNames from 'classnames/bind';
import type { ReactNode } from 'react';
import styles from './pill.module.css';

const css = classNames.bind(styles);

/** A word or two in a frame: what something is. */
export function Pill({ tone, children }: { tone?: 'accent' | 'warning' | 'danger'; children: ReactNode }) {
  return <span className={css('pill', 'muted', tone && `tone-${tone}`)}>{children}</span>;
}
