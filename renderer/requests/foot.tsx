import type { World } from '../../app/words/exchange-cells.ts';
import { creditsOf, grouped, premiumRequests } from '../../app/words/numbers.ts';
import { failedProxyWords } from '../../app/words/status.ts';
import { ArrowDown, Pause, RecordRing } from '../parts/icons.tsx';
import { writeRoute } from '../state/routes.ts';
import { useApp, useLog, useWindow } from '../state/services.ts';

const privacy = writeRoute({ place: 'settings', part: 'privacy', query: '' });

/** Sums of the shown rows, and the list's position. */
export function Foot({ world, following }: { world: World; following: boolean }) {
  const { sums } = useLog();
  const { recording } = useApp();
  return (
    <footer className="list-foot">
      <span>
        <b className="figures">{grouped(sums.requests)}</b> {sums.requests === 1 ? 'request' : 'requests'}
      </span>
      <span className="wide">
        <b className="figures">{grouped(sums.user)}</b> user
      </span>
      <span className="wide">
        <b className="figures">{grouped(sums.agent)}</b> agent
      </span>
      {sums.neither > 0 && (
        <span className="wide" title="Web searches">
          <b className="figures">{grouped(sums.neither)}</b> neither
        </span>
      )}
      {sums.noCharge > 0 && (
        <span className="wide" title="Refused, failed, not sent or not billed">
          <b className="figures">{grouped(sums.noCharge)}</b> without a charge
        </span>
      )}
      {world === 'premium' ? (
        <span>
          <b className="figures">{premiumRequests(sums.premium)}</b> premium requests
        </span>
      ) : (
        <span title="The sum of the exact charges. Each row is rounded by itself.">
          <b className="figures">{creditsOf(sums.nanoAiu)}</b> credits
        </span>
      )}
      {sums.unknown > 0 && (
        <span>
          <b className="figures">{grouped(sums.unknown)}</b> unknown
        </span>
      )}
      {recording.on && (
        <a className="recording" href={privacy} title="Turn it off in Settings → Privacy">
          <RecordRing /> Recording bodies
        </a>
      )}
      <ListStatus following={following} />
    </footer>
  );
}

function ListStatus({ following }: { following: boolean }) {
  const { paused, waiting, known } = useLog();
  const { proxy } = useApp();
  const lost = useWindow(({ connection }) => connection.kind === 'lost');
  const history = useWindow((state) => state.history);
  if (lost) return <span className="list-status">Connection lost</span>;
  if (paused) {
    return (
      <span className="list-status">
        <Pause size={14} /> Paused{waiting > 0 && `, ${grouped(waiting)} waiting`}
      </span>
    );
  }
  if (proxy.kind === 'failed') return <span className="list-status">{failedProxyWords(proxy)}</span>;
  if (proxy.kind === 'off') {
    return (
      <span className="list-status">
        <Pause size={14} /> Proxy off
      </span>
    );
  }
  if (known === 0) return <span className="list-status">Waiting for requests</span>;
  if (history === 'older') return <span className="list-status">Reading the history…</span>;
  if (!following) return null;
  return (
    <span className="list-status">
      <ArrowDown size={14} /> Following new requests
    </span>
  );
}
