import { useCallback } from 'react';
import type { InForce, SessionInForce } from '../../../app/api/session-surroundings.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Switch } from '../../parts/switch.tsx';
import { useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import { useHeld, useSessionActions } from '../state/hooks.ts';
import { AllowedRules } from './allowed-rules.tsx';
import { FolderTrust } from './folder-trust.tsx';
import { type ForceLine, forceSections } from './force-sections.ts';

/** What runs in a session now, each with where it comes from. */
export function InForceDialog({ session, agent, close }: { session: string; agent: string; close: () => void }) {
  const { bridge } = useServices();
  const actions = useSessionActions();
  const { asked, again } = useAsked(useCallback(() => bridge.sessionInForce(session), [bridge, session]));
  const switchPlugin = async (plugins: InForce['plugins'], id: string, on: boolean): Promise<void> => {
    const pluginsOff = plugins.flatMap((plugin) => ((plugin.id === id ? on : plugin.isOn) ? [] : [plugin.id]));
    if (await actions.choose(session, { pluginsOff })) await again();
  };
  const held = useHeld(session);
  const inForce = asked.last?.inForce ?? null;
  return (
    <Dialog wide title="In force" cancel="Close" action={null} close={close}>
      {asked.kind === 'loading' && <p className="muted">Asking {agent}…</p>}
      {asked.kind === 'failed' && <Failure text={asked.text} mend={asked.mend} />}
      {asked.last !== null && inForce === null && <p>{whyNothing(asked.last, agent)}</p>}
      <div className="in-force">
        {held !== null && <FolderTrust session={held} />}
        <AllowedRules session={session} />
      </div>
      {inForce !== null && (
        <div className="in-force">
          {forceSections(inForce, agent).map(({ title, lines }) => (
            <section key={title} aria-label={title}>
              <h3>
                {title} <span className="count">{lines.length}</span>
              </h3>
              <ul>
                {lines.map(({ key, ...line }) => (
                  <Line key={key} {...line} />
                ))}
              </ul>
            </section>
          ))}
          {inForce.plugins.length > 0 && (
            <Plugins plugins={inForce.plugins} change={(id, on) => void switchPlugin(inForce.plugins, id, on)} />
          )}
        </div>
      )}
    </Dialog>
  );
}

function whyNothing({ why }: SessionInForce, agent: string): string {
  return why === 'not-told'
    ? `${agent} doesn’t say what is in force.`
    : `${agent} isn’t running in this session. It starts with your next message.`;
}

function Line({ name, isCode, says, isBad, from, path }: Omit<ForceLine, 'key'>) {
  return (
    <li>
      <span className={isCode ? 'name mono' : 'name'}>{name}</span>
      <span className="from" title={path ?? undefined}>
        {from}
      </span>
      {says !== '' && <span className={isBad ? 'says bad' : 'says'}>{says}</span>}
    </li>
  );
}

function Plugins({ plugins, change }: { plugins: InForce['plugins']; change: (id: string, on: boolean) => void }) {
  return (
    <section aria-label="Plugins">
      <h3>
        Plugins <span className="count">{plugins.length}</span>
      </h3>
      <p className="muted">Counts from the next message on.</p>
      <ul>
        {plugins.map(({ id, name, version, path, isOn }) => (
          <li key={id}>
            <span className="name mono">{name}</span>
            <Switch label={name} on={isOn} change={(on) => change(id, on)} />
            <span className="says" title={path ?? undefined}>
              {[version, id].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
