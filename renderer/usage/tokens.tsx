import classNames from 'classnames/bind';
import { createElement, Fragment, type ReactElement } from 'react';
import type { CacheMiss, CacheSavings } from '../../app/api/history.ts';
import { t } from '../../app/language/translate.ts';
import { share, tokenCount } from '../../app/words/numbers.ts';
import { cacheMissWords, cacheSavingsWords } from '../../app/words/usage.ts';
import styles from './usage.module.css';

const css = classNames.bind(styles);

interface TokensProps {
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number };
  savings: CacheSavings;
  misses: readonly CacheMiss[];
}

/** What went in and came out, and what the cache did for it. */
export function Tokens({ tokens, savings, misses }: TokensProps) {
  const read = tokens.input + tokens.cacheWrite + tokens.cacheRead;
  const lines: readonly [string, number, string][] = [
    [
      t('Read from cache'),
      tokens.cacheRead,
      read === 0 ? '' : t('{share} of input', { share: share(tokens.cacheRead / read) }),
    ],
    [
      t('Written to cache'),
      tokens.cacheWrite,
      read === 0 ? '' : t('{share} of input', { share: share(tokens.cacheWrite / read) }),
    ],
    [t('Fresh input'), tokens.input, read === 0 ? '' : t('{share} of input', { share: share(tokens.input / read) })],
    [t('Output'), tokens.output, ''],
  ];
  return (
    <section className={css('usage-card')} aria-labelledby="usage-tokens">
      <h2 id="usage-tokens">{t('Tokens')}</h2>
      <table className={css('tokens')}>
        <thead className="sr">
          <tr>
            <th scope="col">{t('Kind')}</th>
            <th scope="col">{t('Share')}</th>
            <th scope="col">{t('Tokens')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(([name, count, part]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="muted">{part}</td>
              <td>{tokenCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={css('savings', 'small')}>
        <Savings savings={savings} />
      </p>
      {misses.length > 0 && <p className="small">{cacheMissWords(misses)}.</p>}
    </section>
  );
}

function Savings({ savings }: { savings: CacheSavings }) {
  const parts = cacheSavingsWords<ReactElement>(
    savings,
    (inside) => createElement('b', { className: 'figures' }, ...inside),
    (inside) => createElement('span', { className: 'muted' }, ...inside),
  );
  // Parts whose order never changes need no keys.
  return createElement(Fragment, null, ...parts);
}
