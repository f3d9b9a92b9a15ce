import { useState } from 'react';
import { settingFields } from '../../app/api/setting-fields.ts';
import type { Preferences } from '../../app/api/settings.ts';
import { freePortHelps } from '../../app/words/status.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { NumberField } from '../parts/text-field.tsx';
import { useActions } from '../state/actions.ts';
import { toast } from '../state/notices.ts';
import { ask, cutQuestion, workIn } from '../state/questions.ts';
import { useApp, useServices } from '../state/services.ts';
import { boundsOf, Field, isWithin, wrongWords } from './field.tsx';
import { NamedKeys } from './keys.tsx';
import { Places } from './places.tsx';
import { Section, Setting, useChange } from './setting.tsx';

const needsKey = 'Every program sends it with a name of its own after a dot: KEY.NAME.';
const keyCopied = 'Local key copied. Add a dot and the program’s name: KEY.NAME.';

export function ProxySection({ preferences }: { preferences: Preferences }) {
  const { bridge, store } = useServices();
  const actions = useActions();
  const { copyKey, replaceKey } = bridge;
  return (
    <Section id="proxy">
      {preferences.desktop !== null && <Field name="proxyOnAtStart" preferences={preferences} />}
      <PortSetting preferences={preferences} />
      <Setting
        title="Local key"
        help={replaceKey === null ? needsKey : `${needsKey} With a new key, each needs the new lines.`}
      >
        <span className="mono muted" aria-hidden="true">
          ••••••••••••
        </span>
        {copyKey !== null && (
          <Button onClick={() => void actions.tried(copyKey().then(() => toast(store, keyCopied)))}>Copy key</Button>
        )}
        {replaceKey !== null && (
          <Button
            onClick={() =>
              ask(store, {
                title: 'Replace the local key?',
                text: 'Claude Code and other programs get error 401 until they have the new lines or are set up again.',
                safe: 'Cancel',
                action: 'Replace key',
                run: () =>
                  void actions.tried(
                    replaceKey().then(() =>
                      toast(store, 'Local key replaced.', {
                        action: actions.copyLines === null ? null : { label: 'Copy lines', run: actions.copyLines },
                      }),
                    ),
                  ),
              })
            }
          >
            Replace key…
          </Button>
        )}
      </Setting>
      <NamedKeys names={preferences.keys} />
      <Places preferences={preferences} />
    </Section>
  );
}

/** How Jumpseat reaches GitHub and Copilot through a company's network. */
export function NetworkSection({ preferences }: { preferences: Preferences }) {
  return (
    <Section id="network">
      <Field name="network.proxyScript" preferences={preferences} />
      <Field name="network.caFile" preferences={preferences} />
    </Section>
  );
}

const { label } = settingFields.port;
const bounds = boundsOf('port');

function PortSetting({ preferences: { port, portFixed, desktop } }: { preferences: Preferences }) {
  const { store } = useServices();
  const { proxy } = useApp();
  const actions = useActions();
  const { change, error, clear } = useChange();
  const [wrong, setWrong] = useState(false);

  const keep = async (wanted: number): Promise<void> => {
    const taken = await change({ port: wanted });
    if (taken)
      toast(store, desktop === null ? `Port ${wanted} from the next start on.` : `Port ${wanted} is in use now.`);
  };
  const done = (wanted: number | null): void => {
    const allowed = wanted !== null && isWithin(wanted, bounds);
    setWrong(!allowed);
    if (!allowed) return;
    const restarts = desktop !== null && proxy.kind === 'on';
    const change = (): void => void keep(wanted);
    const question = restarts ? cutQuestion(workIn(store.getState()), 'port', change) : null;
    if (question === null) change();
    else ask(store, question);
  };
  const taken = proxy.kind === 'failed' && !wrong ? proxy.reason : null;
  const help = portFixed
    ? 'Set from outside, by JUMPSEAT_PORT or --port.'
    : desktop === null
      ? 'Used from the next start on. Copy the lines for Claude Code again afterwards.'
      : 'Changing it restarts the proxy. Copy the lines for Claude Code again afterwards.';
  const { takeFreePort, setProxy } = actions;
  return (
    <Setting
      of="port"
      title={label}
      help={
        <>
          {help}
          {taken !== null && (
            <span className="port-taken" role="alert">
              <b>{taken}</b> {freePortHelps(proxy) && 'Only one program can listen there. '}
              {takeFreePort !== null && freePortHelps(proxy) && (
                <LinkButton onClick={() => void takeFreePort()}>Use a free port</LinkButton>
              )}
              {setProxy !== null && <LinkButton onClick={() => void setProxy(true)}>Try again</LinkButton>}
            </span>
          )}
        </>
      }
      error={wrong ? wrongWords(bounds) : taken === null ? error : null}
    >
      <NumberField
        label={label}
        value={port}
        digits={6}
        disabled={portFixed}
        invalid={wrong || taken !== null || error !== null}
        done={done}
        typed={() => {
          setWrong(false);
          clear();
        }}
      />
    </Setting>
  );
}
