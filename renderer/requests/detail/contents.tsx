import type { Exchange } from '../../../app/api.ts';
import { tokenCount } from '../../../app/words/numbers.ts';
import { Lock } from '../../parts/icons.tsx';
import { KeyValues } from './key-values.tsx';

/** What is kept of contents: sizes and counts, never what was said. */

const tokens = (count: number | null): string => (count === null ? '–' : tokenCount(count));

function NotRecorded({ children }: { children: string }) {
  return (
    <div className="box">
      <p className="why-title">
        <Lock size={16} />
        Not recorded
      </p>
      <p className="muted">{children}</p>
    </div>
  );
}

export function RequestTab({ exchange }: { exchange: Exchange }) {
  return (
    <>
      <section className="detail-section">
        <h3>Body</h3>
        <NotRecorded>Jumpseat keeps sizes and counts, not what was said.</NotRecorded>
      </section>
      <section className="detail-section">
        <h3>Shape</h3>
        <KeyValues
          entries={[
            { name: 'Streamed', value: exchange.streamed ? 'Yes' : 'No' },
            { name: 'Input', value: `${tokens(exchange.tokens.input)} tokens` },
            { name: 'Cache read', value: `${tokens(exchange.tokens.cacheRead)} tokens` },
            { name: 'Cache write', value: `${tokens(exchange.tokens.cacheWrite)} tokens` },
          ]}
        />
      </section>
    </>
  );
}

export function ResponseTab({ exchange }: { exchange: Exchange }) {
  return (
    <>
      <section className="detail-section">
        <h3>Body</h3>
        <NotRecorded>Jumpseat keeps sizes and counts, not what was said.</NotRecorded>
      </section>
      <section className="detail-section">
        <h3>Shape</h3>
        <KeyValues
          entries={[
            { name: 'Stop reason', value: exchange.stopReason ?? '–', mono: exchange.stopReason !== null },
            { name: 'Output', value: `${tokens(exchange.tokens.output)} tokens` },
          ]}
        />
      </section>
    </>
  );
}

export function HeadersTab({ exchange }: { exchange: Exchange }) {
  return (
    <>
      <section className="detail-section">
        <h3>Sent to Copilot</h3>
        <NotRecorded>
          This version keeps no headers. What they decided is here: the initiator, the route, and Copilot’s request id.
        </NotRecorded>
      </section>
      <section className="detail-section">
        <h3>Known of them</h3>
        <KeyValues
          entries={[
            { name: 'authorization', value: '•••••••• (redacted)', mono: true },
            exchange.initiator === null ? null : { name: 'x-initiator', value: exchange.initiator, mono: true },
            ...exchange.upstreamRequestIds.slice(0, 1).map((id) => ({
              name: 'x-request-id',
              value: id,
              mono: true,
              copy: id,
            })),
          ]}
        />
      </section>
    </>
  );
}
