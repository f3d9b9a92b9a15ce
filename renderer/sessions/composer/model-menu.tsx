import classNames from 'classnames/bind';
import type { ModelRow } from '../../../app/api/models.ts';
import type { OfferedModel } from '../../../app/api/session-surroundings.ts';
import { t } from '../../../app/language/translate.ts';
import { effortWords } from '../../../app/words/agents.ts';
import { creditPrices, multiplierWords } from '../../../app/words/models.ts';
import { useActions } from '../../state/actions.ts';
import { useAgentWords } from '../state/hooks.ts';
import { type Choice, type ChoiceGroup, ChoiceMenu } from './choice-menu.tsx';
import styles from './composer.module.css';

const css = classNames.bind(styles);

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
  const groups: ChoiceGroup[] = [
    {
      heading: areCredits
        ? t('{agent}’s names, credits per million: input, output', { agent: title })
        : t('{agent}’s names', { agent: title }),
      named: true,
    },
    { heading: t('Models'), named: false },
  ].map(({ heading, named }) => ({
    heading,
    choices: offered.filter(({ id, model }) => (id !== model) === named).map(choiceOf),
    choose,
  }));
  if (off.length > 0) {
    const choices = off.map(({ id }) => ({ id, name: id, isMono: true, isOff: true, isChosen: id === chosen }));
    const action = { label: t('Enable on GitHub'), run: () => openGithub('/settings/copilot/features') };
    groups.push({ heading: t('Off on GitHub'), choices, choose, action });
  }
  const shown = groups.filter(({ choices }) => choices.length > 0);
  const last = shown.at(-1);
  const withNote =
    last === undefined ? [] : [...shown.slice(0, -1), { ...last, note: t('Applies to the next request.') }];
  if (effort !== null) withNote.push(effortChoices(effort));
  return <ChoiceMenu label={t('Model')} anchor={anchor} groups={withNote} close={close} className={css('models')} />;
}

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
  return <ChoiceMenu label={t('Effort')} anchor={anchor} groups={[effortChoices(effort)]} close={close} />;
}

const byModel = '';

function effortChoices({ chosen, efforts, choose }: EffortProps): ChoiceGroup {
  const known = efforts.map((id) => ({ id, name: effortWords(id), isChosen: id === chosen }));
  const open = { id: byModel, name: t('The model decides'), isChosen: chosen === null };
  return {
    heading: t('Effort'),
    choices: efforts.length === 0 ? [] : [...known, open],
    choose: (id) => choose(id === byModel ? null : id),
    ...(efforts.length === 0 && { note: t('This model has no effort setting.') }),
  };
}
