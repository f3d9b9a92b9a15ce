import { useEffect, useState } from 'react';
import type { Exchange } from '../../../app/api/exchange.ts';
import type { SearchRecord } from '../../../app/api/search.ts';
import { engineNames, searchCostWords } from '../../../app/words/search.ts';
import { useServices } from '../../state/services.ts';
import { KeyValues } from './key-values.tsx';

/** What was searched for this request, while it is held in memory. */
export function SearchBox({ exchange: { id, outcome } }: { exchange: Exchange }) {
  const { bridge } = useServices();
  const [known, setKnown] = useState<{ id: string; record: SearchRecord | null } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a request that has ended may have searched.
  useEffect(() => {
    let left = false;
    bridge.searched(id).then(
      (record) => left || setKnown({ id, record }),
      () => left || setKnown(null),
    );
    return () => {
      left = true;
    };
  }, [bridge, id, outcome]);
  const record = known?.id === id ? known.record : null;
  if (record === null) return null;
  const { query, outcome: searched } = record;
  return (
    <section className="detail-section">
      <h3>Web search</h3>
      <KeyValues
        entries={[
          { name: 'Query', value: query, copy: query },
          { name: 'Engine', value: searched.engine === null ? '–' : engineNames[searched.engine] },
          searched.kind === 'failed'
            ? { name: 'Failed', value: `${searched.reason} (${searched.code})` }
            : { name: 'Took', value: `${(searched.ms / 1000).toFixed(1)} s, ${searchCostWords(searched.cost)}` },
          searched.kind === 'found' && searched.notes.length > 0
            ? { name: 'Notes', value: searched.notes.join('; ') }
            : null,
          searched.kind === 'found'
            ? { name: 'Sources', value: <Sources urls={searched.results.map(({ url }) => url)} /> }
            : null,
        ]}
      />
      <p className="muted small">Held in memory until Jumpseat ends; the log has no word of it.</p>
    </section>
  );
}

function Sources({ urls }: { urls: readonly string[] }) {
  if (urls.length === 0) return 'None';
  return (
    <ol className="attempts">
      {urls.map((url) => (
        <li key={url} className="mono">
          {url}
        </li>
      ))}
    </ol>
  );
}
