import classNames from 'classnames/bind';
import { type FormEvent, useState } from 'react';
import type { SearchAnswer, SearchOutcome } from '../../app/api/search.ts';
import { t } from '../../app/language/translate.ts';
import { grouped } from '../../app/words/numbers.ts';
import { engineNames, searchCostWords } from '../../app/words/search.ts';
import { BridgeError } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { useServices } from '../state/services.ts';
import { Setting } from './setting.tsx';
import styles from './settings.module.css';

const css = classNames.bind(styles);

type Tried = { kind: 'none' | 'searching' } | SearchOutcome;

/** One search as clients get it, with its time and its cost. What pages say is shown as plain text. */
export function SearchTry({ ended }: { ended: () => Promise<void> }) {
  const { bridge } = useServices();
  const [words, setWords] = useState('');
  const [tried, setTried] = useState<Tried>({ kind: 'none' });
  const search = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (words.trim() === '' || tried.kind === 'searching') return;
    setTried({ kind: 'searching' });
    try {
      setTried(await bridge.search(words.trim()));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const remedy = error instanceof BridgeError ? error.remedy : '';
      setTried({ kind: 'failed', engine: null, code: 'unavailable', reason, remedy, retryAfterMs: null });
    }
    await ended();
  };
  return (
    <>
      <Setting title={t('Try it')} help={t('Counts as your own request, and may cost.')}>
        <form className={css('search-try')} onSubmit={(event) => void search(event)}>
          <input
            className="number text"
            type="search"
            aria-label={t('Search query')}
            placeholder={t('latest stable node version')}
            size={30}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <Button type="submit" disabled={words.trim() === '' || tried.kind === 'searching'}>
            {tried.kind === 'searching' ? t('Searching…') : t('Search')}
          </Button>
        </form>
      </Setting>
      <div className={css('search-answer')} aria-live="polite">
        {tried.kind === 'failed' && (
          <p className="bad small">
            {tried.reason} {tried.remedy}
          </p>
        )}
        {tried.kind === 'found' && <Found answer={tried} />}
      </div>
    </>
  );
}

function Found({ answer: { engine, ms, cost, results, notes, summary } }: { answer: SearchAnswer }) {
  const facts = [engineNames[engine], t('{seconds} s', { seconds: grouped(ms / 1000, 1) }), searchCostWords(cost)];
  return (
    <>
      <p className="small">
        <b>{t('{results, plural, one {# page} other {# pages}}', { results: results.length })}</b> ·{' '}
        <span className="figures">{facts.join(' · ')}</span>
      </p>
      {notes.map((note) => (
        <p key={note} className="muted small">
          {note}
        </p>
      ))}
      <ol>
        {results.map(({ url, title, pageAge, text }) => (
          <li key={url}>
            <p>
              {title}
              {pageAge !== null && <span className="muted small"> {pageAge}</span>}
            </p>
            <p className="mono small muted">{url}</p>
            {text !== '' && <p className={css('small', 'page-text')}>{text}</p>}
          </li>
        ))}
      </ol>
      {summary !== null && results.length === 0 && <p className={css('small', 'page-text')}>{summary}</p>}
    </>
  );
}
