import { useCallback } from 'react';
import type { SessionSettings } from '../../app/api/settings.ts';
import { effortWords } from '../../app/words/agents.ts';
import { askingModes, modeWordsOf } from '../../app/words/permissions.ts';
import { Segmented } from '../parts/choices.tsx';
import { isMac } from '../parts/keys.ts';
import { useAsked } from '../state/asked.ts';
import { useServices } from '../state/services.ts';
import { Select, SelectSetting, Setting, useChange } from './setting.tsx';

export interface SessionsSettingProps {
  sessions: SessionSettings;
}

/** How much new sessions ask. */
export function Permissions({ sessions: { mode } }: SessionsSettingProps) {
  return (
    <SelectSetting
      title="Permissions of new sessions"
      help="Never ask can’t be a default."
      chosen={mode}
      choices={askingModes.map((value) => ({ value, label: modeWordsOf[value].name }))}
      changeFor={(chosen) => ({ sessions: { mode: chosen } })}
    />
  );
}

/** Where a choice is left to the program: no model or effort is called so. */
const nobodys = '';
const usualEfforts: readonly string[] = ['low', 'medium', 'high'];

/** What new sessions run on. */
export function EffortAndModel({ sessions: { model, effort } }: SessionsSettingProps) {
  const { change, error } = useChange();
  const { bridge } = useServices();
  const { asked } = useAsked(useCallback(() => bridge.agentOffers('claude'), [bridge]));
  const offered = asked.last?.models ?? [];
  const models = new Set([...(model === null ? [] : [model]), ...offered.map(({ id }) => id)]);
  const known = offered.find(({ id }) => id === model)?.efforts ?? usualEfforts;
  const efforts = new Set([...known, ...(effort === null ? [] : [effort])]);
  return (
    <Setting
      title="Model and effort of new sessions"
      help="Claude Code’s own names go through your overrides."
      error={error}
    >
      <Select
        label="Model of new sessions"
        chosen={model ?? nobodys}
        choices={[
          ...[...models].map((value) => ({ value, label: value })),
          { value: nobodys, label: 'Claude Code decides' },
        ]}
        choose={(chosen) => void change({ sessions: { model: chosen === nobodys ? null : chosen } })}
      />
      <Select
        label="Effort of new sessions"
        chosen={effort ?? nobodys}
        choices={[
          ...[...efforts].map((value) => ({ value, label: effortWords(value) })),
          { value: nobodys, label: 'The model decides' },
        ]}
        choose={(chosen) => void change({ sessions: { effort: chosen === nobodys ? null : chosen } })}
      />
    </Setting>
  );
}

/** Which key queues and which steers. */
export function Enter({ sessions: { enterWhileRunning } }: SessionsSettingProps) {
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
