import { effortWords } from '../../../app/words/efforts.ts';
import { type ChoiceGroup, ChoiceMenu } from './choice-menu.tsx';

export interface EffortProps {
  chosen: string | null;
  /** Those that the model knows. */
  efforts: readonly string[];
  choose: (effort: string | null) => void;
}

export function EffortMenu({ anchor, close, ...effort }: EffortProps & { anchor: HTMLElement; close: () => void }) {
  return (
    <ChoiceMenu label="Effort" anchor={anchor} groups={[effortChoices(effort)]} close={close} className="efforts" />
  );
}

const byModel = '';

export function effortChoices({ chosen, efforts, choose }: EffortProps): ChoiceGroup {
  const known = efforts.map((id) => ({ id, name: effortWords(id), isChosen: id === chosen }));
  const open = { id: byModel, name: 'The model decides', isChosen: chosen === null };
  return {
    heading: 'Effort',
    choices: efforts.length === 0 ? [] : [...known, open],
    choose: (id) => choose(id === byModel ? null : id),
    ...(efforts.length === 0 && { note: 'This model has no effort setting.' }),
  };
}
