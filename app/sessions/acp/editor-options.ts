import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk/unstable';
import { neverAsking } from '../../api/sessions.ts';
import type { AgentName } from '../agents/agent.ts';
import type { HostedSession } from '../host/hosted-session.ts';

/** What an editor may choose before an agent was started, which then says itself what it has. */
const modesOf: Readonly<Record<AgentName, readonly { id: string; name: string }[]>> = {
  claude: [
    { id: 'default', name: 'Ask first' },
    { id: 'acceptEdits', name: 'Accept edits' },
    { id: 'plan', name: 'Plan' },
  ],
  codex: [],
};
const efforts = ['low', 'medium', 'high'];
/** Where nobody chose: the agent's own choice. */
const own = 'default';

export interface EditorOptions {
  modes: SessionModeState | null;
  configOptions: SessionConfigOption[];
}

/** @param models ids of models for an agent that was not started yet */
export function editorOptions(session: HostedSession, models: readonly string[]): EditorOptions {
  const { live } = session;
  const view = session.view();
  const mode = view.mode.applied ?? view.mode.wanted ?? own;
  if (live !== null) {
    const ids = live.modes.filter((id) => id !== neverAsking);
    return {
      modes: ids.length === 0 ? null : toModes(mode, ids.map(named(view.agent))),
      configOptions: live.options.filter(({ id }) => isChoice(id)).map(withoutNeverAsking),
    };
  }
  const modes = modesOf[view.agent];
  const chosen = (wanted: string | null, values: readonly string[]): string[] => [
    ...new Set([own, ...(wanted === null ? [] : [wanted]), ...values]),
  ];
  return {
    modes: modes.length === 0 ? null : toModes(mode, modes),
    configOptions: [
      ...(modes.length === 0
        ? []
        : [
            select(
              'mode',
              'Permissions',
              mode,
              modes.map(({ id }) => id),
            ),
          ]),
      select('model', 'Model', view.model.wanted ?? own, chosen(view.model.wanted, models)),
      select('effort', 'Effort', view.effort.wanted ?? own, chosen(view.effort.wanted, efforts)),
    ],
  };
}

/** What can be chosen for a session here; an agent may offer more. */
export function isChoice(id: string): id is 'mode' | 'model' | 'effort' {
  return id === 'mode' || id === 'model' || id === 'effort';
}

function withoutNeverAsking(option: SessionConfigOption): SessionConfigOption {
  if (option.type !== 'select') return option;
  const options = option.options.filter((one) => !('value' in one) || one.value !== neverAsking);
  return { ...option, options } as SessionConfigOption;
}

/** The choice that a value of an option stands for; null: the agent's own. */
export function chosenValue(configId: string, value: string): string | null {
  return value === own && configId !== 'mode' ? null : value;
}

function named(agent: AgentName) {
  return (id: string): { id: string; name: string } =>
    modesOf[agent].find((mode) => mode.id === id) ?? { id, name: id };
}

function toModes(currentModeId: string, modes: readonly { id: string; name: string }[]): SessionModeState {
  return { currentModeId, availableModes: [...modes] };
}

function select(id: string, name: string, currentValue: string, values: readonly string[]): SessionConfigOption {
  return {
    type: 'select',
    id,
    name,
    category: id === 'effort' ? 'thought_level' : id,
    currentValue,
    options: values.map((value) => ({ value, name: value })),
  };
}
