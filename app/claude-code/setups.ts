import { randomBytes } from 'node:crypto';
import type { AnswersTo, App } from '../api/app.ts';
import type { setupCalls } from '../api/calls/setup.ts';
import { setupLabel } from '../api/names.ts';
import type { SetupChoices, SetupPlan } from '../api/setup.ts';
import { t } from '../language/translate.ts';
import type { ClaudeCode } from './claude-code.ts';
import { contextWindows } from './context-windows.ts';
import { SetupError } from './settings-file.ts';
import { windowName } from './settings-text.ts';
import { applySetup, applyUndo, sweepSetups } from './setup/apply.ts';
import type { FilePlan, SetupPlace } from './setup/plan.ts';
import { draftSetup } from './setup/plan-setup.ts';
import { planUndo } from './setup/plan-undo.ts';

/** Windows may ask at the same time. */
const mostPlans = 16;

interface SetupsDependencies {
  claudeCode: Pick<ClaudeCode, 'place' | 'env' | 'project' | 'variables' | 'models' | 'isKeyKept'>;
}

/** The last plans that were shown, for the one who agrees to one of them. */
export class Setups {
  readonly #dependencies: SetupsDependencies;
  readonly #plans = new Map<string, { plan: FilePlan; closed: boolean }>();

  constructor(dependencies: SetupsDependencies) {
    this.#dependencies = dependencies;
  }

  async plan(action: SetupPlan['action'], choices: SetupChoices = {}): Promise<SetupPlan> {
    const { plan, notes } =
      action === 'undo'
        ? { plan: await planUndo(this.#place(), () => this.#values(), keysOf(choices)), notes: [] }
        : await this.#draft(choices);
    const id = this.#keep(plan, choices.closed === true);
    const privateId = plan.openMode === null ? null : this.#keep(plan, true);
    for (const oldest of [...this.#plans.keys()].slice(0, -mostPlans)) this.#plans.delete(oldest);
    // What it means for the disk stays here.
    const { draft: _draft, openMode: _openMode, ...shown } = plan;
    return { id, privateId, ...shown, notes };
  }

  async apply(id: string): Promise<{ backup: string | null }> {
    const kept = this.#plans.get(id);
    if (kept === undefined) {
      throw new SetupError(
        'changed',
        t('Other changes were shown meanwhile. Nothing was written.'),
        t('Look at them again.'),
      );
    }
    // After this one none of the others is true any more.
    this.#plans.clear();
    const { plan, closed } = kept;
    if (plan.action === 'setup') return applySetup(this.#place(), plan, { closed });
    await applyUndo(this.#place(), plan);
    return { backup: null };
  }

  /** Takes away what a setup that was killed left. */
  sweep(): Promise<void> {
    return sweepSetups(this.#place());
  }

  #place(): SetupPlace {
    return this.#dependencies.claudeCode.place();
  }

  async #draft(choices: SetupChoices): ReturnType<typeof draftSetup> {
    const { claudeCode } = this.#dependencies;
    const { env, project, isKeyKept } = claudeCode;
    const variables = await this.#lines();
    const { haikuNote, promptLimits } = await claudeCode.models();
    return draftSetup({ variables, choices, haikuNote, promptLimits, place: this.#place(), env, project, isKeyKept });
  }

  #lines(): Promise<Record<string, string>> {
    return this.#dependencies.claudeCode.variables(setupLabel);
  }

  /** The lines, and the windows beside them. */
  async #values(): Promise<Record<string, string>> {
    const { promptLimits } = await this.#dependencies.claudeCode.models();
    const windows = Object.entries(contextWindows(promptLimits));
    const named = windows.map(([model, tokens]) => [windowName(model), String(tokens)]);
    return { ...Object.fromEntries(named), ...(await this.#lines()) };
  }

  #keep(plan: FilePlan, closed: boolean): string {
    const id = randomBytes(12).toString('base64url');
    this.#plans.set(id, { plan, closed });
    return id;
  }
}

/** What only a choice writes. */
function keysOf({ keepDays, statusLine, skipWebFetchPreflight }: SetupChoices): string[] {
  return [
    ...(keepDays === undefined ? [] : ['cleanupPeriodDays']),
    ...(statusLine === true ? ['statusLine'] : []),
    ...(skipWebFetchPreflight === true ? ['skipWebFetchPreflight'] : []),
  ];
}

export function setupAnswers(given: {
  claudeCode: ClaudeCode;
  setups: Setups;
  changed(): void;
}): AnswersTo<typeof setupCalls> & Pick<App, 'claudeCodeLines' | 'fileOf'> {
  const { claudeCode, setups, changed } = given;
  return {
    planSetup: (action, choices) => setups.plan(action, choices),
    applySetup: async (id) => {
      const applied = await setups.apply(id);
      changed();
      return applied;
    },
    claudeCodeLines: (label) => claudeCode.lines(label),
    fileOf: (which) => claudeCode.fileOf(which),
  };
}
