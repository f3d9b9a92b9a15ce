import classNames from 'classnames/bind';
import { useState } from 'react';
import type { Preferences } from '../../app/api/settings.ts';
import { t } from '../../app/language/translate.ts';
import { freePortHelps } from '../../app/words/status.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { NumberField } from '../parts/text-field.tsx';
import { useActions } from '../state/actions.ts';
import { toast } from '../state/notices.ts';
import { ask, cutQuestion, workIn } from '../state/questions.ts';
import { useApp, useServices } from '../state/services.ts';
import { boundsOf, Field, isWithin, shownField, wrongWords } from './field.tsx';
import { NamedKeys } from './keys.tsx';
import { Places } from './places.tsx';
import { Section, Setting, useChange } from './setting.tsx';
import styles from './settings.module.css';

const css = classNames.bind(styles);

export function ProxySection({ preferences }: { preferences: Preferences }) {
  const { bridge, store } = useServices();
  const actions = useActions();
  const { copyKey, replaceKey } = bridge;
  return (
    <Section id="proxy">
      {preferences.desktop !== null && <Field name="proxyOnAtStart" preferences={preferences} />}
      <PortSetting preferences={preferences} />
      <Setting
        title={t('Local key')}
        help={
          replaceKey === null
            ? t('Each program sends KEY.NAME: the key, a dot and its own name.')
            : t(
                'Each program sends KEY.NAME: the key, a dot and its own name. After a change, copy each program’s lines again.',
              )
        }
      >
        <span className="mono muted" aria-hidden="true">
          ••••••••••••
        </span>
        {copyKey !== null && (
          <Button
            onClick={() =>
              void actions.tried(
                copyKey().then(() => toast(store, t('Local key copied. Add a dot and the program’s name: KEY.NAME.'))),
              )
            }
          >
            {t('Copy key')}
          </Button>
        )}
        {replaceKey !== null && (
          <Button
            onClick={() =>
              ask(store, {
                title: t('Replace the local key?'),
                text: t(
                  'Claude Code and other programs get error 401 until they have the new lines or are set up again.',
                ),
                safe: t('Cancel'),
                action: t('Replace key'),
                run: () =>
                  void actions.tried(
                    replaceKey().then(() =>
                      toast(store, t('Local key replaced.'), {
                        action: actions.copyLines === null ? null : { label: t('Copy lines'), run: actions.copyLines },
                      }),
                    ),
                  ),
              })
            }
          >
            {t('Replace key…')}
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

const bounds = boundsOf('port');

function PortSetting({ preferences: { port, portFixed, desktop } }: { preferences: Preferences }) {
  const { label } = shownField('port');
  const { store } = useServices();
  const { proxy } = useApp();
  const actions = useActions();
  const { change, error: failure, clear } = useChange();
  const [wrong, setWrong] = useState(false);
  /** The port at the last change that failed: what was said of it means nothing once another one is in use. */
  const [failedOn, setFailedOn] = useState<number | null>(null);

  const keep = async (wanted: number): Promise<void> => {
    setFailedOn(port);
    const taken = await change({ port: wanted });
    if (taken)
      toast(
        store,
        desktop === null
          ? t('Port {port} from the next start on.', { port: String(wanted) })
          : t('Port {port} is in use now.', { port: String(wanted) }),
      );
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
  const error = failedOn === port ? failure : null;
  const taken = proxy.kind === 'failed' && freePortHelps(proxy) && !wrong ? proxy.reason : null;
  const help = portFixed
    ? t('Set from outside, by JUMPSEAT_PORT or --port.')
    : desktop === null
      ? t('Used from the next start on. Copy the lines for Claude Code again afterwards.')
      : t('Changing it restarts the proxy. Copy the lines for Claude Code again afterwards.');
  const { takeFreePort, setProxy } = actions;
  return (
    <Setting
      of="port"
      title={label}
      help={
        <>
          {help}
          {taken !== null && (
            <span className={css('port-taken')} role="alert">
              <b>{taken}</b> {t('Only one program can listen there.')}{' '}
              {takeFreePort !== null && (
                <LinkButton alone onClick={() => void takeFreePort()}>
                  {t('Use a free port')}
                </LinkButton>
              )}
              {setProxy !== null && (
                <LinkButton alone onClick={() => void setProxy(true)}>
                  {t('Try again')}
                </LinkButton>
              )}
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
