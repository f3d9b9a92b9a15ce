// biome-ignore-all lint/a11y/useSemanticElements: a table whose rows open is a treegrid.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows hold the focus, cells do not.

import classNames from 'classnames/bind';
import { useCallback, useMemo, useState } from 'react';
import type { CacheMiss } from '../../app/api/history.ts';
import { t } from '../../app/language/translate.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { useAsked } from '../state/asked.ts';
import { titleOrName, useClientNames } from '../state/client-names.ts';
import { useNews } from '../state/news.ts';
import { useServices } from '../state/services.ts';
import { treeRows } from './conversation-rows.ts';
import { TreeGrid } from './conversation-tree.tsx';
import styles from './usage.module.css';
import { useOpened } from './use-opened.ts';

const css = classNames.bind(styles);

const step = 20;

interface ConversationsProps {
  since: number;
  misses: readonly CacheMiss[];
  world: World;
  now: number;
}

/** Sessions, their prompts, and the subagents of each. */
export function Conversations({ since, misses, world, now }: ConversationsProps) {
  const { bridge } = useServices();
  const [limit, setLimit] = useState(step);
  const ask = useCallback(() => bridge.conversations({ since, limit: limit + 1, offset: 0 }), [bridge, since, limit]);
  const { asked, again } = useAsked(ask);
  const { opened, toggle, showAll, retry, refresh } = useOpened(since);
  useNews(
    useCallback(async () => {
      await Promise.all([again(), refresh()]);
    }, [again, refresh]),
  );

  const known = asked.last ?? [];
  const shown = useMemo(() => known.slice(0, limit), [known, limit]);
  const rows = useMemo(() => treeRows(shown, { ...opened, misses, world }), [shown, opened, misses, world]);
  const nameOf = useClientNames(shown.map(({ client }) => client));
  if (asked.kind === 'loading') return <div className={css('usage-tree', 'grey-tree')} aria-busy="true" />;
  if (asked.kind === 'failed' && asked.last === null) {
    return (
      <section className={css('usage-card')} role="alert">
        <b>{t('The sessions can’t be read.')}</b> {asked.text}{' '}
        <LinkButton onClick={() => void again()}>{t('Try again')}</LinkButton>
      </section>
    );
  }
  if (known.length === 0) return null;
  return (
    <>
      <TreeGrid
        rows={rows}
        nameOf={(client) => titleOrName(nameOf(client))}
        world={world}
        now={now}
        toggle={toggle}
        showAll={showAll}
        retry={retry}
      />
      {known.length > limit && (
        <p className={css('tree-more')}>
          <Button onClick={() => setLimit(limit + step)}>{t('Show {step} more', { step })}</Button>
        </p>
      )}
    </>
  );
}
