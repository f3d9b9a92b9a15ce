import classNames from 'classnames/bind';
import { useCallback } from 'react';
import type { SearchTotalsRow } from '../../app/api/search.ts';
import { t } from '../../app/language/translate.ts';
import { grouped } from '../../app/words/numbers.ts';
import { engineNames } from '../../app/words/search.ts';
import { useAsked } from '../state/asked.ts';
import { useNews } from '../state/news.ts';
import { useServices } from '../state/services.ts';
import styles from './usage.module.css';

const css = classNames.bind(styles);

/** How often the web was searched, by day and engine. Nothing where it was not. */
export function Searches({ since }: { since: number }) {
  const { bridge } = useServices();
  const ask = useCallback(() => bridge.searchTotals(since), [bridge, since]);
  const { asked, again } = useAsked(ask);
  useNews(again);
  const rows = asked.last ?? [];
  if (rows.length === 0) return null;
  const all = rows.reduce((sum, { searches }) => sum + searches, 0);
  return (
    <section className={css('usage-card')}>
      <h2>{t('Web searches')}</h2>
      <p className="muted small">
        {t('{all, plural, one {# search} other {# searches}}. Searches by Copilot are billed with its requests.', {
          all,
        })}
      </p>
      <div className="table-scroll">
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('Day')}</th>
              <th scope="col">{t('Engine')}</th>
              <th scope="col">{t('Searches')}</th>
              <th scope="col">{t('Failed')}</th>
            </tr>
          </thead>
          <tbody>
            {newestFirst(rows).map(({ day, engine, searches, failed }) => (
              <tr key={`${day} ${engine}`}>
                <th scope="row">{day}</th>
                <td>{engineNames[engine]}</td>
                <td>{grouped(searches)}</td>
                <td>{grouped(failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const mostShown = 60;

function newestFirst(rows: readonly SearchTotalsRow[]): SearchTotalsRow[] {
  return rows.toReversed().slice(0, mostShown);
}
