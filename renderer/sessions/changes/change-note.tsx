import { useMemo, useState } from 'react';
import { clockTime } from '../../../app/words/times.ts';
import { Button } from '../../parts/button.tsx';
import { Warning } from '../../parts/icons.tsx';
import { copyText } from '../../state/copy-text.ts';
import { useServices } from '../../state/services.ts';
import { useAgentWords } from '../state/hooks.ts';
import { Difference } from '../text/difference.tsx';
import type { ChangeRow } from './change-rows.ts';

export interface ChangeNoteProps {
  row: ChangeRow;
  name: string;
  /** Undoes it, or redoes it where it is undone. */
  tryAgain: () => void;
  copyBefore: () => void;
}

/** Why a file was neither undone nor redone, and what one can take from it. */
export function ChangeNote({ row, name, tryAgain, copyBefore }: ChangeNoteProps) {
  const { state, refused, modifiedAt, file } = row;
  const { store } = useServices();
  const { name: agent } = useAgentWords();
  const [isOpen, setOpen] = useState(false);
  const threeWay = refused?.threeWay ?? null;
  const isRedo = state === 'undone';
  const wanted = isRedo ? 'with' : 'without';
  const merged = threeWay?.merged ?? null;
  if (refused !== null && refused.problem?.code !== 'changed-since') {
    return (
      <div className="change-note" role="status">
        <Warning size={14} />
        <div>
          <b>{refused.problem?.text}</b> {refused.problem?.mend}
          <div className="acts">
            <Button onClick={tryAgain}>Try again</Button>
          </div>
        </div>
      </div>
    );
  }
  return (
    <div className="change-note">
      <Warning size={14} />
      <div>
        <b>{isRedo ? 'Redo' : 'Undo'} would lose a later change.</b> Something else wrote this file
        {modifiedAt === null ? '' : ` at ${clockTime(modifiedAt)}`}, after {agent}’s edit{isRedo ? ' was undone' : ''}.
        <div className="acts">
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide difference' : 'Show difference'}
          </Button>
          {!isRedo && !file.isNew && <Button onClick={copyBefore}>Copy the version before</Button>}
          {merged !== null && (
            <Button onClick={() => void copyText(store, merged, `${name} ${wanted} ${agent}’s edit copied`)}>
              Copy {wanted} {agent}’s edit
            </Button>
          )}
        </div>
        {isOpen && (
          <>
            <Way title={`${agent}’s edit`} name={name} patch={file.patch ?? ''} />
            {threeWay !== null && <Way title="Since then" name={name} patch={threeWay.since} />}
            {threeWay !== null && !isRedo && <Way title="What Undo would do" name={name} patch={threeWay.back} />}
          </>
        )}
      </div>
    </div>
  );
}

function Way({ title, name, patch }: { title: string; name: string; patch: string }) {
  const source = useMemo(() => ({ kind: 'patch', patch }) as const, [patch]);
  return (
    <section className="change-way">
      <h4>{title}</h4>
      <Difference path={name} source={source} />
    </section>
  );
}
