import classNames from 'classnames/bind';
import { useEffect, useState } from 'react';
import type { Exchange } from '../../app/api/exchange.ts';
import type { SetupPlan } from '../../app/api/setup.ts';
import { t } from '../../app/language/translate.ts';
import { clockTime, firstTokenTime } from '../../app/words/times.ts';
import { Button } from '../parts/button.tsx';
import { PrivateChoice } from '../parts/choices.tsx';
import { SetupDifference } from '../parts/difference.tsx';
import { Ring } from '../parts/icons.tsx';
import { Failure, Notes } from '../parts/notices.tsx';
import { rich } from '../parts/rich.tsx';
import { useActions } from '../state/actions.ts';
import { type CallFailure, callFailure } from '../state/asked.ts';
import { useLog, useServices, useWindow } from '../state/services.ts';
import { planNotes, showSetup, useOpenBroken, usePrivateChoice, useSetupPlan } from '../state/setup-plan.ts';
import styles from './first-run.module.css';

const css = classNames.bind(styles);

/** How Claude Code was set up in this step. `undone`: the set-up was undone after the first request. */
export type SetupDone = 'no' | 'written' | 'copied' | 'undone';

export function ConnectStep({ setup, done }: { setup: SetupDone; done: (how: 'written' | 'copied') => void }) {
  const { bridge, store } = useServices();
  const actions = useActions();
  const { look, again } = useSetupPlan('setup');
  const openBroken = useOpenBroken(look);
  const storageIsFree = useWindow(({ preferences }) => preferences?.storageIsFree === true);
  const [wrote, setWrote] = useState<SetupPlan | null>(null);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const { isPrivate, choose, idOf } = usePrivateChoice();
  const { copyLines } = actions;
  const copy =
    copyLines === null ? null : (
      <Button
        size="large"
        onClick={() => {
          copyLines();
          done('copied');
        }}
      >
        {t('Copy lines for the shell')}
      </Button>
    );
  const plan = look.kind === 'plan' ? look.plan : null;
  const isThere = plan !== null && !plan.changesFile;

  const add = async (): Promise<void> => {
    if (plan === null) return;
    setFailure(null);
    try {
      await bridge.applySetup(idOf(plan));
      setWrote(plan);
      done('written');
      again();
    } catch (error) {
      setFailure(callFailure(error));
      again();
    }
  };
  const waiting = (setup === 'copied' || isThere) && (
    <p className="muted in-row">
      <Ring size={14} />
      <span>
        {setup === 'copied' && !isThere
          ? rich('Waiting for the first request. Paste the lines and run <code>claude</code> in a new terminal.', {
              code: (inside) => <code>{inside}</code>,
            })
          : rich('Waiting for the first request. Run <code>claude</code> in a new terminal.', {
              code: (inside) => <code>{inside}</code>,
            })}
      </span>
    </p>
  );
  if (isThere) {
    return (
      <>
        <div className={css('step-done')}>
          <p className="muted">
            {wrote === null ? t('Claude Code is set up in {shown}.', { shown: plan.shown }) : whatChanged(wrote)}
          </p>
          {plan.isSetUp && (
            <Button look="quiet" onClick={() => showSetup(store, 'undo')}>
              {t('Undo…')}
            </Button>
          )}
        </div>
        {waiting}
        {copy !== null && <div className={css('step-controls', 'buttons')}>{copy}</div>}
      </>
    );
  }
  if (look.kind === 'failed') {
    return (
      <>
        {waiting}
        <Failure text={look.text} remedy={look.remedy}>
          {openBroken !== null && <Button onClick={openBroken}>{t('Open file')}</Button>}
        </Failure>
        <div className={css('step-controls', 'buttons')}>
          {look.code !== 'key-not-kept' ? (
            <Button size="large" onClick={again}>
              {t('Try again')}
            </Button>
          ) : (
            storageIsFree && (
              <Button size="large" onClick={actions.chooseStorage}>
                {t('Choose storage…')}
              </Button>
            )
          )}
          {copy}
        </div>
      </>
    );
  }
  return (
    <>
      {waiting}
      {setup === 'undone' && (
        <p className="muted">
          {t('The setup was undone. A claude that you start now doesn’t use Jumpseat. To set it up again:')}
        </p>
      )}
      <p className="muted">{plan === null ? t('Reading your settings…') : offerWords(plan, setup === 'copied')}</p>
      {failure !== null && <Failure text={failure.text} remedy={failure.remedy} />}
      {plan !== null && (
        <>
          <SetupDifference plan={plan} short />
          <Notes notes={planNotes(plan)} />
          {plan.privateId !== null && <PrivateChoice checked={isPrivate} change={choose} />}
          <div className={css('step-controls', 'buttons')}>
            <Button
              size="large"
              look={setup === 'no' || setup === 'undone' ? 'primary' : 'plain'}
              onClick={() => void add()}
            >
              {t('Add to settings')}
            </Button>
            {copy}
          </div>
        </>
      )}
    </>
  );
}

