import { useState } from 'react';
import { sessionsAtOnceBounds } from '../../app/api/setting-bounds.ts';
import type { Preferences, SessionSettings } from '../../app/api/settings.ts';
import { bytes } from '../../app/words/numbers.ts';
import { Button } from '../parts/button.tsx';
import { isMac } from '../parts/command-key.ts';
import { NumberField } from '../parts/number-field.tsx';
import { Segmented } from '../parts/segmented.tsx';
import { TextField } from '../parts/text-field.tsx';
import { type ClaudeProgram, useClaudeProgram } from '../state/claude-program.ts';
import { useChange } from './change.ts';
import { readLimit, wrongWords } from './limits.tsx';
import { type Choice, Section, SelectSetting, Setting, SwitchSetting } from './setting.tsx';

/** Sessions that Jumpseat leads: which program does, and what holds for all of them. */
export function SessionsSection({ preferences: { sessions } }: { preferences: Preferences }) {
  return (
    <Section id="sessions" title="Sessions">
      <ProgramSetting />
      <Enter sessions={sessions} />
      <AtOnce sessions={sessions} />
      <CreditsPerTurn sessions={sessions} />
      <Unloading sessions={sessions} />
      <SwitchSetting
        title="Search what was said"
        help="Keeps an index of sessions of Claude Code, on this machine only."
        on={sessions.search}
        wish={(on) => ({ sessions: { search: on } })}
      />
      <SwitchSetting
        title="Let Claude Code ask Anthropic about pages"
        help="About the domain of a page, before it reads it."
        on={sessions.webFetchPreflight}
        wish={(on) => ({ sessions: { webFetchPreflight: on } })}
      />
    </Section>
  );
}

function ProgramSetting() {
  const program = useClaudeProgram();
  const { claude, unknown, isFetching, failure, fetch } = program;
  const fetchable = claude?.fetchable ?? null;
  const error =
    failure === null || isFetching || fetchable === null ? unknown : `The copy couldn’t be fetched. ${failure}`;
  return (
    <Setting title="Claude Code" help={found(claude)} error={error}>
      {fetchable !== null && (
        <Button disabled={isFetching} aria-busy={isFetching} onClick={fetch}>
          {isFetching ? 'Fetching…' : failure === null ? `Fetch (${bytes(fetchable.bytes)})` : 'Try again'}
        </Button>
      )}
    </Setting>
  );
}

function found(claude: ClaudeProgram['claude']): string {
  if (claude === null) return '…';
  const { version, from, problem } = claude;
  if (problem !== null) return `${problem.text} ${problem.mend}`;
  const whose = from === 'fetched' ? 'The copy that Jumpseat fetched' : 'The claude on this machine';
  return version === null ? `${whose}.` : `${whose}, version ${version}.`;
}

function Enter({ sessions: { enterWhileRunning } }: { sessions: SessionSettings }) {
  const { change, error } = useChange();
  const help = isMac() ? '⌘Enter does the other one.' : 'Ctrl+Enter does the other one.';
  return (
    <Setting title="Enter while Claude works" help={help} error={error}>
      <Segmented
        label="Enter while Claude works"
        segments={[
          { name: 'queue', label: 'Queue' },
          { name: 'steer', label: 'Steer' },
        ]}
        chosen={enterWhileRunning}
        choose={(name) => void change({ sessions: { enterWhileRunning: name } })}
      />
    </Setting>
  );
}

function AtOnce({ sessions }: { sessions: SessionSettings }) {
  const { change, error, clear } = useChange();
  const [wrong, setWrong] = useState(false);
  const { least, most } = sessionsAtOnceBounds;
  return (
    <Setting
      title="Running at once"
      help="More wait in line until one is done."
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

function CreditsPerTurn({ sessions: { creditsPerTurn } }: { sessions: SessionSettings }) {
  const { change, error, clear } = useChange();
  const [wrong, setWrong] = useState(false);
  return (
    <Setting
      title="Most credits per turn"
      help="A turn that costs more is stopped."
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
function Unloading({ sessions: { unloadAfterMinutes } }: { sessions: SessionSettings }) {
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
      wish={(chosen) => ({ sessions: { unloadAfterMinutes: chosen === never ? null : Number(chosen) } })}
    />
  );
}
