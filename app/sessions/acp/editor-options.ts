import { RequestError, type SessionConfigOption, type SessionModeState } from '@agentclientprotocol/sdk/unstable';
import type { OfferedMode, OfferedModel } from '../../api/session-surroundings.ts';
import { oneLine } from '../../words/one-line.ts';
import type { Choices } from '../host/control.ts';
import type { HostedSession } from '../host/hosted-session.ts';

const efforts = ['low', 'medium', 'high'];
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

export function editorOptions(session: HostedSession, offered: Offered): EditorOptions {
  const { live } = session;
  const view = session.view();
  const mode = view.mode.applied ?? view.mode.wanted ?? own;
  const modes = offered.modes.filter(({ asksNothing, refusal }) => !asksNothing && refusal === null);
  if (live !== null) {
    return {
      modes: modes.length === 0 ? null : toModes(mode, modes),
      configOptions: live.options
        .filter(({ id }) => isChoice(id))
        .map((option) => (option.id === 'mode' ? only(option, modes) : option)),
    };
  }
  const models = offered.models.map(({ id }) => id);
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

/** Throws where an editor chooses what nobody offers, or the mode that only a person in Jumpseat's window chooses. */
export function refuseUnknown(session: HostedSession, { models, modes }: Offered, choice: Partial<Choices>): void {
  if (modes.some(({ id, asksNothing }) => asksNothing && id === choice.mode)) {
    throw RequestError.invalidParams(undefined, 'This mode can’t be chosen from an editor.');
  }
  const offered = {
    mode: modes.flatMap(({ id, asksNothing }) => (asksNothing ? [] : [id])),
    model: models.map(({ id }) => id),
    effort: [...efforts, ...models.flatMap((model) => model.efforts)],
  };
  const view = session.view();
  for (const what of ['mode', 'model', 'effort'] as const) {
    const value = choice[what];
    const ofProcess = session.live?.options.filter(({ id }) => id === what).flatMap(valuesOf) ?? [];
    const all = new Set([...offered[what], ...ofProcess]);
    // Without a list, of an account whose models can't be read, say, the agent decides.
    if (value == null || all.size === 0 || all.has(value) || value === view[what].wanted) continue;
    const words = `There is no ${what} "${oneLine(value, 100)}" here. There are: ${[...all].join(', ')}.`;
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

function only(option: SessionConfigOption, modes: readonly OfferedMode[]): SessionConfigOption {
  if (option.type !== 'select') return option;
  const may = (one: object): boolean => 'value' in one && modes.some(({ id }) => id === one.value);
  const options = option.options.flatMap((one) => ('options' in one ? one.options : [one])).filter(may);
  return { ...option, options };
}

/** The choice that a value of an option stands for; null: the agent's own. */
export function chosenValue(configId: string, value: string): string | null {
  return value === own && configId !== 'mode' ? null : value;
}

function toModes(currentModeId: string, modes: readonly { id: string; name: string }[]): SessionModeState {
  return { currentModeId, availableModes: modes.map(({ id, name }) => ({ id, name })) };
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
