import classNames from 'classnames/bind';
import { useId } from 'react';
import type { Exchange } from '../../../app/api/exchange.ts';
import type { RecordedHeader } from '../../../app/api/recording.ts';
import { t } from '../../../app/language/translate.ts';
import styles from './detail.module.css';
import { KeyValues } from './key-values.tsx';
import { useRecorded } from './use-recorded.ts';

const css = classNames.bind(styles);

const redacted = (): string => t('•••••••• (redacted)');

/** Headers both ways. What is secret was taken out before they were kept, so there is nothing to show. */
export function HeadersTab({ exchange }: { exchange: Exchange }) {
  const recorded = useRecorded(exchange);
  if (recorded === null) return null;
  const { headers } = recorded;
  if (headers === null) return <KnownHeaders exchange={exchange} />;
  return (
    <>
      <Headers title={t('Sent to Copilot')} headers={headers.sent} none={t('Nothing was sent to Copilot.')} />
      <Headers title={t('From Copilot')} headers={headers.answered} none={t('No answer came from Copilot.')} />
      <details className={css('detail-section', 'closed-section')}>
        <summary>
          <h3>{t('From the client')}</h3>
        </summary>
        <HeaderList headers={headers.client} />
      </details>
    </>
  );
}

function Headers({ title, headers, none }: { title: string; headers: readonly RecordedHeader[] | null; none: string }) {
  return (
    <section className={css('detail-section')}>
      <h3>{title}</h3>
      {headers === null ? <p className={css('sentence', 'muted')}>{none}</p> : <HeaderList headers={headers} />}
    </section>
  );
}

function HeaderList({ headers }: { headers: readonly RecordedHeader[] }) {
  const id = useId();
  return (
    <dl className={css('header-list', 'mono', 'small')}>
      {headers.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a header may come twice, and the list never changes.
        <div key={`${id}${index}`}>
          <dt>{name}</dt>
          <dd className={value === null ? 'muted' : undefined}>{value ?? redacted()}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Headers of older requests, as far as their rows have them. */
function KnownHeaders({ exchange: { initiator, upstreamRequestIds } }: { exchange: Exchange }) {
  return (
    <>
      <section className={css('detail-section')}>
        <h3>{t('Headers')}</h3>
        <p className={css('sentence', 'muted')}>
          {t(
            'Headers are saved in memory for the last 500 requests, until you quit. The full headers of this request are gone; below is what its row has of them.',
          )}
        </p>
      </section>
      <section className={css('detail-section')}>
        <h3>{t('Known headers')}</h3>
        <KeyValues
          entries={[
            { name: 'authorization', value: redacted(), mono: true },
            initiator === null ? null : { name: 'x-initiator', value: initiator, mono: true },
            ...upstreamRequestIds.slice(0, 1).map((id) => ({ name: 'x-request-id', value: id, mono: true, copy: id })),
          ]}
        />
      </section>
    </>
  );
}
