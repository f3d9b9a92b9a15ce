import type { AnswersTo, App } from '../api/app.ts';
import type { setupCalls } from '../api/calls/setup.ts';
import type { ClaudeCode } from './claude-code.ts';
import type { Setups } from './setups.ts';

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
