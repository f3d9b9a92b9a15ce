import { reachSchema } from '../../api/account.ts';
import { sentences } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import { reachFacts, reachNames, windowProblem, windowWords } from '../../words/reach.ts';
import { wrongUsage } from '../failure.ts';
import { type Surroundings, withApp } from '../surroundings.ts';

/** `jumpseat reach [HOW]`: says how Copilot is reached, or changes it. */
export async function reach({ terminal, ...surroundings }: Surroundings, how?: string): Promise<number> {
  const wanted = how === undefined ? null : reachSchema.safeParse(how);
  if (wanted?.success === false)
    throw wrongUsage(
      t('Copilot is reached directly or through-vscode, not "{how}".', { how: how ?? '' }),
      t('Run "{command}".', { command: 'jumpseat reach --help' }),
    );
  return withApp({ terminal, ...surroundings }, {}, async ({ app }) => {
    if (wanted !== null) await app.changePreferences({ reach: wanted.data });
    const { reach: chosen } = app.preferences();
    terminal.out(
      sentences(
        t('Copilot is reached {how}.', { how: translated(reachNames[chosen]) }),
        translated(reachFacts[chosen]),
      ),
    );
    if (chosen === 'directly') return 0;
    await app.refresh();
    const { reach: state } = app.state();
    if (state.kind === 'directly') return 0;
    const problem = windowProblem(state.window);
    terminal.out(
      problem === null
        ? t('Now {window}.', { window: windowWords(state.window) })
        : sentences(problem.text, problem.remedy),
    );
    return 0;
  });
}
