import type { ModelRow } from '../../../app/api/models.ts';
import type { OfferedModel } from '../../../app/api/session-surroundings.ts';
import { effortWords } from '../../../app/words/agents.ts';
import { creditPrices, multiplierWords } from '../../../app/words/models.ts';
import { useActions } from '../../state/actions.ts';
import { useAgentWords } from '../state/hooks.ts';
import { type Choice, type ChoiceGroup, ChoiceMenu } from './choice-menu.tsx';

interface ModelMenuProps {
  anchor: HTMLElement;
  offered: readonly OfferedModel[];
  /** The account's; for prices, and those that are switched off. */
  rows: readonly ModelRow[];
  chosen: string | null;
  choose: (model: string) => void;
  /** The efforts to choose from here, where the bar has no room for them; null if it has. */
  effort: { chosen: string | null; efforts: readonly string[]; choose: (effort: string | null) => void } | null;
  close: () => void;
}

/** The agent's own names, then the models that the account may use, and those that it has switched off. */
export function ModelMenu({ anchor, offered, rows, chosen, choose, effort, close }: ModelMenuProps) {
  const { openGithub } = useActions();
  const { title } = useAgentWords();
  const rowOf = (id: string): ModelRow | undefined => rows.find((row) => row.id === id);
  const choiceOf = ({ id, model }: OfferedModel): Choice => {
    const row = rowOf(model);
    return {
      ...{ id, name: id, isMono: true, isChosen: id === chosen },
      ...(id !== model && { text: model }),
      ...(row !== undefined && { beside: priceWords(row) }),
    };
  };
  const off = rows.filter(({ type, policy, id }) => {
    return type === 'chat' && policy === 'disabled' && !offered.some(({ model }) => model === id);
  });
  const areCredits = rows.some(({ price }) => price.kind === 'credits');
  const price = areCredits ? 'credits per million: input, output' : null;
  const groups: ChoiceGroup[] = [
    { heading: price === null ? `${title}’s names` : `${title}’s names, ${price}`, named: true },
    { heading: 'Models', named: false },
  ].map(({ heading, named }) => ({
    heading,
    choices: offered.filter(({ id, model }) => (id !== model) === named).map(choiceOf),
    choose,
  }));
  if (off.length > 0) {
    const choices = off.map(({ id }) => ({ id, name: id, isMono: true, isOff: true, isChosen: id === chosen }));
    const action = { label: 'Enable on GitHub', run: () => openGithub('/settings/copilot/features') };
    groups.push({ heading: 'Off on GitHub', choices, choose, action });
  }
  const shown = groups.filter(({ choices }) => choices.length > 0);
  const last = shown.at(-1);
  const withNote = last === undefined ? [] : [...shown.slice(0, -1), { ...last, note: counts }];
  if (effort !== null) withNote.push(effortChoices(effort));
  return <ChoiceMenu label="Model" anchor={anchor} groups={withNote} close={close} className="models" />;
}

const counts = 'Counts from the next request on.';

function priceWords(row: ModelRow): string {
  if (row.price.kind === 'multiplier') return multiplierWords(row);
  const { input, output } = creditPrices(row);
  return `${input} / ${output}`;
}

interface EffortProps {
  chosen: string | null;
  /** Efforts that the model supports. */
  efforts: readonly string[];
  choose: (effort: string | null) => void;
}

export function EffortMenu({ anchor, close, ...effort }: EffortProps & { anchor: HTMLElement; close: () => void }) {
  return (
    <ChoiceMenu label="Effort" anchor={anchor} groups={[effortChoices(effort)]} close={close} className="efforts" />
  );
}

const byModel = '';

function effortChoices({ chosen, efforts, choose }: EffortProps): ChoiceGroup {
  const known = efforts.map((id) => ({ id, name: effortWords(id), isChosen: id === chosen }));
  const open = { id: byModel, name: 'The model decides', isChosen: chosen === null };
  return {
    heading: 'Effort',
    choices: efforts.length === 0 ? [] : [...known, open],
    choose: (id) => choose(id === byModel ? null : id),
    ...(efforts.length === 0 && { note: 'This model has no effort setting.' }),
  };
}
