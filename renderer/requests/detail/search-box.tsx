import classNames from 'classnames/bind';
import { useEffect, useState } from 'react';
import type { Exchange } from '../../../app/api/exchange.ts';
import type { SearchRecord } from '../../../app/api/search.ts';
import { t } from '../../../app/language/translate.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { engineNames, searchCostWords } from '../../../app/words/search.ts';
import { useServices } from '../../state/services.ts';
import styles from './detail.module.css';
import { KeyValues } from './key-values.tsx';

const css = classNames.bind(styles);

/** What was searched for this request, while it is held in memory. */
export function SearchBox({ exchange: { id, outcome } }: { exchange: Exchange }) {
  const { bridge } = useServices();
  const [known, setKnown] = useState<{ id: string; records: readonly SearchRecord[] } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a request that has ended may have searched.
  useEffect(() => {
    let left = false;
    bridge.searched(id).then(
      (records) => left || setKnown({ id, records }),
      () => left || setKnown(null),
    );
    return () => {
      left = true;
    };
  }, [bridge, id, outcome]);
  const records = known?.id === id ? known.records : [];
  if (records.length === 0) return null;
  return (
    <section className={css('detail-section')}>
      <h3>{t('Web search')}</h3>
      {records.map((record, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they stand in the order in which they were made.
        <Search key={at} record={record} />
      ))}
      <p className="muted small">{t('Held in memory until Jumpseat quits; not written to the log.')}</p>
    </section>
  );
}

function Search({ record: { query, outcome } }: { record: SearchRecord }) {
  return (
    <KeyValues
      entries={[
        { name: t('Query'), value: query, copy: query },
        { name: t('Engine'), value: outcome.engine === null ? '–' : engineNames[outcome.engine] },
        outcome.kind === 'failed'
          ? { name: t('Failed'), value: `${outcome.reason} (${outcome.code})` }
          : {
              name: t('Took'),
              value: t('{seconds} s, {cost}', {
                seconds: grouped(outcome.ms / 1000, 1),
                cost: searchCostWords(outcome.cost),
              }),
            },
        outcome.kind === 'found' && outcome.notes.length > 0
          ? { name: t('Notes'), value: outcome.notes.join('; ') }
          : null,
        outcome.kind === 'found'
          ? { name: t('Sources'), value: <Sources urls={outcome.results.map(({ url }) => url)} /> }
          : null,
      ]}
    />
  );
}

function Sources({ urls }: { urls: readonly string[] }) {
  if (urls.length === 0) return t('None');
  return (
    <ol>
      {urls.map((url) => (
        <li key={url} className="mono">
          {url}
        </li>
      ))}
    </ol>
  );
}
