import classNames from 'classnames/bind';
import { useState } from 'react';
import type { ClientUse } from '../../app/api/setup.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t, translated } from '../../app/language/translate.ts';
import {
  backupIsSaved,
  clientDone,
  clientNotes,
  fileIsRemoved,
  nothingChanges,
  useNames,
} from '../../app/words/setup.ts';
import { Button } from '../parts/button.tsx';
import { Segmented } from '../parts/choices.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Difference } from '../parts/difference.tsx';
import { Ring } from '../parts/icons.tsx';
import { Failure, Notes } from '../parts/notices.tsx';
import { type CallFailure, callFailure } from '../state/asked.ts';
import { toast } from '../state/notices.ts';
import { useServices } from '../state/services.ts';
import { useClientPlan } from '../state/setup-plan.ts';
import type { WindowState } from '../state/window-state.ts';
import styles from './dialogs.module.css';

const css = classNames.bind(styles);

/** The word for all uses is no name of one. */
const all = 'all' as const;

/** Shows what would change in the settings of a program, and changes it. */
export function ClientDialog({
  name,
  title,
  uses,
  action,
  close,
}: NonNullable<WindowState['client']> & { close: () => void }) {
  const { bridge, store } = useServices();
  const [use, setUse] = useState<ClientUse | null>(uses[0] ?? null);
  const { look, again, isCurrent } = useClientPlan(name, use, action);
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [applying, setApplying] = useState(false);
  const plan = look.kind === 'plan' ? look.plan : null;
  const changed = plan?.files.filter(({ change }) => change !== 'none') ?? [];
  // Where nothing is left of it, undo forgets it.
  const nothing = plan !== null && changed.length === 0 && (action === 'setup' || plan.files.length === 0);

  const apply = async (): Promise<void> => {
    if (plan === null) return;
    setApplying(true);
    setFailure(null);
    try {
      await bridge.applyClient(plan.id);
      close();
      toast(store, sentences(clientDone(plan), plan.next ?? ''));
    } catch (error) {
      setFailure(callFailure(error));
      setApplying(false);
      again();
    }
  };

  return (
    <Dialog
      wide
      title={action === 'setup' ? t('Set up {title}', { title }) : t('Undo the setup of {title}', { title })}
      cancel={nothing || look.kind === 'failed' ? t('Close') : t('Cancel')}
      close={close}
      action={
        nothing || look.kind === 'failed'
          ? null
          : {
              label: action === 'undo' ? t('Undo setup') : t('Add to settings'),
              disabled: plan === null || applying || !isCurrent,
              danger: action === 'undo',
              run: () => void apply(),
            }
      }
    >
      <div className={css('set-up')}>
        {uses.length > 1 && (
          <Segmented
            label={action === 'setup' ? t('Set up for') : t('Undo')}
            segments={uses.map((one) => ({
              name: one ?? all,
              label: one === null ? t('All') : translated(useNames[one]),
            }))}
            chosen={use ?? all}
            choose={(chosen) => setUse(chosen === all ? null : chosen)}
          />
        )}
        {failure !== null && look.kind !== 'failed' && <Failure text={failure.text} remedy={failure.remedy} />}
        {look.kind === 'failed' && (
          <Failure text={look.text} remedy={look.remedy}>
            <Button onClick={again}>{t('Try again')}</Button>
          </Failure>
        )}
        {look.kind === 'reading' && (
          <p className="muted">
            <Ring size={14} /> {t('Reading {title}’s settings…', { title })}
          </p>
        )}
        {plan !== null && (
          <>
            {changed.length === 0 && <p>{nothingChanges(plan)}</p>}
            {changed.map(({ shown, difference }) => (
              <Difference key={shown} file={shown} lines={difference} />
            ))}
            {changed.length > 0 && plan.backupFolder !== null && <p className="muted">{backupIsSaved(plan)}</p>}
            <Notes
              notes={[
                ...changed.filter(({ change }) => change === 'remove').map(fileIsRemoved),
                ...clientNotes(plan),
                ...[plan.modeNote, plan.next].filter((note) => note !== null),
              ]}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}
