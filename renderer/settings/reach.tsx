import type { Preferences } from '../../app/api/settings.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t, translated } from '../../app/language/translate.ts';
import { reachFacts, windowProblem, windowWords } from '../../app/words/reach.ts';
import { inTypedWords } from '../bridge/typed-command.ts';
import { ask } from '../state/questions.ts';
import { useApp, useServices } from '../state/services.ts';
import { shownField } from './field.tsx';
import { Select, Setting, useChange } from './setting.tsx';

/** How Copilot is reached. Another way has other costs, so that it is asked before. */
export function ReachSetting({ preferences: { reach: chosen } }: { preferences: Preferences }) {
  const { store } = useServices();
  const { label, choices } = shownField('reach');
  const { reach } = useApp();
  const { change, error } = useChange();
  const window = reach.kind === 'through-vscode' ? reach.window : null;
  const problem = window === null ? null : windowProblem(window);
  const now = window !== null && problem === null ? t('Now {window}.', { window: windowWords(window) }) : '';
  return (
    <Setting
      of="reach"
      title={label}
      help={sentences(translated(reachFacts[chosen]), now)}
      error={error ?? (problem === null ? null : sentences(problem.text, inTypedWords(problem.remedy)))}
    >
      <Select
        label={label}
        chosen={chosen}
        choices={choices}
        choose={(value) => {
          const wanted = value === 'directly' ? 'directly' : 'through-vscode';
          if (wanted === chosen) return;
          ask(store, {
            title: wanted === 'directly' ? t('Reach Copilot directly?') : t('Reach Copilot through VS Code?'),
            text: translated(reachFacts[wanted]),
            safe: t('Cancel'),
            action: wanted === 'directly' ? t('Go directly') : t('Go through VS Code'),
            run: () => void change({ reach: wanted }),
          });
        }}
      />
    </Setting>
  );
}
