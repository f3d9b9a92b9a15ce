import { useState } from 'react';
import { limitBounds } from '../../app/api/setting-bounds.ts';
import type { Limits, Preferences } from '../../app/api/settings.ts';
import { TextField } from '../parts/text-field.tsx';
import { useApp } from '../state/services.ts';
import { Setting, SwitchSetting, useChange } from './setting.tsx';

type Limit = 'requestsPerMinute' | 'creditsPerDay' | 'premiumRequestsPerDay';

const { most } = limitBounds;

/** What a person allows at most. What goes over is answered with 429, in the client's own words. */
export function LimitSettings({ preferences: { limits } }: { preferences: Preferences }) {
  const world = useApp().quota?.world ?? 'unknown';
  return (
    <>
      <SwitchSetting
        title="Ask before a burst"
        help={`Hold new user prompts when more than ${limits.burstPerMinute} requests started within a minute.`}
        on={limits.askBeforeBurst}
        changeFor={(on) => ({ limits: { askBeforeBurst: on } })}
      />
      <LimitSetting
        limits={limits}
        name="requestsPerMinute"
        title="Most requests per minute"
        help="What goes over is answered with error 429 until the minute is over."
        whole
      />
      {(world !== 'premium' || limits.creditsPerDay !== null) && (
        <LimitSetting
          limits={limits}
          name="creditsPerDay"
          title="Most credits per day"
          help="Counted from what Copilot reported since midnight. Then error 429 until the day is over."
        />
      )}
      {(world === 'premium' || limits.premiumRequestsPerDay !== null) && (
        <LimitSetting
          limits={limits}
          name="premiumRequestsPerDay"
          title="Most premium requests per day"
          help="Estimated by Jumpseat since midnight. Then error 429 until the day is over."
        />
      )}
    </>
  );
}

function LimitSetting(props: { limits: Limits; name: Limit; title: string; help: string; whole?: boolean }) {
  const { limits, name, title, help, whole = false } = props;
  const { change, error, clear } = useChange();
  const [wrong, setWrong] = useState(false);
  const value = limits[name];
  const done = (text: string): void => {
    const wanted = readLimit(text, whole);
    setWrong(wanted === undefined);
    if (wanted !== undefined) void change({ limits: { [name]: wanted } });
  };
  return (
    <Setting title={title} help={help} error={wrong ? wrongWords(whole) : error}>
      <TextField
        label={title}
        look="number"
        placeholder="No limit"
        size={8}
        value={value === null ? '' : String(value)}
        invalid={wrong || error !== null}
        done={done}
        typed={() => {
          setWrong(false);
          clear();
        }}
      />
    </Setting>
  );
}

export function wrongWords(whole: boolean): string {
  const numbers = whole ? 'whole number from 1' : 'number from 0.01';
  return `Choose a ${numbers} to 1,000,000, or leave it empty for no limit.`;
}

/** Null: no limit. Undefined: no limit that could be meant. */
export function readLimit(text: string, whole: boolean): number | null | undefined {
  const plain = text.trim().replaceAll(',', '');
  if (plain === '') return null;
  if (!(whole ? /^\d{1,7}$/ : /^\d{1,7}(?:\.\d{1,2})?$/).test(plain)) return undefined;
  const value = Number(plain);
  return value > 0 && value <= most ? value : undefined;
}
