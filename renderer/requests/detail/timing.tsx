import classNames from 'classnames/bind';
import type { Exchange } from '../../../app/api/exchange.ts';
import { t } from '../../../app/language/translate.ts';
import { exactDuration } from '../../../app/words/times.ts';
import { useTenth } from '../../parts/now.ts';
import styles from './detail.module.css';
import { KeyValues } from './key-values.tsx';
import { phases, speed } from './phases.ts';

const css = classNames.bind(styles);

/** Where the time went: a waterfall that is a table, and figures. */
export function Timing({ exchange }: { exchange: Exchange }) {
  const { times, outcome, startedAt, shape } = exchange;
  const answer = shape?.answer ?? null;
  const toolsBefore = shape?.toolsBefore ?? [];
  const now = useTenth(outcome === 'running');
  const sofar = Math.max(0, now - startedAt);
  const lines = phases(exchange, sofar);
  const last = lines.at(-1)?.end ?? 0;
  const total = outcome === 'running' ? sofar : (times.lastEvent ?? last);
  const scale = Math.max(total, last, 1);
  return (
    <>
      <section className={css('detail-section')}>
        <h3>{t('Timing')}</h3>
        {lines.length === 0 ? (
          <p className={css('sentence')}>{t('Nothing was measured: it was answered at once.')}</p>
        ) : (
          <table className={css('waterfall', 'small')}>
            <colgroup>
              <col className={css('phase')} />
              <col />
              <col className={css('took')} />
            </colgroup>
            <thead className="sr">
              <tr>
                <th scope="col">{t('Phase')}</th>
                <th scope="col">{t('Start')}</th>
                <th scope="col">{t('Took')}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map(({ name, start, end, kind, took }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td className={css('bar')}>
                    <span className="sr">{exactDuration(start)}</span>
                    {end > start && (
                      <span
                        className={css('bar-fill', kind)}
                        style={{
                          left: `min(${(start / scale) * 100}%, calc(100% - 2px))`,
                          width: `${((end - start) / scale) * 100}%`,
                        }}
                      />
                    )}
                  </td>
                  <td className="figures">{took}</td>
                </tr>
              ))}
            </tbody>
            <tfoot aria-hidden="true">
              <tr>
                <td />
                <td>
                  <span className={css('axis', 'figures', 'muted')}>
                    <span>0</span>
                    <span>{exactDuration(scale / 2)}</span>
                    <span>{exactDuration(scale)}</span>
                  </span>
                </td>
                <td />
              </tr>
            </tfoot>
          </table>
        )}
      </section>
      <section className={css('detail-section')}>
        <h3>{t('Figures')}</h3>
        <KeyValues
          entries={[
            { name: t('Total'), value: total > 0 ? exactDuration(total) : '–' },
            { name: t('First token'), value: times.firstEvent === null ? '–' : exactDuration(times.firstEvent) },
            { name: t('Speed'), value: speed(exchange) ?? '–' },
            answer === null
              ? null
              : { name: t('Longest gap'), value: answer.longestGap === null ? '–' : exactDuration(answer.longestGap) },
            answer === null ? null : { name: t('Pings sent'), value: answer.pings },
            { name: t('Attempts'), value: exchange.attempts.length },
          ]}
        />
      </section>
      {toolsBefore.length > 0 && (
        <section className={css('detail-section')}>
          <h3>{t('Tools before this request')}</h3>
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t('Tool')}</th>
                <th scope="col">{t('Took')}</th>
              </tr>
            </thead>
            <tbody>
              {toolsBefore.map(({ name, took }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a tool may have run twice, and the list never changes.
                <tr key={index}>
                  <th scope="row" className="mono">
                    {name}
                  </th>
                  <td className="figures">{exactDuration(took)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}
