import { join } from 'node:path';
import type { ClaudeCodeSurroundings } from '../claude-code/checks.ts';
import { readSettingsFile, shownPath } from '../claude-code/settings-file.ts';
import { readModel } from '../claude-code/settings-text.ts';
import { readSetup } from '../claude-code/setup/read-setup.ts';
import { t } from '../language/translate.ts';
import type { CheckRun } from './check-run.ts';
import { type Finding, passed, skipped, warning } from './finding.ts';

/** Names for which Claude Code itself chooses a model. */
const chosenByItself: ReadonlySet<string> = new Set(['default', 'best']);

/** Names of Claude Code's, to be proposed where they work. */
const proposed = ['opus', 'sonnet', 'haiku', 'fable'];

/** Whether this account has the model that Claude Code's settings choose: `/model` saves also names that it lacks. */
export async function claudeCodeModel(run: CheckRun): Promise<Finding> {
  const { models } = await run.models();
  if (!Array.isArray(models)) return skipped(t('The models are not known.'));
  const { claudeCode, explainModel } = run.dependencies;
  const around = await claudeCode();
  const setup = await readSetup(around.place).catch(() => null);
  if (setup !== null && setup.elsewhere !== null) return skipped(t('Claude Code doesn’t use Jumpseat.'));
  const chosen = await chosenModel(around);
  if (chosen === null || chosenByItself.has(chosen.name)) return passed(t('None is set: Claude Code’s own default'));
  const { name, file } = chosen;
  const answer = await explainModel(name);
  if (answer.kind === 'here') return passed(t('Set to {name}', { name }));
  const answers = await Promise.all(proposed.map((each) => explainModel(each)));
  const aliases = answers.filter(({ kind }) => kind === 'here').map(({ asked }) => asked);
  const names =
    aliases.length === 0
      ? t('Names that work: see Models.')
      : t('Names that work: {names}.', { names: aliases.join(', ') });
  const next =
    file === null
      ? t('Choose another model with /model in Claude Code. {names}', { names })
      : t('Change “model” in {file}, or choose another model with /model. {names}', { file, names });
  switch (answer.kind) {
    case 'not-in-catalog':
    case 'plan':
      return warning(t('Claude Code is set to {name}, which your account doesn’t have.', { name }), next);
    case 'policy':
      return warning(t('Claude Code is set to {name}, which is off for your account.', { name }), next);
    default:
      return warning(t('Claude Code is set to {name}. {why}', { name, why: answer.text }), next);
  }
}

/** The model in the settings that win. `file` is the folder's as it is shown; null for the person's own. */
async function chosenModel({
  place,
  project,
  home,
}: ClaudeCodeSurroundings): Promise<{ name: string; file: string | null } | null> {
  const ofFolder = ['settings.local.json', 'settings.json'].map((name) => join(project ?? '', '.claude', name));
  for (const path of [...(project ? ofFolder : []), place.settings]) {
    // A file that can't be read is another check's finding.
    const name = await readSettingsFile(path).then(
      ({ text }) => readModel(text ?? ''),
      () => null,
    );
    if (name !== null) return { name, file: path === place.settings ? null : shownPath(path, home) };
  }
  return null;
}
