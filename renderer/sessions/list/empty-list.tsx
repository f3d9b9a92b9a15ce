import classNames from 'classnames/bind';
import { useEffect, useState } from 'react';
import { t } from '../../../app/language/translate.ts';
import { Button } from '../../parts/button.tsx';
import { Search, Tree } from '../../parts/icons.tsx';
import { Empty } from '../../parts/view-frame.tsx';
import type { Show } from './list-rows.ts';
import styles from './session-list.module.css';

const css = classNames.bind(styles);

const quickMs = 150;

/** Grey rows, where it takes longer than a glance. */
export function Loading() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), quickMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={css('session-rows')} aria-busy="true">
      <span className="sr">{t('Sessions are being read.')}</span>
      {Array.from({ length: isSlow ? 8 : 0 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
        <span key={index} className={css('grey-row')} />
      ))}
    </div>
  );
}

interface NothingProps {
  words: string;
  show: Show;
  count: number;
  /** What was said in them is still being searched. */
  isReading: boolean;
  clear: () => void;
}

/** Why no row is there. */
export function Nothing({ words, show, count, isReading, clear }: NothingProps) {
  if (words !== '') {
    return (
      <Empty
        icon={<Search size={24} />}
        title={isReading ? t('Searching…') : t('No sessions match')}
        actions={<Button onClick={clear}>{t('Clear search')}</Button>}
      >
        {isReading
          ? t('No title has “{words}”. Conversations are still being read.', { words })
          : t('Nothing in {count, plural, one {# session} other {# sessions}} has “{words}”.', { count, words })}
      </Empty>
    );
  }
  if (show === 'running') return <p className={css('list-none')}>{t('Nothing is running.')}</p>;
  if (show === 'waiting') return <p className={css('list-none')}>{t('Nothing waits for you.')}</p>;
  return (
    <div className={css('list-none')}>
      <Tree size={24} />
      <p>{t('Sessions of Claude Code on this machine show up here, also those you start in a terminal.')}</p>
    </div>
  );
}