/** What `Add to settings` does; beside lines that were copied it is another way. */
function offerWords(plan: SetupPlan, isCopied: boolean): string {
  const { backupFolder, createsFile, shown: file } = plan;
  const count = keysOf(plan);
  const does = createsFile ? 'create' : replacesKeys(plan) ? 'set' : 'add';
  const backup = backupFolder !== null && !createsFile ? 'yes' : 'no';
  if (isCopied)
    return t(
      'The copied lines work only in that terminal. For every terminal, “Add to settings” {does, select, create {makes {file} with {count, plural, one {# key} other {# keys}}} set {sets {count, plural, one {# key} other {# keys}} in your settings} other {adds {count, plural, one {# key} other {# keys}} to your settings}}{backup, select, yes { and makes a backup} other {}}. You can undo this at any time.',
      { does, file, count, backup },
    );
  return t(
    'Jumpseat {does, select, create {makes {file} with {count, plural, one {# key} other {# keys}}} set {sets {count, plural, one {# key} other {# keys}} in your settings} other {adds {count, plural, one {# key} other {# keys}} to your settings}}{backup, select, yes { and makes a backup} other {}}. You can undo this at any time.',
    { does, file, count, backup },
  );
}

/** `Added 10 keys to ~/.claude/settings.json and made a backup.` */
function whatChanged(plan: SetupPlan): string {
  const { backupFolder, createsFile, shown: file } = plan;
  const count = keysOf(plan);
  if (createsFile) return t('Made {file} with {count, plural, one {# key} other {# keys}}.', { file, count });
  return t(
    '{does, select, set {Set {count, plural, one {# key} other {# keys}} in {file}} other {Added {count, plural, one {# key} other {# keys}} to {file}}}{backup, select, yes { and made a backup} other {}}.',
    { does: replacesKeys(plan) ? 'set' : 'add', count, file, backup: backupFolder === null ? 'no' : 'yes' },
  );
}

const keysOf = ({ changes }: SetupPlan): number =>
  changes.filter(({ kind }) => kind === 'add' || kind === 'replace').length;

const replacesKeys = ({ changes }: SetupPlan): boolean => changes.some(({ kind }) => kind === 'replace');

/** @param undone called where the setup that was made here is gone; null if none was */
export function Connected({
  first,
  undone,
  finish,
}: {
  first: Exchange;
  undone: (() => void) | null;
  finish: () => void;
}) {
  const { store } = useServices();
  const { look } = useSetupPlan('setup');
  const plan = look.kind === 'plan' ? look.plan : null;
  const isGone = plan?.isSetUp === false;
  useEffect(() => {
    if (isGone) undone?.();
  }, [isGone, undone]);
  const took = first.times.firstEvent;
  return (
    <>
      <p className="muted">
        {took === null
          ? t('First request at {at}.', { at: clockTime(first.startedAt) })
          : t('First request at {at}, first token after {took}.', {
              at: clockTime(first.startedAt),
              took: firstTokenTime(took),
            })}
      </p>
      {plan?.isSetUp === true && (
        <div className={css('step-done')}>
          <p className="muted">{t('Claude Code is set up in {shown}.', { shown: plan.shown })}</p>
          <Button look="quiet" onClick={() => showSetup(store, 'undo')}>
            {t('Undo…')}
          </Button>
        </div>
      )}
      <div className={css('step-controls')}>
        <Button size="large" look="primary" onClick={finish}>
          {t('Open Jumpseat')}
        </Button>
      </div>
    </>
  );
}

/** The first one of a client that Copilot answered; checked, not assumed. */
export function useFirstRequest(): Exchange | null {
  const { log, bridge } = useServices();
  const { known, running, version } = useLog();
  const [first, setFirst] = useState<Exchange | null>(null);
  const found = first !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the list may bring it.
  useEffect(() => {
    if (found || known === 0) return;
    let gone = false;
    void bridge
      .exchanges({ limit: 50 })
      .then((recent) => {
        const answered = recent.find(({ outcome, path }) => outcome === 'done' && path !== null);
        if (!gone && answered !== undefined) setFirst(answered);
      })
      .catch(() => undefined);
    return () => {
      gone = true;
    };
  }, [found, known, running, version, bridge, log]);
  return first;
}
