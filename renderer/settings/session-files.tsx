import { useCallback, useState } from 'react';
import { counted, grouped } from '../../app/words/numbers.ts';
import { fileOpenerTitles } from '../../app/words/opening.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useActions } from '../state/actions.ts';
import { useAsked } from '../state/asked.ts';
import { toast } from '../state/notices.ts';
import { useServices } from '../state/services.ts';
import type { SessionsSettingProps } from './new-sessions.tsx';
import { SelectSetting, SwitchSetting } from './setting.tsx';

const offered: readonly number[] = [7, 30, 90, 365];
const ever = 'ever';

/** How long edits can be undone. */
export function Versions({ sessions: { keepVersionsDays: days } }: SessionsSettingProps) {
  const [isAsking, setAsking] = useState(false);
  const numbers = new Set([...offered, ...(days === null ? [] : [days])]);
  return (
    <>
      <SelectSetting
        title="Keep versions for undo"
        help="Copies of files before Claude’s edits, on this machine only."
        chosen={days === null ? ever : String(days)}
        choices={[
          ...[...numbers]
            .sort((left, right) => left - right)
            .map((value) => ({ value: String(value), label: value === 1 ? '1 day' : `${grouped(value)} days` })),
          { value: ever, label: 'For ever' },
        ]}
        changeFor={(chosen) => ({ sessions: { keepVersionsDays: chosen === ever ? null : Number(chosen) } })}
      >
        <Button look="danger" onClick={() => setAsking(true)}>
          Delete versions…
        </Button>
      </SelectSetting>
      {isAsking && <DeleteVersions close={() => setAsking(false)} />}
    </>
  );
}

function DeleteVersions({ close }: { close: () => void }) {
  const { bridge, store } = useServices();
  const { tried } = useActions();
  const remove = async (): Promise<void> => {
    close();
    const gone = await bridge.deleteVersions();
    toast(store, gone === 0 ? 'No versions were kept.' : `Deleted ${counted(gone, 'version')}.`);
  };
  return (
    <Dialog
      title="Delete all versions kept for undo?"
      action={{ label: 'Delete versions', run: () => void tried(remove()), danger: true }}
      close={close}
    >
      <p>Edits that Claude made until now can’t be undone here any more. The files stay as they are.</p>
    </Dialog>
  );
}

/** Whether the list has sessions of other programs. */
export function ElsewhereSessions({ sessions: { madeElsewhere } }: SessionsSettingProps) {
  return (
    <SwitchSetting
      title="Sessions made elsewhere"
      help={
        <>
          Lists what Claude Code keeps in <span className="mono">~/.claude/projects</span>.
        </>
      }
      on={madeElsewhere}
      changeFor={(on) => ({ sessions: { madeElsewhere: on } })}
    />
  );
}

/** In the tray app alone: a browser opens no files of this machine. */
export function OpenFilesWith({ sessions: { openFilesWith } }: SessionsSettingProps) {
  const { bridge } = useServices();
  const { fileOpeners } = bridge;
  const { asked } = useAsked(useCallback(async () => (fileOpeners === null ? [] : fileOpeners()), [fileOpeners]));
  if (fileOpeners === null) return null;
  // One that was chosen and is gone is still what is chosen.
  const openers = new Set(['system' as const, ...(asked.last ?? []), openFilesWith]);
  return (
    <SelectSetting
      title="Open files with"
      help="When you click a path in a session."
      chosen={openFilesWith}
      choices={[...openers].map((value) => ({ value, label: fileOpenerTitles[value] }))}
      changeFor={(chosen) => ({ sessions: { openFilesWith: chosen } })}
    />
  );
}
