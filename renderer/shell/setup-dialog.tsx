import classNames from 'classnames/bind';
import { useState } from 'react';
import type { SetupChoices, SetupPlan } from '../../app/api/setup.ts';
import { t, translated } from '../../app/language/translate.ts';
import {
  backupIsSaved,
  changeQuestion,
  keepForAYearWords,
  setupDone,
  skipWebFetchPreflightWords,
  undoDone,
  windowsMeaning,
} from '../../app/words/setup.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { PrivateChoice } from '../parts/choices.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SetupDifference } from '../parts/difference.tsx';
import { Ring } from '../parts/icons.tsx';
import { Failure, Notes } from '../parts/notices.tsx';
import { useActions } from '../state/actions.ts';
import { type CallFailure, callFailure } from '../state/asked.ts';
import { toast } from '../state/notices.ts';
import { useServices, useWindow } from '../state/services.ts';
import { planNotes, useOpenBroken, usePrivateChoice, useSetupPlan } from '../state/setup-plan.ts';
import { ClientDialog } from './client-dialog.tsx';
import styles from './dialogs.module.css';

const css = classNames.bind(styles);

/** The setup dialog of the window, when one is asked for: of Claude Code, or of another program. */
export function SetupSlot() {
  const { store } = useServices();
  const setup = useWindow((state) => state.setup);
  const client = useWindow((state) => state.client);
  if (client !== null) return <ClientDialog {...client} close={() => store.setState({ client: null })} />;
  if (setup === null) return null;
  const close = (): void => store.setState({ setup: null });
  return <SetupDialog action={setup.action} choices={setup.choices} close={close} />;
}

/** Shows what would change in Claude Code's settings, and changes it. */
function SetupDialog({
  action,
  choices,
  close,
}: {
  action: SetupPlan['action'];
  choices: SetupChoices;
  close: () => void;
}) {
  const { bridge, store } = useServices();
  const actions = useActions();
  const [skips, setSkips] = useState(choices.skipWebFetchPreflight === true);
  const { look, again, isCurrent } = useSetupPlan(action, { ...choices, skipWebFetchPreflight: skips });
  const openBroken = useOpenBroken(look);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [applying, setApplying] = useState(false);
  const { isPrivate, choose, idOf } = usePrivateChoice();
  const plan = look.kind === 'plan' ? look.plan : null;
  const keepsLonger = choices.keepDays !== undefined;
  const isOpen = plan?.privateId != null;
  const nothing = plan !== null && !plan.changesFile && !(isOpen && isPrivate);

  // The way that needs no file, where the file can't be changed.
  const { copyLines } = actions;
  const copyInstead =
    action === 'undo' || copyLines === null
      ? null
      : {
          label: t('Copy lines for the shell'),
          run: () => {
            copyLines();
            close();
          },
        };
  const apply = async (): Promise<void> => {
    if (plan === null) return;
    setApplying(true);
    setFailure(null);
    try {
      await bridge.applySetup(idOf(plan));
      close();
      if (action === 'setup') toast(store, translated(keepsLonger ? keepForAYearWords.done : setupDone));
      else {
        toast(store, translated(keepsLonger ? keepForAYearWords.undone : undoDone), {
          action: { label: t('Undo'), run: () => void actions.tried(setupAgain(bridge, plan)) },
        });
      }
    } catch (error) {
      setFailure(callFailure(error));
      setApplying(false);
      again();
    }
  };

  return (
    <Dialog
      wide
      title={
        look.kind === 'failed'
          ? action === 'setup'
            ? t('Set up Claude Code')
            : t('Undo the setup of Claude Code')
          : action === 'setup'
            ? keepsLonger
              ? translated(keepForAYearWords.title)
              : nothing
                ? t('Claude Code is set up')
                : plan === null
                  ? t('Change Claude Code’s settings?')
                  : changeQuestion(plan)
            : nothing
              ? t('Nothing to undo')
              : keepsLonger
                ? translated(keepForAYearWords.undoTitle)
                : t('Remove Jumpseat’s keys from {shown}?', {
                    shown: plan?.shown ?? t('Claude Code’s settings'),
                  })
      }
      cancel={nothing || look.kind === 'failed' ? t('Close') : t('Cancel')}
      close={close}
      action={
        look.kind === 'failed'
          ? copyInstead
          : nothing
            ? null
            : {
                label:
                  action === 'undo'
                    ? keepsLonger
                      ? t('Remove the key')
                      : t('Undo setup')
                    : plan?.changesFile === false
                      ? t('Make it private')
                      : t('Add to settings'),
                disabled: plan === null || applying || !isCurrent,
                danger: action === 'undo',
                run: () => void apply(),
              }
      }
    >
      <div className={css('set-up')}>
        {failure !== null && <Failure text={failure.text} remedy={failure.remedy} />}
        {look.kind === 'failed' && (
          <Failure text={look.text} remedy={look.remedy}>
            {openBroken !== null && <Button onClick={openBroken}>{t('Open file')}</Button>}
          </Failure>
        )}
        {look.kind === 'reading' && (
          <p className="muted">
            <Ring size={14} /> {t('Reading your settings…')}
          </p>
        )}
        {plan !== null && (
          <>
            {!plan.changesFile && (
              <p>
                {action === 'setup'
                  ? t('Nothing would change: every key is set.')
                  : t('Nothing to undo: no key there is Jumpseat’s.')}
              </p>
            )}
            {keepsLonger && action === 'setup' && plan.changesFile && <p>{keepForAYearWords.meaning(plan)}</p>}
            {plan.changes.length > 0 && <SetupDifference plan={plan} />}
            {windowsMeaning(plan) !== null && <p className="muted small">{windowsMeaning(plan)}</p>}
            {plan.backupFolder !== null && <p className="muted">{backupIsSaved(plan)}</p>}
            {action === 'undo' && !nothing && (
              <p className="muted">{t('Keys that have other values now are left alone.')}</p>
            )}
            <Notes notes={planNotes(plan)} />
            {action === 'setup' && !keepsLonger && !plan.skipsWebFetchPreflight && (
              <WebFetchChoice checked={skips} change={setSkips} />
            )}
            {isOpen && <PrivateChoice checked={isPrivate} change={choose} />}
          </>
        )}
      </div>
    </Dialog>
  );
}

/** What was just taken out is put in again. */
async function setupAgain({ planSetup, applySetup }: Bridge, { changes }: SetupPlan): Promise<void> {
  const taken = (wanted: string) => changes.find(({ name, kind }) => name === wanted && kind !== 'left');
  const days = Number(taken('cleanupPeriodDays')?.before ?? 0);
  const { id } = await planSetup('setup', {
    skipWebFetchPreflight: taken('skipWebFetchPreflight') !== undefined,
    statusLine: taken('statusLine') !== undefined,
    ...(days > 0 && { keepDays: days }),
  });
  await applySetup(id);
}

/** Whether Claude Code’s WebFetch skips its question to Anthropic before it loads a page, and what that means. */
function WebFetchChoice({ checked, change }: { checked: boolean; change: (checked: boolean) => void }) {
  const { choice, meaning } = skipWebFetchPreflightWords;
  return (
    <>
      <label className="choice-alone">
        <input type="checkbox" checked={checked} onChange={(event) => change(event.target.checked)} />{' '}
        {translated(choice)}
      </label>
      <p className="muted">{translated(meaning)}</p>
    </>
  );
}
