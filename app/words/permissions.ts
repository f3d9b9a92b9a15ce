import type { SessionRule } from '../api/sessions.ts';
import { type Message, msg } from '../language/messages.ts';
import { t } from '../language/translate.ts';
import { oneLine } from './text.ts';

/** What Claude Code calls its permission modes in which something is asked. */
export const askingModes = ['default', 'acceptEdits', 'plan', 'auto'] as const;

export interface ModeWords {
  name: string;
  text: string;
}

/** Words for permission modes. Claude Code has no switch that makes the commands ask which they name. */
export const modeWordsOf: Readonly<Record<(typeof askingModes)[number], Readonly<Record<keyof ModeWords, Message>>>> = {
  default: {
    name: msg('Ask first'),
    text: msg(
      'Reads freely. Asks before it edits, runs a command or uses the web. Commands that change nothing (ls, echo, sleep …) don’t ask.',
    ),
  },
  acceptEdits: {
    name: msg('Accept edits'),
    text: msg(
      'Edits in the folder don’t ask, nor do commands that only change files there (rm, mv, mkdir …). Commands that do more ask.',
    ),
  },
  plan: { name: msg('Plan only'), text: msg('Reads and plans. Changes nothing until you approve the plan.') },
  auto: { name: msg('Auto'), text: msg('A model judges each step and runs what it finds safe. It can be wrong.') },
};

const mostOfCommand = 80;

/** Characters with which a command can contain a second one: a rule then covers it whole or not at all. */
export const joinsCommands = /[;&|<>$`(){}\n\r\\]/;

/** What is allowed for a session, as Claude Code writes its own rules: `Bash(npm test:*)`, `WebSearch`. */
export function ruleNotation({ tool, input, isExact }: Omit<SessionRule, 'id'>): string {
  if (input === null) return tool;
  return `${tool}(${input}${isExact ? '' : ':*'})`;
}

/** What a person agrees to with a rule, as a choice of a question. */
export function ruleOffer({ input, isExact }: Omit<SessionRule, 'id'>): string {
  if (input === null) return t('Allow every use of this tool for this session');
  return isExact
    ? t('Allow this very command for this session')
    : t('Allow {input}, with any arguments, for this session', { input: oneLine(input, mostOfCommand) });
}
