import classNames from 'classnames/bind';
import { useId, useState } from 'react';
import { t } from '../../app/language/translate.ts';
import type { World } from '../../app/words/exchange-cells.ts';
import { grouped } from '../../app/words/numbers.ts';
import { amountIn, byAmount, sumCell } from '../../app/words/usage.ts';
import { LinkButton } from '../parts/button.tsx';
import { writeRoute } from '../state/routes.ts';
import type { Sums } from './figures.tsx';
import styles from './usage.module.css';

const css = classNames.bind(styles);

const shownAtFirst = 8;

interface AmountsProps {
  title: string;
  /** Head of the first column, for who cannot see the bars. */
  of: string;
  rows: readonly (Sums & { key: string })[];
  world: World;
  /** What a key is called. Default: the key. */
  name?: (key: string) => string;
  /** Text for an empty key. */
  none?: string;
  /** The word of the filter that shows these requests. Absent: there is none. */
  query?: (key: string) => string;
  /** An empty key has a filter too. */
  emptyQuery?: boolean;
}

/** Bars with amounts, the biggest first. */
export function Amounts(props: AmountsProps) {
  const { title, of, rows, world, name = (key) => key, none = t('No model'), query, emptyQuery = false } = props;
  const [all, setAll] = useState(false);
  const heading = useId();
  const sorted = rows.toSorted(byAmount(world));
  const most = Math.max(...sorted.map((row) => amountIn(world, row)), 0);
  const shown = all ? sorted : sorted.slice(0, shownAtFirst);
  return (
    <section className={css('usage-card')} aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      <table className={css('amounts')}>
        <colgroup>
          <col className={css('amount-key')} />
          <col />
          <col className={css('amount-requests')} />
          <col className={css('amount-sum')} />
        </colgroup>
        <thead className="sr">
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">{t('Share')}</th>
            <th scope="col">{t('Requests')}</th>
            <th scope="col">{t('Amount')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => {
            const cell = sumCell(world, row);
            const more = row.unknown > 0 && cell.kind !== 'unknown';
            const share = most === 0 ? 0 : amountIn(world, row) / most;
            return (
              <tr key={row.key}>
                <th scope="row" className={name(row.key) === row.key ? 'mono' : undefined}>
                  {row.key === '' && !emptyQuery ? (
                    <span className="muted">{none}</span>
                  ) : query === undefined ? (
                    <span title={row.key}>{name(row.key)}</span>
                  ) : (
                    <a
                      href={writeRoute({ place: 'requests', part: null, query: query(row.key) })}
                      title={t('{name}: show its requests', { name: row.key === '' ? none : name(row.key) })}
                    >
                      {row.key === '' ? none : name(row.key)}
                    </a>
                  )}
                </th>
                <td className={css('amount-bar')} aria-hidden="true">
                  {share > 0 && <span style={{ width: `${Math.max(1, share * 100)}%` }} />}
                </td>
                <td className={css('muted', 'amount-count')}>
                  {t('{requests, plural, one {# request} other {# requests}}', { requests: row.requests })}
                </td>
                <td
                  className={css({
                    'amount-free': cell.kind === 'free',
                    muted: cell.kind === 'unknown' || cell.kind === 'none',
                  })}
                >
                  {more && <UnknownToo count={row.unknown} />}
                  {cell.text}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {sorted.length > shown.length && (
        <LinkButton alone onClick={() => setAll(true)}>
          {t('{count} more', { count: sorted.length - shown.length })}
        </LinkButton>
      )}
    </section>
  );
}

/** Placed before a sum, so that sums align: some requests' charges are not in it. */
export function UnknownToo({ count }: { count: number }) {
  return (
    <span
      className={css('muted', 'unknown-too')}
      title={t('And {count, plural, one {# request} other {# requests}} with an unknown charge', { count })}
    >
      <span aria-hidden="true">{t('{count} unknown', { count: grouped(count) })}</span>
      <span className="sr">
        {t('{count, plural, one {# request} other {# requests}} with an unknown charge, and', { count })}{' '}
      </span>
    </span>
  );
}
