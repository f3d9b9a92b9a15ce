import classNames from 'classnames/bind';
import { type ReactElement, type ReactNode, useEffect, useMemo, useState } from 'react';
import type { ThreeWay } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { clockTime } from '../../../app/words/times.ts';
import { Button } from '../../parts/button.tsx';
import { Warning } from '../../parts/icons.tsx';
import { rich } from '../../parts/rich.tsx';
import { copyText } from '../../state/copy-text.ts';
import { useServices } from '../../state/services.ts';
import { useAgentWords } from '../state/hooks.ts';
import { Difference } from '../text/difference.tsx';
import { type ChangeRow, isChanged } from './change-rows.ts';
import styles from './changes.module.css';

const css = classNames.bind(styles);

interface ChangeNoteProps {
  row: ChangeRow;
  name: string;
  /** Undoes it, or redoes it where it is undone. */
  tryAgain: () => void;
  /** The same, where what something else changed stays. */
  putKeepingOthers: () => void;
  copyBefore: () => void;
  readSince: () => Promise<ThreeWay | null>;
  /** Opens the difference with the row, which has nothing else to show; null: the row opens something of its own. */
  opened: { isOpen: boolean; turn: () => void } | null;
  /** What the agent changed. */
  ownEdit: ReactNode;
}

/** Why a file was neither undone nor redone, and what one can take from it. */
export function ChangeNote({
  row,
  name,
  tryAgain,
  putKeepingOthers,
  copyBefore,
  readSince,
  opened,
  ownEdit,
}: ChangeNoteProps) {
  const { state, refused, isBetween, modifiedAt, file } = row;
  const { store } = useServices();
  const { name: agent } = useAgentWords();
  const [isShown, setShown] = useState(false);
  const isOpen = opened?.isOpen ?? isShown;
  const turn = opened?.turn ?? (() => setShown(!isShown));
  const [since, setSince] = useState<ThreeWay | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what happened is another thing once it was written again.
  useEffect(() => {
    if (refused === null) void readSince().then(setSince);
  }, [refused, modifiedAt]);
  const threeWay = refused === null ? since : refused.threeWay;
  const isRedo = state === 'undone';
  const merged = threeWay?.merged ?? null;
  if (refused !== null && !isChanged(refused)) {
    return (
      <div className={css('change-note')} role="status">
        <Warning size={14} />
        <div>
          <b>{refused.problem?.text}</b> {refused.problem?.remedy}
          <div className={css('acts')}>
            <Button size="small" onClick={tryAgain}>
              {t('Try again')}
            </Button>
          </div>
        </div>
      </div>
    );
  }
  return (
    <div className={css('change-note')}>
      <Warning size={14} />
      <div>
        <Lost {...{ isRedo, isBetween, modifiedAt, agent }} />
        <div className={css('acts')}>
          {merged !== null && (
            <Button size="small" onClick={putKeepingOthers}>
              {isRedo ? t('Redo, keep the other change') : t('Undo, keep the other change')}
            </Button>
          )}
          <Button size="small" aria-expanded={isOpen} onClick={turn}>
            {isOpen ? t('Hide difference') : t('Show difference')}
          </Button>
          {!isRedo && !file.isNew && (
            <Button size="small" onClick={copyBefore}>
              {t('Copy the version before')}
            </Button>
          )}
          {merged !== null && (
            <Button
              size="small"
              onClick={() =>
                void copyText(
                  store,
                  merged,
                  isRedo
                    ? t('{file} with {agent}’s edit copied', { file: name, agent })
                    : t('{file} without {agent}’s edit copied', { file: name, agent }),
                )
              }
            >
              {isRedo ? t('Copy with {agent}’s edit', { agent }) : t('Copy without {agent}’s edit', { agent })}
            </Button>
          )}
        </div>
        {isOpen && (
          <>
            <section className={css('change-way')}>
              <h4>{t('{agent}’s edit', { agent })}</h4>
              {ownEdit}
            </section>
            {threeWay !== null && (
              <Way title={isBetween ? t('The other change') : t('Since then')} name={name} patch={threeWay.since} />
            )}
            {threeWay !== null && !isRedo && (
              <Way title={t('Without {agent}’s edit', { agent })} name={name} patch={threeWay.back} />
            )}
          </>
        )}
      </div>
    </div>
  );
}

type LostProps = Pick<ChangeRow, 'isBetween' | 'modifiedAt'> & { isRedo: boolean; agent: string };

/** What undoing or redoing would lose. */
function Lost({ isRedo, isBetween, modifiedAt, agent }: LostProps) {
  const b = (inside: ReactElement) => <b>{inside}</b>;
  // What an undo left beside the other change was written by us: its time says nothing of the other.
  if (isRedo)
    return rich('<b>Redo would lose another change.</b> Something else changed this file beside {agent}’s edit.', {
      agent,
      b,
    });
  if (isBetween)
    return rich('<b>Undo would lose another change.</b> Something else changed this file between {agent}’s edits.', {
      agent,
      b,
    });
  if (modifiedAt === null)
    return rich('<b>Undo would lose a later change.</b> Something else wrote this file, after {agent}’s edit.', {
      agent,
      b,
    });
  const time = clockTime(modifiedAt);
  return rich(
    '<b>Undo would lose a later change.</b> Something else wrote this file at {time}, after {agent}’s edit.',
    {
      agent,
      time,
      b,
    },
  );
}

function Way({ title, name, patch }: { title: string; name: string; patch: string }) {
  const source = useMemo(() => ({ kind: 'patch', patch }) as const, [patch]);
  return (
    <section className={css('change-way')}>
      <h4>{title}</h4>
      <Difference path={name} source={source} />
    </section>
  );
}
