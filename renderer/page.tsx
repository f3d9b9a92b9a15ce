import type { AppState, Exchange } from '../app/api.ts';
import type { Bridge } from './bridge.ts';
import { useApp } from './use-app.ts';
import { accountText, chargeText, modelText, proxyText, statusText } from './words.ts';

/** State on top, the last requests below it. */
export function Page({ bridge }: { bridge: Bridge }) {
  const { state, exchanges, failure } = useApp(bridge);
  if (state === null) return <main>{failure === null ? <p>Loading…</p> : <p role="alert">{failure}</p>}</main>;
  return (
    <main>
      <header>
        <h1>Jumpseat</h1>
        <StatusLines state={state} />
        {bridge.setProxy !== null && <ProxySwitch on={state.proxy.kind === 'on'} setProxy={bridge.setProxy} />}
      </header>
      <Problems state={state} />
      <Requests exchanges={exchanges} />
    </main>
  );
}

function StatusLines({ state }: { state: AppState }) {
  return (
    <ul className="status">
      <li data-testid="proxy">{proxyText(state.proxy)}</li>
      <li data-testid="account">{accountText(state.account)}</li>
    </ul>
  );
}

function ProxySwitch({ on, setProxy }: { on: boolean; setProxy: (on: boolean) => Promise<void> }) {
  return (
    <button type="button" onClick={() => void setProxy(!on)}>
      {on ? 'Turn proxy off' : 'Turn proxy on'}
    </button>
  );
}

function Problems({ state }: { state: AppState }) {
  const problems = [state.health.problem, state.secrets.problem, ...state.warnings].filter(
    (problem) => problem !== null,
  );
  if (problems.length === 0) return null;
  return (
    <ul className="problems">
      {problems.map(({ code, text, mend }) => (
        <li key={code}>
          {text} {mend}
        </li>
      ))}
    </ul>
  );
}

function Requests({ exchanges }: { exchanges: Exchange[] }) {
  if (exchanges.length === 0) return <p>No requests yet.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Started by</th>
          <th scope="col">Why</th>
          <th scope="col">Model</th>
          <th scope="col">Cost</th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {exchanges.map((exchange) => (
          <tr key={exchange.id}>
            <td>{new Date(exchange.startedAt).toLocaleTimeString()}</td>
            <td>{exchange.initiator ?? '–'}</td>
            <td>{exchange.reason?.sentence ?? '–'}</td>
            <td>{modelText(exchange)}</td>
            <td>{chargeText(exchange.charge)}</td>
            <td>{statusText(exchange)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
