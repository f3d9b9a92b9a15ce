import type { CacheMiss, CacheSavings } from '../../app/api/history.ts';
import { share, tokenCount } from '../../app/words/numbers.ts';
import { cacheMissWords, cacheSavingsWords } from '../../app/words/usage.ts';

interface TokensProps {
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number };
  savings: CacheSavings;
  misses: readonly CacheMiss[];
}

/** What went in and came out, and what the cache did for it. */
export function Tokens({ tokens, savings, misses }: TokensProps) {
  const read = tokens.input + tokens.cacheWrite + tokens.cacheRead;
  const lines: readonly [string, number, string][] = [
    ['Read from cache', tokens.cacheRead, read === 0 ? '' : `${share(tokens.cacheRead / read)} of input`],
    ['Written to cache', tokens.cacheWrite, read === 0 ? '' : `${share(tokens.cacheWrite / read)} of input`],
    ['Fresh input', tokens.input, read === 0 ? '' : `${share(tokens.input / read)} of input`],
    ['Output', tokens.output, ''],
  ];
  return (
    <section className="usage-card" aria-labelledby="usage-tokens">
      <h2 id="usage-tokens">Tokens</h2>
      <table className="tokens">
        <thead className="sr">
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Share</th>
            <th scope="col">Tokens</th>
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
      <p className="savings small">
        <Savings savings={savings} />
      </p>
      {misses.length > 0 && <p className="small">{cacheMissWords(misses)}.</p>}
    </section>
  );
}

function Savings({ savings }: { savings: CacheSavings }) {
  const { before, amount, after } = cacheSavingsWords(savings);
  return (
    <>
      {before}
      {amount !== '' && <b className="figures">{amount}</b>}
      <span className="muted">{after}</span>
    </>
  );
}
