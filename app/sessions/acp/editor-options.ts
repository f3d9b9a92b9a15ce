import { RequestError, type SessionConfigOption, type SessionModeState } from '@agentclientprotocol/sdk/unstable';
import type { OfferedMode, OfferedModel } from '../../api/session-surroundings.ts';
import { oneLine } from '../../words/text.ts';
import type { HostedSession } from '../host/hosted-session.ts';
import type { Choices } from '../session/choices.ts';

/** Where the account's models, and what they know, can't be read. */
const usualEfforts = ['low', 'medium', 'high'];
/** Where nothing was chosen: the agent's own choice. */
const own = 'default';

export interface EditorOptions {
  modes: SessionModeState | null;
  configOptions: SessionConfigOption[];
}

/** What may be chosen for a session. */
interface Offered {
  models: readonly OfferedModel[];
  modes: readonly OfferedMode[];
}

/** The lists that the window shows, whatever the agent's own are, with what is chosen or in force. */
export function editorOptions(session: HostedSession, offered: Offered): EditorOptions {
  const view = session.view();
  const mode = view.mode.applied ?? view.mode.wanted ?? own;
  const modes = offered.modes.filter(({ asksNothing, refusal }) => !asksNothing && refusal === null);
  const asked = view.model.wanted ?? view.model.applied;
  const model = offered.models.find((one) => one.id === asked || one.model === asked);
  const efforts = effortsOf(model === undefined ? offered.models : [model]);
  const applied = efforts.find((one) => one === view.effort.applied);
  const effort = model?.efforts.length === 0 ? null : (view.effort.wanted ?? applied ?? null);
  const ids = offered.models.map(({ id }) => id);
  return {
    modes: modes.length === 0 ? null : toModes(mode, modes),
    configOptions: [
      ...(modes.length === 0 ? [] : [select('mode', 'Permissions', mode, modes)]),
      select('model', 'Model', ...withOwn(model?.id ?? view.model.wanted, ids)),
      select('effort', 'Effort', ...withOwn(effort, efforts)),
    ],
  };
}

function effortsOf(models: readonly OfferedModel[]): string[] {
  return models.length === 0 ? usualEfforts : [...new Set(models.flatMap(({ efforts }) => efforts))];
}

function withOwn(chosen: string | null, values: readonly string[]): [string, { id: string; name: string }[]] {
  const all = new Set([own, ...values, ...(chosen === null ? [] : [chosen])]);
  return [chosen ?? own, [...all].map((id) => ({ id, name: id }))];
}

/** Throws where an editor chooses what isn't offered, or the mode that only a person in Jumpseat's window chooses. */
export function refuseUnknown(session: HostedSession, offered: Offered, choice: Partial<Choices>): void {
  if (offered.modes.some(({ id, asksNothing }) => asksNothing && id === choice.mode)) {
    throw RequestError.invalidParams(undefined, 'This mode can’t be chosen from an editor.');
  }
  const { configOptions } = editorOptions(session, offered);
  for (const what of ['mode', 'model', 'effort'] as const) {
    const value = choice[what];
    const option = configOptions.find(({ id }) => id === what);
    // Without a list, of an account whose models can't be read, say, the agent decides.
    if (value == null || option === undefined || (what === 'model' && offered.models.length === 0)) continue;
    const all = valuesOf(option).filter((one) => chosenValue(what, one) !== null);
    if (all.includes(value)) continue;
    const words = `There is no ${what} "${oneLine(value, 100)}" here. There are: ${all.join(', ')}.`;
    throw RequestError.invalidParams(undefined, words);
  }
}

function valuesOf(option: SessionConfigOption): string[] {
  if (option.type !== 'select') return [];
  return option.options.flatMap((one) => ('options' in one ? one.options : [one])).map(({ value }) => value);
}

/** What can be chosen for a session here; an agent may offer more. */
export function isChoice(id: string): id is 'mode' | 'model' | 'effort' {
  return id === 'mode' || id === 'model' || id === 'effort';
}

/** The choice that a value of an option stands for; null for the agent's own. */
export function chosenValue(configId: string, value: string): string | null {
  return value === own && configId !== 'mode' ? null : value;
}

function toModes(currentModeId: string, modes: readonly { id: string; name: string }[]): SessionModeState {
  return { currentModeId, availableModes: modes.map(({ id, name }) => ({ id, name })) };
}

function select(
  id: string,
  name: string,
  currentValue: string,
  values: readonly { id: string; name: string }[],
): SessionConfigOption {
  return {
    ...{ type: 'select', id, name, currentValue, category: id === 'effort' ? 'thought_level' : id },
    options: values.map((value) => ({ value: value.id, name: value.name })),
  };
}
