import { settingFields } from '../../app/api/setting-fields.ts';
import type { Preferences } from '../../app/api/settings.ts';
import { reachFacts, reachNames, windowProblem, windowWords } from '../../app/words/reach.ts';
import { inTypedWords } from '../bridge/typed-command.ts';
import { ask } from '../state/questions.ts';
import { useApp, useServices } from '../state/services.ts';
import { Select, Setting, useChange } from './setting.tsx';

const { label, choices } = settingFields.reach;

/** How Copilot is reached. Another way has other costs, so that it is asked before. */
export function ReachSetting({ preferences: { reach: chosen } }: { preferences: Preferences }) {
  const { store } = useServices();
  const { reach } = useApp();
  const { change, error } = useChange();
  const window = reach.kind === 'through-vscode' ? reach.window : null;
  const problem = window === null ? null : windowProblem(window);
  const now = window !== null && problem === null ? ` Now ${windowWords(window)}.` : '';
  return (
    <Setting
      of="reach"
      title={label}
      help={`${reachFacts[chosen]}${now}`}
      error={error ?? (problem === null ? null : `${problem.text} ${inTypedWords(problem.remedy)}`)}
    >
      <Select
        label={label}
        chosen={chosen}
        choices={choices}
        choose={(value) => {
          const wanted = value === 'directly' ? 'directly' : 'through-vscode';
          if (wanted === chosen) return;
          ask(store, {
            title: `Reach Copilot ${reachNames[wanted]}?`,
            text: reachFacts[wanted],
            safe: 'Cancel',
            action: `Go ${reachNames[wanted]}`,
            run: () => void change({ reach: wanted }),
          });
        }}
      />
    </Setting>
  );
}
