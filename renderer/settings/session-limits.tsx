import { useState } from 'react';
import { sessionsAtOnceBounds } from '../../app/api/setting-bounds.ts';
import { NumberField, TextField } from '../parts/text-field.tsx';
import { readLimit, wrongWords } from './limits.tsx';
import type { SessionsSettingProps } from './new-sessions.tsx';
import { type Choice, SelectSetting, Setting, useChange } from './setting.tsx';

/** How many turns run at once. */
export function AtOnce({ sessions }: SessionsSettingProps) {
  const { change, error, clear } = useChange();
  const [wrong, setWrong] = useState(false);
  const { least, most } = sessionsAtOnceBounds;
  return (
    <Setting
      title="Running at once"
      help="More wait in line until one is done. A turn that waits for your answer doesn’t count."
      error={wrong ? `Choose a number from ${least} to ${most}.` : error}
    >
      <NumberField
        label="Running at once"
        value={sessions.atOnce}
        digits={4}
        invalid={wrong || error !== null}
        done={(value) => {
          const allowed = value !== null && value >= least && value <= most;
          setWrong(!allowed);
          if (allowed) void change({ sessions: { atOnce: value } });
        }}
        typed={() => {
          setWrong(false);
          clear();
        }}
      />
    </Setting>
  );
}

/** What a turn may cost. */
export function CreditsPerTurn({ sessions: { creditsPerTurn } }: SessionsSettingProps) {
  const { change, error, clear } = useChange();
  const [wrong, setWrong] = useState(false);
  return (
    <Setting
      title="Most credits per turn"
      help="The turn is stopped at it, and asks."
      error={wrong ? wrongWords(false) : error}
    >
      <TextField
        label="Most credits per turn"
        look="number"
        placeholder="No limit"
        size={8}
        value={creditsPerTurn === null ? '' : String(creditsPerTurn)}
        invalid={wrong || error !== null}
        done={(text) => {
          const wanted = readLimit(text, false);
          setWrong(wanted === undefined);
          if (wanted !== undefined) void change({ sessions: { creditsPerTurn: wanted } });
        }}
        typed={() => {
          setWrong(false);
          clear();
        }}
      />
    </Setting>
  );
}

const never = 'never';
const usual: readonly number[] = [5, 15, 30, 60, 240];

/** A number of minutes that was written into settings.json is one of the choices. */
export function Unloading({ sessions: { unloadAfterMinutes } }: SessionsSettingProps) {
  const numbers = new Set([...usual, ...(unloadAfterMinutes === null ? [] : [unloadAfterMinutes])]);
  const choices: Choice<string>[] = [
    ...[...numbers].sort((a, b) => a - b).map((minutes) => ({ value: String(minutes), label: `After ${minutes} min` })),
    { value: never, label: 'Never' },
  ];
  return (
    <SelectSetting
      title="Unload idle sessions"
      help="Ends the process, keeps the conversation. The next message starts it again."
      chosen={unloadAfterMinutes === null ? never : String(unloadAfterMinutes)}
      choices={choices}
      changeFor={(chosen) => ({ sessions: { unloadAfterMinutes: chosen === never ? null : Number(chosen) } })}
    />
  );
}
