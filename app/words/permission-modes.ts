/** What Claude Code calls its permission modes in which something is asked. */
export const askingModes = ['default', 'acceptEdits', 'plan', 'auto'] as const;

export interface ModeWords {
  name: string;
  text: string;
}

/** As they are shown. */
export const modeWordsOf: Readonly<Record<(typeof askingModes)[number], ModeWords>> = {
  default: { name: 'Ask first', text: 'Reads freely. Asks before it edits, runs a command or uses the web.' },
  acceptEdits: {
    name: 'Accept edits',
    text: 'Edits files in this folder without asking. Commands still ask.',
  },
  plan: { name: 'Plan only', text: 'Reads and plans. Changes nothing until you approve the plan.' },
  auto: { name: 'Auto', text: 'A model judges each step and runs what it finds safe. It can be wrong.' },
};
